"""What a text names: concepts, titles of episodes, addresses of episodes' pages."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.util import filter_spans

from torchatlas.extract.links import url_spans
from torchatlas.extract.linktypes import link_type
from torchatlas.extract.statements.sentences import Thing
from torchatlas.extract.statements.titles import Titles
from torchatlas.graph.values.findings import Mention

_EPISODE_WORDS = re.compile(
    r"\b(?:episodes?|podcasts?|listen\w*|hear|heard|follow-?\s?up|sequel|continu\w+|talk|post|prereq\w*)\b", re.I
)


class ThingFinder:
    """`names`: concept id -> name. `titles`: episodes that may be named."""

    def __init__(self, nlp: Language, names: Mapping[str, str], titles: Iterable[str]) -> None:
        self.names = names
        self.titles = Titles(titles)
        self.matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        for title in sorted(set(self.titles.by_name.values())):
            if len(doc := nlp.make_doc(title)):
                self.matcher.add(title, [doc])

    def about_episodes(self, text: str) -> bool:
        """Whether the text may speak of other episodes."""
        return bool(_EPISODE_WORDS.search(text))

    def episode(self, thing: Thing) -> str:
        """The title of the episode that a thing names, its own name where none is known."""
        return self.titles.of_name(thing.name, thing.spelled) or thing.name

    def find(self, doc: Doc, text: str, mentions: Iterable[Mention], with_titles: bool) -> list[Thing]:
        """What is named, in order, no overlaps: concepts first, then titles, then addresses of episodes."""
        things = [
            Thing(m.start, m.end, name=self.names[m.concept_id], spelled=m.text)
            for m in mentions
            if m.field == "description" and m.concept_id in self.names
        ]
        if not with_titles:
            return things
        for s in filter_spans(self.matcher(doc, as_spans=True)):
            # A title as it is written is the episode even where it holds a concept's name, but not where it is one.
            meets = [thing for thing in things if thing.start < s.end_char and s.start_char < thing.end]
            within = all(thing.end - thing.start < s.end_char - s.start_char for thing in meets)
            if s.text[:1].isupper() and within and (not meets or s.text == s.label_):
                things = [thing for thing in things if thing not in meets]
                things.append(Thing(s.start_char, s.end_char, name=s.label_, spelled=s.text, title=True))
        for start, end in url_spans(text):
            if link_type(text[start:end]) == "episode" and (name := self._title(text[start:end])):
                things.append(Thing(start, end, name=name, spelled=name, title=True, page=True))
        return sorted(things, key=lambda thing: thing.start)

    def _title(self, url: str) -> str:
        """The title that the address of an episode's page spells: ".../episodes/zero-one-specialization"."""
        words = re.sub(r"[^\w]+", " ", urlsplit(url).path.rstrip("/").rpartition("/")[2]).strip()
        return self.titles.of_name(words) or words.capitalize()
