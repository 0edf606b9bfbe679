"""Prerequisites of a user's own concepts that nobody stated, inferred from what the texts say of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torchatlas.graph.build.inference.candidate_pairs import Candidate, candidates, without_circles
from torchatlas.graph.build.inference.passages import Passage, Subject, sentences
from torchatlas.graph.values.findings import Extraction, Mention
from torchatlas.graph.values.model import Concept, Requires, Snapshot
from torchatlas.graph.values.prerequisites import closure

AT_MOST = 3
"""Prerequisites inferred for a concept."""

_OTHERWISE_RELATED = ("ALTERNATIVE_TO", "SUPERSEDED_BY")


@dataclass(frozen=True, slots=True)
class Inferred:
    """`set_aside`: what the texts suggest although people say the contrary, a line each."""

    requires: tuple[Requires, ...] = ()
    set_aside: tuple[str, ...] = ()


def infer(
    graph: Snapshot,
    own: Collection[str],
    defined: Mapping[str, Sequence[Mention]],
    extractions: Mapping[str, Sequence[Extraction]],
) -> Inferred:
    """Prerequisites for those concepts of `own` that have none in the graph.

    `defined`: concept id -> what its definition names, for all that come into question; `extractions`: episode id ->
    what was found in its texts.
    Only strong candidates become edges: direct ones, none that follows from another, and never against what is curated
    or declared, be it of concepts or of the episodes about them.
    """
    pending = {id_ for id_ in own if id_ in graph.concept and id_ not in graph.required_by}
    if not pending:
        return Inferred()
    subjects = [
        _subject(c, defined[c.id], extractions if c.id in pending else {}) for c in graph.concepts if c.id in defined
    ]
    other = {frozenset((r.source, r.target)) for r in graph.concept_relations if r.kind in _OTHERWISE_RELATED}
    strong = (c for c in candidates(subjects, pending) if c.tier == "strong")
    kept, aside = without_circles((c for c in strong if frozenset((c.concept, c.needed)) not in other), _firm(graph))
    return Inferred(
        tuple(_edge(c) for id_ in sorted(pending) for c in _direct([c for c in kept if c.concept == id_], graph)),
        tuple(
            f"{graph.concept[c.concept].name} requires {graph.concept[c.needed].name} (inferred, {c.confidence:.2f}):"
            " what is stated or surer says the contrary"
            for c in aside
        ),
    )


def _subject(concept: Concept, named: Sequence[Mention], extractions: Mapping[str, Sequence[Extraction]]) -> Subject:
    definition = [Passage("definition", concept.definition, mentions=tuple(named))] if concept.definition else []
    notes = (
        passage
        for episode, group in sorted(extractions.items())
        for extraction in group
        for passage in _notes(concept.id, episode, extraction)
    )
    return Subject(concept.id, concept.name, passages=(*definition, *notes))


def _notes(concept: str, episode: str, extraction: Extraction) -> Iterator[Passage]:
    """The sentences that name a concept."""
    mentions = [m for m in extraction.mentions if m.field != "title"]
    if all(m.concept_id != concept for m in mentions):
        return
    for start, end in sentences(extraction.text):
        inside = tuple(m for m in mentions if start <= m.start < end)
        if any(m.concept_id == concept for m in inside):
            yield Passage(inside[0].field, extraction.text[start:end], mentions=inside, start=start, episode=episode)


def _firm(graph: Snapshot) -> Iterator[tuple[str, str]]:
    """(concept, needed) pairs that people stated, and what the declared order of episodes makes of their subjects."""
    yield from ((r.source, r.target) for r in graph.requires)
    mains = {e: [t.target for t in ts if t.depth == "main"] for e, ts in graph.taught_by.items()}
    for after in graph.listen_after:
        yield from ((a, b) for a in mains.get(after.source, ()) for b in mains.get(after.target, ()))


def _direct(found: Sequence[Candidate], graph: Snapshot) -> Sequence[Candidate]:
    """The strongest few of a concept's candidates, without those that follow from another of them."""
    below = {c.needed: closure(graph.required_by, [c.needed]) - {c.needed} for c in found}
    return [c for c in found if all(c.needed not in others for others in below.values())][:AT_MOST]


def _edge(c: Candidate) -> Requires:
    assert c.naming is not None, "a strong candidate is named by a text"
    passage = c.naming.passage
    return Requires(
        c.concept,
        c.needed,
        need="bridge",
        reason=f"inferred: {c.method}",
        origin="inferred",
        confidence=c.confidence,
        quote=c.naming.quote,
        episode=passage.episode,
        field=passage.field,
        start=c.naming.start,
    )
