"""Identifiers: code that a text names, found by how it is written: classes, functions, flags, files, `ticked`."""

import re
from collections.abc import Iterator
from functools import lru_cache

from torchatlas.extract.english import COMMON, LISTS, NO_VERB, STOP_WORDS, UBIQUITOUS, words
from torchatlas.graph.names import asked_number

_FILE = r"(?:py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|in|bzl|cmake|ya?ml|toml|txt|sh|so|dll|ipynb)"
_WRITTEN = re.compile(
    rf"""
      (?<![\w*/.@\#<>-]) --[a-z][a-z0-9]*(?:-[a-z0-9]+)* (?![\w*-])                         # --no-as-needed
    | (?<![\w*/.@\#:-]) (?:[\w.+-]+/)+ [\w+-]+(?:\.[\w+-]+)*\.{_FILE} (?![\w*/(])            # tools/codegen/gen.py
    | (?<![\w*/.@\#:-]) (?:[\w+-]+/){{2,}} [\w+-]*\w (?![\w*]|[./(]\w)                         # aten/src/ATen/native
    | (?:(?<![\w*/.@\#:$%-])|(?<=\*\*)) [A-Za-z_]\w* (?:(?:::|\.)[A-Za-z_]\w*)*               # torch::foo, foo_bar
      (?:\((?!\.+\))[\w.,=]{{0,20}}\)|=(?:True|False|None|\d+))? (?!\w|\((?!\.\.\.)|\*(?!\*)|::|[./@]\w)
    """,
    re.X,
)
_OF_CODE = re.compile(r"[`'\"(<]*-|[\w`'\"(<\[*]*?(?:[_/.]\w|::|\w_|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\(\)|[Tt]orch[a-z])")
_SHAPE = re.compile(
    r"_*[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[A-Z]{2,}[a-z]{3,}[A-Za-z0-9]*|[a-z]+[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*"
    r"|[a-z]+[A-Z]{2,}[A-Z0-9]*"  # eBPF, pageLSN
    r"|_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|_+[A-Za-z]\w+|[a-z]{3,}_"
    r"|[Tt]orch(?!e[ds]\b|ing\b)[a-z0-9]{2,}"  # a library around PyTorch: torchtune
)
_TICKED = re.compile(r"`([a-z][a-z0-9]*(?:[.-][a-z0-9]+)*|[A-Z][a-z]{3,})`")
_SHORTEST_WORD = 6  # of plain words between ticks: shorter ones are mostly arguments and keywords
_NO_NAMES = STOP_WORDS | UBIQUITOUS | COMMON | NO_VERB
_ROOTS = words("torch aten at c10 nn np numpy jax os sys functools collections caffe2 cuda autograd optim dist std gc")
_BRANDS, _EXAMPLES = LISTS["brands"], LISTS["examples"]  # operators and functions that texts take for examples


def identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each piece of code in a text, in order.

    >>> text = "Call set_output() in gen.py, as torch.add does."
    >>> [text[start:end] for start, end in identifiers(text)]
    ['set_output()', 'gen.py']
    """
    for run in re.finditer(r"\S+", text):
        for start, end in _identifiers_of(run[0]):
            yield run.start() + start, run.start() + end


def plain(written: str) -> str:
    """Return the name without its call and its value: `plain("item()") == "item"`."""
    return re.split(r"[(=]", written, maxsplit=1)[0]


@lru_cache(10_000)
def _identifiers_of(run: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of each piece of code in a run without white space."""
    written = _WRITTEN.finditer(run) if _OF_CODE.match(run) else ()
    found = {match.span() for match in written if _is_code(match[0])}
    if "`" in run:
        found |= {match.span(1) for match in _TICKED.finditer(run) if _is_name(match[1])}
    return tuple(sorted((start, end) for start, end in found if not asked_number(run[start:end])))


def _is_name(ticked: str) -> bool:
    """Return whether a plain word between ticks is a name: `tt.load`, `Atomic`, but not `x.shape`."""
    *qualifiers, last = re.split("[.-]", ticked)
    if last in _EXAMPLES or ticked.lower() in _NO_NAMES:
        return False
    return len(qualifiers[0]) > 1 if qualifiers else len(ticked) >= _SHORTEST_WORD or ticked[0].isupper()


def _is_code(written: str) -> bool:
    """Return whether a word that matches the pattern is code, no example or brand."""
    name = plain(written)
    *qualifiers, last = re.split(r"::|\.", name)
    if name.startswith("-") or "/" in name or (qualifiers and re.fullmatch(_FILE, last)):
        return True
    if last.strip("_").lower() in _EXAMPLES or name.lower() in _BRANDS or re.match(r"Ma?c[A-Z]", name):
        return False
    if qualifiers:
        return qualifiers[0] in _ROOTS or re.search("::|_", name) is not None
    return name != written or _SHAPE.fullmatch(name) is not None
