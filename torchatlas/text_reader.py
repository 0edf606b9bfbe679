"""The findings in texts: concepts, links, statements and new terms. Nothing is stored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import TYPE_CHECKING

from torchatlas.inputs import read_inputs
from torchatlas.notes import attempt, note, note_failures
from torchatlas.rows import Rows
from torchatlas.session import Session
from torchatlas.sources import load_sources

if TYPE_CHECKING:
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.feeds.entries import Entry
    from torchatlas.graph.values.findings import Extraction


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of one entry after another, as they are read. `names`: concept id -> name."""

    extractions: "Iterator[tuple[Extraction, tuple[TermCandidate, ...] | None]]"
    names: dict[str, str]
    _: KW_ONLY
    failed: str = ""


class TextReader(Session):
    """A reader of the entries of feeds, with the vocabulary of the user."""

    def extract(
        self,
        *feeds: str,
        candidates: bool = False,
        vocabularies: Iterable[str] = (),
        model: str = "",
        jobs: int | None = None,
    ) -> Found:
        """Find the concepts, links and statements in feeds, entry by entry; nothing is stored.

        `candidates`: new terms as well; `vocabularies`: more files of concepts; `model`: a spaCy pipeline; `jobs`:
        processes that read, None for as many as pay. Raises SourceError where no feed can be read.

        Example: [found.mentions for found, _ in atlas.extract("feed.xml").extractions]
        """
        from torchatlas.extract.cached_extractor import CachedExtractor
        from torchatlas.extract.candidates.ranking import CandidateFinder
        from torchatlas.extract.extractor_config import ExtractorConfig
        from torchatlas.vocabulary import corrected_vocabulary

        listed = load_sources(self.settings)
        entries, failed = self._entries(feeds)
        known = corrected_vocabulary(self.settings, vocabularies)
        titles = tuple(entry.episode.title for entry in entries)
        config = ExtractorConfig(known.concepts, titles, model=model or listed.model)
        finder = CandidateFinder(known, listed.refused) if candidates else None
        found = (
            (extraction, finder.rank([extraction]) if finder else None)
            for extraction in CachedExtractor(config, jobs=jobs).extract(entries)
        )
        return Found(found, {c.id: c.name for c in known.concepts}, failed=failed)

    def candidates(self, *feeds: str) -> "Rows[TermCandidate]":
        """List terms that the vocabulary does not know, best first: in some feeds, else in all that a build reads.

        Example: atlas.candidates()[0].text
        """
        from torchatlas.extract.cached_extractor import CachedExtractor
        from torchatlas.extract.candidates.ranking import CandidateFinder
        from torchatlas.extract.extractor_config import ExtractorConfig
        from torchatlas.pipeline import find_candidates
        from torchatlas.vocabulary import corrected_vocabulary

        listed = load_sources(self.settings)
        if not feeds:
            return Rows(find_candidates(read_inputs(self.settings), listed.refused))
        entries, failed = self._entries(feeds)
        if failed:
            note(failed)
        known = corrected_vocabulary(self.settings)
        extractor = CachedExtractor(ExtractorConfig(known.concepts, model=listed.model))
        return Rows(CandidateFinder(known, listed.refused).rank(extractor.extract(entries)))

    def _entries(self, feeds: Sequence[str]) -> "tuple[tuple[Entry, ...], str]":
        """Return the entries of the feeds, and how many feeds could not be read. Raises SourceError: none could."""
        from torchatlas.extract.feeds.feed import parse
        from torchatlas.extract.feeds.fetch import fetch

        def read(feed: str) -> "tuple[Entry, ...]":
            fetched = fetch(feed, self.settings.cache)
            parsed = parse(fetched.data, fetched.address)
            for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
                note(line)
            return parsed.entries

        found, failures = attempt(feeds, read)
        return tuple(chain.from_iterable(found)), note_failures(failures, len(feeds))
