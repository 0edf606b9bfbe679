"""A user's sources and the graph that is made of them: feeds, pages, corrections, new terms, builds."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.values.characters import one_line
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.values.markdown import Shown
from torchatlas.graph.values.model import Snapshot
from torchatlas.inputs.build_notes import keep_notes, notes_of
from torchatlas.inputs.feeds import Source
from torchatlas.inputs.inputs import Inputs, read_inputs
from torchatlas.notes import attempt, note, note_failures
from torchatlas.presentation.rows import Rows
from torchatlas.readers import reading
from torchatlas.session import Progressing, Session
from torchatlas.settings import Settings
from torchatlas.user_files.files import alone
from torchatlas.user_files.sources import change_sources

if TYPE_CHECKING:
    from torchatlas.extract.pages.placing import Placed
    from torchatlas.extract.workers import OpenReaders


_PATIENCE = 3600.0  # seconds that another program may take to build


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
class CorrectionStatus:
    """A correction of the user's: where it stands, what it does, and why it does not apply (None: it does)."""

    place: str
    correction: str
    _: KW_ONLY
    problem: str | None = None


class Collection(Session):
    """A user's sources and the builds that read them.

    Trouble with one of several sources is noted (see `notes`) and does not stop the others.
    """

    def __init__(self, settings: Settings, progressing: Progressing = nullcontext) -> None:
        super().__init__(settings, progressing)
        self._graph: Snapshot | None = None
        self._fresh = False

    @staticmethod
    def new(folder: str | Path, title: str = "") -> Path:
        """Make a folder for a map of its own, without the shipped concepts and episodes; return its list of sources.

        TORCHATLAS_HOME names the folder to use it. Raises DataError where the folder holds a map already.

        Example: atlas.new("databases", "Database internals").name
        """
        from torchatlas.drafting import new_home

        return new_home(folder, title)

    def refresh(self) -> Snapshot | None:
        """Build the graph where none is stored or it was made of other inputs; return it if it was built.

        One program builds at a time; the others wait and take its graph. A note says so where another version of the
        program made the stored one.

        Example: atlas.refresh() is None
        """
        if self._is_fresh(read_inputs(self.settings)):
            return None
        with self._alone():
            inputs = read_inputs(self.settings)  # another program may have changed them meanwhile
            if self._is_fresh(inputs):
                return None
            stored = self.store.fingerprint()
            if stored and inputs.is_of_another_version(stored):
                note("the graph is of another version of torchatlas; it is built anew")
            return self._build(inputs)

    def _is_fresh(self, inputs: Inputs) -> bool:
        self._fresh = self.store.fingerprint() == inputs.fingerprint
        return self._fresh

    def build(self, *, offline: bool = False, jobs: int | None = None, on: str = "") -> Built:
        """Read everything again and build the graph where that changes it; feeds are fetched first, unless `offline`.

        `jobs`: processes that read, None for as many as pay; `on`: the address of a Dask scheduler whose cluster reads
        instead. A feed that cannot be fetched counts by its last good copy. Raises AtlasError; if it fails, the stored
        graph is unchanged.

        Example: len(atlas.build(offline=True).graph.episodes)
        """
        from torchatlas.inputs.feeds import refresh

        with reading(jobs, on) as readers:
            if not offline:
                with self.progressing() as progress:
                    lines = list(refresh(self.settings, progress))
                for line in lines:
                    note(line)
            return Built(self._rebuilt(readers))

    def add(self, *feeds: str, jobs: int | None = None, on: str = "") -> Built:
        """Remember feeds (address, file, or an OPML list of feeds) and build the graph with their episodes.

        Transcripts and chapters that a feed names are fetched as well. `jobs` and `on` are those of `build`. Raises
        SourceError where no feed can be read.

        Example: atlas.add("https://feeds.simplecast.com/OB5FkIl8").failed
        """
        from torchatlas.inputs.feeds import remember

        if not feeds:
            raise SourceError("no feed is named: give its address or file, or an OPML list")
        with reading(jobs, on) as readers:
            with self.progressing() as progress:
                lines, failures = attempt(feeds, lambda feed: remember(self.settings, feed, progress))
            for line in chain.from_iterable(lines):
                note(line)
            failed = note_failures(failures, len(feeds))
            return Built(self._rebuilt(readers), failed)

    def import_pages(self, *pages: str, dry_run: bool = False) -> Imported:
        """Remember saved pages and build the graph with the episodes on them.

        With `dry_run` nothing is changed. Raises SourceError where no page can be read.

        Example: atlas.import_pages("playerfm.html", dry_run=True).rows[0].outcome
        """
        from torchatlas.inputs.saved_pages import keep_pages, open_page
        from torchatlas.page_import import report

        if not pages:
            raise SourceError("no page is named: give the file of a saved page")
        opened, failures = attempt(pages, open_page)
        failed = note_failures(failures, len(pages))
        documents = tuple(dict(opened).items())  # each page once
        rows = Rows(report(read_inputs(self.settings), documents))
        if dry_run:
            return Imported(rows, None, failed=failed)
        keep_pages(self.settings, documents)
        return Imported(rows, self.refresh(), failed=failed)

    def sources(self) -> Rows[Source]:
        """List the feeds that were added and the pages that were imported, with what each holds.

        Example: [source.trouble for source in atlas.sources()]
        """
        from torchatlas.inputs.feeds import remembered
        from torchatlas.inputs.saved_pages import imported

        return Rows((*remembered(self.settings), *imported(self.settings)))

    def feed_of(self, show: str) -> str | None:
        """Return the address of a show's feed: that of a feed of yours with this title, else the one that ships.

        Example: atlas.feed_of("PyTorch Developer Podcast")
        """
        from torchatlas.inputs.bundled import SHOW
        from torchatlas.inputs.feeds import remembered

        own = {feed.title: feed.address for feed in remembered(self.settings)}
        return own.get(show) or (SHOW.feed_url if show == SHOW.title else None)

    def remove_source(self, address: str) -> None:
        """Forget a feed or page; the next question builds the graph without it. Raises SourceError for another name.

        Example: atlas.remove_source("https://example.org/feed.xml")
        """
        from torchatlas.inputs.feeds import forget

        forget(self.settings, address)
        self._fresh = False

    def accept(self, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
        """Make a term a topic of the user's own, and return its id; the next question builds the graph with it.

        Raises DataError where the term or the name is a name already.

        Example: atlas.accept("lantern pass", area="Compilation")
        """
        from torchatlas.inputs.own_topics import add_topic

        id_ = add_topic(self.settings, term, name=name, definition=definition, area=area)
        self._fresh = False
        return id_

    def reject(self, term: str) -> None:
        """Never list a term as a candidate again. Raises DataError where that cannot be written.

        Example: atlas.reject("great question")
        """
        change_sources(self.settings, lambda sources: sources.adding(refused=one_line(term)))

    def corrections(self) -> Rows[CorrectionStatus]:
        """List the user's corrections of the graph, and which of them do not apply. Raises DataError.

        Example: [c.correction for c in atlas.corrections() if c.problem]
        """
        from torchatlas.extract.curated.corrections import parse_corrections
        from torchatlas.graph.build.corrections.kinds import describe
        from torchatlas.pipeline import build

        inputs = read_inputs(self.settings)
        if not (found := parse_corrections(inputs.corrections_file, inputs.corrections)):
            return Rows()
        with self.progressing() as progress:
            problems = build(inputs, progress=progress).problems
        return Rows(CorrectionStatus(c.place, describe(c), problem=problems.get(c.place)) for c in found)

    def _alone(self) -> AbstractContextManager[None]:
        """Return the lock that a program holds from reading the inputs until their graph is stored."""
        return alone(self.settings.home / "build.lock", "another torchatlas is building the map", _PATIENCE)

    def _rebuilt(self, readers: "OpenReaders | None") -> Snapshot:
        """Build, unless the graph of these very inputs is stored: what was told of it is told again then."""
        with self._alone():
            inputs = read_inputs(self.settings)
            told = notes_of(inputs)
            if told is None or not self.store.holds(inputs.fingerprint):
                return self._build(inputs, readers)
            for line in told:
                note(line)
            self._graph, self._fresh = self.store.snapshot(), True
            return self._graph

    def _build(self, inputs: Inputs, readers: "OpenReaders | None" = None) -> Snapshot:
        from torchatlas.pipeline import build

        with self.progressing() as progress:
            built = build(inputs, self.store, progress, readers=readers)
        for line in built.notes:
            note(line)
        keep_notes(inputs, built.notes)
        self._graph, self._fresh = built.graph, True
        return built.graph
