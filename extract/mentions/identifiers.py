"""Identifiers: code that a text names, known or not, found by how it is written: classes, functions, flags, files.

No vocabulary lists all of them. Each is a concept of its own, with the id that its spelling gives.
"""

import re
from collections.abc import Iterator

from torchatlas.extract.english import words

_FILE = r"(?:py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|in|bzl|cmake|ya?ml|toml|sh|so|dll|ipynb)"
_WRITTEN = re.compile(
    rf"""
      (?<![\w*/.@\#<>-]) --[a-z][a-z0-9]*(?:-[a-z0-9]+)* (?![\w*-])                         # --no-as-needed
    | (?<![\w*/.@\#<>-]) -[fWmD][a-zA-Z][a-z0-9]*(?:-[a-z0-9]+)+ (?![\w*-])                  # -ffast-math
    | (?<![\w*/.@\#:-]) (?:[\w.+-]+/)+ [\w+-]+(?:\.[\w+-]+)*\.{_FILE} (?![\w*/(])            # tools/codegen/gen.py
    | (?<![\w*/.@\#:-]) (?:[\w+-]+/){{2,}} [\w+-]*\w (?![\w*]|[./(]\w)                         # aten/src/ATen/native
    | (?<![\w*/.@\#:-]) [\w+-]+\.{_FILE} (?![\w*/(])                                         # variable.h
    | (?<![\w*/.@\#:$%-]) [A-Za-z_]\w* (?:(?:::|\.)[A-Za-z_]\w*)*                           # torch::foo, foo_bar
      (?:\([\w.,=]{{0,20}}\)|=(?:True|False|None|\d+))? (?![\w*(]|::|[./@]\w)
    """,
    re.X,
)
_RUN = re.compile(r"(?<!\S)(?=-|[\w`'\"(<]*?(?:[_/.]\w|::|\w_|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\(\)))\S+")
_CAMEL = re.compile(
    r"_*[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[A-Z]{2,}[a-z]{3,}[A-Za-z0-9]*|[a-z]+[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*"
)
_SNAKE = re.compile(r"_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|_+[A-Za-z]\w+|[a-z]{3,}_")
_ROOTS = words("torch aten at c10 nn np numpy jax os sys functools collections caffe2 cuda autograd optim dist std gc")
_BRANDS = words(
    """github gitlab youtube linkedin facebook openai deepmind iphone ipad macos ios javascript typescript powerpoint
    pytorch stackoverflow paypal whatsapp devops tiktok bitbucket deeplearning vscode latex ebay macbook wifi phd
    youtuber soundcloud spotify"""
)
_EXAMPLES = words(
    """add sub mul div neg abs exp log sin cos tan relu sum mean cat stack zeros ones rand randn matmul mm bmm addmm
    clone sqrt pow max min argmax sort conv2d linear softmax sigmoid tanh transpose reshape squeeze eye arange full
    print len if else for while range main foo bar baz f g h fn func map filter"""
)
"""Operators and functions that texts take for examples."""


def identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each piece of code in a text, in order, without examples and the names of companies.

    >>> text = "Call set_output() in gen.py, as torch.add does."
    >>> [text[start:end] for start, end in identifiers(text)]
    ['set_output()', 'gen.py']
    """
    for run in _RUN.finditer(text):
        for match in _WRITTEN.finditer(text, *run.span()):
            if _is_code(match[0]):
                yield match.span()


def plain(written: str) -> str:
    """Return the name alone, without its call and its value.

    >>> plain("non_blocking=True"), plain("item()")
    ('non_blocking', 'item')
    """
    return re.split(r"[(=]", written, maxsplit=1)[0]


def _is_code(written: str) -> bool:
    """Return whether a word that matches the pattern is code, and no example, brand or ordinary word."""
    name = plain(written)
    if name.startswith("-") or "/" in name:
        return True
    *qualifiers, last = re.split(r"::|\.", name)
    if qualifiers and re.fullmatch(_FILE, last):
        return True
    if last.strip("_").lower() in _EXAMPLES:
        return False
    if qualifiers:
        return bool(qualifiers[0] in _ROOTS or re.search("::|_", name) or _CAMEL.fullmatch(last) or name != written)
    if name.lower() in _BRANDS or re.match(r"Ma?c[A-Z]", name):
        return False
    return bool((name != written and len(name) > 2) or _CAMEL.fullmatch(name) or _SNAKE.fullmatch(name))
