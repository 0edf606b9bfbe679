"""Curated files that are read, as JSON values and back: to read such values takes a tenth of the time of the files."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import (
    Assumes,
    Concept,
    ConceptRelation,
    Episode,
    ListenAfter,
    RefersTo,
    Requires,
    Show,
    Teaches,
)

_ROWS: Mapping[str, type[Any]] = {
    "concepts": Concept, "requires": Requires, "relations": ConceptRelation, "episodes": Episode, "teaches": Teaches,
    "assumes": Assumes, "listen_after": ListenAfter, "refers_to": RefersTo, "shows": Show,
}  # fmt: skip
"""The fields of vocabulary and catalogue that hold nodes or edges, and the class of these."""


def to_json(curated: Vocabulary | Catalogue) -> dict[str, Any]:
    """Return a vocabulary or a catalogue as a JSON value.

    >>> to_json(Vocabulary((), unplaced={"a joke": "no concept"}))["unplaced"]
    {'a joke': 'no concept'}
    """
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(curated)):
        value = getattr(curated, name)
        of = _ROWS.get(name)
        found[name] = list(map(attrgetter(*_names(of)), value)) if of else value
    return found | ({"drafts": sorted(curated.drafts)} if isinstance(curated, Vocabulary) else {})


def vocabulary_of(value: Mapping[str, Any]) -> Vocabulary:
    """Return the vocabulary of which this is `to_json`.

    >>> vocabulary_of(to_json(Vocabulary((), drafts=frozenset({"vmap"})))).drafts
    frozenset({'vmap'})
    """
    return Vocabulary(**_read(value) | {"drafts": frozenset(value["drafts"])})


def catalogue_of(value: Mapping[str, Any]) -> Catalogue:
    """Return the catalogue of which this is `to_json`.

    >>> catalogue_of(to_json(Catalogue(urls={"show/one": ("https://e.org",)}))).urls
    {'show/one': ('https://e.org',)}
    """
    return Catalogue(**_read(value) | {"urls": {id_: tuple(urls) for id_, urls in value["urls"].items()}})


def _names(of: type[Any]) -> list[str]:
    return [field.name for field in fields(of)]


def _read(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields, those of nodes and edges as their values."""
    return {name: _values(_ROWS[name], rows) if name in _ROWS else rows for name, rows in value.items()}


def _values(of: type[Any], rows: Iterable[Iterable[Any]]) -> tuple[Any, ...]:
    names = _names(of)
    return tuple(of(**dict(zip(names, map(_value, row), strict=True))) for row in rows)


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
