"""A user's sources: `sources.toml`, and the last good copies of feeds, of what these name, and of saved pages."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, asdict, dataclass, fields, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.extract.fetch import ENTRIES, Document, FetchLimits, Unreachable, copy_name, without_secrets
from torchatlas.files import attempt, change, load, read_copy, remove_copy
from torchatlas.graph.errors import DataError, SourceError
from torchatlas.graph.formatting import counted
from torchatlas.graph.whole_files import write_whole
from torchatlas.settings import Settings

if TYPE_CHECKING:
    from torchatlas.extract.feeds import Entry
    from torchatlas.extract.pages import Page
    from torchatlas.graph.model import Progress


_HEADER = "What your graph is made of beside the shipped files. Edit it as you like; `torchatlas build` reads it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The user's sources. Commands change the first three entries; people write the others by hand.

    The file may name files by where they lie beside it.

    `sources`: addresses of feeds; `pages`: files of saved pages; `refused`: terms that are no concepts;
    `vocabularies`: files in the format of data/concepts; `shipped`: whether the concepts and episodes that ship with
    the program are on the map; `title`: what the map is of; `feed_entries`: how many entries of a feed are read at the
    most.

    >>> Sources().adding("feed.xml").sources
    ('feed.xml',)
    """

    sources: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    shipped: bool = True
    title: str = ""
    feed_entries: int = ENTRIES

    @property
    def subject(self) -> str:
        """Name what the map is of, in words.

        >>> Sources().subject, Sources(shipped=False).subject, Sources(title="Databases").subject
        ('PyTorch internals', 'your podcasts', 'Databases')
        """
        return self.title or ("PyTorch internals" if self.shipped else "your podcasts")

    def adding(self, feed: str = "", *, page: str = "", refused: str = "", vocabulary: str = "") -> "Sources":
        """Return the list with one more feed, page, refused term or vocabulary; nothing stands in it twice.

        >>> Sources().adding("https://example.org/feed.xml").sources
        ('https://example.org/feed.xml',)
        """
        return replace(
            self,
            sources=_with(self.sources, feed),
            pages=_with(self.pages, page),
            refused=_with(self.refused, refused),
            vocabularies=_with(self.vocabularies, vocabulary),
        )

    def without(self, name: str) -> "Sources":
        """Return the list without a feed or page.

        >>> Sources(pages=("a.html", "b.html")).without("a.html").pages
        ('b.html',)
        """
        return replace(
            self,
            sources=tuple(s for s in self.sources if s != name),
            pages=tuple(p for p in self.pages if p != name),
        )

    def renamed(self, name: Callable[[str], str]) -> "Sources":
        """Return the list with another name for each feed, page and vocabulary.

        >>> Sources(pages=("a.html",)).renamed(lambda name: f"/home/me/{name}").pages
        ('/home/me/a.html',)
        """
        sources, pages, own = (tuple(map(name, names)) for names in (self.sources, self.pages, self.vocabularies))
        return replace(self, sources=sources, pages=pages, vocabularies=own)


def load_sources(settings: Settings) -> Sources:
    """Return the user's sources, none where there is no file yet. Raises DataError where it cannot be read.

    Example: load_sources(load_settings()).subject
    """
    return load(settings.sources_list, Sources).renamed(_whole_names(settings))


def change_sources(settings: Settings, to: Callable[[Sources], Sources]) -> Sources:
    """Change the user's sources as one step and return them. Raises DataError; the file stays as it was then.

    Example: change_sources(settings, lambda sources: sources.adding("https://example.org/feed.xml"))
    """
    whole = _whole_names(settings)

    def changed(listed: Sources) -> Sources:
        written = {whole(name): name for name in (*listed.sources, *listed.pages, *listed.vocabularies)}
        return to(listed.renamed(whole)).renamed(lambda name: written.get(name, name))

    return change(settings.sources_list, Sources, changed, _HEADER).renamed(whole)


def _whole_names(settings: Settings) -> Callable[[str], str]:
    """Return a function that gives the name of a file beside sources.toml whole; other files and addresses stay."""
    folder = settings.sources_list.parent

    def whole(name: str) -> str:
        beside = name and "://" not in name and not name.startswith("~") and not Path(name).is_absolute()
        return str(folder / name) if beside else name

    return whole


def _with(entries: tuple[str, ...], new: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*entries, new))) if new else entries


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


def remember(settings: Settings, address: str, progress: "Progress | None" = None) -> list[str]:
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


def refresh(settings: Settings, progress: "Progress | None" = None) -> Iterator[str]:
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


def _remembered(settings: Settings, address: str, fetched: Document, progress: "Progress | None") -> list[str]:
    source, lines = _keep(settings, address, fetched, progress)
    change_sources(settings, lambda sources: sources.adding(address))
    return [f"{fetched.address}: {source.holds}", *lines]


def _keep(settings: Settings, address: str, fetched: Document, progress: "Progress | None") -> tuple[Source, list[str]]:
    """Keep a feed and what it names; the lines say what gave trouble. Raises SourceError where it is not kept."""
    from torchatlas.extract.feeds import parse

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


LIMITS = FetchLimits(size=16_000_000)
MOST = 400_000_000
"""Bytes that are kept of what one feed names."""

_PATIENCE = 3  # times without an answer, after which a server is left alone until the next time


def fetch_named(
    entries: "Iterable[Entry]", folder: Path, progress: "Progress | None" = None, *, local: bool = False
) -> Iterator[str]:
    """Fetch what is not yet in the folder, remove what is named no longer; yield a line for each that cannot be had.

    A kept document is not asked for again: transcripts are written once, and a show has hundreds. Raises OSError.
    `local`: whether a server on this computer or in its network sent the feed, so that what it names may lie there too.

    Example: list(fetch_named(parse(document, address).entries, Path("named")))
    """
    from torchatlas.extract.feeds import http_host
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.transcripts import readers

    wanted = {url: read for entry in entries for url, read in readers(entry).items()}
    missing, size = _tidied(wanted, folder)
    failed: dict[str, int] = {}
    for done, url in enumerate(missing):
        if progress:
            progress("Fetching transcripts", done, len(missing))
        host = http_host(url)
        if failed.get(host, 0) >= _PATIENCE:
            continue
        try:
            found = fetch(url, None, LIMITS, local=local)
            wanted[url](found.data, found.address)
        except Unreachable as e:
            failed[host] = failed.get(host, 0) + 1
            yield str(e)
            if failed[host] == _PATIENCE:
                yield f"{host}: its other transcripts are left for the next `torchatlas build`"
            continue
        except SourceError as e:
            yield str(e)
            continue
        size += len(found.data)
        if size > MOST:
            yield f"{host}: the feed names more than {MOST:,} bytes of transcripts; the rest is left out"
            return
        write_whole(folder / copy_name(url), found.data)


def has_transcript(entry: "Entry", folder: Path) -> bool:
    """Return whether the entry's transcript is kept.

    Example: has_transcript(entry, Path("named"))
    """
    from torchatlas.extract.transcripts import best_transcript

    best = best_transcript(entry.transcripts)
    return best is not None and (folder / copy_name(best.url)).exists()


def _tidied(wanted: Iterable[str], folder: Path) -> tuple[list[str], int]:
    """Remove what is not wanted; return the wanted addresses without a kept document, and the bytes that are kept."""
    names = {copy_name(url): url for url in wanted}
    kept = {path.name: path.stat().st_size for path in folder.glob("[0-9a-f]*")}  # not what another process is writing
    for name in kept.keys() - names.keys():
        (folder / name).unlink()
    missing = [url for name, url in names.items() if name not in kept]
    return missing, sum(size for name, size in kept.items() if name in names)


def open_page(name: str) -> tuple[str, bytes]:
    """Return (name, document) of a page that can be read; the name of a file is its whole path. Raises SourceError.

    Example: open_page("playerfm.html")[0]
    """
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.pages import read_page

    if name == "-":
        raise SourceError("standard input has no name to be remembered by; save the page to a file and import that")
    if "://" not in name:
        name = str(Path(name).expanduser().absolute())
    fetched = fetch(name)
    read_page(fetched.data, fetched.address)
    return name, fetched.data


def keep_pages(settings: Settings, pages: Iterable[tuple[str, bytes]]) -> None:
    """Keep a copy of each page and note its name in sources.toml. Raises SourceError where that cannot be written.

    Example: keep_pages(settings, [open_page("playerfm.html")])
    """
    for name, document in pages:
        path = copy_path(settings, name, "page")
        try:
            write_whole(path, document)
        except OSError as e:
            raise unwritable(path, e) from e
        change_sources(settings, partial(Sources.adding, page=name))


def kept_pages(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """Return (name, document) of the pages that were imported. Raises DataError where one cannot be read.

    Example: [name for name, _ in kept_pages(settings)]
    """
    return read_copies(settings, load_sources(settings).pages, "page")


def imported(settings: Settings) -> tuple[Source, ...]:
    """Return the pages that were imported, in that order, with the shape that each has.

    Example: imported(settings)[0].holds
    """
    return tuple(_source(settings, name) for name in load_sources(settings).pages)


def _source(settings: Settings, name: str) -> Source:
    try:
        document = read_copy(copy_path(settings, name, "page"))
    except DataError as e:
        return Source(name, trouble=str(e), kind="page")
    if document is None:
        return Source(name, trouble="its copy is gone; import it again", kind="page")
    pages, unread = read_pages([(name, document)])
    shape, entries = (pages[0].shape, len(pages[0].entries)) if pages else ("", 0)
    return Source(name, shape, entries=entries, trouble="".join(unread), kind="page")


def read_pages(pages: Iterable[tuple[str, bytes]]) -> "tuple[tuple[Page, ...], tuple[str, ...]]":
    """Return the pages by the names of their files, and a line for each that this version of the program cannot read.

    Example: read_pages(kept_pages(settings))[0][0].entries
    """
    from torchatlas.extract.pages import read_page

    def read(kept: tuple[str, bytes]) -> "Page":
        name, document = kept
        return read_page(document, without_secrets(name) if "://" in name else Path(name).name)

    readable, failures = attempt(pages, read)
    remedy = "left out: import it again, or forget it with `torchatlas sources --remove`"
    return tuple(readable), tuple(f"{e}; {remedy}" for e in failures)
