"""The concepts that a text names: the names of a vocabulary, code, and what the text itself names."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from torchatlas.extract.english import COMMON, KINDS, PEOPLE, UBIQUITOUS, VAGUE, VAGUE_HEADS
from torchatlas.extract.inflection import singular
from torchatlas.extract.links import url_spans
from torchatlas.extract.mentions.boundaries import is_touched, stands_alone, unpaired, widened
from torchatlas.extract.mentions.conjuncts import with_conjuncts
from torchatlas.extract.mentions.ellipsis import elided_concept
from torchatlas.extract.mentions.fields import COVERING, beside, is_doubtful, is_elsewhere, is_joined
from torchatlas.extract.mentions.forms import admits
from torchatlas.extract.mentions.identifiers import holds_code, identifiers, plain
from torchatlas.extract.mentions.known_names import KnownNames
from torchatlas.extract.mentions.name_matcher import NameMatcher, heard
from torchatlas.extract.mentions.noun_phrases import Named, NounPhrases, Span
from torchatlas.extract.mentions.own_names import holds_acronym, holds_kind, holds_name, own_names
from torchatlas.extract.mentions.senses import is_everyday
from torchatlas.extract.mentions.signals import Signals, SignalWords, Test, signals_of
from torchatlas.extract.mentions.text_terms import TermWords, text_terms
from torchatlas.extract.mentions.word_shapes import Signal, shape
from torchatlas.extract.pieces import Piece, TextPieces
from torchatlas.extract.remembered import LONGEST, MOST
from torchatlas.extract.remembering_tokenizer import Split
from torchatlas.extract.stop_words import STOP_WORDS
from torchatlas.graph.values.ids import concept_id

if TYPE_CHECKING:
    from spacy.tokens import Doc

SPANS = "concepts"
_QUOTE = re.compile(r"[\"“”‘`]|['’](?:(?<!\w['’])|(?!\w))")  # else it is an apostrophe
_WORD = re.compile(r"[\w+]+")
_SURNAME = re.compile(r" ([A-Z][a-z]{2,})(?![\w-])")
_FORENAME = re.compile(r"(?<![\w-])([A-Z][a-z]+(?<!ing)(?<!ed)) \Z")
_VARIABLE = re.compile(r"(?:[a-z]|self|out|tensor|loss|model|input|grad)\.(?=\w)")
_CLASSES = re.compile(r"(?:[A-Z]+[a-z0-9]+){2,}")
_POINTING = frozenset({"this", "that", "these", "those", "such"})


class ConceptFinder:
    """A component that sets `doc.spans["concepts"]`: no overlaps, nothing inside an address; labels are concept ids.

    `split`: splits names as texts are split. `concepts`: mappings with `id`, `name`, perhaps `aliases` and
    `in_texts`, so that they fit into a spaCy config. `known`: their names, where these are known from before.
    Example:
        nlp = spacy.blank("en")
        nlp.add_pipe("torchatlas_concepts", config={"concepts": [{"id": "vmap", "name": "vmap"}]})
        [(span.text, span.label_) for span in nlp("How vmap works").spans["concepts"]]
    """

    def __init__(self, split: Split, concepts: Iterable[Mapping[str, Any]], known: KnownNames | None = None) -> None:
        self.known = known or KnownNames.of(split, concepts)
        self.forms, self.short = self.known.forms, self.known.short
        self.doubted = self.known.own if len(self.known.own) >= COVERING else frozenset()
        self.exact = {form.text: form.concept_id for group in self.forms.values() for form in reversed(group)}
        self.words = (
            COMMON | STOP_WORDS | UBIQUITOUS | VAGUE | VAGUE_HEADS | {w for key in self.forms for w in key.split()}
        )
        self.phrases = NounPhrases(self.forms, self.known.names)
        self.terms = TermWords(self.phrases.heads, ids=self.known.own, systems=self.phrases.systems)
        self.names = {id_: name.lower().split() for id_, name in self.known.names.items()}
        tests: Mapping[Signal, Test] = {
            "quote": _QUOTE.search,
            "code": holds_code,
            "acronym": holds_acronym,
            "name": holds_name,
            "kind": holds_kind,
            "modifier": self.phrases.is_modifier,
        }
        self.signals = Signals(tests, KINDS | self.phrases.usual_modifiers)
        self.matcher = NameMatcher(self.known.index)
        self.told: dict[tuple[str, tuple[str, ...]], Piece] = {}

    def __call__(self, doc: "Doc") -> "Doc":
        found = self.find(TextPieces.of(doc, self._told))
        spans = (doc.char_span(p.start, p.end, label=p.concept, span_id=p.part) for p in found)
        doc.spans[SPANS] = [span for span in spans if span is not None]
        return doc

    def tell(self, piece: str, tokens: tuple[str, ...], starts: tuple[int, ...]) -> Piece:
        """Return what is known of a piece of texts. `tokens`: in lower case; `starts`: where each begins in the piece.

        Example: `finder.tell("vmap,", ("vmap", ","), (0, 4)).shape.word == "vmap"`
        """
        first = heard(tokens[0]) if tokens else ""
        signals, names = self.signals.read(piece), self.matcher.names(tokens)
        return Piece(tokens, starts, shape(piece), signals=signals, names=names, first=first)

    def _told(self, piece: str, tokens: tuple[str, ...], starts: tuple[int, ...]) -> Piece:
        """Return what is known of a piece; the tokenizer of a caller may split it in several ways."""
        if known := self.told.get((piece, tokens)):
            return known
        known = self.tell(piece, tokens, starts)
        if len(piece) <= LONGEST:
            if len(self.told) >= MOST:
                self.told.clear()
            self.told[piece, tokens] = known
        return known

    def find(self, read: TextPieces) -> list[Span]:
        """Return the mentions by their characters in the order of the text; each is whole tokens.

        Example: `finder.find(read("vmap")) == [(0, 4, "vmap", "")]`
        """
        text = read.text
        signals = signals_of(read)
        listed, key_words = self._listed(read, signals)
        if elsewhere := is_elsewhere(listed, self.known.own, len(read.written) - read.written.count("")):
            listed = [p for p in listed if p[2] not in self.doubted or not is_doubtful(text[p[0] : p[1]], self.forms)]
        named = [*listed, *own_names(text, listed, signals)]
        if modifiers := signals.get("modifier"):
            named += self.phrases.compounds(text, named, modifiers)
        whole = {(start, end) for start, end, _ in listed}
        places = text_terms(text, list(self.phrases.extended(text, sorted(named))), self.terms, read)
        found = [p for p in places if (p.start, p.end) in whole or read.is_whole(p.start, p.end)]
        return beside(found, [Span(*place) for place in key_words]) if elsewhere and key_words else found

    def _listed(self, read: TextPieces, signals: SignalWords) -> tuple[list[Named], list[Named]]:
        """Return the known names and code, in order, and the key words of other fields."""
        text = read.text
        candidates = self._candidates(read, signals)
        if not candidates:
            return [], []
        addresses = url_spans(text)
        taken = bytearray(len(text))
        found: list[Named] = []
        key_words: list[Named] = []
        elided: list[Named] = []
        for start, end, key in candidates:
            if 1 in taken[start:end] or (addresses and any(a < end and start < b for a, b in addresses)):
                continue
            if not key:
                concept: str | None = self._code(text[start:end])
            elif not stands_alone(text, start, end) or is_everyday(text, start, end):
                continue
            elif _is_person(text, start, end, self.words) or (" " not in key and " " in text[start:end]):
                continue  # "Torch. nn" begins a sentence with nn
            elif (concept := self._concept(key, text[start:end])) is None or concept in self.known.key_words:
                elided += [(start, end, key)] if key in self.short else []
                key_words += [(start, end, concept)] if concept and not is_joined(text, start, end) else []
                concept = None
            elif is_touched(text, start, end):
                start, end = widened(read.tokens, start, end)
            if concept is None or 1 in taken[start:end] or unpaired(text, start, end):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, concept))
        free = [place for place in elided if not taken[place[0]]]
        found += self._in_short(read, free, found) if free else ()
        return with_conjuncts(read, sorted(found), self._named), key_words

    def _candidates(self, read: TextPieces, signals: SignalWords) -> list[tuple[int, int, str]]:
        """Return (start, end, key) of each match, that of the most tokens first; the key of code is ""."""
        found = [(-count, False, start, end, key) for key, start, end, count in self.matcher(read)]
        if "code" in signals:
            whole = [span for span in identifiers(read.text) if read.is_whole(*span)]
            found += [(-read.count(start, end), True, start, end, "") for start, end in whole]
        found.sort(key=itemgetter(0, 1, 2))  # of equal length what is known comes first
        return [(start, end, key) for _, _, start, end, key in found]

    def _concept(self, key: str, seen: str) -> str | None:
        """Return the concept of a name, None where the name is not spelled with the capitals that it needs."""
        if concept := self.exact.get(seen) or self.exact.get(seen := " ".join(seen.split())):
            return concept
        return next((form.concept_id for form in self.forms.get(key, ()) if admits(form.text, seen)), None)

    def _code(self, written: str) -> str:
        """Return the concept of a piece of code, without its call, its variable and its plural; else one of its own."""
        name = plain(written)
        if _CLASSES.fullmatch(name):
            name = singular(name) or name
        spelled = (name, _VARIABLE.sub("", name))
        known = next((c for s in spelled if s.lower() in self.forms and (c := self._concept(s.lower(), s))), None)
        return known or concept_id(name.removeprefix("self."))

    def _named(self, phrase: str) -> str | None:
        """Return the concept that a phrase in lower case names."""
        known = self.forms.get(phrase)
        return known[0].concept_id if known else None

    def _in_short(self, read: TextPieces, elided: Sequence[Named], found: Sequence[Named]) -> list[Named]:
        """Return the mentions by short names that the text explains. `elided`: with the short name of each."""
        named = {concept for _, _, concept in found}
        words = set(_WORD.findall(read.text.lower())).union(*(self.names.get(concept, ()) for concept in named))
        meanings = {head: elided_concept(self.short[head], named, words) for _, _, head in elided}
        ends = {end for _, end, _ in found}
        short = []
        for start, end, head in elided:
            if not (concept := meanings[head]):
                continue
            name, (begin, stop) = self.names[concept], read.before(start)
            word = read.text[begin:stop]
            if _modifies(word, name):
                continue
            if word.lower() in name and stop < start and stop not in ends:
                start = begin  # a part of the name before its head belongs to the mention: "memory pool"
            short.append((start, end, concept))
        return short


def _modifies(word: str, name: Sequence[str]) -> bool:
    """Return whether the word before a short name says that another thing is meant: "this stream", "GPU events".

    `name`: the words of the name that is shortened.
    """
    lower = word.lower()
    if lower in name:
        return False
    noun = lower in UBIQUITOUS and not lower.endswith("s")  # CMake builds targets
    return lower in _POINTING or noun or (len(word) > 1 and word.isupper())


def _is_person(text: str, start: int, end: int, words: Set[str]) -> bool:
    """Return whether a name that people have stands beside a capitalised word that is none of these: Maxwell Flitton.

    `words`: in lower case, those of all names and the usual ones of English.
    """
    if text[start:end].lower() not in PEOPLE or not text[start].isupper():
        return False
    beside = (_SURNAME.match(text, end), _FORENAME.search(text, max(0, start - 20), start))
    return any(m and m[1].lower() not in words for m in beside)
