"""A user's sources and the graph that is made of them: feeds, pages, corrections, new terms, builds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from torchatlas.feeds import Source
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.values.markdown import Shown
from torchatlas.graph.values.model import Snapshot
from torchatlas.inputs import Inputs, read_inputs
from torchatlas.notes import note
from torchatlas.rows import Rows
from torchatlas.session import Session
from torchatlas.sources import Sources, change_sources, load_sources

if TYPE_CHECKING:
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.feeds.entries import Entry
    from torchatlas.extract.pages.placing import Placed
    from torchatlas.graph.values.findings import Extraction


@dataclass(frozen=True, slots=True)
class Built(Shown):
    """The graph after a build. `failed`: how many of the named sources could not be read, in words; "": none."""

    graph: Snapshot
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Imported(Shown):
    """The entries of some pages with what becomes of each. `graph`: None where nothing was changed."""

    rows: "Rows[Placed]"
    graph: Snapshot | None
    _: KW_ONLY
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of one entry after another, as they are read. `names`: concept id -> name."""

    extractions: "Iterator[tuple[Extraction, tuple[TermCandidate, ...] | None]]"
    names: dict[str, str]
    _: KW_ONLY
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of the user's: where it stands, what it does, and why it does not apply (None: it does)."""

    place: str
    correction: str
    _: KW_ONLY
    problem: str | None = None


class Collection(Session):
    """A user's sources and the builds that read them.

    Trouble with one of several sources is noted (see `notes`) and does not stop the others.
    """

    _graph: Snapshot | None = None

    def refresh(self) -> Snapshot | None:
        """Build the graph where none is stored or it was made of other inputs; return it if it was built."""
        inputs = read_inputs(self.settings)
        return None if self.store.fingerprint() == inputs.fingerprint else self._build(inputs)

    def build(self, *, offline: bool = False) -> Built:
        """Read everything again and build the graph anew; feeds are fetched first, unless `offline`.

        A feed that cannot be fetched counts by its last good copy. Raises AtlasError; the old graph stays then.

        Example: len(atlas.build(offline=True).graph.episodes)
        """
        from torchatlas.feeds import refresh

        if not offline:
            with self.progressing() as progress:
                lines = list(refresh(self.settings, progress))
            for line in lines:
                note(line)
        return Built(self._build(read_inputs(self.settings)))

    def add(self, *feeds: str) -> Built:
        """Remember feeds (address, file, or an OPML list of feeds) and build the graph with their episodes.

        Transcripts and chapters that a feed names are fetched as well. Raises SourceError where no feed can be read.

        Example: atlas.add("https://feeds.simplecast.com/OB5FkIl8").failed
        """
        from torchatlas.feeds import remember

        failures: list[SourceError] = []
        lines: list[str] = []
        with self.progressing() as progress:
            for feed in feeds:
                try:
                    lines += remember(self.settings, feed, progress)
                except SourceError as e:
                    failures.append(e)
        for line in lines:
            note(line)
        failed = _told(failures, len(feeds))
        return Built(self._build(read_inputs(self.settings)), failed)

    def import_pages(self, *pages: str, dry_run: bool = False) -> Imported:
        """Remember saved pages and build the graph with the episodes on them.

        With `dry_run` nothing is changed. Raises SourceError where no page can be read.

        Example: atlas.import_pages("playerfm.html", dry_run=True).rows[0].outcome
        """
        from torchatlas.page_import import report
        from torchatlas.saved_pages import keep_pages, open_page

        failures: list[SourceError] = []
        documents: dict[str, bytes] = {}
        for page in pages:
            try:
                name, document = open_page(page)
                documents[name] = document
            except SourceError as e:
                failures.append(e)
        failed = _told(failures, len(pages))
        rows = Rows(report(read_inputs(self.settings), tuple(documents.items())))
        if dry_run:
            return Imported(rows, None, failed=failed)
        keep_pages(self.settings, documents.items())
        return Imported(rows, self.refresh(), failed=failed)

    def sources(self) -> Rows[Source]:
        """List the feeds that were added and the pages that were imported, with what each holds.

        Example: [source.trouble for source in atlas.sources()]
        """
        from torchatlas.feeds import remembered
        from torchatlas.saved_pages import imported

        return Rows((*remembered(self.settings), *imported(self.settings)))

    def remove_source(self, address: str) -> None:
        """Forget a feed or page; the next question builds the graph without it. Raises SourceError for another name.

        Example: atlas.remove_source("https://example.org/feed.xml")
        """
        from torchatlas.feeds import forget

        forget(self.settings, address)
        self._graph = None

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

    def accept(self, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
        """Make a term a topic of the user's own, and return its id; the next question builds the graph with it.

        Raises DataError where the term or the name is a name already.

        Example: atlas.accept("lantern pass", area="Compilation")
        """
        from torchatlas.own_topics import add_topic

        id_ = add_topic(self.settings, term, name=name, definition=definition, area=area)
        self._graph = None
        return id_

    def reject(self, term: str) -> None:
        """Never list a term as a candidate again. Raises DataError where that cannot be written.

        Example: atlas.reject("great question")
        """
        from torchatlas.own_topics import one_line

        change_sources(self.settings, lambda sources: Sources.adding(sources, refused=one_line(term)))

    def corrections(self) -> Rows[Correction]:
        """List the user's corrections of the graph, and which of them do not apply. Raises DataError.

        Example: [c.correction for c in atlas.corrections() if c.problem]
        """
        from torchatlas.extract.curated.corrections import parse_corrections
        from torchatlas.graph.build.corrections.kinds import describe
        from torchatlas.pipeline import assemble

        inputs = read_inputs(self.settings)
        if not (found := parse_corrections(inputs.corrections_file, inputs.corrections)):
            return Rows()
        with self.progressing() as progress:
            problems = assemble(inputs, progress).problems
        return Rows(Correction(c.place, describe(c), problem=problems.get(c.place)) for c in found)

    def _build(self, inputs: Inputs) -> Snapshot:
        from torchatlas.pipeline import build

        with self.progressing() as progress:
            assembled = build(inputs, self.store, progress)
        for line in assembled.unread:
            note(line)
        for place, problem in assembled.problems.items():
            note(f"{place}: this correction does not apply: {problem}")
        for line in assembled.set_aside:
            note(f"set aside: {line}")
        self._graph = assembled.graph
        return assembled.graph

    def _entries(self, feeds: Sequence[str]) -> "tuple[tuple[Entry, ...], str]":
        """The entries of the feeds, and how many feeds could not be read. Raises SourceError where that is all."""
        from torchatlas.extract.feeds.feed import parse
        from torchatlas.extract.feeds.fetch import fetch

        entries: list[Entry] = []
        failures: list[SourceError] = []
        for feed in feeds:
            try:
                fetched = fetch(feed, self.settings.cache)
                parsed = parse(fetched.data, fetched.address)
            except SourceError as e:
                failures.append(e)
                continue
            entries += parsed.entries
            for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
                note(line)
        return tuple(entries), _told(failures, len(feeds))


def _told(failures: Sequence[SourceError], total: int) -> str:
    """Note what failed, a line each, and return how many did. Raises SourceError where that is all of them."""
    if failures and total == 1:
        raise failures[0]
    for failure in failures:
        note(str(failure))
    if failures and len(failures) == total:
        raise SourceError(f"none of the {total} could be read")
    return f"{len(failures)} of {total} could not be read" if failures else ""
