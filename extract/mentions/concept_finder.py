"""The concepts that a text names: the names of a vocabulary, code, and what the text itself names."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from torchatlas.extract.english import COMMON, PEOPLE, UBIQUITOUS, VAGUE, VAGUE_HEADS, singular
from torchatlas.extract.links import url_spans
from torchatlas.extract.mentions.boundaries import is_touched, stands_alone, unpaired, widened
from torchatlas.extract.mentions.conjuncts import TokenSpans, with_conjuncts
from torchatlas.extract.mentions.ellipsis import elided_concept
from torchatlas.extract.mentions.fields import beside, is_doubtful, is_elsewhere, is_joined
from torchatlas.extract.mentions.forms import admits
from torchatlas.extract.mentions.identifiers import holds_code, identifiers, plain
from torchatlas.extract.mentions.known_names import KnownNames
from torchatlas.extract.mentions.name_matcher import NameMatcher, bare
from torchatlas.extract.mentions.noun_phrases import Named, NounPhrases, Span
from torchatlas.extract.mentions.own_names import holds_acronym, holds_kind, holds_name, own_names
from torchatlas.extract.mentions.senses import is_everyday
from torchatlas.extract.mentions.signals import Signals
from torchatlas.extract.mentions.signals import SignalWords as Signalled
from torchatlas.extract.mentions.text_terms import TermWords, text_terms
from torchatlas.extract.remembering_tokenizer import Split, Told
from torchatlas.extract.stop_words import STOP_WORDS
from torchatlas.extract.tokens import Tokens
from torchatlas.graph.values.ids import concept_id

if TYPE_CHECKING:
    from spacy.tokens import Doc

SPANS = "concepts"
_QUOTE = re.compile(r"[\"“”‘`]|['’](?:(?<!\w['’])|(?!\w))")  # else it is an apostrophe
_WORD = re.compile(r"[\w+]+")
_BREAK = re.compile(r"\n[^\S\n]*\n|[.!?:;][\"'”’)]*\s")
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
        self.exact = {form.text: form.concept_id for group in self.forms.values() for form in reversed(group)}
        self.words = (
            COMMON | STOP_WORDS | UBIQUITOUS | VAGUE | VAGUE_HEADS | {w for key in self.forms for w in key.split()}
        )
        self.phrases = NounPhrases(self.forms, self.known.names)
        self.terms = TermWords(self.phrases.heads, ids=self.known.own, systems=self.phrases.systems)
        self.names = {id_: name.lower().split() for id_, name in self.known.names.items()}
        self.signals = Signals(
            {
                "quote": _QUOTE.search,
                "code": holds_code,
                "acronym": holds_acronym,
                "name": holds_name,
                "kind": holds_kind,
                "modifier": self.phrases.is_modifier,
            }
        )
        self.matcher = NameMatcher(self.known.index)

    def __call__(self, doc: "Doc") -> "Doc":
        found = self.find(Tokens.of(doc))
        spans = (doc.char_span(p.start, p.end, label=p.concept, span_id=p.part) for p in found)
        doc.spans[SPANS] = [span for span in spans if span is not None]
        return doc

    def tell(self, word: str, tokens: Sequence[str]) -> Told:
        """Return what is to be remembered of a word of texts, so that it is looked at once.

        Example: `finder.tell("vmap,", ["vmap", ","])[0].word == "vmap"`
        """
        return self.signals.read(word), self.matcher.branches(tokens)

    def find(self, tokens: Tokens) -> list[Span]:
        """Return the mentions by their characters in the order of the text; each is whole tokens.

        Example: `finder.find(tokenize("vmap")) == [(0, 4, "vmap", "")]`
        """
        text = tokens.text
        shapes = tokens.shapes or self.signals.shapes(tokens.pieces)
        signals = self.signals.of(shapes)
        names, key_words = self._listed(tokens, signals)
        listed: list[Named] = [(*tokens.span(a, b), c) for a, b, c in names]
        if elsewhere := is_elsewhere(listed, self.known.own, len(tokens.words)):
            listed = [p for p in listed if p[2] not in self.known.own or not is_doubtful(text[p[0] : p[1]], self.forms)]
        named = [*listed, *own_names(text, listed, signals)]
        if modifiers := signals.get("modifier"):
            named += self.phrases.compounds(text, named, modifiers)
        whole = {(start, end) for start, end, _ in listed}
        places = text_terms(text, list(self.phrases.extended(text, sorted(named))), self.terms, (tokens.pieces, shapes))
        found = [p for p in places if (p.start, p.end) in whole or tokens.within(p.start, p.end)]
        return beside(found, (Span(*tokens.span(a, b), c) for a, b, c in key_words)) if elsewhere else found

    def _listed(self, tokens: Tokens, signals: Signalled) -> tuple[TokenSpans, TokenSpans]:
        """Return (first token, token after the last, concept id) of known names and of code, and of key words."""
        text = tokens.text
        candidates = self._candidates(tokens, signals)
        if not candidates:
            return [], []
        addresses = url_spans(text)
        taken = bytearray(len(tokens.words))
        found: TokenSpans = []
        key_words: TokenSpans = []
        elided: list[tuple[int, str]] = []
        for start, end, key in candidates:
            begin, stop = tokens.span(start, end)
            if 1 in taken[start:end] or (addresses and any(a < stop and begin < b for a, b in addresses)):
                continue
            if not key:
                concept: str | None = self._code(text[begin:stop])
            elif not stands_alone(text, begin, stop) or is_everyday(text, begin, stop):
                continue
            elif _is_person(text, begin, stop, self.words) or (" " not in key and " " in text[begin:stop]):
                continue  # "Torch. nn" begins a sentence with nn
            elif (concept := self._concept(key, text[begin:stop])) is None or concept in self.known.key_words:
                elided += [(start, key)] if key in self.short else []
                key_words += [(start, end, concept)] if concept and not is_joined(text, begin, stop) else []
                concept = None
            elif is_touched(text, begin, stop):
                start, end = widened(tokens, start, end)
            if concept is None or 1 in taken[start:end]:
                continue
            if end - start > 1 and unpaired(text, *tokens.span(start, end)):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, concept))
        found += self._in_short(tokens, [(i, head) for i, head in elided if not taken[i]], found)
        return with_conjuncts(tokens, sorted(found), self._named), key_words

    def _candidates(self, tokens: Tokens, signals: Signalled) -> list[tuple[int, int, str]]:
        """Return (first token, token after the last, key) of each match, the longest first; the key of code is ""."""
        words, branches, place = tokens.words, tokens.branches, list[int]()
        if tokens.gaps or "quote" in signals:
            words, place = bare(words)
            branches = [branches[i] for i in place] if branches else ()
        found = []
        for key, first, last in self.matcher(words, branches):
            start, end = (place[first], place[last - 1] + 1) if place else (first, last)
            if end - start == last - first or self._bridges(tokens, place[first:last]):
                found.append((first - last, start, end, key))
        if "code" in signals:
            code = filter(None, (tokens.within(*span) for span in identifiers(tokens.text)))  # None: cut elsewhere
            found += [(start - end, start, end, "") for start, end in code]
        found.sort(key=lambda c: (c[0], not c[3], c[1]))  # of equal length what is known comes first
        return [candidate[1:] for candidate in found]

    @staticmethod
    def _bridges(tokens: Tokens, places: list[int]) -> bool:
        """Return whether a match holds together: over a line or a quote, but not over a paragraph or a sentence."""
        text, ends = tokens.text, [tokens.span(i, i + 1) for i in places]
        gaps = [text[a[1] : b[0]] for a, b in pairwise(ends)]
        return not _BREAK.search(text, ends[0][0], ends[-1][1]) and all(
            gap.count("\n") <= 1 and len(gap) < 40 and len(gap.strip()) <= 1 for gap in gaps
        )

    def _concept(self, key: str, seen: str) -> str | None:
        """Return the concept of a name, None where the name is not spelled with the capitals that it needs."""
        seen = " ".join(seen.split())
        if concept := self.exact.get(seen):
            return concept
        return next((form.concept_id for form in self.forms.get(key, ()) if admits(form.text, seen)), None)

    def _code(self, written: str) -> str:
        """Return the concept of a piece of code, without its call, its variable and its plural; else one of its own."""
        name = plain(written)
        if _CLASSES.fullmatch(name):
            name = singular(name) or name
        spelled = (name, _VARIABLE.sub("", name))
        known = next((c for s in spelled if s.lower() in self.forms and (c := self._concept(s.lower(), s))), None)
        return known or concept_id(name)

    def _named(self, phrase: str) -> str | None:
        """Return the concept that a phrase in lower case names."""
        known = self.forms.get(phrase)
        return known[0].concept_id if known else None

    def _in_short(self, tokens: Tokens, elided: list[tuple[int, str]], found: TokenSpans) -> TokenSpans:
        """Return the mentions by short names that the text explains. `elided`: (token, short name) of each."""
        if not elided:
            return []
        named = {concept for _, _, concept in found}
        words = set(_WORD.findall(tokens.text.lower())).union(*(self.names.get(concept, ()) for concept in named))
        meanings = {head: elided_concept(self.short[head], named, words) for _, head in elided}
        ends = {end for _, end, _ in found}
        short = []
        for i, head in elided:
            if (concept := meanings[head]) and not (i and _modifies(tokens.written(i - 1, i), self.names[concept])):
                # Where a part of the name stands before its head, it belongs to the mention: "memory pool".
                named_part = i and i not in ends and tokens.words[i - 1] in self.names[concept]
                part = named_part and not tokens.joined(i)
                short.append((i - 1 if part else i, i + 1, concept))
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
