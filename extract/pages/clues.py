"""Clues by which a description without a title is matched with an episode of the catalogue."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from torchatlas.extract.links import find_links
from torchatlas.extract.linktypes import normal
from torchatlas.extract.text import Text
from torchatlas.graph.build.linkage.matching import Clues, strongest, terms_of
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.findings import Mention
from torchatlas.graph.values.model import Concept, Episode

FindMentions = Callable[[str], Iterable[Mention]]
"""A function from a text to its mentions of concepts."""

_TITLE, _ASIDE, _PART, _MAIN = 1.5, 0.5, 0.9, 1.5
_NAME, _ALIAS, _DEFINITION = 0.8, 0.5, 0.4
_ADDRESS = re.compile(r"https?://\S+")


def description_clues(text: str, minutes: int | None, mentions: FindMentions) -> Clues:
    """Return the clues in a description; `minutes` is its episode's length, if known.

    Example: `description_clues("Why views share storage.", 14, extractor.mentions)`
    """
    links = frozenset(link.id for link in find_links(Text(text)))
    return Clues(_all_terms(_ADDRESS.sub(" ", text), 1.0, mentions), links=links, minutes=minutes)


def catalogue_clues(catalogue: Catalogue, vocabulary: Vocabulary, mentions: FindMentions) -> dict[str, Clues]:
    """Return episode id -> clues: all words of the catalogue on it, and those of the vocabulary on its subjects.

    Example: `catalogue_clues(catalogue, vocabulary, extractor.mentions)["show/views"]`
    """
    concepts = {c.id: c for c in vocabulary.concepts}
    return {
        e.id: Clues(
            strongest(_known_terms(e, catalogue, concepts, mentions)),
            frozenset(terms_of(e.title)),
            subjects=frozenset(_concept(t.target) for t in catalogue.teaches if (t.source, t.depth) == (e.id, "main")),
            links=frozenset(normal(url) for url in catalogue.urls.get(e.id, ())),
            minutes=e.minutes,
        )
        for e in catalogue.episodes
    }


def _known_terms(
    episode: Episode, catalogue: Catalogue, concepts: Mapping[str, Concept], mentions: FindMentions
) -> Iterator[dict[str, float]]:
    yield _all_terms(episode.title, _TITLE, mentions)
    for text in (episode.summary, *episode.questions, *episode.keywords):
        yield _all_terms(text, 1.0, mentions)
    for text in episode.guests:
        yield terms_of(text)
    for text in episode.dated:
        yield _all_terms(text, _ASIDE, mentions)
    for t in (t for t in catalogue.teaches if t.source == episode.id):
        main, concept = t.depth == "main", concepts[t.target]
        yield {_concept(t.target): _MAIN if main else _PART}
        yield terms_of(t.evidence, 1.0 if main else _NAME)
        yield terms_of(concept.name, _NAME)
        if main:
            yield terms_of(concept.definition, _DEFINITION)
            yield from (terms_of(alias, _ALIAS) for alias in concept.aliases)
    for a in (a for a in catalogue.assumes if a.source == episode.id):
        yield {_concept(a.target): _ASIDE}
        yield from (terms_of(text, _ASIDE) for text in (concepts[a.target].name, a.why))


def _all_terms(text: str, weight: float, mentions: FindMentions) -> dict[str, float]:
    return terms_of(text, weight) | {_concept(m.listed): weight for m in mentions(text)}


def _concept(id_: str) -> str:
    return f"concept {id_}"
