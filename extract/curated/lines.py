"""The line of every key and item in a TOML text, which `tomllib` does not keep."""

import re
import tomllib
from collections.abc import Mapping
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
    return _Scan(text).run()


class _Scan:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, int]] = []  # with their lines; the next one is the last
        self.lines: dict[KeyPath, int] = {(): 1}
        self.lengths: dict[KeyPath, int] = {}  # of the arrays of tables
        line = 1
        for found in _TOKEN.finditer(text):
            if not found["blank"]:
                self.tokens.append((found[0], line))
            line += found[0].count("\n")
        self.tokens = [("", line), *reversed(self.tokens)]

    def take(self, *signs: str) -> bool:
        return self.tokens[-1][0] in signs and bool(self.tokens.pop())

    def run(self) -> Mapping[KeyPath, int]:
        table: KeyPath = ()
        while self.tokens[-1][0]:
            if self.take("["):
                array = self.take("[")
                table = self.key((), "]", array=array)
            elif not self.take("\n", "]"):
                self.value(self.key(table, "="))
        return self.lines

    def key(self, path: KeyPath, end: str, *, array: bool = False) -> KeyPath:
        """Read a dotted key; a part that is an array of tables means its last table, and `array` begins one more."""
        while not self.take(end):
            part, line = self.tokens.pop()
            path = (*path, tomllib.loads(f"k = {part}")["k"] if part[0] in "\"'" else part)
            self.lines.setdefault(path, line)
            if array and not self.take("."):
                self.lengths[path] = self.lengths.get(path, 0) + 1
            self.take(".")
            if path in self.lengths:
                path = (*path, self.lengths[path] - 1)
                self.lines.setdefault(path, line)
        return path

    def value(self, path: KeyPath) -> None:
        if self.take("{"):
            while not self.take("}"):
                if not self.take("\n", ","):
                    self.value(self.key(path, "="))
        elif self.take("["):
            index = 0
            while not self.take("]"):
                if not self.take("\n", ","):
                    self.lines[*path, index] = self.tokens[-1][1]
                    self.value((*path, index))
                    index += 1
        else:
            while self.tokens[-1][0] not in ("\n", ",", "]", "}", ""):
                self.tokens.pop()
