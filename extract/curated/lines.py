"""The line of every key and item in a TOML text, which `tomllib` does not keep."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache

KeyPath = tuple[str | int, ...]
"""Keys and indices from the whole document to a value: ("teaches", 2, "at")."""

_TOKEN = re.compile(
    r'''(?P<blank>[ \t\r]+|\#[^\n]*) | \n | [\[\]{},=.] | [^\s\[\]{},=."'\#]+
    | """(?:\\.|[^\\])*?"""(?!") | \'{3}.*?\'{3}(?!\') | "(?:\\.|[^"\\\n])*" | '[^'\n]*' ''',
    re.S | re.X,
)


def line_of(text: str, path: KeyPath) -> int:
    r"""Return the line, from 1, where a value of a valid TOML text begins. A missing value has its table's line.

    >>> line_of('[a]\nb = [1,\n2]', ("a", "b", 1))
    3
    """
    lines = _lines(text)
    while path not in lines:
        path = path[:-1]
    return lines[path]


@lru_cache(maxsize=4)
def _lines(text: str) -> Mapping[KeyPath, int]:
    lines: dict[KeyPath, int] = {(): 1}
    sizes: dict[KeyPath, int] = {}  # of the arrays of tables
    inside: list[tuple[str, KeyPath]] = []  # open inline tables and arrays: the closing sign, and where to go on
    section: KeyPath = ()
    path: KeyPath = ()
    brackets, in_key = 0, True
    for sign, line in _tokens(text):
        closing, _ = inside[-1] if inside else ("\n", section)
        if brackets and sign == "]":
            if brackets == 2:
                array = path[:-1] if isinstance(path[-1], int) else path
                sizes[array] = sizes.get(array, 0) + 1
                path = (*array, sizes[array] - 1)
                lines[path] = line
            section, brackets = path, brackets - 1
        elif inside and sign == closing:
            inside.pop()
            in_key = False
        elif sign in ("\n", ","):
            if sign == "," and closing == "]":
                *outer, index = inside.pop()[1]
                inside.append((closing, (*outer, int(index) + 1)))
            path, in_key = inside[-1][1] if inside else section, closing != "]"
        elif not in_key:
            lines.setdefault(path, line)
            if in_key := sign == "{":
                inside.append(("}", path))
            elif sign == "[":
                path = (*path, 0)
                inside.append(("]", path))
        elif sign == "[":
            path, brackets = (), brackets + 1
        elif sign == "=":
            in_key = False
        elif sign != ".":
            path = (*path, tomllib.loads(f"k = {sign}")["k"] if sign[0] in "\"'" else sign)
            lines.setdefault(path, line)
            path += (sizes[path] - 1,) if path in sizes else ()
    return lines


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for found in _TOKEN.finditer(text):
        if not found["blank"]:
            yield found[0], line
        line += found[0].count("\n")
