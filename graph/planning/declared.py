"""Episodes that speakers and authors ask to hear before another."""

from collections.abc import Iterable

from torchatlas.graph.values.grouping import by_source
from torchatlas.graph.values.model import ListenAfter, RefersTo, Snapshot

Declared = ListenAfter | RefersTo
"""An edge that says: hear its target before its source."""

_FAR = 2  # what the episodes ask for, and what that asks for


def declared_before(snapshot: Snapshot, episodes: Iterable[str]) -> dict[str, Declared]:
    """Return the episodes to hear before these, and before those in turn -> the edge that says so; the nearest first.

    Posts are left out, since they are read.

    >>> from torchatlas.graph.values.model import Episode
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> after = ListenAfter("show/two", "show/one", quote="listen to one first")
    >>> list(declared_before(Snapshot(episodes=(one, two), listen_after=(after,)), ["show/two"]))
    ['show/one']
    """
    first = (r for r in snapshot.refers_to if r.relation == "listen_first")
    edges: tuple[Declared, ...] = (*snapshot.listen_after, *first)
    asks = by_source(edges)
    found: dict[str, Declared] = {}
    start = asking = list(episodes)
    for _ in range(_FAR):
        told = [edge for episode in asking for edge in asks.get(episode, ())]
        asking = []
        for edge in told:
            earlier = edge.target
            if earlier not in found and earlier not in start and snapshot.episode[earlier].kind == "episode":
                found[earlier] = edge
                asking.append(earlier)
    return found
