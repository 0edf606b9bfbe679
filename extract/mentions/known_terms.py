"""Known terms: what a text may name and no concept of the vocabulary is, of programming, machine learning and PyTorch.

A learner may look them up, but the map has nothing of its own to say about them. Each is found as a thing of its own,
"dead code" beside dead code elimination. Those of programming and PyTorch stand in `data/terms.txt`, those of other
fields of computing in `data/glossary.txt`: a line is a term and its other names. Plain words that are terms only where
a text is about their field, "transaction", "exemplar", stand in `data/key_words.txt`.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from torchatlas.graph.values.ids import concept_id


def general_terms() -> Iterator[dict[str, Any]]:
    """Yield the terms in the form of a vocabulary's concepts.

    >>> sorted(next(general_terms()))
    ['aliases', 'id', 'name']
    """
    yield from _terms("terms.txt")


def remote_terms() -> Iterator[dict[str, Any]]:
    """Yield the terms of other fields in the same form: databases, networks, operating systems, languages.

    Texts are searched for them, but how they are made of words says nothing about how terms of PyTorch are.

    >>> sorted(next(remote_terms()))
    ['aliases', 'id', 'name']
    """
    yield from _terms("glossary.txt")


def key_words() -> Iterator[dict[str, Any]]:
    """Yield the plain words of other fields in the same form. They count in texts that are not on PyTorch.

    >>> next(key_words())["aliases"]
    []
    """
    yield from _terms("key_words.txt")


def _terms(file: str) -> Iterator[dict[str, Any]]:
    for line in (files("torchatlas.data") / file).read_text("utf-8").splitlines():
        name, *aliases = (part.strip() for part in line.split(","))
        yield {"id": concept_id(name), "name": name, "aliases": aliases}
