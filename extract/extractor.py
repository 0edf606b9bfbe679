"""The extractor: feed entries go in, findings come out, through one tokenizer or one pipeline of spaCy."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from torchatlas.extract.feeds import Entry
from torchatlas.extract.links import find_links, url_spans
from torchatlas.extract.mentions.concept_finder import SPANS, ConceptFinder
from torchatlas.extract.mentions.credited import without_people
from torchatlas.extract.mentions.known_names import KnownNames
from torchatlas.extract.mentions.noun_phrases import Span
from torchatlas.extract.mentions.titles import with_terms
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, Split
from torchatlas.extract.spacy_pipeline import Answers, SpacyPipeline
from torchatlas.extract.statements.finder import StatementFinder
from torchatlas.extract.text import masked, to_text
from torchatlas.extract.tokens import Tokens, split
from torchatlas.graph.values.batches import batches
from torchatlas.graph.values.findings import Extraction, Field, Mention
from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 256
"""How many entries are read ahead; their words are held at once."""

LONGEST_WORD = 2_000
_ROLE = re.compile(
    r":(?:ref|doc|numref|cite):`(?:[\w./-]+`)?|(?:\{[\w:.-]+\}|:[\w:+-]+:)(?=`)|(?<=`)[~!](?=\w)|(?<= )<[\w./-]+>(?=`)"
)
"""A role of reStructuredText, and the label that it refers to."""
_UNBROKEN = re.compile(rf"\S{{{LONGEST_WORD},}}")


class Extractor:
    """A finder of a vocabulary's concepts, the links and the stated relations in texts.

    `titles`: episode titles that a statement may name. `nlp`: the caller's own pipeline, which gets the concept
    component added; a blank English one otherwise. `known`: the names of the concepts, and `answers`: what spaCy said,
    where a blank pipeline has made them before.
    Example: `Extractor(vocabulary.concepts).mentions("How vmap works")[0].concept_id == "vmap"`
    """

    def __init__(
        self,
        concepts: Iterable[Concept],
        titles: Iterable[str] = (),
        nlp: "Language | None" = None,
        known: KnownNames | None = None,
        answers: Answers | None = None,
    ) -> None:
        vocabulary = sorted(concepts, key=lambda c: c.id)
        titles = sorted(set(titles))
        self.pipeline = SpacyPipeline(nlp, answers)
        patterns = [
            {"id": c.id, "name": c.name, "aliases": list(c.aliases), "in_texts": list(c.in_texts)} for c in vocabulary
        ]
        if nlp is None:
            own: Split = RememberingTokenizer(self.pipeline).split
            self.finder = ConceptFinder(own, patterns, known)
        else:
            from torchatlas.extract.mentions.concepts import FACTORY

            own = partial(split, self.nlp)
            self.finder = cast(ConceptFinder, self.nlp.add_pipe(FACTORY, config={"concepts": patterns}, last=True))
        self.tokenizer = RememberingTokenizer(self.pipeline, self.finder.tell) if nlp is None else None
        names = {c.id: c.name for c in vocabulary}
        self.statements = StatementFinder(self.pipeline, own, names, titles)

    @property
    def nlp(self) -> "Language":
        """Return the pipeline of spaCy, which is loaded where it was not needed yet."""
        return self.pipeline.nlp

    def mentions(self, text: str, field: Field = "description") -> tuple[Mention, ...]:
        """Return the concepts named in a text; `text[m.start:m.end] == m.text` for each.

        Example: `[m.concept_id for m in extractor.mentions("How vmap works", "title")]`
        """
        ((_, places),) = self._read([(text, "")])
        return _mentions(places, text, field)

    def extract(self, entries: Iterable[Entry]) -> Iterator[Extraction]:
        """Yield an Extraction for each entry, in order, as the entries come.

        Example: `[len(found.mentions) for found in extractor.extract(feed.entries)]`
        """
        for batch in batches(entries, BATCH):
            yield from self._batch(batch)

    def _batch(self, entries: Iterable[Entry]) -> list[Extraction]:
        """Return the Extractions of some entries. Once enough words are held, the words of these are forgotten."""
        known = [(entry, to_text(entry.notes, base=entry.base)) for entry in entries]
        names = self.finder.known.names
        found = []
        with self.pipeline.zone():
            titles = self._read((entry.episode.title, entry.episode.show) for entry, _ in known)
            texts = self._read((source.text, entry.episode.show) for entry, source in known)
            for (entry, source), (_, named), (tokens, places) in zip(known, titles, texts, strict=True):
                episode, people = entry.episode, entry.people
                places = without_people(source.text, places, people, names)
                named = without_people(episode.title, named, people, names)
                named = with_terms(episode.title, named, {p.concept for p in places if p.concept not in names})
                mentions = _mentions(named, episode.title, "title") + _mentions(places, source.text, "description")
                stated = self.statements.find(tokens(), source.text, mentions, episode.title)
                links = find_links(source)
                findings = Extraction(
                    episode, source.text, mentions=mentions, links=links, statements=stated, show=entry.show,
                    people=people,
                )  # fmt: skip
                found.append(findings)
            del titles, texts
        return found

    def _read(self, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[Callable[[], Tokens], list[Span]]]:
        """Yield what gives the tokens of each text, with the places of its mentions.

        A caller's model reads the texts in batches. `texts`: pairs of a text and the name of its show.
        """
        plain = (blanked(text, show) for text, show in texts)
        if self.tokenizer:  # documents and spans are for others: to make and to read them takes longer
            for read in map(self.tokenizer, plain):
                yield partial(getattr, read, "tokens"), self.finder.find(read)
        else:
            yield from ((partial(Tokens.of, doc), _places(doc)) for doc in self.nlp.pipe(plain))


def blanked(text: str, show: str = "") -> str:
    """Return the text with as many spaces in place of what names no concept.

    That is addresses, roles (:func:`x`), the show's own name, and unbroken runs of letters that nobody wrote. Offsets
    stay the same, and the tokenizer, quadratic in the length of a word, stays fast.

    >>> blanked("See https://a.org now")
    'See               now'
    """
    unbroken = _UNBROKEN.finditer(text) if len(text) >= LONGEST_WORD else ()
    roles = _ROLE.finditer(text) if "`" in text else ()
    named = re.finditer(re.escape(show), text, re.I) if " " in show else ()
    return masked(text, [*url_spans(text), *(m.span() for m in (*unbroken, *roles, *named))], " ")


def _places(doc: "Doc") -> list[Span]:
    return [Span(s.start_char, s.end_char, s.label_, s.id_) for s in doc.spans[SPANS]]


def _mentions(places: Iterable[Span], text: str, field: Field) -> tuple[Mention, ...]:
    return tuple(
        [
            Mention(concept, field, start=start, end=end, text=text[start:end], part=part)
            for start, end, concept, part in places
        ]
    )
