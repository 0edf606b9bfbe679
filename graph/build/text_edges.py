"""Nodes and edges that follow from what was found in the texts of episodes."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from torchatlas.graph.values.findings import Extraction, Mention
from torchatlas.graph.values.model import Cites, Concept, Link, Mentions, Teaches
from torchatlas.graph.values.names import is_series
from torchatlas.graph.values.nodes import CODE, TERMS

_OFTEN = 3  # a concept named so often in the notes is a part of what the episode explains

Findings = Sequence[tuple[str, Extraction]]
"""Pairs of an episode id and what was found in a text of the episode, by id: several sources may have the episode."""

TextsRead = Mapping[tuple[str, str], Sequence[str]]
"""(Id of an episode or a concept, field) -> its texts: several sources may have several."""


def moved_to(found: Findings, moved: Mapping[tuple[str, str], str]) -> Findings:
    """Return the findings with other concepts, where a person says what an episode means.

    `moved`: ids of an episode and of a concept -> the concept that the episode's texts mean instead.
    Example: `moved_to([("show/one", extraction)], {("show/one", "autograd"): "engine"})`
    """
    episodes = {episode for episode, _ in moved}

    def changed(id_: str, extraction: Extraction) -> Extraction:
        def now(concept: str) -> str:
            return moved.get((id_, concept), concept)

        mentions = (replace(m, concept_id=now(m.concept_id), part=now(m.part)) for m in extraction.mentions)
        explained = (replace(e, concept_id=now(e.concept_id)) for e in extraction.explained)
        return replace(extraction, mentions=tuple(mentions), explained=tuple(explained))

    return [(id_, changed(id_, extraction) if id_ in episodes else extraction) for id_, extraction in found]


def without_rare(found: Findings, known: Collection[str]) -> Findings:
    """Return the findings without the concepts that are not `known` (ids) and that only one episode or titles name.

    Such a concept would join nothing, or all episodes of a series. Example: `without_rare([("show/one", x)], {"view"})`
    """
    named = {(m.concept_id, id_) for id_, x in found for m in x.mentions if m.field != "summary"}
    often = {concept for concept, count in Counter(concept for concept, _ in named).items() if count > 1}
    kept = (often - _series(found)).union(known)

    def without(extraction: Extraction) -> Extraction:
        own = (m if m.concept_id in kept else replace(m, concept_id=m.listed) for m in extraction.mentions)
        mentions = tuple(m for m in own if m.concept_id in kept)
        explained = tuple(e for e in extraction.explained if e.concept_id in kept)
        return replace(extraction, mentions=mentions, explained=explained)

    return [(id_, without(extraction)) for id_, extraction in found]


def _series(found: Findings) -> set[str]:
    """Return the concepts that are no more than the names of series, in the shows that have notes."""
    titles, texts = Counter[str](), Counter[str]()
    noted = {x.episode.show for _, x in found if x.text}
    for extraction in (x for _, x in found if x.episode.show in noted):
        titles.update({m.concept_id for m in extraction.mentions if m.field == "title"})
        texts.update({m.concept_id for m in extraction.mentions if m.field != "title"})
    return {concept for concept, count in titles.items() if is_series(count, texts[concept])}


def unlisted_concepts(found: Findings, known: Collection[str]) -> Iterator[Concept]:
    """Yield a concept for each thing that is named and not `known` (ids), by the shortest of its spellings.

    Example: `next(unlisted_concepts([("show/one", extraction)], {"autograd"})).area` is "Code" or "Terms".
    """
    spelled: dict[str, set[str]] = {}
    for mention in (m for _, extraction in found for m in extraction.mentions if m.concept_id not in known):
        spelled.setdefault(mention.concept_id, set()).add(mention.text)
    for id_, spellings in sorted(spelled.items()):
        name = min(spellings, key=lambda text: (len(text), text))
        area = TERMS if all(_is_word(word) for word in name.replace("-", " ").split()) else CODE
        yield Concept(id_, name, area=area, definition="Named in the notes; the vocabulary has no entry for it.")


def _is_word(text: str) -> bool:
    return text.isalpha() and (text.islower() or text.isupper() or text.istitle())


def unlisted_names(found: Findings, known: Collection[str]) -> dict[str, str]:
    """Return each name of a thing that is not `known` (ids), as statements write it, with the id of its concept.

    A statement writes code without its call and its value.
    Example: `unlisted_names([("show/one", extraction)], {"autograd"})` is `{"to_mlir": "to-mlir"}`.
    """
    named = sorted((m.text, m.concept_id) for _, x in found for m in x.mentions if m.concept_id not in known)
    return {text.partition("(")[0].partition("=")[0]: id_ for text, id_ in named}


def in_titles(found: Findings) -> dict[str, list[str]]:
    """Return the ids of concepts with the episodes whose titles name them.

    Example: `in_titles([("show/one", extraction)])["view"]` is `["show/one"]`.
    """
    named: dict[str, dict[str, None]] = {}
    for id_, mention in ((id_, m) for id_, x in found for m in x.mentions if m.field == "title"):
        named.setdefault(mention.concept_id, {})[id_] = None
    return {concept: [*episodes] for concept, episodes in named.items()}


def mentions(found: Findings) -> Iterator[Mentions]:
    """Yield an edge for each concept that an episode names, with the first quote.

    Example: `next(mentions([("show/one", extraction)])).count`
    """
    grouped: dict[tuple[str, str], list[Mention]] = {}
    for id_, mention in ((id_, m) for id_, extraction in found for m in extraction.mentions):
        grouped.setdefault((id_, mention.concept_id), []).append(mention)
    for ends, group in grouped.items():
        m = group[0]
        yield Mentions(*ends, count=len(group), field=m.field, start=m.start, end=m.end, evidence=m.text)


def teaches(found: Findings, judged: Collection[str]) -> Iterator[Teaches]:
    """Yield what the episodes teach, apart from those that people have `judged` (ids).

    First come the concepts that transcript and chapters explain, then those of the title and those that the notes name
    often. Example: `next(teaches([("show/one", extraction)], set())).depth`
    """
    unjudged = [(id_, extraction) for id_, extraction in found if id_ not in judged]
    for id_, e in ((id_, e) for id_, extraction in unjudged for e in extraction.explained):
        yield Teaches(id_, e.concept_id, depth=e.depth, origin="inferred", weight=e.weight, at=e.at, evidence=e.quote)
    for m in mentions(unjudged):
        quoted = Teaches(
            m.source, m.target, depth="main", origin="inferred", evidence=m.evidence, field=m.field, start=m.start
        )
        if m.field == "title":
            yield replace(quoted, origin="declared")
        elif m.count >= _OFTEN:
            yield replace(quoted, depth="part", weight=0.5)


def links(found: Findings) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    """Return each link once, with the first label that is not empty, and an edge for each place that cites one.

    Example: `links([("show/one", extraction)])[0][0].url`
    """
    pages: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, link in ((id_, link) for id_, extraction in found for link in extraction.links):
        known = pages.setdefault(link.id, Link(link.id, link.url, type=link.type, label=link.label))
        pages[link.id] = replace(known, label=known.label or link.label)
        cites.append(Cites(id_, link.id, label=link.label, quote=link.url))
    return tuple(pages.values()), tuple(cites)


def texts(found: Findings) -> dict[tuple[str, str], list[str]]:
    """Return (episode id, field) -> the texts that were read. The text of an extraction is the notes or our summary.

    Example: `texts([("show/one", extraction)])["show/one", "title"]` is `["One"]`.
    """
    read: dict[tuple[str, str], list[str]] = {}
    for id_, x in found:
        for field, text in (("title", x.episode.title), ("description", x.text), ("summary", x.text)):
            read.setdefault((id_, field), []).append(text)
    return read
