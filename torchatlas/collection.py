"""A user's sources and the graph that is made of them: feeds, pages, corrections, new terms, builds."""

from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import TYPE_CHECKING

from torchatlas.graph.errors import SourceError
from torchatlas.graph.markdown import Shown
from torchatlas.graph.model import Snapshot
from torchatlas.graph.names import one_line
from torchatlas.inputs.feeds import Source
from torchatlas.inputs.inputs import read_inputs
from torchatlas.notes import attempt, note, note_failures
from torchatlas.open_map import OpenMap
from torchatlas.presentation.rows import Rows
from torchatlas.readers import reading
from torchatlas.user_files.sources import change_sources

if TYPE_CHECKING:
    from torchatlas.extract.placing import Placed


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


def build(atlas: OpenMap, *, offline: bool = False, jobs: int | None = None, on: str = "") -> Built:
    """Read everything again and build the graph where that changes it; feeds are fetched first, unless `offline`.

    `jobs`: processes that read, None for as many as pay; `on`: the address of a Dask scheduler whose cluster reads
    instead. A feed that cannot be fetched counts by its last good copy. Raises AtlasError; if it fails, the stored
    graph is unchanged.

    Example: len(atlas.build(offline=True).graph.episodes)
    """
    from torchatlas.inputs.feeds import refresh

    with reading(jobs, on) as readers:
        if not offline:
            with atlas.progressing() as progress:
                lines = list(refresh(atlas.settings, progress))
            for line in lines:
                note(line)
        return Built(atlas.rebuilt(readers))


def add(atlas: OpenMap, *feeds: str, jobs: int | None = None, on: str = "") -> Built:
    """Remember feeds (address, file, or an OPML list of feeds) and build the graph with their episodes.

    Transcripts and chapters that a feed names are fetched as well. `jobs` and `on` are those of `build`. Raises
    SourceError where no feed can be read.

    Example: atlas.add("https://feeds.simplecast.com/OB5FkIl8").failed
    """
    from torchatlas.inputs.feeds import remember

    if not feeds:
        raise SourceError("no feed is named: give its address or file, or an OPML list")
    with reading(jobs, on) as readers:
        with atlas.progressing() as progress:
            lines, failures = attempt(feeds, lambda feed: remember(atlas.settings, feed, progress))
        for line in chain.from_iterable(lines):
            note(line)
        failed = note_failures(failures, len(feeds))
        return Built(atlas.rebuilt(readers), failed)


def import_pages(atlas: OpenMap, *pages: str, dry_run: bool = False) -> Imported:
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
    rows = Rows(report(read_inputs(atlas.settings), documents))
    if dry_run:
        return Imported(rows, None, failed=failed)
    keep_pages(atlas.settings, documents)
    return Imported(rows, atlas.refresh(), failed=failed)


def sources(atlas: OpenMap) -> Rows[Source]:
    """List the feeds that were added and the pages that were imported, with what each holds.

    Example: [source.trouble for source in atlas.sources()]
    """
    from torchatlas.inputs.feeds import remembered
    from torchatlas.inputs.saved_pages import imported

    return Rows((*remembered(atlas.settings), *imported(atlas.settings)))


def feed_of(atlas: OpenMap, show: str) -> str | None:
    """Return the address of a show's feed: that of a feed of yours with this title, else the one that ships.

    Example: atlas.feed_of("PyTorch Developer Podcast")
    """
    from torchatlas.inputs.bundled import SHOW
    from torchatlas.inputs.feeds import remembered

    own = {feed.title: feed.address for feed in remembered(atlas.settings)}
    return own.get(show) or (SHOW.feed_url if show == SHOW.title else None)


def remove_source(atlas: OpenMap, address: str) -> None:
    """Forget a feed or page; the next question builds the graph without it. Raises SourceError for another name.

    Example: atlas.remove_source("https://example.org/feed.xml")
    """
    from torchatlas.inputs.feeds import forget

    forget(atlas.settings, address)
    atlas.inputs_changed()


def accept(atlas: OpenMap, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
    """Make a term a topic of the user's own, and return its id; the next question builds the graph with it.

    Raises DataError where the term or the name is a name already.

    Example: atlas.accept("lantern pass", area="Compilation")
    """
    from torchatlas.inputs.own_topics import add_topic

    id_ = add_topic(atlas.settings, term, name=name, definition=definition, area=area)
    atlas.inputs_changed()
    return id_


def reject(atlas: OpenMap, term: str) -> None:
    """Never list a term as a candidate again. Raises DataError where that cannot be written.

    Example: atlas.reject("great question")
    """
    change_sources(atlas.settings, lambda sources: sources.adding(refused=one_line(term)))


def corrections(atlas: OpenMap) -> Rows[CorrectionStatus]:
    """List the user's corrections of the graph, and which of them do not apply. Raises DataError.

    Example: [c.correction for c in atlas.corrections() if c.problem]
    """
    from torchatlas.extract.catalogue import parse_corrections
    from torchatlas.graph.corrections import describe
    from torchatlas.pipeline import build

    inputs = read_inputs(atlas.settings)
    if not (found := parse_corrections(inputs.corrections_file, inputs.corrections)):
        return Rows()
    with atlas.progressing() as progress:
        problems = build(inputs, progress=progress).problems
    return Rows(CorrectionStatus(c.place, describe(c), problem=problems.get(c.place)) for c in found)
