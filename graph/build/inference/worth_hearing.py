"""Topics of the user's own that a text declares as first, and that an episode is about: these are worth hearing."""

from collections.abc import Collection, Iterator
from itertools import product

from torchatlas.graph.build.text_edges import TextsRead
from torchatlas.graph.values.model import ListenAfter, Requires, Snapshot


def worth_hearing(graph: Snapshot, own: Collection[str], texts: TextsRead) -> tuple[Requires, ...]:
    """Return the prerequisites; those of `own` topics (ids) are worth an episode where one is there and a text asks.

    A text asks that an episode about the one concept is heard after one about the other. A need that a person judged
    stays as it is.

    Example: `worth_hearing(graph, {"mvcc"}, texts)[0].need` is "worth"
    """
    kinds = {episode.id: episode.kind for episode in graph.episodes}
    mains = {t.target for t in graph.teaches if t.depth == "main" and kinds[t.source] == "episode"}
    asked = dict(_asked(graph, texts)) if mains.intersection(own) else {}

    def judged(edge: Requires) -> Requires:
        if edge.need != "bridge" or edge.target not in mains.intersection(own):
            return edge
        return asked.get((edge.source, edge.target), edge) if edge.origin == "inferred" else edge

    return tuple(map(judged, graph.requires))


def _asked(graph: Snapshot, texts: TextsRead) -> Iterator[tuple[tuple[str, str], Requires]]:
    """Yield a declared need for the main subjects of each two episodes of which a text puts one after the other."""
    for after in graph.listen_after:
        if (owner := _owner(after, texts)) is None:
            continue
        subjects = [[t.target for t in graph.taught_by.get(e, ()) if t.depth == "main"] for e in _ends(after)]
        for concept, needed in product(*subjects):
            yield (
                (concept, needed),
                Requires(
                    concept, needed, need="worth", reason=after.quote, origin="declared", quote=after.quote,
                    episode=owner, field=after.field, start=after.start,
                ),
            )  # fmt: skip


def _owner(after: ListenAfter, texts: TextsRead) -> str | None:
    """Return the episode in whose text the quote stands."""
    found = (
        e for e in _ends(after) for text in texts.get((e, after.field), ()) if text.startswith(after.quote, after.start)
    )
    return next(found, None) if after.quote and after.start is not None else None


def _ends(after: ListenAfter) -> tuple[str, str]:
    return after.source, after.target
