"""Concepts: a spaCy component that finds the names of a vocabulary in a text, by spaCy's PhraseMatcher."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.attrs import IDX, IS_SPACE, LENGTH, ORTH  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc, Span

from torchatlas.extract.links import url_spans
from torchatlas.extract.mentions.boundaries import QUOTES, is_touched, stands_alone, unpaired, widened
from torchatlas.extract.mentions.compounds import is_compound
from torchatlas.extract.mentions.conjuncts import Found, with_conjuncts
from torchatlas.extract.mentions.ellipsis import elided_concept, short_names
from torchatlas.extract.mentions.forms import Form, admits, forms
from torchatlas.extract.mentions.identifiers import identifiers, plain
from torchatlas.extract.mentions.known_terms import general_terms
from torchatlas.extract.mentions.senses import is_everyday
from torchatlas.graph.values.ids import concept_id

FACTORY = "torchatlas_concepts"
SPANS = "concepts"
TEXT = "torchatlas_text"
"""A caller may leave the text in `doc.user_data`: `doc.text` joins all tokens, which takes as long as tokenizing."""
_LEFT_OUT = re.compile(rf"\s\s|[\n\t{QUOTES}]|\A\s|[^\S ]")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[\w+]+")
_BREAK = re.compile(r"\n[^\S\n]*\n|[.!?:;][\"'”’)]*\s")
_VARIABLE = re.compile(r"(?:[a-z]|self|out|tensor|loss|model|input|grad)\.(?=\w)")
_POINTING = frozenset({"this", "that", "these", "those", "such"})


@Language.factory(FACTORY, default_config={"concepts": []}, retokenizes=False)
def _make(nlp: Language, name: str, concepts: Sequence[Mapping[str, Any]]) -> "ConceptFinder":
    return ConceptFinder(nlp, concepts)


class ConceptFinder:
    """A component that sets `doc.spans["concepts"]`: no overlaps, nothing inside an address; labels are concept ids.

    `concepts`: mappings with `id`, `name`, perhaps `aliases` and `in_texts`, so that they fit into a spaCy config.
    Example:
        nlp = spacy.blank("en")
        nlp.add_pipe("torchatlas_concepts", config={"concepts": [{"id": "vmap", "name": "vmap"}]})
        [(span.text, span.label_) for span in nlp("How vmap works").spans["concepts"]]
    """

    def __init__(self, nlp: Language, concepts: Iterable[Mapping[str, Any]]) -> None:
        self.vocab = nlp.vocab
        self.matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self.quotes = np.array([nlp.vocab.strings.add(q) for q in QUOTES], dtype=np.uint64)
        concepts = list(concepts)
        names = {concept["id"]: concept["name"] for concept in concepts}
        self.forms = _spellings(concepts, names)
        others = [term for term in general_terms() if term["id"] not in names]
        every = names | {term["id"]: term["name"] for term in others}
        for key, group in _spellings(others, every).items():
            self.forms.setdefault(key, group)
        self.exact = {form.text: form.concept_id for group in self.forms.values() for form in reversed(group)}
        self.short = short_names(self.forms, names)
        self.names = {id_: name.lower().split() for id_, name in every.items()}
        for key in sorted({*self.forms, *self.short}):
            group = self.forms.get(key, [])
            spellings = [key]
            if "." in key or _DIGIT.search(key):
                # The tokenizer splits nn.Module but not nn.module, so each case that is admitted gets its own pattern.
                spellings = sorted({key, *(text for form in group for text in (form.text, form.text.capitalize()))})
            patterns = [doc for doc in (self._bare(nlp.make_doc(s), s)[0] for s in spellings) if len(doc)]
            if patterns:
                self.matcher.add(key, patterns)

    def __call__(self, doc: Doc) -> Doc:
        text = doc.user_data.get(TEXT)
        found = self.find(doc, doc.text if text is None else text)
        doc.spans[SPANS] = [Span(doc, start, end, label=concept) for start, end, concept in found]
        return doc

    def find(self, doc: Doc, text: str) -> Found:
        """Return (first token, token after the last, concept id) of each mention, in the order of the text.

        `text`: the text of `doc`. Example: `finder.find(nlp.make_doc("vmap"), "vmap") == [(0, 1, "vmap")]`
        """
        candidates = self._candidates(doc, text)
        if not candidates:
            return []
        places: list[tuple[int, int]] = doc.to_array([IDX, LENGTH]).tolist()
        addresses = url_spans(text)
        taken = bytearray(len(doc))
        found: Found = []
        elided: list[tuple[int, str]] = []
        for start, end, key in candidates:
            begin, stop = places[start][0], sum(places[end - 1])
            if 1 in taken[start:end] or (addresses and any(a < stop and begin < b for a, b in addresses)):
                continue
            if not key:
                concept: str | None = self._code(text[begin:stop])
            elif not stands_alone(text, begin, stop) or is_everyday(text, begin, stop):
                continue
            elif (concept := self._concept(key, text[begin:stop])) is None:
                elided += [(start, key)] if key in self.short else []
            elif is_touched(text, begin, stop):
                start, end = widened(doc, text, start, end)
            if concept is None or 1 in taken[start:end]:
                continue
            if end - start > 1 and unpaired(text, places[start][0], sum(places[end - 1])):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, concept))
        found += self._in_short(doc, text, [(i, head) for i, head in elided if not taken[i]], found)
        return with_conjuncts(doc, sorted(found), self._named)

    def _candidates(self, doc: Doc, text: str) -> list[tuple[int, int, str]]:
        """Return (first token, token after the last, key) of each match, the longest first; the key of code is ""."""
        bare, place = self._bare(doc, text)
        found = []
        for key, first, last in self.matcher(bare):
            start, end = (place[first], place[last - 1] + 1) if place else (first, last)
            if end - start == last - first or self._bridges(doc, text, place[first:last]):
                found.append((first - last, start, end, self.vocab.strings[key]))
        code = [doc.char_span(*span) for span in identifiers(text)]
        found += [(s.start - s.end, s.start, s.end, "") for s in code if s is not None]  # None: cut elsewhere
        found.sort(key=lambda c: (c[0], not c[3], c[1]))  # of equal length what is known comes first
        return [candidate[1:] for candidate in found]

    def _bare(self, doc: Doc, text: str) -> tuple[Doc, list[int]]:
        """Return the document without white space and quotes, and the places of its tokens, [] where these are all."""
        if not _LEFT_OUT.search(text):
            return doc, []
        table = doc.to_array([ORTH, IS_SPACE])
        orth = table[:, 0]
        keep = table[:, 1] == 0
        for quote in self.quotes:
            keep &= orth != quote
        if keep.all():  # an apostrophe is no quote
            return doc, []
        return Doc(self.vocab, words=orth[keep].tolist()), np.flatnonzero(keep).tolist()

    @staticmethod
    def _bridges(doc: Doc, text: str, places: list[int]) -> bool:
        """Return whether a match holds together: over a line or a quote, but not over a paragraph or a sentence."""
        ends = [(doc[i].idx, doc[i].idx + len(doc[i])) for i in places]
        gaps = [text[a[1] : b[0]] for a, b in pairwise(ends)]
        return not _BREAK.search(text, ends[0][0], ends[-1][1]) and all(
            gap.count("\n") <= 1 and len(gap) < 40 and len(gap.strip()) <= 1 for gap in gaps
        )

    def _concept(self, key: str, seen: str) -> str | None:
        """Return the concept of a name, None where the name is not spelled with the capitals that it needs."""
        seen = " ".join(seen.split())
        written = (form.concept_id for form in self.forms.get(key, ()) if admits(form.text, seen))
        return self.exact.get(seen) or next(written, None)

    def _code(self, written: str) -> str:
        """Return the concept of a piece of code, without its call and its variable; else an id of its own."""
        name = plain(written)
        spelled = (name, _VARIABLE.sub("", name))
        known = next((c for s in spelled if s.lower() in self.forms and (c := self._concept(s.lower(), s))), None)
        return known or concept_id(name)

    def _named(self, phrase: str) -> str | None:
        """Return the concept that a phrase in lower case names."""
        known = self.forms.get(phrase)
        return known[0].concept_id if known else None

    def _in_short(self, doc: Doc, text: str, elided: list[tuple[int, str]], found: Found) -> Found:
        """Return the mentions by short names that the text explains. `elided`: (token, short name) of each."""
        if not elided:
            return []
        named = {concept for _, _, concept in found}
        words = set(_WORD.findall(text.lower())).union(*(self.names.get(concept, ()) for concept in named))
        meanings = {head: elided_concept(self.short[head], named, words) for _, head in elided}
        return [
            (i, i + 1, concept)
            for i, head in elided
            if (concept := meanings[head]) and not (i and doc[i - 1].lower_ in _POINTING)
        ]


def _spellings(concepts: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, list[Form]]:
    """Return all forms by their text in lower case, the best first, without those that are compounds of others."""
    spelled: dict[str, list[Form]] = defaultdict(list)
    for concept in concepts:
        for form in forms(concept["id"], concept["name"], concept.get("aliases", ()), concept.get("in_texts", ())):
            spelled[form.text.lower()].append(form)
    kept = {}
    for key, group in sorted(spelled.items()):
        group.sort(key=lambda form: (form.rank, form.concept_id))
        if simple := [form for form in group if not is_compound(form, names[form.concept_id], spelled)]:
            kept[key] = simple
    return kept
