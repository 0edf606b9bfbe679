"""The law of evidence: every edge has a reason or a source, and each quote stands in its text where the edge says."""

from dataclasses import replace

from torchatlas.graph.build.text_edges import TextsRead
from torchatlas.graph.values.model import (
    EDGE_GROUPS,
    Assumes,
    Cites,
    ConceptRelation,
    Edge,
    InShow,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
    Snapshot,
    Teaches,
)


def with_evidence(graph: Snapshot, texts: TextsRead) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the graph without the edges that break the law, and a line for each of them that says how.

    An edge has a reason, a quote, an inference with its confidence or a second in the audio; a quote is verbatim.
    `texts` are those of the episodes; the definitions of the concepts are in the graph.

    >>> from torchatlas.graph.values.model import Concept
    >>> concepts = (Concept("view", "view", area="Tensors"), Concept("stride", "stride", area="Tensors"))
    >>> with_evidence(Snapshot(concepts, requires=(Requires("view", "stride", need="hear", reason=""),)), {})[1]
    ('(view)-[:REQUIRES]->(stride) does not say where it comes from: no reason, no quote, no second',)
    """
    texts = {**texts, **{(c.id, "definition"): (c.definition,) for c in graph.concepts}}
    broken: list[str] = []
    kept: dict[str, tuple[Edge, ...]] = {}
    for name in EDGE_GROUPS:
        wrongs = [(edge, _wrong(edge, texts)) for edge in getattr(graph, name)]
        kept[name] = tuple(edge for edge, wrong in wrongs if not wrong)
        broken += [f"({edge.source})-[:{edge.kind}]->({edge.target}) {wrong}" for edge, wrong in wrongs if wrong]
    return (replace(graph, **kept) if broken else graph), tuple(broken)  # type: ignore[arg-type]


def _wrong(edge: Edge, texts: TextsRead) -> str:
    """Return how an edge breaks the law, "" where it does not."""
    if not _has_evidence(edge):
        return "does not say where it comes from: no reason, no quote, no second"
    if isinstance(edge, Assumes | RelatedTo | InShow | Cites) or not edge.field:
        return ""
    quote = edge.evidence if isinstance(edge, Teaches | Mentions) else edge.quote
    there = (text for owner in _quoted_nodes(edge) for text in texts.get((owner, edge.field), ()))
    if edge.start is None or not any(text.startswith(quote, edge.start) for text in there):
        return f"quotes {quote!r}, which is not at {edge.start} of the {edge.field}"
    return ""


def _quoted_nodes(edge: Edge) -> tuple[str, ...]:
    """Return the nodes of which one has the text that an edge quotes."""
    if isinstance(edge, Requires | ConceptRelation):
        return (edge.episode or edge.source,)
    return (edge.source, edge.target) if isinstance(edge, ListenAfter) else (edge.source,)


def _has_evidence(edge: Edge) -> bool:
    match edge:
        case Teaches():
            return edge.at is not None or bool(edge.why.strip() or (edge.field and edge.evidence.strip()))
        case Assumes():
            return edge.at is not None or bool(edge.why.strip())
        case Mentions():
            return bool(edge.field and edge.evidence.strip())
        case Requires(origin="curated" | "drafted") | ConceptRelation(origin="curated" | "drafted"):
            return bool(edge.reason.strip())
        case Requires(origin="declared"):
            return bool(edge.quote.strip())
        case Requires():
            return bool(edge.reason.strip() and edge.quote.strip()) and 0 < edge.confidence < 1
        case ListenAfter() | RefersTo():
            return edge.at is not None or bool(edge.quote.strip())
        case InShow():
            return bool(edge.quote.strip())
        case RelatedTo():
            return any(reason.strip() for reason in edge.reasons)
        case Cites():
            return bool(edge.label.strip() or edge.quote.strip())
        case ConceptRelation():
            return edge.episode is not None and (edge.at is not None or bool(edge.quote.strip()))
