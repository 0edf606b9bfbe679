"""Prerequisites of a user's own concepts that nobody stated, inferred from the texts on them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torchatlas.graph.build.inference.namings import METHODS, Naming, Passage, namings, sentences
from torchatlas.graph.build.text_edges import Findings
from torchatlas.graph.values.findings import Mention
from torchatlas.graph.values.model import Requires, Snapshot
from torchatlas.graph.values.precedence import consistent
from torchatlas.graph.values.prerequisites import closure

AT_MOST = 3
"""Prerequisites inferred for a concept."""

_OTHERWISE_RELATED = ("ALTERNATIVE_TO", "SUPERSEDED_BY")


@dataclass(frozen=True, slots=True)
class Inferred:
    """Inferred edges; `set_aside`: prerequisites that texts suggest although people say the contrary, a line each."""

    requires: tuple[Requires, ...] = ()
    set_aside: tuple[str, ...] = ()


def infer(
    graph: Snapshot,
    own: Collection[str],
    defined: Mapping[str, Sequence[Mention]],
    found: Findings,
) -> Inferred:
    """Return prerequisites for those concepts of `own` (ids) that have none in the graph, at most three for each.

    `defined`: concept id -> the mentions in its definition, for all concepts that may be prerequisites. No edge follows
    from another one, and none contradicts what is curated or declared of concepts or of the order of their episodes.

    Example: `infer(graph, {"sloop"}, {"sloop": mentions, "hull": ()}, []).requires`
    """
    pending = {id_ for id_ in own if id_ in graph.concept and id_ not in graph.required_by}
    if not pending:
        return Inferred()
    definitions = {id_: graph.concept[id_].definition for id_ in sorted(defined.keys() & graph.concept.keys())}
    passages = [(id_, Passage("definition", text, mentions=tuple(defined[id_]))) for id_, text in definitions.items()]
    passages += [(id_, p) for id_ in sorted(pending & defined.keys()) for p in _notes(id_, found)]
    other = {frozenset((r.source, r.target)) for r in graph.concept_relations if r.kind in _OTHERWISE_RELATED}
    able = (n for n in prerequisites(passages) if n.concept in pending and n.needed in defined)
    kept, aside = without_circles((n for n in able if frozenset((n.concept, n.needed)) not in other), _firm(graph))
    return Inferred(
        tuple(_edge(n) for id_ in sorted(pending) for n in _direct([n for n in kept if n.concept == id_], graph)),
        tuple(
            f"{graph.concept[n.concept].name} requires {graph.concept[n.needed].name} (inferred, {n.confidence:.2f}):"
            " what is stated or surer says the contrary"
            for n in aside
        ),
    )


def prerequisites(passages: Iterable[tuple[str, Passage]]) -> tuple[Naming, ...]:
    """Return the surest naming of each prerequisite, of (concept id, passage on the concept) pairs.

    Two concepts whose texts name each other equally surely are no prerequisites of one another.

    Example: `prerequisites([("pot", Passage("definition", "A thing of clay.", mentions=mentions))])`
    """
    best: dict[tuple[str, str], Naming] = {}
    for concept, passage in passages:
        for naming in namings(concept, passage):
            pair = naming.concept, naming.needed
            if pair not in best or naming.confidence > best[pair].confidence:
                best[pair] = naming
    return tuple(n for (a, b), n in best.items() if (b, a) not in best or best[b, a].confidence < n.confidence)


def without_circles(
    found: Iterable[Naming], firm: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[Naming, ...], tuple[Naming, ...]]:
    """Return the namings that can hold together, and those that surer ones or `firm` contradict.

    `firm`: (concept, needed) pairs that people stated.

    Example: `kept, aside = without_circles(prerequisites(passages))`
    """
    ordered = sorted(found, key=lambda n: (-n.confidence, n.concept, n.needed))
    stated = ((needed, concept) for concept, needed in firm)
    consistent_pairs = consistent((*stated, *((n.needed, n.concept) for n in ordered)))
    kept, aside = (
        [n for n in ordered if ((n.needed, n.concept) in consistent_pairs) is holds] for holds in (True, False)
    )
    return tuple(kept), tuple(aside)


def _notes(concept: str, found: Findings) -> Iterator[Passage]:
    """Yield the sentences of all notes that name a concept."""
    for episode, extraction in found:
        mentions = [m for m in extraction.mentions if m.field != "title"]
        if all(m.concept_id != concept for m in mentions):
            continue
        for start, end in sentences(extraction.text):
            inside = tuple(m for m in mentions if start <= m.start < end)
            if any(m.concept_id == concept for m in inside):
                yield Passage(
                    inside[0].field, extraction.text[start:end], mentions=inside, start=start, episode=episode
                )


def _firm(graph: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield (concept, needed) pairs that people stated, and those that the declared order of episodes implies."""
    yield from ((r.source, r.target) for r in graph.requires)
    mains = {e: [t.target for t in ts if t.depth == "main"] for e, ts in graph.taught_by.items()}
    for after in graph.listen_after:
        yield from ((a, b) for a in mains.get(after.source, ()) for b in mains.get(after.target, ()))


def _direct(found: Sequence[Naming], graph: Snapshot) -> Sequence[Naming]:
    """Return the surest few of a concept's namings, without those that follow from another of them."""
    below = {n.needed: closure(graph.required_by, [n.needed]) - {n.needed} for n in found}
    return [n for n in found if all(n.needed not in others for others in below.values())][:AT_MOST]


def _edge(naming: Naming) -> Requires:
    return Requires(
        naming.concept, naming.needed, need="bridge", reason=f"inferred: {METHODS[naming.confidence]}",
        origin="inferred", confidence=naming.confidence, quote=naming.quote, episode=naming.passage.episode,
        field=naming.passage.field, start=naming.start,
    )  # fmt: skip
