"""Tables of cases, vocabularies and entries in a few lines of text."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
from torchatlas.extract.feeds import Entry
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import Concept, Episode
from torchatlas.shipped import SHOW, bundled, bundled_file

_SECTIONS = Path(__file__).with_name("texts.txt").read_text("utf-8").split("\n== ")[1:]
TEXTS = dict(section.split("\n", 1) for section in _SECTIONS)
"""Tables of texts, feeds and addresses, each with what is read in it."""


def cases(table: str) -> list[str]:
    """The texts that stand on lines of their own, or between bars."""
    return [case for part in re.split(r"\n|(?<!\S)\|(?!\S)", table) if (case := part.strip())]


def rows(table: str) -> list[tuple[str, ...]]:
    """What stands between the arrows of each case: `input => input => expected`."""
    return [tuple(re.split(r" ?=>(?: |$)", case)) for case in cases(table)]


def pairs(table: str) -> list[tuple[str, str]]:
    """What stands before and behind the arrow of each case: `input => expected`."""
    return [(before, behind) for before, behind in rows(table)]


def each(table: str) -> list[tuple[str, str]]:
    """Each word behind a colon, with what stands before it: `expected: input input input`."""
    return [(word, key) for case in cases(table) for key, words in [case.split(": ", 1)] for word in words.split()]


def claims(tables: Mapping[str, tuple[Callable[[Any], object], str | list[Any]]]) -> pytest.MarkDecorator:
    """Parameters `read`, `given` and `expected`: a claim's function, and the cases of it (`input => expected`)."""
    found = [
        pytest.param(read, *case, id=f"{claim}: {str(case[0])[:40]}")
        for claim, (read, table) in tables.items()
        for case in (pairs(table) if isinstance(table, str) else table)
    ]
    return pytest.mark.parametrize(("read", "given", "expected"), found)


def concepts(names: str) -> list[Concept]:
    """A concept for each name between commas, with its aliases behind equals signs."""
    listed = [[name.strip() for name in case.split(" = ")] for case in names.replace("\n", " ").split(",")]
    return [Concept(n.lower().replace(" ", "-"), n, area="Area", aliases=tuple(more)) for n, *more in listed if n]


def entry(notes: str, title: str = "Widgets", show: str = "s") -> Entry:
    return Entry(Episode(f"{show}/w", title, show=show), notes)


def marked(text: str) -> tuple[str, list[str]]:
    """A text without its brackets, and what stands in them: `the [vmap] of [JAX]`."""
    return re.sub(r"[\[\]]", "", text), re.findall(r"\[([^\]]*)\]", text)


@cache
def vocabulary() -> Vocabulary:
    return load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))


@cache
def catalogue() -> Catalogue:
    return load_catalogue(bundled("episodes", ".toml"), vocabulary(), SHOW)
