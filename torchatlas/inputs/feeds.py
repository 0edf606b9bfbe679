"""The feeds that the user added: their last good copies, the documents that they name, and how each fared."""

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, asdict, dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.extract.fetch import Document, copy_name, without_secrets
from torchatlas.graph.errors import SourceError
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Progress
from torchatlas.graph.whole_files import write_whole
from torchatlas.notes import attempt
from torchatlas.settings import Settings
from torchatlas.user_files.files import read_copy, remove_copy
from torchatlas.user_files.sources import change_sources, load_sources

if TYPE_CHECKING:
    from torchatlas.extract.feeds import Entry

_SAID = 10  # lines about one feed


@dataclass(frozen=True, slots=True)
class Source:
    """A remembered feed, or an imported page, as it was last read.

    `title`: a page's shape; `trouble`: what went wrong the last time it was asked for; `kind`: "feed" or "page".
    """

    address: str
    title: str = ""
    _: KW_ONLY
    entries: int = 0
    transcripts: int = 0
    trouble: str = ""
    kind: str = "feed"

    @property
    def holds(self) -> str:
        """The number of entries and transcripts, in words.

        >>> Source("feed.xml", entries=84, transcripts=1).holds
        '84 episodes, 1 transcript'
        """
        came = counted(self.entries, "episode") if self.kind == "feed" else counted(self.entries, "entry", "entries")
        return f"{came}, {counted(self.transcripts, 'transcript')}" if self.transcripts else came

    @property
    def shown(self) -> str:
        """The address as it may be shown."""
        return without_secrets(self.address)


def remember(settings: Settings, address: str, progress: Progress | None = None) -> list[str]:
    """Fetch a feed, or each feed of a list (OPML), keep a copy, and note the address in sources.toml.

    Returns lines that say what came and what gave trouble. Raises SourceError where nothing of it can be read; all is
    as it was then.

    Example: remember(settings, "https://example.org/feed.xml")[0]
    """
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.opml import feed_addresses

    if address == "-":
        raise SourceError("standard input cannot be read again by the next build; save it to a file and add that")
    if "://" not in address:
        address = str(Path(address).expanduser().absolute())
    fetched = fetch(address, settings.cache)
    listed = feed_addresses(fetched.data, fetched.address)
    if listed is None:
        return _remembered(settings, address, fetched, progress)
    lines: list[str] = []
    good = 0
    local = fetched.local if "://" in address else None  # a file is the person's own list
    for done, each in enumerate(listed):
        if progress:
            progress("Fetching feeds", done, len(listed))
        try:
            lines += _remembered(settings, each, fetch(each, settings.cache, local=local), progress)
            good += 1
        except SourceError as e:
            lines.append(str(e))
    if not good:
        raise SourceError(f"{fetched.address}: none of its {len(listed)} feeds can be read; the first: {lines[0]}")
    return lines


def refresh(settings: Settings, progress: Progress | None = None) -> Iterator[str]:
    """Fetch every remembered feed again; yield a line for each thing that gave trouble. Last good copies stay.

    Example: list(refresh(settings))
    """
    from torchatlas.extract.fetch import fetch

    for address in load_sources(settings).sources:
        try:
            fetched = fetch(address, settings.cache)
            yield from _keep(settings, address, fetched, progress)[1]
        except SourceError as e:
            copied = copy_path(settings, address, "feed").exists()
            trouble = f"{e}; {'using the copy of last time' if copied else 'nothing of it is in the map'}"
            _write(settings, replace(_stored_source(settings, address), trouble=trouble))
            yield trouble


def remembered(settings: Settings) -> tuple[Source, ...]:
    """Return the user's feeds in the order in which they were added.

    Example: remembered(settings)[0].trouble
    """
    return tuple(_stored_source(settings, address) for address in load_sources(settings).sources)


def forget(settings: Settings, address: str) -> None:
    """Take a feed or a page out of sources.toml, and its copies from the disk. `address`: as it is listed.

    Raises SourceError where it is not there, DataError where a copy cannot be removed.

    Example: forget(settings, "https://example.org/feed.xml")
    """
    listed, shown = load_sources(settings), without_secrets(address)
    path = Path(address).expanduser()
    wanted = (address, str(path.absolute()), str((settings.home / path).absolute()))
    known = (*listed.sources, *listed.pages)
    alike = [k for k in known if k in wanted] or [k for k in known if without_secrets(k) == address]
    if not alike:
        raise SourceError(f"{shown!r} is none of your feeds and pages; `torchatlas sources` lists them")
    found, *others = alike
    if others:
        raise SourceError(f"{shown!r} stands for {len(alike)} feeds; name one as it stands in {settings.sources_list}")
    change_sources(settings, lambda sources: sources.without(found))
    for ending in ("feed", "json", "page"):
        remove_copy(copy_path(settings, found, ending))
    shutil.rmtree(copy_path(settings, found, "named"), ignore_errors=True)
    remove_copy(settings.cache / copy_name(found))


def kept_feeds(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """Return (address, document) of the last good copies. Raises DataError where one cannot be read.

    Example: [address for address, _ in kept_feeds(settings)]
    """
    return read_copies(settings, load_sources(settings).sources, "feed")


def read_copies(settings: Settings, names: Iterable[str], ending: str) -> tuple[tuple[str, bytes], ...]:
    """Return (name, document) of the copies that there are. Raises DataError where one cannot be read.

    Example: read_copies(settings, load_sources(settings).pages, "page")
    """
    kept = ((name, read_copy(copy_path(settings, name, ending))) for name in names)
    return tuple((name, document) for name, document in kept if document is not None)


def read_feeds(feeds: Iterable[tuple[str, bytes]], most: int) -> tuple[tuple["Entry", ...], tuple[str, ...]]:
    """Return at most so many entries of each kept feed, and a line for each copy that this program cannot read.

    Example: read_feeds(kept_feeds(settings), load_sources(settings).feed_entries)[0]
    """
    from torchatlas.extract.feeds import parse

    read, failures = attempt(feeds, lambda kept: parse(kept[1], without_secrets(kept[0]), most).entries)
    unread = (f"{e}; left out until `torchatlas build` gets a better one" for e in failures)
    return tuple(chain.from_iterable(read)), tuple(unread)


def kept_documents(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """Return (name, document) of the transcripts and chapters that the feeds name; `copy_name` makes the names.

    Raises DataError where one cannot be read.

    Example: dict(kept_documents(settings)).keys()
    """
    folders = [copy_path(settings, address, "named") for address in load_sources(settings).sources]
    found = {path.name: path for folder in folders for path in folder.glob("[0-9a-f]*")}
    kept = ((name, read_copy(path)) for name, path in sorted(found.items()))
    return tuple((name, document) for name, document in kept if document is not None)


def _remembered(settings: Settings, address: str, fetched: Document, progress: Progress | None) -> list[str]:
    source, lines = _keep(settings, address, fetched, progress)
    change_sources(settings, lambda sources: sources.adding(address))
    return [f"{fetched.address}: {source.holds}", *lines]


def _keep(settings: Settings, address: str, fetched: Document, progress: Progress | None) -> tuple[Source, list[str]]:
    """Keep a feed and what it names; the lines say what gave trouble. Raises SourceError where it is not kept."""
    from torchatlas.extract.feeds import parse
    from torchatlas.inputs.transcripts import fetch_named, has_transcript

    feed = parse(fetched.data, fetched.address, load_sources(settings).feed_entries)
    copy, folder = copy_path(settings, address, "feed"), copy_path(settings, address, "named")
    if feed.cut and copy.exists():
        raise SourceError(feed.skipped[0])
    try:
        write_whole(copy, fetched.data)
        named = fetch_named(feed.entries, folder, progress, local=fetched.local)
        lines = [*filter(None, [fetched.note]), *feed.skipped, *named]
        transcripts = sum(has_transcript(entry, folder) for entry in feed.entries)
        source = Source(address, feed.title, entries=len(feed.entries), transcripts=transcripts, trouble=fetched.note)
    except OSError as e:
        raise unwritable(folder, e) from e
    _write(settings, source)
    if len(lines) > _SAID:
        lines[_SAID:] = [f"{fetched.address}: {len(lines) - _SAID} more of its entries or transcripts gave trouble"]
    return source, lines


def _stored_source(settings: Settings, address: str) -> Source:
    """Return the note about a feed; an empty one where there is none, or one that cannot be read."""
    try:
        facts = json.loads(copy_path(settings, address, "json").read_text("utf-8"))
        known = {f.name: facts[f.name] for f in fields(Source) if isinstance(facts.get(f.name), type(f.default))}
    except (OSError, ValueError, AttributeError, RecursionError):
        known = {}
    return Source(**{**known, "address": address})


def _write(settings: Settings, source: Source) -> None:
    path = copy_path(settings, source.address, "json")
    try:
        write_whole(path, json.dumps(asdict(source), ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    except OSError as e:
        raise unwritable(path, e) from e


def unwritable(path: Path, error: OSError) -> SourceError:
    """Return the error to raise where a copy cannot be written.

    >>> print(unwritable(Path("a.feed"), OSError(28, "No space left")))
    a.feed: cannot be written (No space left); TORCHATLAS_HOME names another folder
    """
    return SourceError(f"{path}: cannot be written ({error.strerror}); TORCHATLAS_HOME names another folder")


def copy_path(settings: Settings, address: str, ending: str) -> Path:
    """Return the place of a copy: a "feed", its note ("json"), a "page", or the folder of "named" documents.

    Example: copy_path(settings, "https://example.org/feed.xml", "feed").read_bytes()
    """
    return settings.copies / f"{copy_name(address)}.{ending}"
