"""Edges by their ends."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, TypeVar


class HasEnds(Protocol):
    """An edge, of whatever kind: the ids of the two nodes that it joins."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...


E = TypeVar("E", bound=HasEnds)


def by_source(edges: Iterable[E]) -> dict[str, tuple[E, ...]]:
    """Return the edges by the id of the node where they start, each group in the order in which they came.

    Example: `by_source(snapshot.requires)["vmap"]` are the edges to all that vmap needs.
    """
    return _grouped((edge.source, edge) for edge in edges)


def by_target(edges: Iterable[E]) -> dict[str, tuple[E, ...]]:
    """Return the edges by the id of the node where they end, each group in the order in which they came.

    Example: `by_target(snapshot.teaches)["vmap"]` are the edges from all episodes that explain vmap.
    """
    return _grouped((edge.target, edge) for edge in edges)


def _grouped(pairs: Iterable[tuple[str, E]]) -> dict[str, tuple[E, ...]]:
    found: defaultdict[str, list[E]] = defaultdict(list)
    for end, edge in pairs:
        found[end].append(edge)
    return {end: tuple(group) for end, group in found.items()}
