"""Prerequisites that nobody stated, from how one concept's text names another."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from torchatlas.graph.findings import Field, Findings, Mention, TextsRead
from torchatlas.graph.model import ListenAfter, Precedence, Requires, Snapshot, closure, consistent

FIRST, LEANING = 0.9, 0.75
"""Confidence of the two kinds of naming, as `benchmarks/prerequisites.py` measures."""
AT_MOST = 3  # prerequisites inferred for a concept
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


class Passage(NamedTuple):
    """A part of a definition or of notes, from `start`, with the mentions in it."""

    field: Field
    text: str
    mentions: tuple[Mention, ...] = ()
    start: int = 0
    episode: str | None = None


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield sentence spans: `list(sentences("So. No."))[1]` is (4, 7)."""
    start = 0
    for end, following in [*(m.span() for m in _BREAK.finditer(text)), (len(text), len(text))]:
        if sentence := text[start:end].strip():
            start = text.index(sentence, start)
            yield start, start + len(sentence)
        start = following


def prerequisites(passages: Iterable[tuple[str, Passage]]) -> tuple[Requires, ...]:
    """Keep the surest naming of each pair, no ties: `prerequisites([("pot", passage)])`.

    Counts a definition's first sentence, up to a colon, and phrases like "uses"; in
    notes right after the concept. No example, contrast, negation, use or question.
    """
    best: dict[tuple[str, str], Requires] = {}
    for concept, passage in passages:
        spans, before = list(sentences(passage.text)), ""
        for mention in sorted(passage.mentions, key=attrgetter("start")):
            at, needed = mention.start - passage.start, mention.concept_id
            index, (start, end) = next((i, span) for i, span in enumerate(spans) if at < span[1])
            quote, ahead = passage.text[start:end], passage.text[start:at]
            first = index == 0 and passage.field == "definition" and not re.search(r"[:;\u2013\u2014]\s", ahead)
            leaning = (passage.episode is None or before == concept) and _LEANING.search(ahead)
            before = needed
            if not (first or leaning) or needed == concept or _ASIDE.search(ahead) or quote.endswith("?"):
                continue
            sure, why = LEANING, "inferred: the text says that one is built on the other or uses it"
            if first:
                sure, why = FIRST, "inferred: the first sentence of the definition names it"
            edge = Requires(concept, needed, need="bridge", reason=why, origin="inferred", confidence=sure)
            if (concept, needed) not in best or best[concept, needed].confidence < sure:
                where: Any = {"quote": quote, "field": passage.field, "start": passage.start + start}
                best[concept, needed] = replace(edge, episode=passage.episode, **where)
    return tuple(n for (a, b), n in best.items() if (b, a) not in best or best[b, a].confidence < n.confidence)


def without_circles(
    found: Iterable[Requires], firm: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[Requires, ...], ...]:
    """Return namings that hold, then contradicted ones: `without_circles(found)`."""
    order = Precedence(consistent((b, a) for a, b in firm))
    ordered = sorted(found, key=lambda n: (-n.confidence, n.source, n.target))
    held = [(order.accept(n.target, n.source), n) for n in ordered]
    return tuple(n for holds, n in held if holds), tuple(n for holds, n in held if not holds)


def infer(
    graph: Snapshot, own: Collection[str], defined: Mapping[str, Sequence[Mention]], found: Findings, texts: TextsRead
) -> tuple[list[Requires], list[str]]:
    """Infer what concepts of `own` require: `infer(graph, {"pot"}, {}, [], {})`.

    Those without any get at most three, none following from another. What contradicts
    statements becomes a line. A text that asks to hear one first makes it worth an
    episode. `defined`: concept id -> the mentions in its definition.
    """
    pending = {id_ for id_ in own if id_ in graph.concept and id_ not in graph.required_by}
    if not pending:
        return [], []
    known = sorted(defined.keys() & graph.concept.keys())
    passages = [(id_, Passage("definition", graph.concept[id_].definition, tuple(defined[id_]))) for id_ in known]
    passages += sorted(_notes(pending & defined.keys(), found), key=itemgetter(0))
    otherwise = (r for r in graph.concept_relations if r.kind in ("ALTERNATIVE_TO", "SUPERSEDED_BY"))
    apart = {frozenset((r.source, r.target)) for r in otherwise}
    able = (n for n in prerequisites(passages) if n.source in pending and n.target in defined)
    firm = [(r.source, r.target) for r in graph.requires]
    firm += [pair for after in graph.listen_after for pair in _subjects(graph, after)]
    kept, aside = without_circles((n for n in able if frozenset((n.source, n.target)) not in apart), firm)
    needs = (f"{graph.name_of(n.source)} requires {graph.name_of(n.target)}" for n in aside)
    lines = [f"{need} (inferred): what is stated or surer says the contrary" for need in needs]
    direct: list[Requires] = []
    for id_ in sorted(pending):  # the surest few, without what follows from another of them
        own_edges = [n for n in kept if n.source == id_]
        below = [closure(graph.required_by, [n.target]) - {n.target} for n in own_edges]
        direct += [n for n in own_edges if not any(n.target in others for others in below)][:AT_MOST]
    asked = _asked(graph, own, texts)
    return [asked.get((n.source, n.target), n) for n in direct], lines


def _notes(concepts: Collection[str], found: Findings) -> Iterator[tuple[str, Passage]]:
    """Yield the sentences of all notes that name one of the concepts, with it."""
    for episode, x in found:
        mentions = [m for m in x.mentions if m.field != "title"]
        for start, end in sentences(x.text) if any(m.concept_id in concepts for m in mentions) else ():
            inside = tuple(m for m in mentions if start <= m.start < end)
            for concept in {m.concept_id for m in inside}.intersection(concepts):
                yield concept, Passage(inside[0].field, x.text[start:end], inside, start, episode)


def _subjects(graph: Snapshot, after: ListenAfter) -> Iterator[tuple[str, str]]:
    """Yield each main subject of an episode with each of the one before it."""
    later, earlier = (graph.taught_by.get(id_, ()) for id_ in (after.source, after.target))
    return ((a.target, b.target) for a, b in product(later, earlier) if a.depth == b.depth == "main")


def _asked(graph: Snapshot, own: Collection[str], texts: TextsRead) -> dict[tuple[str, str], Requires]:
    """Return own subjects that a text asks to hear first, as worth an episode."""
    heard = {t.target for t in graph.teaches if t.depth == "main" and graph.episode[t.source].kind != "trailer"}
    asked: dict[tuple[str, str], Requires] = {}
    for after in graph.listen_after:
        ends, quote, start = (after.source, after.target), after.quote, after.start
        quoted = (e for e in ends for text in texts.get((e, after.field), ()) if text.startswith(quote, start))
        if quote and start is not None and (owner := next(quoted, None)):
            for a, b in _subjects(graph, after):
                edge = Requires(a, b, need="worth", reason=quote, origin="declared", quote=quote, episode=owner)
                asked[a, b] = replace(edge, field=after.field, start=start)
    return {ends: edge for ends, edge in asked.items() if edge.target in heard and edge.target in own}
