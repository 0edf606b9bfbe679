"""Prerequisites that nobody stated, read from how one concept's text names another."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product

from torchatlas.graph.findings import Field, Findings, Mention, TextsRead
from torchatlas.graph.model import ListenAfter, Requires, Snapshot, closure, consistent

FIRST, LEANING = 0.9, 0.75
"""Confidence of the two kinds of naming: the share that is right, as `benchmarks/prerequisites.py` measures."""

METHODS = {
    FIRST: "the first sentence of the definition names it",
    LEANING: "the text says that one is built on the other or uses it",
}

_BREAK = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]*[A-Z0-9])|\n+""")
_ASIDE = re.compile(
    r"\b(?:such as|like|unlike|including|e\.g\.|for example|instead of|rather than|compared (?:to|with)"
    r"|used (?:in|for|to)|see also|not|never|no longer|without)\s+(?:\S+\s+){0,3}$",
    re.I,
)
_LEANING = re.compile(
    r"\b(?:based on|built on|on top of|rel(?:y|ies) on|using|uses?|via|by means of|in terms of|requires?|needs?)"
    r"\s+(?:\S+\s+){0,3}$",
    re.I,
)
_MORE = re.compile(r"[:;\u2013\u2014]\s")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text on a concept, and the concepts that it names.

    `start`: offset of the piece in its field; the offsets of `mentions` are those of the field, too. `episode`: id of
    the episode whose notes the piece is from, which tell of much else; None for a text on the concept alone.
    """

    field: Field
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    start: int = 0
    episode: str | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """A sentence by which `needed` is probably a prerequisite of `concept`.

    `confidence`: a key of METHODS. `quote`: the sentence, from offset `start` of the passage's field on.
    """

    concept: str
    needed: str
    _: KW_ONLY
    confidence: float
    quote: str
    start: int
    passage: Passage


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each sentence, without the white space around it.

    >>> list(sentences("It is wet. It is warm."))
    [(0, 10), (11, 22)]
    """
    start = 0
    for end, following in [*(m.span() for m in _BREAK.finditer(text)), (len(text), len(text))]:
        if sentence := text[start:end].strip():
            start = text.index(sentence, start)
            yield start, start + len(sentence)
        start = following


def namings(concept: str, passage: Passage) -> Iterator[Naming]:
    """Yield the places of a passage on a concept (its id) that name what the concept is built on.

    These are the first sentence of a definition, up to a colon or the like (examples follow it), and phrases like
    "built on" and "uses"; in an episode's notes only right after the concept itself. An example, a contrast, a
    negation, a use, a question and a "see also" do not count.

    >>> clay = Mention("clay", "definition", start=10, end=14, text="clay")
    >>> [n.needed for n in namings("pot", Passage("definition", "A thing of clay.", mentions=(clay,)))]
    ['clay']
    """
    spans = list(sentences(passage.text))
    before = ""
    for mention in sorted(passage.mentions, key=lambda m: m.start):
        at = mention.start - passage.start
        index, (start, end) = next((i, s) for i, s in enumerate(spans) if at < s[1])
        quote, ahead_of_it = passage.text[start:end], passage.text[start:at]
        first = index == 0 and passage.field == "definition" and not _MORE.search(ahead_of_it)
        leaning = (passage.episode is None or before == concept) and _LEANING.search(ahead_of_it)
        before = mention.concept_id
        aside = _ASIDE.search(ahead_of_it) or quote.endswith("?")
        if mention.concept_id != concept and not aside and (first or leaning):
            yield Naming(
                concept,
                mention.concept_id,
                confidence=FIRST if first else LEANING,
                quote=quote,
                start=passage.start + start,
                passage=passage,
            )


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
