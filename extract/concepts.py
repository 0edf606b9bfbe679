"""The spaCy component "torchatlas_concepts": where a text names which concept.

It finds known names, code, names that the text introduces, and longer terms made
of a known name. The longest match wins, and a known name before code. The
label of a span is its concept's id; its id is that of the name within it.
"""

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from torchatlas.extract import english
from torchatlas.extract.english import NO_NAMES, singular, spelled_out, words
from torchatlas.extract.forms import ALIAS, Form, admits, forms, identifiers, plain
from torchatlas.extract.links import url_spans
from torchatlas.extract.text import masked
from torchatlas.graph.names import asked_number, concept_id

FACTORY = "torchatlas_concepts"
_UNHEARD = frozenset("\"'“”‘’`-")  # in a name: fake-tensor, "eager" mode
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_PHRASE = re.compile(r"(.+?) (?:in|of|at|under|for|with|versus|and|or) .+")
_NO_PARTS = NO_NAMES | english.VAGUE_HEADS | english.EMPTY_HEADS
_NO_ACRONYMS = NO_NAMES | english.VAGUE_HEADS | english.NO_ABBREVIATIONS
_HEAD_OF_NAMES, _MODIFIER_OF_NAMES = 4, 3  # names that have a word
_PARTS_OF_SYSTEMS = english.LISTS["parts of systems"]
"""What the name of a system makes a term with: the ONNX exporter; not ONNX users, tests, errors."""
_DEGREES = words("default multiple named single fast slow small")
_OBJECT = words("the a an its their our this that these those each every all it them us any some into")
_MODIFIES = re.compile(
    r"\dd|[a-z]+(?:-[a-z]+)*-"
    r"(?:[a-z]+(?:ed|al|ic|ive|ous)|free|aware|based|wise|level|time|order|safe|only|grained|precision|rank)"
)
_ACRONYM = re.compile(r"(?<![\w.:/@#$&'’+-])[A-Z][0-9]*[A-Z][A-Z0-9]*(?=s?(?![\w@&'’+(]|[-/:.]\w)|['’]s\b)")
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:[ ,!:-]+[A-Z]{2,})+\b")
_PLAIN = re.compile(r"[A-Z]?[a-z]+(?:[- ][a-z]+)*")
_IS_A: list[dict[str, Any]] = [
    {"IS_TITLE": True},
    {"LOWER": {"IN": ["is", "are", ","]}},
    {"LOWER": {"IN": ["a", "an"]}},
    {"TEXT": {"REGEX": r"^[\w-]+$"}, "OP": "{0,6}"},
    {"LOWER": {"IN": sorted(english.KINDS)}},
]
_SHORT: list[dict[str, Any]] = [{"ORTH": "("}, {"TEXT": {"REGEX": r"^[A-Z][A-Z0-9]{1,7}s?$"}}, {"ORTH": ")"}]


def general_terms(file: str = "terms.txt") -> Iterator[dict[str, Any]]:
    """Yield a data file's terms as concepts: `next(general_terms())["name"]`."""
    for line in (files("torchatlas.data") / file).read_text("utf-8").splitlines():
        name, *aliases = (part.strip() for part in line.split(","))
        yield {"id": concept_id(name), "name": name, "aliases": aliases}


def shipped_concepts() -> Iterator[dict[str, Any]]:
    """Yield the shipped concepts with their names alone, which is fast.

    >>> next(shipped_concepts())["id"]
    'automatic-differentiation'
    """
    named = re.compile(r"^(?:\[.+\]|(?:name|aliases|in_texts) = (?:.+|\[\n(?: .*\n)*\]))$", re.M)
    for file in sorted((files("torchatlas.data") / "concepts").iterdir(), key=lambda f: f.name):
        lines = (m[0] for m in named.finditer(file.read_text("utf-8") if file.name.endswith(".toml") else ""))
        yield from ({"id": id_} | facts for id_, facts in tomllib.loads("\n".join(lines)).items())


class ConceptFinder:
    """Sets `doc.spans["concepts"]`. `concepts`: `id`, `name`, perhaps `aliases`.

    Example: `nlp.add_pipe("torchatlas_concepts", config={"concepts": concepts})`
    """

    def __init__(self, nlp: Language, concepts: Iterable[Mapping[str, Any]] = (), *, ents: bool = False) -> None:
        self.tokenizer, self.vocab, self.ents = nlp.tokenizer, nlp.vocab, ents
        self.rules = frozenset(getattr(nlp.tokenizer, "rules", None) or ())
        self._know(concepts)

    def _know(self, concepts: Iterable[Mapping[str, Any]]) -> None:
        self.words: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.forms: dict[str, list[Form]] = {}
        self.matcher = PhraseMatcher(self.vocab, attr="LOWER")
        self.introductions = Matcher(self.vocab)
        self.introductions.add("is a", [_IS_A], greedy="LONGEST")
        self.introductions.add("(short)", [_SHORT], greedy="LONGEST")
        self.in_names: dict[str, dict[str, set[str]]] = {"head": defaultdict(set), "before": defaultdict(set)}
        self.given: list[Mapping[str, Any]] = []
        self.add(general_terms("glossary.txt"), remote=True)
        self.add(general_terms("terms.txt"))
        self.given.clear()
        self.add(concepts)

    def add(self, concepts: Iterable[Mapping[str, Any]], *, remote: bool = False) -> None:
        """Search texts for these concepts too, which come before others of the same name.

        `remote`: of other fields, so that no word of their names makes longer terms.
        """
        heads, before = self.in_names["head"], self.in_names["before"]
        found: dict[str, list[Form]] = {}
        for concept in concepts:
            self.given.append(concept)
            self.names[concept["id"]] = concept["name"]
            for form in forms(concept["id"], concept["name"], concept.get("aliases", ()), concept.get("in_texts", ())):
                for key in self._keys(form.text):
                    found.setdefault(key, []).append(form)
                *rest, head = form.text.lower().split()
                if rest and form.rank <= ALIAS and not remote:
                    heads[singular(head) or head].add(form.concept_id)
                    for word in rest:
                        before[word].add(form.concept_id)
        patterns: Any = []
        for key in found:
            if (phrase := _PHRASE.fullmatch(key)) and phrase[1] in found:  # "dispatch in functions"
                continue
            if key not in self.forms:  # hashes, for documents of all names take seconds
                patterns.append([self.vocab.strings.add(token) for token in key.split(" ")])
            same = sorted(found[key], key=lambda form: (form.rank, form.concept_id))
            self.forms[key] = [*same, *self.forms.get(key, ())]
        self.matcher.add(FACTORY, patterns)
        self.systems = {id_ for id_, name in self.names.items() if not name.islower()}
        self.heads = {word for word, ids in heads.items() if len(ids) >= _HEAD_OF_NAMES}
        self.heads -= english.EMPTY_HEADS | english.VAGUE_HEADS
        self.modifiers = {word for word, ids in before.items() if len(ids) >= _MODIFIER_OF_NAMES}
        self.modifiers -= NO_NAMES | english.QUALIFIERS | _DEGREES

    def _keys(self, name: str) -> Iterable[str]:
        """Return a name's tokens in lower case; several if case matters."""
        ways = (name, name.lower()) if re.search(r"[.\d]", name) else (name.lower(),)
        return dict.fromkeys(" ".join([self._key(word) for word in _HYPHEN.sub(" ", way).split()]) for way in ways)

    def _key(self, word: str) -> str:
        if (key := self.words.get(word)) is None:
            plain = word.isascii() and word.isalpha() and word not in self.rules
            tokens = [word.lower()] if plain else [token.lower_ for token in self.tokenizer(word)]
            key = self.words[word] = " ".join([token for token in tokens if token not in _UNHEARD]) or word
        return key

    def __call__(self, doc: Doc) -> Doc:
        text = masked(doc.text, url_spans(doc.text), " ")
        found = filter_spans([*self._known(doc, text), *self._code(doc, text)])
        found = sorted([*found, *self._introduced(doc, text, found)], key=lambda span: span.start)
        doc.spans["concepts"] = list(self._grown(doc, found))
        if self.ents:
            ours = (Span(doc, s.start, s.end, "CONCEPT", kb_id=s.label_) for s in doc.spans["concepts"])
            doc.ents = filter_spans([*doc.ents, *ours])
        return doc

    def to_bytes(self, **_: object) -> bytes:
        return json.dumps(self.given).encode()

    def from_bytes(self, content: bytes, **_: object) -> None:
        self._know(json.loads(content))

    def to_disk(self, path: Path, **_: object) -> None:
        path.write_bytes(self.to_bytes())

    def from_disk(self, path: Path, **_: object) -> None:
        self.from_bytes(path.read_bytes())

    def _known(self, doc: Doc, text: str) -> Iterator[Span]:
        """Yield the known names in the case they need, outside addresses."""
        heard = [i for i, token in enumerate(doc) if token.text not in _UNHEARD and not token.is_space]
        read = doc if len(heard) == len(doc) else Doc(doc.vocab, words=[doc[i].text for i in heard])
        for _, first, after in self.matcher(read):
            start, end = heard[first], heard[after - 1] + 1
            a, b = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
            form = self._form(" ".join([t.lower_ for t in read[first:after]]), " ".join(text[a:b].split()))
            if form and text[a] != " " and not _PARAGRAPH.search(text, a, b):
                if text[a:b].count('"') % 2:  # quotes are kept in pairs
                    opened, closed = (doc[max(0, i) : i + 1].text == '"' for i in (start - 1, end))
                    start, end = start - opened, end + (closed and not opened)
                yield Span(doc, start, end, label=form.concept_id)

    def _form(self, key: str, seen: str) -> Form | None:
        """Return the form that is written so, if one may be."""
        known = [form for form in self.forms.get(key, ()) if admits(form.text, seen)]
        return next((form for form in known if form.text == seen), known[0] if known else None)

    def _code(self, doc: Doc, text: str) -> Iterator[Span]:
        """Yield the pieces of code, as known concepts or as their own."""
        for start, end in identifiers(text):
            if not (span := doc.char_span(start, end)):
                continue
            name = plain(span.text)
            if re.fullmatch(r"(?:[A-Z]+[a-z0-9]+){2,}", name):
                name = singular(name) or name
            spelled = (name, name.rpartition("/")[2])
            forms = (self._form(key, each) for each in spelled for key in self._keys(each))
            known = next((form.concept_id for form in forms if form), "")
            yield Span(doc, span.start, span.end, label=known or concept_id(name))

    def _introduced(self, doc: Doc, text: str, known: Sequence[Span]) -> Iterator[Span]:
        """Yield the names that the text introduces, outside the known ones."""
        names, meanings, places = set[str](), dict[str, str](), list[tuple[int, int]]()
        ending = {span.end: span.label_ for span in known}
        for match, first, after in self.introductions(doc):
            if doc.vocab.strings[match] == "is a":
                if not re.match(r"[a-z]*(?:er|or|ist|lead|team)\Z", doc[after : after + 1].text):
                    names.add(doc[first].text)
                continue
            short = doc[first + 1].text.rstrip("s")
            if first in ending:
                meanings[short] = ending[first]
            elif (start := _spelled_out(doc, first, short.lower())) is not None:
                places.append((start, first))
                meanings[short] = term_id(doc[start:first].text)
        names = {name for name in names if name.lower() not in NO_NAMES}
        places += self._short(doc, text, meanings)
        places += [(token.i, token.i + 1) for token in doc if token.text in names] if names else []
        taken = {i for span in known for i in range(span.start, span.end)}
        for start, end in sorted(set(places)):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                written = doc[start:end].text
                yield Span(doc, start, end, label=meanings.get(written) or term_id(written))

    def _short(self, doc: Doc, text: str, meanings: Mapping[str, str]) -> Iterator[tuple[int, int]]:
        """Yield abbreviations, but not before a noun, as in "the AQT layout"."""
        shouted = {i for m in _SHOUTED.finditer(text) for i in range(*m.span())}
        found: dict[str, list[Span]] = {}
        for m in _ACRONYM.finditer(text):
            if m.start() not in shouted and (span := doc.char_span(*m.span())) is not None:
                found.setdefault(m[0], []).append(span)
        for name, spans in found.items():
            after = doc[spans[0].end : spans[0].end + 1]
            free = not after or not after[0].is_alpha or after[0].lower_ in english.STOP_WORDS | english.KINDS
            usual = len(name) < 3 or asked_number(name) or not _NO_ACRONYMS.isdisjoint((name, name.lower()))
            if name in meanings or (not usual and (len(spans) > 1 or free)):
                yield from ((span.start, span.end) for span in spans)

    def _grown(self, doc: Doc, found: Sequence[Span]) -> Iterator[Span]:
        """Yield the names with the words beside them that make longer terms."""
        starts, ends = {span.start for span in found}, {span.end for span in found}
        done = 0
        for span in found:
            if span.start < done:  # the name before took it in
                continue
            system = not _PLAIN.fullmatch(span.text) or (span.text[0].isupper() and span.label_ in self.systems)
            after = span.end if span.end in starts else self._last(doc, span, system=system)
            first = span.start
            if len(span.text.split()) == 1 and not (system and not span.text.isupper()) and first not in ends:
                first = max(done, self._first(doc, span))
            done = after
            if (first, after) == (span.start, span.end):
                yield span
            else:
                yield Span(doc, first, after, label=term_id(doc[first:after].text), span_id=span.label_)

    def _last(self, doc: Doc, span: Span, *, system: bool) -> int:
        """Return the end of the head after a name, else of the name."""
        end, name = span.end, span.text.lower()
        if end >= len(doc) or not doc[end - 1].whitespace_ or not doc[end].is_alpha or len(name.split()) > 1:
            return end
        word, after = doc[end].lower_, doc[end + 1 : end + 2].text
        head = singular(word) or word
        if system and (doc[end].is_title or doc[end].is_upper) and not {word, head} & _NO_PARTS:
            return end if after[:1].isupper() else end + 1
        if singular(name) or head not in (_PARTS_OF_SYSTEMS if system else self.heads):
            return end
        is_verb = head != word and (name.endswith("ing") or after.lower() in _OBJECT)
        return end if is_verb else end + 1

    def _first(self, doc: Doc, span: Span) -> int:
        """Return the start of the modifier before a name, else of the name."""
        first = span.start
        if not first or not doc[first - 1].whitespace_:
            return first
        first -= 1
        while first and not doc[first - 1].whitespace_ and "-" in (doc[first].text, doc[first - 1].text):
            first -= 1
        word = doc[first : span.start].text.lower()
        modifies = _MODIFIES.fullmatch(word) or (word in self.modifiers and not span.text[:2].isupper())
        return first if modifies else span.start


def term_id(written: str) -> str:
    """Return the id of a term that no file lists, in the singular and in full.

    >>> term_id("Arg parsers")
    'argument-parser'
    """
    *before, head = written.split()
    return concept_id(spelled_out(" ".join((*before, singular(head) or head)).lower()))


def _spelled_out(doc: Doc, end: int, short: str) -> int | None:
    """Return where an abbreviation's words begin; None if others precede it."""
    letters = list(short)
    start = end
    while letters and start and (doc[start - 1].is_alpha or doc[start - 1].text == "-"):
        start -= 1
        if doc[start].is_alpha and doc[start].lower_[0] != letters.pop():
            return None
    return start if not letters else None


@Language.factory(FACTORY, default_config={"concepts": None, "annotate_ents": False}, assigns=["doc.spans", "doc.ents"])
def make_concepts(nlp: Language, name: str, concepts: Any, annotate_ents: bool) -> ConceptFinder:  # Any: unchecked
    """Return the component, `nlp.add_pipe("torchatlas_concepts")`; `annotate_ents`: with CONCEPT in `doc.ents`."""
    return ConceptFinder(nlp, shipped_concepts() if concepts is None else concepts, ents=annotate_ents)
