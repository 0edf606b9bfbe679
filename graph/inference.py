"""Prerequisites that nobody stated, read from how one concept's text names another."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import product

from torchatlas.graph.findings import Field, Findings, Mention, TextsRead
from torchatlas.graph.model import Requires, Snapshot, closure, consistent

FIRST, LEANING = 0.9, 0.75
"""Confidence of the two kinds of naming: the share that is right, as `benchmarks/prerequisites.py` measures."""
AT_MOST = 3
"""Prerequisites inferred for a concept."""
_METHODS = {
    FIRST: "inferred: the first sentence of the definition names it",
    LEANING: "inferred: the text says that one is built on the other or uses it",
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
    """A piece of a text on a concept, from offset `start` of its field on, and the mentions in it.

    `episode`: id of the episode whose notes the piece is from, which tell of much else; None for a definition.
    """

    field: Field
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    start: int = 0
    episode: str | None = None


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


def namings(concept: str, passage: Passage) -> Iterator[Requires]:
    """Yield an edge for each place of a passage on a concept (its id) that names what the concept is built on.

    These are the first sentence of a definition, up to a colon or the like (examples follow it), and phrases like
    "built on" and "uses"; in an episode's notes only right after the concept itself. An example, a contrast, a
    negation, a use, a question and a "see also" do not count.

    Example: `namings("pot", Passage("definition", "A thing of clay.", mentions=mentions))`
    """
    spans = list(sentences(passage.text))
    before = ""
    for mention in sorted(passage.mentions, key=lambda m: m.start):
        at, needed = mention.start - passage.start, mention.concept_id
        index, (start, end) = next((i, span) for i, span in enumerate(spans) if at < span[1])
        quote, ahead = passage.text[start:end], passage.text[start:at]
        first = index == 0 and passage.field == "definition" and not _MORE.search(ahead)
        leaning = (passage.episode is None or before == concept) and _LEANING.search(ahead)
        before = needed
        if needed == concept or _ASIDE.search(ahead) or quote.endswith("?") or not (first or leaning):
            continue
        sure, where = FIRST if first else LEANING, passage.start + start
        edge = Requires(concept, needed, need="bridge", reason=_METHODS[sure], origin="inferred", confidence=sure)
        yield replace(edge, quote=quote, episode=passage.episode, field=passage.field, start=where)


def prerequisites(passages: Iterable[tuple[str, Passage]]) -> tuple[Requires, ...]:
    """Return the surest naming of each prerequisite, of (concept id, passage on the concept) pairs.

    Two concepts whose texts name each other equally surely are no prerequisites of one another.

    Example: `prerequisites([("pot", Passage("definition", "A thing of clay.", mentions=mentions))])`
    """
    best: dict[tuple[str, str], Requires] = {}
    for edge in (edge for concept, passage in passages for edge in namings(concept, passage)):
        first = best.setdefault((edge.source, edge.target), edge)
        if edge.confidence > first.confidence:
            best[edge.source, edge.target] = edge
    return tuple(n for (a, b), n in best.items() if (b, a) not in best or best[b, a].confidence < n.confidence)


def without_circles(
    found: Iterable[Requires], firm: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[Requires, ...], tuple[Requires, ...]]:
    """Return the namings that can hold together, and those that surer ones or `firm` contradict.

    `firm`: (concept, needed) pairs that people stated.

    Example: `kept, aside = without_circles(prerequisites(passages))`
    """
    ordered = sorted(found, key=lambda n: (-n.confidence, n.source, n.target))
    holds = consistent((b, a) for a, b in (*firm, *((n.source, n.target) for n in ordered)))
    kept, aside = (tuple(n for n in ordered if ((n.target, n.source) in holds) is wanted) for wanted in (True, False))
    return kept, aside


def infer(
    graph: Snapshot, own: Collection[str], defined: Mapping[str, Sequence[Mention]], found: Findings
) -> tuple[tuple[Requires, ...], tuple[str, ...]]:
    """Return prerequisites for those concepts of `own` (ids) that have none, and lines on those set aside.

    At most three for each; none follows from another, and none contradicts what is curated or declared of concepts or
    of the order of their episodes. `defined`: concept id -> the mentions in its definition, for all concepts that may
    be prerequisites.

    Example: `infer(graph, {"sloop"}, {"sloop": mentions, "hull": ()}, [])[0]`
    """
    pending = {id_ for id_ in own if id_ in graph.concept and id_ not in graph.required_by}
    if not pending:
        return (), ()
    texts = ((id_, graph.concept[id_].definition) for id_ in sorted(defined.keys() & graph.concept.keys()))
    passages = [(id_, Passage("definition", text, mentions=tuple(defined[id_]))) for id_, text in texts]
    passages += sorted(_notes(pending & defined.keys(), found), key=lambda pair: pair[0])
    otherwise = (r for r in graph.concept_relations if r.kind in ("ALTERNATIVE_TO", "SUPERSEDED_BY"))
    apart = {frozenset((r.source, r.target)) for r in otherwise}
    able = (n for n in prerequisites(passages) if n.source in pending and n.target in defined)
    firm = [(r.source, r.target) for r in graph.requires]
    firm += [pair for after in graph.listen_after for pair in _subjects(graph, after.source, after.target)]
    kept, aside = without_circles((n for n in able if frozenset((n.source, n.target)) not in apart), firm)
    lines = (
        f"{graph.concept[n.source].name} requires {graph.concept[n.target].name} (inferred, {n.confidence:.2f}):"
        " what is stated or surer says the contrary"
        for n in aside
    )
    direct: list[Requires] = []
    for id_ in sorted(pending):  # the surest few, without those that follow from another of them
        own_edges = [n for n in kept if n.source == id_]
        below = [closure(graph.required_by, [n.target]) - {n.target} for n in own_edges]
        direct += [n for n in own_edges if not any(n.target in others for others in below)][:AT_MOST]
    return tuple(direct), tuple(lines)


def _notes(concepts: Collection[str], found: Findings) -> Iterator[tuple[str, Passage]]:
    """Yield the sentences of all notes that name one of the concepts, with it."""
    for episode, extraction in found:
        mentions = [m for m in extraction.mentions if m.field != "title"]
        if all(m.concept_id not in concepts for m in mentions):
            continue
        for start, end in sentences(extraction.text):
            inside = tuple(m for m in mentions if start <= m.start < end)
            for concept in {m.concept_id for m in inside}.intersection(concepts):
                text = extraction.text[start:end]
                yield concept, Passage(inside[0].field, text, mentions=inside, start=start, episode=episode)


def _subjects(graph: Snapshot, later: str, earlier: str) -> Iterator[tuple[str, str]]:
    """Yield each main subject of an episode with each of another."""
    one, two = ([t.target for t in graph.taught_by.get(id_, ()) if t.depth == "main"] for id_ in (later, earlier))
    return product(one, two)


def worth_hearing(graph: Snapshot, own: Collection[str], texts: TextsRead) -> tuple[Requires, ...]:
    """Return the prerequisites; those of `own` topics (ids) are worth an episode where one is there and a text asks.

    A text asks that an episode about the one concept is heard after one about the other. A need that a person judged
    stays as it is.

    Example: `worth_hearing(graph, {"mvcc"}, texts)[0].need` is "worth"
    """
    heard = {t.target for t in graph.teaches if t.depth == "main" and graph.episode[t.source].kind == "episode"}
    wanted = heard.intersection(own)
    asked: dict[tuple[str, str], Requires] = {}
    for after in graph.listen_after if wanted else ():
        ends, quote, start = (after.source, after.target), after.quote, after.start
        quoted = (e for e in ends for text in texts.get((e, after.field), ()) if text.startswith(quote, start))
        if not quote or start is None or (owner := next(quoted, None)) is None:
            continue
        for pair in _subjects(graph, *ends):
            edge = Requires(*pair, need="worth", reason=quote, origin="declared", quote=quote)
            asked[pair] = replace(edge, episode=owner, field=after.field, start=start)
    return tuple(
        asked.get((edge.source, edge.target), edge)
        if edge.need == "bridge" and edge.origin == "inferred" and edge.target in wanted
        else edge
        for edge in graph.requires
    )
