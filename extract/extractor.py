"""The extractor: feed entries go in, findings come out, through one spaCy pipeline."""

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext

import spacy
from spacy.language import Language
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]
from spacy.tokens import Doc

from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.links import find_links, url_spans
from torchatlas.extract.mentions.concepts import FACTORY, SPANS, TEXT
from torchatlas.extract.statements.finder import StatementFinder
from torchatlas.extract.text import LONGEST, masked, to_text
from torchatlas.graph.values.batches import batches
from torchatlas.graph.values.findings import Extraction, Field, Mention
from torchatlas.graph.values.model import Concept

REMEMBERED = 100_000
"""How many words the tokenizer remembers, some ten megabytes."""

KEPT = 50_000
"""How many words of the texts are held, some forty megabytes. Common words come first; others are split anew."""

BATCH = 256
"""How many entries are read ahead; their words are held at once."""

LONGEST_WORD = 2_000
_UNBROKEN = re.compile(rf"\S{{{LONGEST_WORD},}}")


class Extractor:
    """A finder of a vocabulary's concepts, the links and the stated relations in texts.

    `titles`: episode titles that a statement may name. `nlp`: the caller's own pipeline, which gets the concept
    component added; a blank English one otherwise.
    Example: `Extractor(vocabulary.concepts).mentions("How vmap works")[0].concept_id == "vmap"`
    """

    def __init__(self, concepts: Iterable[Concept], titles: Iterable[str] = (), nlp: Language | None = None) -> None:
        vocabulary = sorted(concepts, key=lambda c: c.id)
        titles = sorted(set(titles))
        self.nlp = nlp if nlp is not None else spacy.blank("en")
        self.nlp.max_length = max(self.nlp.max_length, 3 * LONGEST)
        patterns = [
            {"id": c.id, "name": c.name, "aliases": list(c.aliases), "in_texts": list(c.in_texts)} for c in vocabulary
        ]
        self.nlp.add_pipe(FACTORY, config={"concepts": patterns}, last=True)
        if isinstance(self.nlp.tokenizer, Tokenizer):
            # The vocabulary alone fills the tokenizer's memory of words, and each word of a text would be split anew.
            self.nlp.tokenizer.max_cache_size = max(self.nlp.tokenizer.max_cache_size, REMEMBERED)
        self.most_words = len(self.nlp.vocab.strings) + KEPT
        self.statements = StatementFinder(self.nlp, {c.id: c.name for c in vocabulary}, titles)

    def mentions(self, text: str, field: Field = "description") -> tuple[Mention, ...]:
        """Return the concepts named in a text; `text[m.start:m.end] == m.text` for each.

        Example: `[m.concept_id for m in extractor.mentions("How vmap works", "title")]`
        """
        return _mentions(self.nlp(self._doc(text)), text, field)

    def extract(self, entries: Iterable[Entry]) -> Iterator[Extraction]:
        """Yield an Extraction for each entry, in order, as the entries come.

        Example: `[len(found.mentions) for found in extractor.extract(feed.entries)]`
        """
        for batch in batches(entries, BATCH):
            yield from self._batch(batch)

    def _batch(self, entries: Iterable[Entry]) -> list[Extraction]:
        """Return the Extractions of some entries. Once enough words are held, the words of these are forgotten."""
        known = [(entry.episode, to_text(entry.notes, base=entry.base)) for entry in entries]
        found = []
        with self.nlp.memory_zone() if len(self.nlp.vocab.strings) > self.most_words else nullcontext():
            titles = self._piped(episode.title for episode, _ in known)
            texts = self._piped(source.text for _, source in known)
            for (episode, source), title, doc in zip(known, titles, texts, strict=True):
                mentions = _mentions(title, episode.title, "title") + _mentions(doc, source.text, "description")
                stated = self.statements.find(doc, source.text, mentions, episode.title)
                links = find_links(source)
                found.append(Extraction(episode, source.text, mentions=mentions, links=links, statements=stated))
            del titles, texts, title, doc
        return found

    def _piped(self, texts: Iterable[str]) -> Iterator[Doc]:
        """Yield the texts as documents out of the pipeline, in batches where a model of the caller's wants batches."""
        docs = map(self._doc, texts)
        return map(self.nlp.get_pipe(FACTORY), docs) if self.nlp.pipe_names == [FACTORY] else self.nlp.pipe(docs)

    def _doc(self, text: str) -> Doc:
        doc = self.nlp.make_doc(plain := blanked(text))
        doc.user_data[TEXT] = plain
        return doc


def blanked(text: str) -> str:
    """Return the text with as many spaces in place of addresses and of unbroken runs of letters that nobody wrote.

    Offsets stay the same, no name is found inside, and the tokenizer, quadratic in the length of a word, stays fast.

    >>> blanked("See https://a.org now")
    'See               now'
    """
    unbroken = _UNBROKEN.finditer(text) if len(text) >= LONGEST_WORD else ()
    return masked(text, [*url_spans(text), *(m.span() for m in unbroken)], " ")


def _mentions(doc: Doc, text: str, field: Field) -> tuple[Mention, ...]:
    places = ((span.label_, span.start_char, span.end_char) for span in doc.spans[SPANS])
    return tuple(Mention(concept, field, start=start, end=end, text=text[start:end]) for concept, start, end in places)
