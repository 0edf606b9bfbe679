"""Edges by their ends."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Ends:
    """The ids of the two nodes that an edge joins. Every class of edges inherits them."""

    source: str
    target: str


E = TypeVar("E", bound=Ends)


def by_source(edges: Iterable[E]) -> dict[str, tuple[E, ...]]:
    """Return the edges by the id of the node where they start, in the order in which they came.

    Example: `by_source(snapshot.requires)["vmap"]` are the edges to all that vmap needs.
    """
    return _grouped((edge.source, edge) for edge in edges)


def by_target(edges: Iterable[E]) -> dict[str, tuple[E, ...]]:
    """Return the edges by the id of the node where they end, in the order in which they came.

    Example: `by_target(snapshot.teaches)["vmap"]` are the edges from all episodes that explain vmap.
    """
    return _grouped((edge.target, edge) for edge in edges)


def _grouped(pairs: Iterable[tuple[str, E]]) -> dict[str, tuple[E, ...]]:
    found: defaultdict[str, list[E]] = defaultdict(list)
    for end, edge in pairs:
        found[end].append(edge)
    return {end: tuple(group) for end, group in found.items()}
