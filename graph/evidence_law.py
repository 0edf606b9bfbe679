"""Evidence or it is not there: every edge says where it comes from, and what it quotes stands where it says."""

from collections.abc import Collection, Iterator, Mapping

from graph.errors import DataError
from graph.model import (
    Assumes,
    Cites,
    ConceptRelation,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
    Snapshot,
    Teaches,
)

Edge = Teaches | Assumes | Mentions | Requires | ListenAfter | RefersTo | RelatedTo | Cites | ConceptRelation
Texts = Mapping[tuple[str, str], Collection[str]]
"""(id, field) -> the texts of this name that an episode or a concept has; from several sources there are several."""


def check_evidence(graph: Snapshot) -> None:
    """Raises DataError for an edge with neither a reason nor a quote nor an inference nor a second in the audio."""
    for edge in _edges(graph):
        if not _has_evidence(edge):
            raise DataError(f"{_called(edge)} does not say where it comes from; give it a reason, a quote or a second")


def check_quotes(graph: Snapshot, texts: Texts) -> None:
    """Raises DataError for a quote that does not stand, letter by letter, where its edge says.

    `texts`: what was read of the episodes. The definitions of the concepts are in the graph.
    """
    held = {**texts, **{(c.id, "definition"): (c.definition,) for c in graph.concepts}}
    for edge in _edges(graph):
        quote, field, start, owners = _quoted(edge)
        texts_there = [text for owner in owners for text in held.get((owner, field), ())]
        if field and not any(start is not None and text.startswith(quote, start) for text in texts_there):
            raise DataError(f"{_called(edge)} quotes {quote!r}, which is not at {start} of the {field}; quote verbatim")


def _edges(graph: Snapshot) -> Iterator[Edge]:
    yield from graph.teaches
    yield from graph.assumes
    yield from graph.mentions
    yield from graph.requires
    yield from graph.listen_after
    yield from graph.refers_to
    yield from graph.related_to
    yield from graph.cites
    yield from graph.concept_relations


def _has_evidence(edge: Edge) -> bool:
    match edge:
        case Teaches():
            return edge.at is not None or bool(edge.why.strip() or (edge.field and edge.evidence.strip()))
        case Assumes():
            return edge.at is not None or bool(edge.why.strip())
        case Mentions():
            return bool(edge.field and edge.evidence.strip())
        case Requires(origin="curated"):
            return bool(edge.reason.strip())
        case Requires(origin="declared"):
            return bool(edge.quote.strip())
        case Requires():
            return bool(edge.reason.strip() and edge.quote.strip()) and 0 < edge.confidence < 1
        case ListenAfter() | RefersTo():
            return edge.at is not None or bool(edge.quote.strip())
        case RelatedTo():
            return any(reason.strip() for reason in edge.reasons)
        case Cites():
            return bool(edge.label.strip() or edge.quote.strip())
        case ConceptRelation(origin="curated"):
            return bool(edge.reason.strip())
        case ConceptRelation():
            return edge.episode is not None and (edge.at is not None or bool(edge.quote.strip()))


def _quoted(edge: Edge) -> tuple[str, str, int | None, tuple[str, ...]]:
    """The quote, the field and the place in it, and whose field it may be; no field where nothing of ours is quoted."""
    match edge:
        case Teaches() | Mentions():
            return edge.evidence, edge.field, edge.start, (edge.source,)
        case Requires() | ConceptRelation():
            return edge.quote, edge.field, edge.start, (edge.episode or edge.source,)
        case ListenAfter():
            return edge.quote, edge.field, edge.start, (edge.source, edge.target)
        case RefersTo():
            return edge.quote, edge.field, edge.start, (edge.source,)
        case Assumes() | RelatedTo() | Cites():
            return "", "", None, ()


def _called(edge: Edge) -> str:
    kind = edge.kind if isinstance(edge, ConceptRelation) else edge.KIND
    return f"({edge.source})-[:{kind}]->({edge.target})"
