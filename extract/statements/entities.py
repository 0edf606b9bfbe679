"""Entities: the concepts, and the titles, numbers and addresses of episodes that a text names."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from operator import attrgetter
from urllib.parse import urlsplit

from torchatlas.extract.headwords import headwords
from torchatlas.extract.inflection import singular
from torchatlas.extract.links import link_type, url_spans
from torchatlas.extract.phrase_matcher import PhraseMatcher, longest
from torchatlas.extract.remembering_tokenizer import Split
from torchatlas.extract.statements.closed_classes import PREPOSITIONS
from torchatlas.extract.statements.numbers import numbers_in
from torchatlas.extract.statements.titles import Titles
from torchatlas.extract.tokens import Tokens
from torchatlas.graph.values.findings import Mention

_EPISODE_WORDS = re.compile(
    r"\b(?:episodes?|podcasts?|listen\w*|hear|heard|follow-?\s?up|sequel|continu\w+|talk|post|prereq\w*"
    r"|you\s+(?:should|must|need|ought|want)(?=\W[^.]{0,120}\b(?:first|before)))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A concept or an episode that a text names at the characters `start` to `end`.

    `name`: the concept's name, or the episode's title or number. `spelled`: how the text spells it. `title`: it can
    only be an episode. `page`: the text gives the address of the episode's page.
    """

    start: int
    end: int
    _: KW_ONLY
    name: str
    spelled: str
    title: bool = False
    page: bool = False

    @property
    def plural(self) -> bool:
        """Return whether "they" would refer to the entity.

        >>> Entity(0, 6, name="guard", spelled="guards").plural
        True
        """
        return singular(self.spelled.split()[-1]) is not None if self.spelled.strip() else False


def _ends_open(spelled: str) -> bool:
    """Return whether the last of several words is a preposition: "happens before" in a sentence is no name."""
    first, *others = spelled.lower().split()
    return bool(first and others and others[-1] in PREPOSITIONS)


class EntityFinder:
    """A finder of entities. `names`: concept id -> name. `titles`: episodes that may be named.

    Example: `EntityFinder(split, {"vmap": "vmap"}, ["The lantern"]).find(tokens, text, [], with_titles=True)`
    """

    def __init__(self, split: Split, names: Mapping[str, str], titles: Iterable[str]) -> None:
        self.names = names
        self.titles = Titles(titles)
        self.phrases = PhraseMatcher()
        for title in sorted(set(self.titles.by_name.values())):
            self.phrases.add(title, split(title))

    def about_episodes(self, text: str) -> bool:
        """Return whether the text may speak of other episodes."""
        return bool(_EPISODE_WORDS.search(text))

    def episode(self, entity: Entity) -> str:
        """Return the title of the episode that an entity names, the entity's own name where no such title is known."""
        return self.titles.of_name(entity.name, entity.spelled) or entity.name

    def is_episode(self, entity: Entity) -> bool:
        """Return whether an entity has the title or the number of an episode."""
        return entity.title or self.titles.of_name(entity.name, entity.spelled) is not None

    def find(self, tokens: Tokens, text: str, mentions: Sequence[Mention], *, with_titles: bool) -> list[Entity]:
        """Return the entities of a text in order, without overlaps.

        `tokens`: those of the text. `with_titles`: look for titles and addresses of episodes too.
        Example: `finder.find(tokenize(text), text, mentions, with_titles=True)`
        """
        own = headwords((m for m in mentions if m.field == "description"), self.names)
        entities = [
            Entity(m.start, m.end, name=self.names.get(m.concept_id) or own[m.concept_id], spelled=m.text)
            for m in mentions
            if m.field == "description" and not _ends_open(m.text)
        ]
        if not with_titles:
            return entities
        unlisted = {m.start for m in mentions if m.field == "description" and m.concept_id not in self.names}
        entities = self._with_titles(tokens, sorted(entities, key=attrgetter("start")), unlisted)
        taken = bytearray(len(text))
        for entity in entities:
            taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
        for start, end in numbers_in(text):
            if 1 not in taken[start:end]:
                said = text[start:end]
                entities.append(Entity(start, end, name=said, spelled=said, title=True))
        for start, end in url_spans(text):
            if link_type(text[start:end]) == "episode" and (name := self._title(text[start:end])):
                entities.append(Entity(start, end, name=name, spelled=name, title=True, page=True))
        return sorted(entities, key=attrgetter("start"))

    def _with_titles(self, tokens: Tokens, named: Sequence[Entity], unlisted: Container[int]) -> list[Entity]:
        """Return concepts in order and the titles of episodes, which stand for the concepts within them.

        A title is the episode even where it holds a concept's name, but not where it is a listed concept's name.
        `unlisted`: where the concepts start that are not listed.
        """
        starts = [entity.start for entity in named]
        reach = max((entity.end - entity.start for entity in named), default=0)
        within: set[int] = set()
        titles = []
        for title, first, after in longest(self.phrases(tokens.words)):
            start, end = tokens.span(first, after)
            near = range(bisect_left(starts, start - reach), bisect_left(starts, end))
            meets = [i for i in near if start < named[i].end and i not in within]
            longer = all(named[i].end - starts[i] < end - start + (starts[i] in unlisted) for i in meets)
            if tokens.text[start].isupper() and longer:
                within.update(meets)
                titles.append(Entity(start, end, name=title, spelled=tokens.text[start:end], title=True))
        return [entity for i, entity in enumerate(named) if i not in within] + titles

    def _title(self, url: str) -> str:
        """Return the title that the address of an episode's page spells: ".../episodes/zero-one-specialization"."""
        words = re.sub(r"[^\w]+", " ", urlsplit(url).path.rstrip("/").rpartition("/")[2]).strip()
        return self.titles.of_name(words) or words.capitalize()
