"""Finds the names of a vocabulary in a text: a spaCy component over spaCy's PhraseMatcher, no trained model needed.

nlp = spacy.blank("en")
nlp.add_pipe("torchatlas_concepts", config={"concepts": [{"id": "vmap", "name": "vmap", "aliases": []}]})
[(span.text, span.label_) for span in nlp("How vmap works").spans["concepts"]]
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.attrs import IS_SPACE, ORTH  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc, Span

from extract.forms import Form, admits, forms
from extract.links import url_spans

FACTORY = "torchatlas_concepts"
SPANS = "concepts"
TEXT = "torchatlas_text"
"""A caller may leave the text in `doc.user_data`: `doc.text` joins all tokens, which takes as long as tokenizing."""
_QUOTES = "\"'“”‘’`"
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_BEHIND = frozenset('("')
_BEFORE = frozenset({"/", *_CLOSING})
_LEFT_OUT = re.compile(rf"\s\s|[\n\t{_QUOTES}]|\A\s|[^\S ]")
_BREAK = re.compile(r"\n[^\S\n]*\n|[.!?:;][\"'”’)]*\s")
_PATH = re.compile(r"(?:\.{0,2}|~)/\S*|[\w.+-]+(?:/[\w.+*-]+)+\.\w{1,5}|[\w.+-]+(?:/[\w.+-]+)*/")
_JOINS = frozenset({"and", "or", "/", "versus", "vs", "vs.", "&"})
# Idioms in which an everyday word is not the term: "in my view", "off the hook", "rank and file".
_IDIOMS = {
    "view": re.compile(
        r"(?:point of|\bin (?:my|our|your|his|her|their|its|plain|full)|\bmy|\bour|\byour|\btheir|\bin|\bto) $", re.I
    ),
    "views": re.compile(r"(?:\bmy|\bour|\byour|\btheir|\bhis|\bher|strong|political) $", re.I),
    "hook": re.compile(r"(?:off the|\bto) $", re.I),
    "guard": re.compile(r"(?:\boff|\bto|\bon) $", re.I),
    "trace": re.compile(r"(?:stack|without a|\bno) $", re.I),
    "fork": re.compile(r"\ba $", re.I),
}


@Language.factory(FACTORY, default_config={"concepts": []}, retokenizes=False)
def _make(nlp: Language, name: str, concepts: Sequence[Mapping[str, Any]]) -> "ConceptFinder":
    return ConceptFinder(nlp, concepts)


class ConceptFinder:
    """Sets `doc.spans["concepts"]`: no overlaps, longest first, nothing inside an address; labels are concept ids.

    `concepts`: mappings with `id`, `name` and optionally `aliases`, so that they fit into a spaCy config.
    """

    def __init__(self, nlp: Language, concepts: Iterable[Mapping[str, Any]]) -> None:
        self.vocab = nlp.vocab
        self.matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self.quotes = np.array([nlp.vocab.strings.add(q) for q in _QUOTES], dtype=np.uint64)
        self.forms: dict[str, list[Form]] = defaultdict(list)
        for concept in concepts:
            for form in forms(concept["id"], concept["name"], concept.get("aliases", ())):
                self.forms[form.text.lower()].append(form)
        self.keys: dict[int, str] = {}
        for key, group in sorted(self.forms.items()):
            group.sort(key=lambda form: (form.rank, form.concept_id))
            # The tokenizer splits nn.Module but not nn.module, so every case that is admitted gets its own pattern.
            spellings = sorted({key, *(spelled for form in group for spelled in (form.text, form.text.capitalize()))})
            patterns = [doc for doc in (self._bare(nlp.make_doc(s), s)[0] for s in spellings) if len(doc)]
            if patterns:
                self.matcher.add(key, patterns)
                self.keys[nlp.vocab.strings[key]] = key

    def __call__(self, doc: Doc) -> Doc:
        text = doc.user_data.get(TEXT)
        found = self.find(doc, doc.text if text is None else text)
        doc.spans[SPANS] = [Span(doc, start, end, label=concept) for start, end, concept in found]
        return doc

    def find(self, doc: Doc, text: str) -> list[tuple[int, int, str]]:
        """(first token, token after the last, concept id) of each mention, in the order of the text, `doc.text`."""
        bare, place = self._bare(doc, text)
        candidates = []
        for key, first, last in self.matcher(bare):
            start, end = (place[first], place[last - 1] + 1) if place else (first, last)
            if end - start == last - first or self._bridges(doc, text, place[first:last]):
                candidates.append((first - last, start, end, self.keys[key]))
        candidates.sort()  # the longest first
        addresses = url_spans(text) if candidates else []
        taken = bytearray(len(doc))
        found: list[tuple[int, int, str]] = []
        for _, start, end, name in candidates:
            if 1 in taken[start:end]:
                continue
            begin, stop = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
            if any(a < stop and begin < b for a, b in addresses):
                continue
            concept = self._concept(name, text, begin, stop)
            if concept is None:
                continue
            if text[begin : begin + 8].lower() == "pytorch " and self._same(text[begin + 8 : stop], concept):
                start += 1  # a qualifier that adds nothing here
            if text[stop : stop + 1] in _BEHIND or text[begin - 1 : begin] in _BEFORE:
                start, end = self._widened(doc, text, start, end)
                if 1 in taken[start:end]:
                    continue
            if end - start > 1 and _unpaired(doc, text, start, end):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, concept))
        found.sort()
        return self._with_conjuncts(doc, found)

    def _same(self, rest: str, concept: str) -> bool:
        return any(form.concept_id == concept for form in self.forms.get(" ".join(rest.lower().split()), ()))

    def _bare(self, doc: Doc, text: str) -> tuple[Doc, list[int]]:
        """The document without white space and quotes, and the places of its tokens; [] where nothing was left out."""
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
        """A term may go on in the next line or hold a quoted part, but not cross a paragraph or a sentence."""
        ends = [(doc[i].idx, doc[i].idx + len(doc[i])) for i in places]
        gaps = [text[a[1] : b[0]] for a, b in pairwise(ends)]
        return not _BREAK.search(text, ends[0][0], ends[-1][1]) and all(
            gap.count("\n") <= 1 and len(gap) < 40 and len(gap.strip()) <= 1 for gap in gaps
        )

    def _concept(self, key: str, text: str, start: int, end: int) -> str | None:
        """Whose name this is; None where case, the letters around it, an idiom or a path say that it is no name."""
        if (start and _joined(text[start - 1])) or (end < len(text) and _joined(text[end])):
            return None
        if text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum() and re.search(r"[._:]", text[start:end]):
            return None  # torch.fx.Graph is not torch.fx
        seen = " ".join(text[start:end].split())
        if (idiom := _IDIOMS.get(seen.lower())) and idiom.search(text[max(0, start - 20) : start]):
            return None
        if "/" in text[max(0, start - 1) : start] + text[end : end + 1] and _inside_path(text, start, end):
            return None
        exact = next((f for f in self.forms[key] if f.text == seen), None)
        chosen = exact or next((f for f in self.forms[key] if admits(f.text, seen)), None)
        return chosen.concept_id if chosen else None

    @staticmethod
    def _widened(doc: Doc, text: str, start: int, end: int) -> tuple[int, int]:
        """With the folder before a file name, the () after a function, and both quotes where one is inside."""
        first, last = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
        if text[first - 1 : first] == "/" and re.search(r"\.\w{1,5}$", text[first:last]):
            while start and not doc[start - 1].whitespace_ and re.fullmatch(r"[\w./+-]+", doc[start - 1].text):
                start -= 1
        if text[last : last + 2] == "()" and doc[end + 1 : end + 2].text == ")":
            end += 2
        if start and (closing := _CLOSING.get(doc[start - 1].text)) and not doc[start - 1].whitespace_:
            inside = doc[start:end].text
            if inside.count(closing) % 2 == 1 and not re.search(rf"\w{closing}\w", inside):
                start -= 1
        elif end < len(doc) and doc[end].text == '"' and doc[start:end].text.count('"') % 2 == 1:
            end += 1
        return start, end

    def _with_conjuncts(self, doc: Doc, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """ "forward/backward graphs" names two things: the bare modifier shares the head."""
        more: dict[tuple[int, int], str] = {}
        for start, end, _ in found:
            if end - start < 2 or start < 2 or doc[start - 1].lower_ not in _JOINS:
                continue
            word = doc[start - 2].lower_
            tail = " ".join(doc[start + 1 : end].text.lower().split())
            if known := self.forms.get(f"{word} {tail}") or self.forms.get(f"{word}-{tail}"):
                more[start - 2, start - 1] = known[0].concept_id
        if not more:
            return found
        free = {span: c for span, c in more.items() if not any(a <= span[0] < b for a, b, _ in found if (a, b) != span)}
        kept = [m for m in found if m[:2] not in free]
        return sorted(kept + [(start, end, concept) for (start, end), concept in free.items()])


def _unpaired(doc: Doc, text: str, start: int, end: int) -> bool:
    text = text[doc[start].idx : doc[end - 1].idx + len(doc[end - 1])]
    return text.count('"') % 2 == 1 or text.count("“") != text.count("”")


def _joined(letter: str) -> bool:
    return letter == "_" or letter.isalnum()


def _inside_path(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is a folder of a path; the file at its end may be a name itself."""
    left = re.search(r"[^\s()\[\]{},;\"'`]*$", text[max(0, start - 200) : start])
    right = re.match(r"[^\s()\[\]{},;\"'`]*", text[end : end + 200])
    before, after = (left[0] if left else ""), (right[0].rstrip(".:!?") if right else "")
    return bool(after if after not in {"", "/"} else not re.search(r"\.\w{1,5}$", text[start:end])) and bool(
        _PATH.fullmatch(before + text[start:end] + after)
    )
