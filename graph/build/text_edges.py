"""Nodes and edges that follow from what was found in the texts of episodes."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from torchatlas.graph.values.findings import Extraction, Mention
from torchatlas.graph.values.model import Cites, Concept, Depth, Link, Mentions, Teaches

_UNLISTED = "Code"  # the area of what no vocabulary has: mostly classes, functions, macros and files

_OFTEN = 3  # a concept named so often in the notes is a part of what the episode explains

ByEpisode = Mapping[str, Sequence[Extraction]]
"""Episode id -> what was found in its texts; there are several where several sources have the episode."""


def without_rare(by_episode: ByEpisode, known: Collection[str]) -> dict[str, list[Extraction]]:
    """Return the findings without the concepts that are not `known` (ids) and that only one episode names.

    Such a concept would join nothing. Example: `without_rare({"show/one": [extraction]}, {"autograd"})`.
    """
    named = {
        (m.concept_id, id_)
        for id_, group in by_episode.items()
        for extraction in group
        for m in extraction.mentions
        if m.field != "summary"
    }
    often = {concept for concept, count in Counter(concept for concept, _ in named).items() if count > 1}

    def kept(extraction: Extraction) -> Extraction:
        mentions = tuple(m for m in extraction.mentions if m.concept_id in known or m.concept_id in often)
        explained = tuple(e for e in extraction.explained if e.concept_id in known or e.concept_id in often)
        return replace(extraction, mentions=mentions, explained=explained)

    return {id_: [kept(extraction) for extraction in group] for id_, group in by_episode.items()}


def unlisted_concepts(by_episode: ByEpisode, known: Collection[str]) -> Iterator[Concept]:
    """Yield a concept for each thing that is named and not `known` (ids), by the shortest of its spellings.

    Example: `next(unlisted_concepts({"show/one": [extraction]}, {"autograd"})).area` is "Code".
    """
    spelled: dict[str, set[str]] = {}
    for extraction in (x for group in by_episode.values() for x in group):
        for id_, text in ((m.concept_id, m.text) for m in extraction.mentions if m.concept_id not in known):
            spelled.setdefault(id_, set()).add(text)
    for id_, spellings in sorted(spelled.items()):
        name = min(spellings, key=lambda text: (len(text), text))
        yield Concept(id_, name, area=_UNLISTED, definition="Named in the notes; the vocabulary has no entry for it.")


def mentions(by_episode: ByEpisode) -> Iterator[Mentions]:
    """Yield an edge for each concept that an episode names, with the first quote.

    Example: `next(mentions({"show/one": [extraction]})).count`.
    """
    for id_, group in by_episode.items():
        grouped: dict[str, list[Mention]] = {}
        for mention in (m for extraction in group for m in extraction.mentions):
            grouped.setdefault(mention.concept_id, []).append(mention)
        for concept, named in grouped.items():
            first = named[0]
            yield Mentions(
                id_, concept, count=len(named), field=first.field, start=first.start, end=first.end, evidence=first.text
            )


def teaches(by_episode: ByEpisode, judged: Collection[str]) -> Iterator[Teaches]:
    """Yield what the episodes teach, apart from those that people have `judged` (ids).

    First come the concepts that transcript and chapters explain, then those of the title and those that the notes name
    often. Example: `next(teaches({"show/one": [extraction]}, set())).depth`.
    """
    unjudged = {id_: group for id_, group in by_episode.items() if id_ not in judged}
    for id_, group in unjudged.items():
        for e in (e for extraction in group for e in extraction.explained):
            yield Teaches(id_, e.concept_id, depth=e.depth, weight=e.weight, at=e.at, evidence=e.quote)
    for mention in mentions(unjudged):
        if mention.field == "title":
            yield _named(mention, "main", 1.0)
        elif mention.count >= _OFTEN:
            yield _named(mention, "part", 0.5)


def _named(mention: Mentions, depth: Depth, weight: float) -> Teaches:
    return Teaches(
        mention.source, mention.target, depth=depth, weight=weight,
        evidence=mention.evidence, field=mention.field, start=mention.start,
    )  # fmt: skip


def links(by_episode: ByEpisode) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    """Return each link once, with the first label that is not empty, and an edge for each place that cites one.

    Example: `links({"show/one": [extraction]})[0][0].url`.
    """
    found: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, group in sorted(by_episode.items()):
        for link in (link for extraction in group for link in extraction.links):
            known = found.setdefault(link.id, Link(link.id, link.url, type=link.type, label=link.label))
            if not known.label and link.label:
                found[link.id] = replace(known, label=link.label)
            cites.append(Cites(id_, link.id, label=link.label, quote=link.url))
    return tuple(found.values()), tuple(cites)


def texts(by_episode: ByEpisode) -> dict[tuple[str, str], list[str]]:
    """Return (episode id, field) -> the texts that were read. The text of an extraction is the notes or our summary.

    Example: `texts({"show/one": [extraction]})["show/one", "title"]` is `["One"]`.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for id_, extraction in ((id_, x) for id_, group in by_episode.items() for x in group):
        found.setdefault((id_, "title"), []).append(extraction.episode.title)
        for field in ("description", "summary"):
            found.setdefault((id_, field), []).append(extraction.text)
    return found
