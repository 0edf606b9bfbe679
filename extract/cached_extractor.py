"""The findings of an Extractor with a cache and several processes; spaCy is not loaded where all of them are cached."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds import Entry
from torchatlas.extract.links import link_type, normal
from torchatlas.extract.statements.titles import Titles
from torchatlas.extract.workers import OpenReaders, Readers, Workers
from torchatlas.graph.values.batches import ahead, batches
from torchatlas.graph.values.findings import Explained, Extraction, Field, FoundLink, Mention, Statement
from torchatlas.graph.values.model import Episode

if TYPE_CHECKING:
    from torchatlas.extract.extractor import Extractor

T = TypeVar("T", Mention, Explained)

_FINDINGS = {"mentions": Mention, "links": FoundLink, "statements": Statement}
BATCH = 512
"""How many entries are held at once; they are shared out among the processes."""


class CachedExtractor:
    """An extractor with the results of the config's Extractor, from the cache where they are there.

    `cache`: None keeps nothing. `readers`: opens what extracts, by default as many processes as pay.
    Example: `CachedExtractor(ExtractorConfig(concepts), cache).mentions("How vmap works")`
    """

    def __init__(
        self, config: ExtractorConfig, cache: ExtractionCache | None = None, readers: OpenReaders | None = None
    ) -> None:
        self.config = config
        self.cache = cache or ExtractionCache(None)
        self.open_readers = readers or Workers
        self.titles = Titles(config.titles)
        self.names = {c.id: c.name for c in config.concepts}
        self.fingerprint = config.fingerprint
        self.cache.hold(self._names_key)
        self.cache.hold(self._answers_key)

    @cached_property
    def extractor(self) -> "Extractor":
        """Return the Extractor, built for the first text that is not cached, with what the cache has to build it of."""
        from torchatlas.extract.mentions.known_names import KnownNames
        from torchatlas.extract.spacy_pipeline import Answers

        names, answers = self.cache.get(self._names_key), self.cache.get(self._answers_key)
        known, said = KnownNames.from_json(names) if names else None, Answers(**answers) if answers else None
        extractor = self.config.build(known, said)
        if names is None:
            self.cache.put(self._names_key, extractor.finder.known.to_json())
        return extractor

    @property
    def _names_key(self) -> bytes:
        return key(self.fingerprint, "names")

    @property
    def _answers_key(self) -> bytes:
        return key(self.fingerprint, "answers")

    def keep_answers(self) -> None:
        """Keep what spaCy has said, so that the next reader of such texts need not load it.

        Example: `extractor.keep_answers()` when all texts are read.
        """
        if "extractor" in vars(self) and self.extractor.pipeline.has_news:
            self.cache.put(self._answers_key, vars(self.extractor.pipeline.answers))

    def mentions(self, text: str, field: Field = "description") -> tuple[Mention, ...]:
        """Return the concepts named in a text; `text[m.start:m.end] == m.text` for each.

        Example: `[m.concept_id for m in extractor.mentions("How vmap works", "title")]`
        """
        return self.cached(Mention, (field, text), lambda: self.extractor.mentions(text, field))

    def cached(self, kind: type[T], content: Iterable[str], find: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return the result of `find`, from the cache where it was found for the same content before.

        `kind`: the dataclass of the results.
        Example: `extractor.cached(Mention, ("title", text), lambda: extractor.extractor.mentions(text, "title"))`
        """
        where = key(self.fingerprint, kind.__name__, *content)
        rows = self.cache.kept(where, lambda: [asdict(found) for found in find()])
        return tuple(kind(**row) for row in rows)

    def summarised(self, episode: Episode, urls: Iterable[str] = ()) -> Extraction:
        """Return the Extraction of an episode that is known by its summary and by the addresses that it cites.

        Example: `extractor.summarised(episode, ["https://pytorch.org"]).links[0].type == "other"`
        """
        links = tuple(FoundLink(url, link_type(url), label="", id=normal(url)) for url in urls)
        mentions = self.mentions(episode.title, "title") + self.mentions(episode.summary, "summary")
        return Extraction(episode, episode.summary, mentions=mentions, links=links, people=episode.guests)

    def extract(self, entries: Iterable[Entry]) -> Iterator[Extraction]:
        """Yield an Extraction for each entry, in order, as the entries come.

        Example: `[len(found.mentions) for found in extractor.extract(feed.entries)]`
        """
        with self.open_readers(self.config, lambda: self.extractor) as readers:
            begun = (self._begin(batch, readers) for batch in batches(entries, BATCH))
            for batch, known, new in ahead(begun, readers.ahead):
                for entry, found in zip(batch, known, strict=True):
                    yield found if found is not None else self._keep(entry, next(new))

    def _begin(
        self, batch: list[Entry], readers: Readers
    ) -> tuple[list[Entry], list[Extraction | None], Iterator[Extraction]]:
        """Return some entries, what is cached of each, and an iterator over the findings of the others."""
        known = [self._from_cache(entry) for entry in batch]
        return batch, known, readers.extract([entry for entry, found in zip(batch, known, strict=True) if not found])

    def _key(self, entry: Entry) -> bytes:
        content = entry.episode.show, entry.episode.title, entry.base, entry.notes, *entry.people
        return key(self.fingerprint, "entry", *content)

    def _from_cache(self, entry: Entry) -> Extraction | None:
        """Return the cached Extraction of an entry, None where the titles that it may name have changed."""
        row: Mapping[str, Any] | None = self.cache.get(self._key(entry))
        if row is None:
            return None
        findings: dict[str, Any] = {name: tuple(kind(**f) for f in row[name]) for name, kind in _FINDINGS.items()}
        found = Extraction(entry.episode, row["text"], show=entry.show, people=entry.people, **findings)
        return found if row["titles"] == self._titles_in(found) else None

    def _keep(self, entry: Entry, found: Extraction) -> Extraction:
        row = {name: [asdict(f) for f in getattr(found, name)] for name in _FINDINGS}
        self.cache.put(self._key(entry), row | {"text": found.text, "titles": self._titles_in(found)})
        return found

    def _titles_in(self, found: Extraction) -> list[str]:
        """Return the titles that the statements may depend on."""
        return self.titles.within(found.text, {(self.names.get(m.concept_id, ""), m.text) for m in found.mentions})
