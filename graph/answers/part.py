"""The part of a graph that some shows make."""

from collections.abc import Collection
from dataclasses import replace

from torchatlas.graph.values.grouping import E
from torchatlas.graph.values.model import Snapshot


def part_of_shows(snapshot: Snapshot, shows: Collection[str]) -> Snapshot:
    """Return the graph without the episodes that are in none of these shows (ids), and without what only these cite.

    All concepts and what is between concepts stay, at their places on the map.

    >>> from torchatlas.graph.values.model import Episode, InShow, Show
    >>> one, two = Episode("a/one", "One", show="A"), Episode("b/two", "Two", show="B")
    >>> edges = InShow("a/one", "a", quote="A"), InShow("b/two", "b", quote="B")
    >>> graph = Snapshot(episodes=(one, two), shows=(Show("a", "A"), Show("b", "B")), in_show=edges)
    >>> part_of_shows(graph, ["b"]).episodes == (two,)
    True
    """
    kept = {edge.source for edge in snapshot.in_show if edge.target in shows}

    def own(edges: tuple[E, ...]) -> tuple[E, ...]:
        return tuple(edge for edge in edges if edge.source in kept)

    def between(edges: tuple[E, ...]) -> tuple[E, ...]:
        return tuple(edge for edge in edges if edge.source in kept and edge.target in kept)

    cites, in_show = own(snapshot.cites), own(snapshot.in_show)
    cited, named = {edge.target for edge in cites}, {edge.target for edge in in_show}
    return replace(
        snapshot,
        episodes=tuple(episode for episode in snapshot.episodes if episode.id in kept),
        shows=tuple(show for show in snapshot.shows if show.id in named),
        links=tuple(link for link in snapshot.links if link.id in cited),
        teaches=own(snapshot.teaches),
        assumes=own(snapshot.assumes),
        mentions=own(snapshot.mentions),
        listen_after=between(snapshot.listen_after),
        refers_to=between(snapshot.refers_to),
        related_to=between(snapshot.related_to),
        in_show=in_show,
        cites=cites,
    )
