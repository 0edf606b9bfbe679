"""Reading texts with a memory and with several processes: the findings of an Extractor, made only where they must be.

spaCy is not even loaded where everything is remembered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.linktypes import link_type, normal
from torchatlas.extract.statements.titles import Titles
from torchatlas.extract.workers import Workers
from torchatlas.graph.values.batches import batches
from torchatlas.graph.values.findings import Explained, Extraction, Field, FoundLink, Mention, Statement
from torchatlas.graph.values.model import Episode

if TYPE_CHECKING:
    from torchatlas.extract.extractor import Extractor

T = TypeVar("T", Mention, Explained)

BATCH = 512
"""Entries that are held at once; they are shared out among the processes."""


class CachedExtractor:
    """Does what the config's Extractor does, and gives what it would give.

    `cache`: what was found before. `jobs`: processes that read; None takes as many as there are cores, once there is
    so much to read that starting them pays.
    """

    def __init__(self, config: ExtractorConfig, cache: ExtractionCache | None = None, jobs: int | None = None) -> None:
        self.config = config
        self.cache = cache or ExtractionCache(None)
        self.jobs = jobs
        self.titles = Titles(config.titles)
        self.names = {c.id: c.name for c in config.concepts}
        self.fingerprint = config.fingerprint

    @cached_property
    def extractor(self) -> "Extractor":
        """Made for the first text that nothing is remembered of."""
        return self.config.build()

    def mentions(self, text: str, field: Field = "description") -> tuple[Mention, ...]:
        """The concepts named in a text; `text[m.start:m.end] == m.text` for each."""
        return self.cached(Mention, (field, text), lambda: self.extractor.mentions(text, field))

    def cached(self, kind: type[T], content: Iterable[str], find: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """What `find` gives, or gave before for the same content; `kind`: the dataclass of what it gives."""
        place = key(self.fingerprint, kind.__name__, *content)
        rows = self.cache.get(place)
        if rows is None:
            found = tuple(find())
            self.cache.put(place, [asdict(f) for f in found])
            return found
        return tuple(kind(**row) for row in rows)

    def summarised(self, episode: Episode, urls: Iterable[str] = ()) -> Extraction:
        """The Extraction of an episode that is known by our own summary of it and by the addresses that it cites."""
        links = tuple(FoundLink(url, link_type(url), label="", id=normal(url)) for url in urls)
        mentions = self.mentions(episode.title, "title") + self.mentions(episode.summary, "summary")
        return Extraction(episode, episode.summary, mentions=mentions, links=links)

    def extract(self, entries: Iterable[Entry]) -> Iterator[Extraction]:
        """An Extraction for each entry, in order, as they come."""
        with Workers(self.config, lambda: self.extractor, self.jobs) as workers:
            for batch in batches(entries, BATCH):
                known = [self._cached(entry) for entry in batch]
                new = workers.extract([entry for entry, found in zip(batch, known, strict=True) if found is None])
                for entry, found in zip(batch, known, strict=True):
                    yield found if found is not None else self._kept(entry, next(new))

    def _place(self, entry: Entry) -> bytes:
        return key(self.fingerprint, "entry", entry.episode.title, entry.base, entry.notes)

    def _cached(self, entry: Entry) -> Extraction | None:
        """What was found in an entry, unless the titles that it may name are others now."""
        row: Mapping[str, Any] | None = self.cache.get(self._place(entry))
        if row is None:
            return None
        mentions = tuple(Mention(**m) for m in row["mentions"])
        links = tuple(FoundLink(**link) for link in row["links"])
        statements = tuple(Statement(**s) for s in row["statements"])
        found = Extraction(entry.episode, row["text"], mentions=mentions, links=links, statements=statements)
        return found if row["titles"] == self._named(found) else None

    def _kept(self, entry: Entry, found: Extraction) -> Extraction:
        row = {name: [asdict(f) for f in getattr(found, name)] for name in ("mentions", "links", "statements")}
        self.cache.put(self._place(entry), row | {"text": found.text, "titles": self._named(found)})
        return found

    def _named(self, found: Extraction) -> list[str]:
        """The titles that the statements may depend on."""
        return self.titles.within(found.text, {(self.names.get(m.concept_id, ""), m.text) for m in found.mentions})
