"""The reading of texts by spaCy, cached; only new texts import spaCy."""

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain, islice
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from torchatlas.extract.english import singular, spelled_out
from torchatlas.extract.extraction_cache import ExtractionCache, key, reader, spacy_version
from torchatlas.extract.feeds import Entry
from torchatlas.extract.forms import Titles, plain
from torchatlas.extract.links import find_links, link_type, normal
from torchatlas.extract.text import masked, to_text
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Explained, Extraction, Field, FoundLink, Mention, Statement
from torchatlas.graph.model import Concept, Episode

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from torchatlas.extract.candidates import TermCandidate
T = TypeVar("T", Mention, Explained)
_BATCH = 512  # entries that are held at once
_PAYS = 500_000  # characters; fewer are read by one process
_ROLE = re.compile(  # of reStructuredText
    r":(?:ref|doc|numref|cite):`(?:[\w./-]+`)?|(?:\{[\w:.-]+\}|:[\w:+-]+:)(?=`)|(?<=`)[~!](?=\w)|(?<= )<[\w./-]+>(?=`)"
)
_EMPHASIS = re.compile(  # by underscores: _vmap_, _the views_; not __init__
    r"(?<![\w.:/`])_(?=[^\W_])(?:[^\s_]++(?:_[^\s_]++)*|[A-Za-z'’-]+(?: [A-Za-z.'’-]+){1,6})"
    r"(?<=\w)_(?![\w(:`/]|\.\w)"
)
_FOUND = tuple[Mention, ...], tuple[FoundLink, ...], tuple[Statement, ...]


def make_nlp(concepts: Iterable[Concept], titles: Iterable[str] = ()) -> "Language":
    """Make a pipeline: `make_nlp(concepts)("vmap works").spans["concepts"]`."""
    without = "spacy.cli.info"  # a third of spaCy's start, for one function
    if "spacy" not in sys.modules:
        sys.modules[without] = ModuleType(without)
        sys.modules[without].info = None  # type: ignore[attr-defined]
    import spacy

    if getattr(spacy, "info", spacy) is None:
        delattr(spacy, "info")
        del sys.modules[without]
    nlp = spacy.blank("en")
    nlp.max_length = 1_000_000_000  # spaCy's own limit is for parsers
    # "AdamW.": https://github.com/explosion/spaCy/discussions/6994
    endings = (*(nlp.Defaults.suffixes or ()), r"(?<=[a-z0-9_.-][A-Z])\.")
    nlp.tokenizer.suffix_search = spacy.util.compile_suffix_regex(endings).search  # type: ignore[union-attr]
    known = sorted(concepts, key=lambda c: c.id)
    finder: Any = nlp.add_pipe("torchatlas_concepts", config={"concepts": []})
    finder.add({"id": c.id, "name": c.name, "aliases": c.aliases, "in_texts": c.in_texts} for c in known)
    references: Any = nlp.add_pipe("torchatlas_references")
    references.know(nlp, titles, {c.id: c.name for c in known})  # a config is copied for seconds
    return nlp


def findings_of(doc: "Doc", text: str, field: Field = "description") -> tuple[Mention, ...]:
    """Return the mentions in an unblanked text: `findings_of(nlp(text), text)`."""
    places = ((span.start_char, span.end_char, span) for span in doc.spans["concepts"])
    return tuple(Mention(s.label_, field, start=a, end=b, text=text[a:b], part=s.id_) for a, b, s in places)


def blanked(text: str, show: str = "") -> str:
    """Return the text with spaces for roles, emphasis, show name and overlong words.

    >>> blanked("See :ref:`vmap` on _Owl_ Radio", "Owl Radio")
    'See             on  Owl  Radio'
    """
    named = re.finditer(re.escape(show), text, re.I) if " " in show else ()
    spans = [m.span() for m in (*re.finditer(r"\S{2000,}", text), *_ROLE.finditer(text), *named)]
    spans += [(at, at + 1) for m in _EMPHASIS.finditer(text) for at in (m.start(), m.end() - 1)] if "_" in text else []
    return masked(text, spans, " ")


class Readers:
    """A reader of entries not in the cache. `jobs`: processes; None: automatic."""

    ahead = 0  # batches begun before the first is awaited

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs

    def extract(self, extractor: "Extractor", entries: Sequence[Entry]) -> Iterator[Extraction]:
        """Return an Extraction per entry, in order. Raises AtlasError."""
        many = sum(len(entry.notes) for entry in entries) >= _PAYS
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return extractor.read(entries, self.jobs or (cores if many else 1))


class Extractor:
    """A finder of concepts and links. `titles`: of episodes; `code`: a hash.

    Example: `Extractor(concepts).mentions("How vmap works")[0].text == "vmap"`
    """

    def __init__(
        self,
        concepts: Iterable[Concept],
        titles: Iterable[str] = (),
        *,
        code: str = "",
        cache: ExtractionCache | None = None,
        readers: Readers | None = None,
    ) -> None:
        self.concepts = tuple(concepts)
        self.titles = tuple(sorted(set(titles)))
        self.known_titles = Titles(self.titles)
        self.names = {c.id: c.name for c in self.concepts}
        self.code = code
        self.cache = cache or ExtractionCache(None)
        self.readers = readers or Readers()

    def __reduce__(self) -> tuple[Callable[..., "Extractor"], tuple[tuple[Concept, ...], tuple[str, ...]]]:
        return partial(Extractor, code=self.code), (self.concepts, self.titles)

    @cached_property
    def fingerprint(self) -> str:
        """Hash all that the findings depend on, except for the titles."""
        concepts = sorted((c.id, c.name, c.aliases, c.in_texts) for c in self.concepts)
        return sha256(repr((self.code, spacy_version(), concepts)).encode("utf-8", "replace")).hexdigest()

    @cached_property
    def nlp(self) -> "Language":
        return make_nlp(self.concepts, self.titles)

    def read(self, entries: Sequence[Entry], n_process: int = 1) -> Iterator[Extraction]:
        """Yield Extractions, uncached. Raises SourceError if a process dies."""
        nlp = self.nlp
        from torchatlas.extract.references import statements

        known = [(entry, to_text(entry.notes, base=entry.base)) for entry in entries]
        texts = (blanked(t, e.episode.show) for e, source in known for t in (e.episode.title, source.text))
        docs = nlp.pipe(texts, n_process=n_process)
        try:
            for entry, source in known:
                title, doc = entry.episode.title, next(docs)
                mentions = findings_of(doc, title, "title") + findings_of(doc := next(docs), source.text)
                found = mentions, find_links(source), statements(doc, title)
                yield Extraction(entry.episode, source.text, *found, show=entry.show, people=entry.people)
        except EOFError as e:
            raise SourceError("a reading process was killed, perhaps for want of memory; read in one (jobs: 1)") from e

    def extract(self, entries: Iterable[Entry]) -> Iterator[Extraction]:
        """Yield an Extraction per entry, in order, cached where possible."""
        remaining, begun = iter(entries), deque[Iterator[Extraction]]()
        for batch in iter(lambda: list(islice(remaining, _BATCH)), []):
            cached = [self._from_cache(entry) for entry in batch]
            new = [entry for entry, found in zip(batch, cached, strict=True) if not found]
            begun.append(self._finished(batch, cached, self.readers.extract(self, new) if new else iter(())))
            if len(begun) > self.readers.ahead:
                yield from begun.popleft()
        yield from chain.from_iterable(begun)

    def _finished(
        self, batch: list[Entry], cached: list[Extraction | None], new: Iterator[Extraction]
    ) -> Iterator[Extraction]:
        for entry, found in zip(batch, cached, strict=True):
            if not found:
                found = next(new)
                values = found.mentions, found.links, found.statements
                self.cache.put(self._key(entry), [found.text, self._titles_in(found), *values])
            yield found

    def mentions(self, text: str, field: Field = "description") -> tuple[Mention, ...]:
        """Return a text's concepts; `text[m.start:m.end] == m.text` for each."""
        return self.cached(Mention, (field, text), lambda: findings_of(self.nlp(blanked(text)), text, field))

    def summarised(self, episode: Episode, urls: Iterable[str] = ()) -> Extraction:
        """Return the Extraction of an episode from its summary and addresses."""
        links = tuple(FoundLink(url, link_type(url), label="", id=normal(url)) for url in urls)
        mentions = self.mentions(episode.title, "title") + self.mentions(episode.summary, "summary")
        return Extraction(episode, episode.summary, mentions=mentions, links=links, people=episode.guests)

    def cached(self, kind: type[T], content: Iterable[str], find: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return the cached result of `find`. `kind`: the results' dataclass."""
        where = key(self.fingerprint, kind.__name__, *content)
        return self.cache.kept(where, lambda: tuple(find()), tuple[kind, ...])  # type: ignore[valid-type]

    def _key(self, entry: Entry) -> bytes:
        return key(self.fingerprint, "entry", entry.episode.show, entry.episode.title, entry.base, entry.notes)

    def _from_cache(self, entry: Entry) -> Extraction | None:
        """Return the cached Extraction; None if its titles have changed."""
        if (row := self.cache.get(self._key(entry))) is None:
            return None
        text, titles, *values = row
        mentions, links, said = (reader(kind)(value) for kind, value in zip(_FOUND, values, strict=True))
        found = Extraction(entry.episode, text, mentions, links, said, show=entry.show, people=entry.people)
        return found if titles == self._titles_in(found) else None

    def _titles_in(self, found: Extraction) -> list[str]:
        """Return the titles that statements may depend on."""
        names = {(self.names.get(m.concept_id, ""), m.text) for m in found.mentions}
        return self.known_titles.within(found.text, names)


def to_json(
    extraction: Extraction, concept_names: Mapping[str, str], candidates: "Iterable[TermCandidate] | None" = None
) -> dict[str, object]:
    """Return a line of `extract --format jsonl`. `concept_names`: id -> name.

    >>> from torchatlas.graph.model import Episode
    >>> sorted(to_json(Extraction(Episode("s/e", "A title", show="s"), "A text"), {}))
    ['id', 'links', 'mentions', 'statements', 'text', 'title']
    """
    episode, names = extraction.episode, named(extraction, concept_names)
    mentions = (
        {"concept": names[m.concept_id]} | _facts(m, "concept_id text field start end") for m in extraction.mentions
    )
    row: dict[str, object] = {
        "id": episode.guid or episode.id,
        "title": episode.title,
        "text": extraction.text,
        "mentions": list(mentions),
        "links": [_facts(link, "url type label") for link in extraction.links],
        "statements": [_facts(s, "relation subject object quote") for s in stated(extraction, concept_names)],
    }
    return row if candidates is None else row | {"candidates": [_facts(c, "text count score") for c in candidates]}


def named(extraction: Extraction, concept_names: Mapping[str, str]) -> dict[str, str]:
    """Return id -> concept name: `named(extraction, {})["hidden-class"]`."""
    own: dict[str, str] = {}
    for m in extraction.mentions:
        own[m.concept_id] = max(own.get(m.concept_id, ""), plain(m.text), key=_fullness)
    return {id_: concept_names.get(id_) or _headword(written) for id_, written in own.items()}


def stated(extraction: Extraction, concept_names: Mapping[str, str]) -> Iterator[Statement]:
    """Yield statements with concept names: `list(stated(extraction, {}))`."""
    names = named(extraction, concept_names)
    own = {plain(m.text): names[m.concept_id] for m in extraction.mentions if m.concept_id not in concept_names}
    for s in extraction.statements:
        yield replace(s, subject=own.get(s.subject, s.subject), object=own.get(s.object, s.object))


def _fullness(spelled: str) -> tuple[int, int, bool]:
    *_, head = spelled.split() or [""]
    length = len(spelled) - len(head) + len(singular(head) or head)
    return len(re.split(r"[\s-]+", spelled)), length, spelled.islower()


def _headword(written: str) -> str:
    """Return a mention as within a sentence, in the singular."""
    *before, head = written.split() or [""]
    if before and head.istitle():
        head = head.lower()  # of a title: Halide Backend
    if head.islower() and head.replace("-", "").isalpha():
        head = singular(head) or head
    elif head[:-1].isupper():
        head = head.removesuffix("s")
    return spelled_out(" ".join((*before, head)))


def _facts(finding: object, names: str) -> dict[str, object]:
    return {name: getattr(finding, name) for name in names.split()}
