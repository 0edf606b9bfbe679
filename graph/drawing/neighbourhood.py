"""The surroundings of a concept or an episode: which nodes these are, nearest first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from torchatlas.graph.values.grouping import Ends
from torchatlas.graph.values.model import Snapshot

LIMIT, FURTHER = 56, 40
"""Nodes of a neighbourhood: at most so many a step away, and so many where it goes further."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nodes around `centre`: id -> how many steps away. `hidden`: how many more there are."""

    centre: str
    steps: Mapping[str, int]
    hidden: int = 0


def neighbourhood(snapshot: Snapshot, centre: str, radius: int = 1) -> Neighbourhood:
    """Return the nodes within `radius` steps; of too many, the nearest, and of these the ones with most ties.

    Steps go along REQUIRES, the other relations of concepts, TEACHES, RELATED_TO and LISTEN_AFTER; those from an
    episode also to what it assumes. Raises KeyError where the graph lacks the centre.

    Example: `neighbourhood(snapshot, "autograd").steps["aotautograd"]` is 1.
    """
    if centre not in snapshot.concept and centre not in snapshot.episode:
        raise KeyError(centre)
    near = _ties(snapshot, centre)
    steps, ring = {centre: 0}, {centre}
    hidden: set[str] = set()
    for step in range(1, radius + 1):
        ring = {n for node in ring for n in near[node]} - set(steps)
        ties = {node: len(near[node] & set(steps)) for node in ring}
        ranked = sorted(ring, key=lambda node: (-ties[node], -len(near[node]), node))
        free = max((LIMIT if step == 1 else FURTHER) - len(steps), 0)
        steps.update(dict.fromkeys(ranked[:free], step))
        hidden.update(ranked[free:])
        ring = set(ranked[:free])
    return Neighbourhood(centre, steps, len(hidden - set(steps)))


def _ties(snapshot: Snapshot, centre: str) -> Mapping[str, set[str]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    groups: tuple[Iterable[Ends], ...] = (
        snapshot.requires, snapshot.concept_relations, snapshot.teaches, snapshot.related_to, snapshot.listen_after,
        snapshot.assumed_by.get(centre, ()),
    )  # fmt: skip
    for edge in (edge for group in groups for edge in group):
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    return near
