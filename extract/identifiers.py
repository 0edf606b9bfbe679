"""Identifiers: code that a text names, known or not, found by how it is written: classes, functions, flags, files.

What stands between ticks may look like any word: `sparsify`, `tt.load`. No vocabulary lists all of them. Each is a
concept of its own, with the id that its spelling gives.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from torchatlas.extract.english import COMMON, LISTS, NO_VERB, STOP_WORDS, UBIQUITOUS, words
from torchatlas.graph.names import asked_number

_FILE = r"(?:py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|in|bzl|cmake|ya?ml|toml|txt|sh|so|dll|ipynb)"
_WRITTEN = re.compile(
    rf"""
      (?<![\w*/.@\#<>-]) --[a-z][a-z0-9]*(?:-[a-z0-9]+)* (?![\w*-])                         # --no-as-needed
    | (?<![\w*/.@\#<>-]) -[fWmD][a-zA-Z][a-z0-9]*(?:-[a-z0-9]+)+ (?![\w*-])                  # -ffast-math
    | (?<![\w*/.@\#:-]) (?:[\w.+-]+/)+ [\w+-]+(?:\.[\w+-]+)*\.{_FILE} (?![\w*/(])            # tools/codegen/gen.py
    | (?<![\w*/.@\#:-]) (?:[\w+-]+/){{2,}} [\w+-]*\w (?![\w*]|[./(]\w)                         # aten/src/ATen/native
    | (?<![\w*/.@\#:-]) [\w+-]+\.{_FILE} (?![\w*/(])                                         # variable.h
    | (?:(?<![\w*/.@\#:$%-])|(?<=\*\*)) [A-Za-z_]\w* (?:(?:::|\.)[A-Za-z_]\w*)*               # torch::foo, foo_bar
      (?:\((?!\.+\))[\w.,=]{{0,20}}\)|=(?:True|False|None|\d+))? (?!\w|\((?!\.\.\.)|\*(?!\*)|::|[./@]\w)
    """,
    re.X,
)
_RUN = re.compile(r"\S+")
_OF_CODE = re.compile(r"[`'\"(<]*-|[\w`'\"(<\[*]*?(?:[_/.]\w|::|\w_|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\(\)|[Tt]orch[a-z])")
_SIGNS = ("`", "_", "/", "::", "()", "torch", "Torch")
_SIGN = re.compile(r"[A-Z.-](?:(?<=[a-z0-9][A-Z])|(?<=[A-Z])[A-Z][a-z]{2}|(?<=\.)\w|(?<=[\s`'\"(<]-)|(?<=\A-))")
"""A piece of code has one of these; most texts have none. A set of letters comes first, since it is searched fast."""
_CAMEL = re.compile(
    r"_*[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[A-Z]{2,}[a-z]{3,}[A-Za-z0-9]*|[a-z]+[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*"
    r"|[a-z]+[A-Z]{2,}[A-Z0-9]*"  # eBPF, pageLSN
)
_LIBRARY = re.compile(r"[Tt]orch(?!e[ds]\b|ing\b)[a-z0-9]{2,}")
"""A library around PyTorch: torchtune."""
_SNAKE = re.compile(r"_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|_+[A-Za-z]\w+|[a-z]{3,}_")
_TICKED = re.compile(r"`([a-z][a-z0-9]*(?:[.-][a-z0-9]+)*)`|`([a-z][a-z0-9]+(?:\.[a-z0-9]+)+)\Z|`([A-Z][a-z]{3,})`")
_EMPHASIZED = re.compile(r"_[a-z]+_")
_OVERLOAD = re.compile(r"(?:torch\.ops\.)?aten\.\w+\.\w+")
_SHORTEST_WORD = 6
"""How many letters a plain word between ticks has at least: shorter ones are mostly arguments and keywords."""
_VARIABLES = words("self cls out tensor loss model input output grad ctx args kwargs")
_KEYWORDS = LISTS["keywords"]
_NO_NAMES = STOP_WORDS | UBIQUITOUS | COMMON | NO_VERB | _KEYWORDS
_HOSTS = words("com org net edu gov")
_ROOTS = words("torch aten at c10 nn np numpy jax os sys functools collections caffe2 cuda autograd optim dist std gc")
_BRANDS = LISTS["brands"]
_EXAMPLES = LISTS["examples"]
"""Operators and functions that texts take for examples."""


def identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each piece of code in a text, in order: no examples, companies and numbers of episodes.

    >>> text = "Call set_output() in gen.py, as torch.add does."
    >>> [text[start:end] for start, end in identifiers(text)]
    ['set_output()', 'gen.py']
    """
    if not (any(sign in text for sign in _SIGNS) or _SIGN.search(text)):
        return
    for run in _RUN.finditer(text):
        for start, end in _identifiers_of(run[0]):
            yield run.start() + start, run.start() + end


def plain(written: str) -> str:
    """Return the name alone, without its call and its value.

    >>> plain("non_blocking=True"), plain("item()")
    ('non_blocking', 'item')
    """
    return re.split(r"[(=]", written, maxsplit=1)[0]


@lru_cache(10_000)
def _identifiers_of(run: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of each piece of code in a run without white space. Most runs come again and again."""
    of_code = _OF_CODE.match(run)
    if not of_code and "`" not in run:  # as mostly
        return ()
    written = _WRITTEN.finditer(run) if of_code else ()
    found = {match.span() for match in written if _is_code(match[0])}
    ticked = ((match[match.lastindex or 0], match.span(match.lastindex or 0)) for match in _TICKED.finditer(run))
    found |= {span for name, span in ticked if _is_name(name)}
    return tuple(sorted((start, end) for start, end in found if not asked_number(run[start:end])))


def _is_name(ticked: str) -> bool:
    """Return whether a plain word that stands between ticks names a thing: `tt.load`, `Atomic`, but not `x.shape`."""
    if ticked[0].isupper():  # a class
        return ticked.lower() not in _NO_NAMES
    *qualifiers, last = re.split("[.-]", ticked)
    if last in _EXAMPLES | _HOSTS or ticked in _NO_NAMES or _OVERLOAD.fullmatch(ticked):
        return False
    if not qualifiers:
        return len(ticked) >= _SHORTEST_WORD
    numbered = any(part[:1].isdigit() for part in (*qualifiers[1:], last))  # a version: `v2.1`
    everyday = "." not in ticked and _NO_NAMES.issuperset((*qualifiers, last))
    return len(qualifiers[0]) > 1 and qualifiers[0] not in _VARIABLES and not numbered and not everyday


def _is_code(written: str) -> bool:
    """Return whether a word that matches the pattern is code, and no example, brand or ordinary word."""
    name = plain(written)
    if name.startswith("-"):
        return True
    if _EMPHASIZED.fullmatch(name):
        return False
    if "/" in name:
        return not re.fullmatch(r"[A-Z][a-z]+(?:/[A-Z][a-z]+)+", name)  # None/False/True are three names
    *qualifiers, last = re.split(r"::|\.", name)
    if qualifiers and re.fullmatch(_FILE, last):
        return True
    if last.strip("_").lower() in _EXAMPLES or _OVERLOAD.fullmatch(name):
        return False
    if qualifiers:
        return bool(qualifiers[0] in _ROOTS or re.search("::|_", name) or _CAMEL.fullmatch(last) or name != written)
    if name.lower() in _BRANDS or re.match(r"Ma?c[A-Z]", name):
        return False
    called = name != written and len(name) > 2
    return called or any(spelled.fullmatch(name) for spelled in (_CAMEL, _SNAKE, _LIBRARY))
