"""The areas of nodes, and the concepts that stand among the episodes on the map."""

from torchatlas.graph.values.model import Snapshot

GAP = (86.0, 44.0)
"""Pixels between two neighbouring dots of the map, across and down: room for most of a label."""


def areas_of(snapshot: Snapshot) -> dict[str, str]:
    """Return id -> area. That of an episode is the area of the heaviest concept it teaches, "" where it teaches none.

    >>> from torchatlas.graph.values.model import Episode
    >>> areas_of(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))
    {'show/one': ''}
    """
    found = {c.id: c.area for c in snapshot.concepts}
    for episode in snapshot.episodes:
        taught = snapshot.taught_by.get(episode.id, ())
        found[episode.id] = snapshot.concept[taught[0].target].area if taught else ""
    return found


def concepts_in_episodes(snapshot: Snapshot) -> frozenset[str]:
    """Return the concepts that episodes teach, assume or name, and those that these require; all without episodes.

    >>> from torchatlas.graph.values.model import Concept
    >>> concepts_in_episodes(Snapshot((Concept("view", "view", area="Tensors"),)))
    frozenset({'view'})
    """
    if not snapshot.episodes:
        return frozenset(snapshot.concept)
    said = {e.target for edges in (snapshot.teaches, snapshot.assumes, snapshot.mentions) for e in edges}
    return frozenset(said | {r.target for c in said for r in snapshot.required_by.get(c, ())})
