"""The findings in texts: concepts, links, statements and new terms. Nothing is stored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.errors import SourceError
from torchatlas.inputs.inputs import read_inputs
from torchatlas.notes import attempt, note, note_failures
from torchatlas.open_map import OpenMap
from torchatlas.presentation.rows import Rows
from torchatlas.readers import reading
from torchatlas.user_files.sources import load_sources

if TYPE_CHECKING:
    from torchatlas.extract.candidates import Draft, TermCandidate
    from torchatlas.extract.feeds import Entry
    from torchatlas.graph.findings import Extraction, Vocabulary


@dataclass(frozen=True, slots=True)
class FeedFindings:
    """The findings of one entry after another, as they are read. `names`: concept id -> name.

    `failed`: how many of the feeds could not be read, in words; "": none.
    """

    extractions: "Iterator[tuple[Extraction, tuple[TermCandidate, ...] | None]]"
    names: dict[str, str]
    _: KW_ONLY
    failed: str = ""


def _extracted(
    vocabulary: "Vocabulary", entries: "Sequence[Entry]", jobs: int | None, on: str
) -> "Iterator[Extraction]":
    from torchatlas.extract.pipeline import Extractor

    titles = (entry.episode.title for entry in entries)
    with reading(jobs, on) as readers:
        yield from Extractor(vocabulary.concepts, titles, readers=readers).extract(entries)


def extract(atlas: OpenMap, *feeds: str, candidates: bool = False, vocabularies: Iterable[str] = (),
    jobs: int | None = None, on: str = "",
) -> FeedFindings:  # fmt: skip
    """Find the concepts, links and statements in feeds, entry by entry; nothing is stored.

    `candidates`: new terms as well; `vocabularies`: more files of concepts; `jobs` and `on` are those of
    `build`. Raises SourceError where no feed can be read; what fails as the entries are read
    is raised there.

    Example: [found.mentions for found, _ in atlas.extract("feed.xml").extractions]
    """
    from torchatlas.extract.candidates import CandidateFinder

    if not feeds:
        raise SourceError("no feed is named: give its address or file")
    known, read, failed = _read(atlas, feeds, vocabularies, jobs=jobs, on=on)
    finder = CandidateFinder(known, load_sources(atlas.settings).refused) if candidates else None
    found = ((extraction, finder.rank([extraction]) if finder else None) for extraction in read)
    return FeedFindings(found, {c.id: c.name for c in known.concepts}, failed=failed)


def candidates(atlas: OpenMap, *feeds: str) -> "Rows[TermCandidate]":
    """List terms that the vocabulary does not know, best first: in some feeds, else in all that a build reads.

    Raises SourceError where no feed can be read.

    Example: atlas.candidates()[0].text
    """
    from torchatlas.extract.candidates import CandidateFinder
    from torchatlas.pipeline import find_candidates

    refused = load_sources(atlas.settings).refused
    if not feeds:
        return Rows(find_candidates(read_inputs(atlas.settings), refused))
    known, read, failed = _read(atlas, feeds)
    if failed:
        note(failed)
    return Rows(CandidateFinder(known, refused).rank(read))


def draft(atlas: OpenMap, path: str | Path, *feeds: str, limit: int = 40, area: str = "") -> "Rows[Draft]":
    """Write the best candidates to a new vocabulary, which the next build reads, and list them.

    Each has a sentence of the notes for a definition, and what the notes make a probable prerequisite. `area`: by
    default the subject of the map. Raises DataError where the file is there already or no candidate is left.

    Example: atlas.draft("mine.toml", limit=20)[0].name
    """
    from torchatlas.drafting import draft_vocabulary

    found = candidates(atlas, *feeds)
    return Rows(draft_vocabulary(atlas.settings, path, found, limit=limit, area=area))


def _read(
    atlas: OpenMap,
    feeds: Sequence[str],
    vocabularies: Iterable[str] = (),
    *,
    jobs: int | None = None,
    on: str = "",
) -> "tuple[Vocabulary, Iterator[Extraction], str]":
    """Return the vocabulary, the findings of one entry after another, and how many feeds could not be read."""
    from torchatlas.extract.feeds import parse
    from torchatlas.extract.fetch import fetch
    from torchatlas.inputs.vocabulary import corrected_vocabulary

    sources = load_sources(atlas.settings)

    def entries_of(feed: str) -> "tuple[Entry, ...]":
        fetched = fetch(feed, atlas.settings.cache)
        parsed = parse(fetched.data, fetched.address, sources.feed_entries)
        for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
            note(line)
        return parsed.entries

    found, failures = attempt(feeds, entries_of)
    failed = note_failures(failures, len(feeds))
    entries = tuple(chain.from_iterable(found))
    known = corrected_vocabulary(atlas.settings, vocabularies)
    return known, _extracted(known, entries, jobs, on), failed
