"""The search for concepts and episodes by names, identifiers, titles and questions; typing slips are forgiven."""

from itertools import chain

from torchatlas.graph.answers.resolution import Resolver
from torchatlas.graph.values.answers import Hit
from torchatlas.graph.values.names import words


def search(resolver: Resolver, text: str, limit: int = 10) -> tuple[Hit, ...]:
    """Return the hits for a text, best first, each concept and episode once; none for a text without words.

    >>> from torchatlas.graph.values.model import Concept, Snapshot
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [hit.id for hit in search(Resolver(graph), "how does the dispacher work?")]
    ['dispatcher']
    """
    if not words(text):
        return ()
    found = chain(
        resolver.named(text, "concept"), resolver.named(text, "episode"), resolver.begun(text),
        resolver.asked(text, "goal", limit),
    )  # fmt: skip
    best: dict[str, Hit] = {}
    for reading in found:
        if reading.kind in ("concept", "episode") and (
            reading.ids[0] not in best or reading.score > best[reading.ids[0]].score
        ):
            best[reading.ids[0]] = Hit(
                reading.kind, reading.ids[0], name=reading.name, matched=reading.matched, score=reading.score
            )
    return tuple(sorted(best.values(), key=lambda h: (-h.score, h.kind, len(h.name), h.name, h.id))[:limit])
