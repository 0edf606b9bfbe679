"""A user's sources: `sources.toml`, and the last good copies of feeds and pages."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchatlas.extract.extraction_cache import reader
from torchatlas.extract.fetch import ENTRIES, Document, FetchLimits, Unreachable, copy_name, without_secrets
from torchatlas.files import attempt, change, load
from torchatlas.graph.errors import DataError, SourceError
from torchatlas.graph.formatting import counted
from torchatlas.graph.whole_files import write_whole, writing
from torchatlas.settings import Settings

if TYPE_CHECKING:
    from torchatlas.extract.feeds import Entry, Feed
    from torchatlas.extract.pages import Page
    from torchatlas.graph.model import Progress
Documents = tuple[tuple[str, bytes], ...]  # (address or name, content)
_HEADER = "What your graph is made of beside the shipped files. Edit it as you like; `torchatlas build` reads it."
_FILES = ("sources", "pages", "vocabularies")  # lists whose files may be named from beside sources.toml
_WHOLE = "[0-9a-f]*"  # names of whole documents, not of those being written
_SAID = 10  # lines about one feed
_MOST = 400_000_000  # bytes that are kept of what one feed names
_MOST_LEFT = 50_000_000  # bytes that are kept of what has left a feed
_PATIENCE = 3  # times without an answer, then a server is left alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The user's sources: feeds, saved pages, refused terms, files of concepts.

    `shipped`: with the shipped files; `feed_entries`: how many are read of a feed.
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
        """The subject of the map, in words."""
        return self.title or ("PyTorch internals" if self.shipped else "your podcasts")

    def adding(self, **names: str) -> "Sources":
        """Return the sources with a name more: `Sources().adding(sources="a.xml")`."""
        more: dict[str, Any] = {k: tuple(dict.fromkeys((*getattr(self, k), name))) for k, name in names.items()}
        return replace(self, **more)

    def renamed(self, new: Callable[[str], str]) -> "Sources":
        """Return the sources renamed, "" to drop one: `listed.renamed(str.strip)`."""
        named: dict[str, Any] = {key: tuple(filter(None, map(new, getattr(self, key)))) for key in _FILES}
        return replace(self, **named)


@dataclass(frozen=True, slots=True)
class Source:
    """A feed or page as it was last read: `Source("feed.xml", entries=84).holds`.

    `title`: that of the show, or a page's shape; `trouble`: what went wrong last time;
    `left`: kept entries that are no longer in the feed; `target`: where redirects led.
    """

    address: str
    title: str = ""
    entries: int = 0
    transcripts: int = 0
    trouble: str = ""
    kind: str = "feed"
    left: int = 0
    target: str = ""

    @property
    def holds(self) -> str:
        """The number of entries and transcripts, in words."""
        came = counted(self.entries, "episode") if self.kind == "feed" else counted(self.entries, "entry", "entries")
        came += f", {counted(self.transcripts, 'transcript')}" if self.transcripts else ""
        return f"{came}; {self.left} more have left the feed and are kept" if self.left else came

    @property
    def shown(self) -> str:
        """The address as it may be shown."""
        return without_secrets(self.address)


def load_sources(settings: Settings) -> Sources:
    """Return the user's sources: `load_sources(settings).subject`. Raises DataError."""
    return load(settings.sources_list, Sources).renamed(partial(_whole, settings))


def change_sources(settings: Settings, to: Callable[[Sources], Sources]) -> Sources:
    """Change the sources: `change_sources(settings, lambda s: s)`. Raises DataError."""
    whole = partial(_whole, settings)

    def changed(listed: Sources) -> Sources:
        written = {whole(name): name for key in _FILES for name in getattr(listed, key)}
        return to(listed.renamed(whole)).renamed(lambda name: written.get(name, name))

    return change(settings.sources_list, Sources, changed, _HEADER).renamed(whole)


def _whole(settings: Settings, name: str) -> str:
    """Return the whole name of a file beside sources.toml, others unchanged."""
    beside = name and "://" not in name and not name.startswith("~") and not Path(name).is_absolute()
    return str(settings.sources_list.parent / name) if beside else name


def remember(settings: Settings, address: str, progress: "Progress | None" = None) -> list[str]:
    """Keep a feed or OPML list; return lines on it: `remember(settings, "a.xml")`.

    Raises AtlasError where nothing of it can be kept; all is as it was then.
    """
    from torchatlas.extract.feeds import feed_addresses
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.links import normal

    address = _absolute(address)
    fetched = fetch(address, settings.cache)
    listed = feed_addresses(fetched.data, fetched.address)
    local = fetched.local if "://" in address else None  # a file is the person's own list

    def spelled(*names: str) -> set[str]:
        return {normal(name) if "://" in name else str(Path(name).resolve()) for name in names if name}

    def kept(name: str, document: Document) -> list[str]:
        have, new = load_sources(settings).sources, spelled(name, document.target)
        alike = (a for a in have if new & spelled(a, _known_feed(settings, a).target))
        known = name if name in have else next(alike, name)  # by another spelling, or by where it leads
        source, lines = _keep(settings, known, document, progress)
        change_sources(settings, lambda s: s.adding(sources=known))
        again = f" (you have this feed as {source.shown})" if known != name else ""
        return [f"{document.address}: {source.holds}{again}", *lines]

    if listed is None:
        return kept(address, fetched)

    def added(numbered: tuple[int, str]) -> list[str]:
        if progress:
            progress("Fetching feeds", numbered[0], len(listed))
        return kept(numbered[1], fetch(numbered[1], settings.cache, local=local))

    lines, failed = attempt(enumerate(listed), added)
    if not lines:
        raise SourceError(f"{fetched.address}: none of its {len(failed)} feeds can be read; the first: {failed[0]}")
    return [*chain.from_iterable(lines), *map(str, failed)]


def refresh(settings: Settings, progress: "Progress | None" = None) -> Iterator[str]:
    """Fetch every feed again; yield lines about trouble: `list(refresh(settings))`."""
    from torchatlas.extract.fetch import fetch

    for address in load_sources(settings).sources:
        try:
            yield from _keep(settings, address, fetch(address, settings.cache), progress)[1]
        except SourceError as e:
            copied = copy_path(settings, address, "feed").exists()
            trouble = f"{e}; {'using the copy of last time' if copied else 'nothing of it is in the map'}"
            _write_facts(settings, replace(_known_feed(settings, address), trouble=trouble))
            yield trouble


def _keep(settings: Settings, address: str, fetched: Document, progress: "Progress | None") -> tuple[Source, list[str]]:
    """Keep a feed and what it names, with lines about trouble. Raises AtlasError."""
    from torchatlas.extract.feeds import parse
    from torchatlas.extract.transcripts import best_transcript

    feed = parse(fetched.data, fetched.address, most := load_sources(settings).feed_entries)
    copy, history, folder = (copy_path(settings, address, ending) for ending in ("feed", "history", "named"))
    if feed.cut and copy.exists():
        raise SourceError(feed.skipped[0])
    entries = _united(feed, address, b"".join(data for _, data in _read_copies([(address, history)])))
    rows = [json.dumps(vars(entry) | {"show": None}, default=vars).encode() for entry in entries]
    sizes = accumulate(map(len, rows[(now := len(feed.entries)) :]))
    rows = rows[: min(most, now + sum(size <= _MOST_LEFT for size in sizes))]
    with writing(folder):
        write_whole(history, b"\n".join(rows))
        write_whole(copy, fetched.data, forced=False)
        named = _fetch_named(entries[: len(rows)], folder, progress, local=fetched.local)
        lines = [*filter(None, [fetched.note]), *feed.skipped, *named]
    if dropped := len(entries) - len(rows):
        limits = f"feed_entries is {most} in your sources.toml, and {_MOST_LEFT:,} bytes are kept"
        lines.append(f"{fetched.address}: {dropped} of what has left it are dropped: {limits}")
    best = filter(None, (best_transcript(entry.transcripts) for entry in feed.entries))
    transcripts = sum((folder / copy_name(t.url)).exists() for t in best)
    facts = feed.show.title, now, transcripts, fetched.note
    source = Source(address, *facts, left=len(rows) - now, target=fetched.target)
    _write_facts(settings, source)
    lines = [line if n == 1 else f"{line} ({n} times)" for line, n in Counter(lines).items()]
    if len(lines) > _SAID:
        lines[_SAID:] = [f"{fetched.address}: {len(lines) - _SAID} more lines of trouble"]
    return source, lines


def _united(feed: "Feed", name: str, history: bytes) -> list["Entry"]:
    """Return the entries of a feed, then those that have left it. Raises SourceError."""
    from torchatlas.extract.feeds import Entry, told_apart

    told = {(e.episode.guid, e.episode.id) for e in feed.entries if e.notes}  # nothing is left to fill in
    try:
        rows = [(row["episode"]["guid"], row["episode"]["id"], row) for row in map(json.loads, history.splitlines())]
        old = [reader(Entry)(row) for *names, row in rows if tuple(names) not in told]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        copy = f"{copy_name(name)}.history"
        raise SourceError(f"{without_secrets(name)}: sources/{copy} cannot be read; remove it") from None
    shown = [replace(e, show=feed.show, episode=replace(e.episode, show=feed.show.title)) for e in old]
    return told_apart(feed.entries, shown, before={guid for guid, *_ in rows})[0]


def _fetch_named(
    entries: "Iterable[Entry]", folder: Path, progress: "Progress | None", *, local: bool
) -> Iterator[str]:
    """Fetch what is new, `local` addresses too; remove what is old; yield trouble."""
    from torchatlas.extract.feeds import http_host
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.transcripts import readers

    wanted = {copy_name(url): (url, read) for e in entries for url, read in readers(e).items()}
    kept = {path.name: path.stat().st_size for path in folder.glob(_WHOLE)}
    for name in kept.keys() - wanted.keys():
        (folder / name).unlink()
        del kept[name]
    missing = [name for name in wanted if name not in kept]
    failed = Counter[str]()
    for done, name in enumerate(missing):
        if progress:
            progress("Fetching transcripts", done, len(missing))
        url, read = wanted[name]
        if failed[host := http_host(url)] >= _PATIENCE:
            continue
        try:
            found = fetch(url, None, FetchLimits(size=16_000_000), local=local)
            read(found.data, found.address)
        except SourceError as e:
            yield str(e)
            failed[host] += isinstance(e, Unreachable)
            if failed[host] == _PATIENCE:
                yield f"{host}: its other transcripts are left for the next `torchatlas build`"
            continue
        kept[name] = len(found.data)
        if sum(kept.values()) > _MOST:
            yield f"{host}: more than {_MOST:,} bytes of transcripts; the rest is left out"
            return
        write_whole(folder / name, found.data, forced=False)


def listed_as(settings: Settings, address: str) -> str:
    """Return how a feed or page is listed: `listed_as(settings, "feed.xml")`. Raises SourceError."""
    listed, shown, path = load_sources(settings), without_secrets(address), Path(address).expanduser()
    wanted = (address, str(path.absolute()), str((settings.home / path).absolute()))
    known = (*listed.sources, *listed.pages)
    alike = [k for k in known if k in wanted] or [k for k in known if without_secrets(k) == address]
    if not alike:
        raise SourceError(f"{shown!r} is none of your feeds and pages; `torchatlas sources` lists them")
    if alike[1:]:
        raise SourceError(f"{shown!r} stands for {len(alike)} feeds; name one as in {settings.sources_list}")
    return alike[0]


def forget(settings: Settings, address: str, *, only_left: bool = False) -> tuple[str, ...]:
    """Remove a feed or page and its copies: `forget(settings, "feed.xml")`.

    `only_left`: only what has left the feed, whose ids are returned.
    """
    found = listed_as(settings, address)
    if only_left:
        source, history = _known_feed(settings, found), copy_path(settings, found, "history")
        rows = [row for _, data in _read_copies([(found, history)]) for row in data.splitlines()]
        with writing(history):
            write_whole(history, b"\n".join(rows[: source.entries]))
        _write_facts(settings, replace(source, left=0))
        return tuple(json.loads(row)["episode"]["id"] for row in rows[source.entries :])
    change_sources(settings, lambda s: s.renamed(lambda name: "" if name == found else name))
    shutil.rmtree(copy_path(settings, found, "named"), ignore_errors=True)
    copies = (copy_path(settings, found, ending) for ending in ("feed", "history", "json", "page"))
    for copy in (*copies, settings.cache / copy_name(found)):
        with writing(copy, "remove it yourself"):
            copy.unlink(missing_ok=True)
    return ()


def open_page(name: str) -> tuple[str, bytes]:
    """Read a page as (name, document): `open_page("a.html")`. Raises SourceError."""
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.pages import read_page

    name = _absolute(name)
    fetched = fetch(name)
    read_page(fetched.data, fetched.address)
    return name, fetched.data


def keep_pages(settings: Settings, pages: Documents) -> None:
    """Keep copies and names of pages: `keep_pages(settings, [open_page("a.html")])`."""
    for name, document in pages:
        with writing(path := copy_path(settings, name, "page")):
            write_whole(path, document)
        change_sources(settings, partial(Sources.adding, pages=name))


def known_sources(settings: Settings) -> tuple[Source, ...]:
    """Return the user's feeds and pages: `known_sources(settings)[0].trouble`."""
    listed = load_sources(settings)
    known = [_known_feed(settings, name) for name in listed.sources]
    for name in listed.pages:
        try:
            pages, unread = read_pages(_read_copies([(name, copy_path(settings, name, "page"))]))
        except DataError as e:
            pages, unread = (), (str(e),)
        trouble = "" if pages else "".join(unread) or "its copy is gone; import it again"
        shape, entries = (pages[0].shape, len(pages[0].entries)) if pages else ("", 0)
        known.append(Source(name, shape, entries, trouble=trouble, kind="page"))
    return tuple(known)


def _known_feed(settings: Settings, address: str) -> Source:
    try:
        return Source(**json.loads(copy_path(settings, address, "json").read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return Source(address)


def _write_facts(settings: Settings, source: Source) -> None:
    with writing(path := copy_path(settings, source.address, "json")):
        write_whole(path, json.dumps(asdict(source), ensure_ascii=False).encode("utf-8", "replace"), forced=False)


def kept_copies(settings: Settings) -> dict[str, Documents]:
    """Return copies by kind, as in Inputs: `kept_copies(settings)["feeds"]`."""
    listed = load_sources(settings)
    places = {
        "feeds": [(name, copy_path(settings, name, "feed")) for name in listed.sources],
        "histories": [(name, copy_path(settings, name, "history")) for name in listed.sources],
        "named": sorted((p.name, p) for f in listed.sources for p in copy_path(settings, f, "named").glob(_WHOLE)),
        "pages": [(name, copy_path(settings, name, "page")) for name in listed.pages],
    }
    return {kind: _read_copies(dict(found).items()) for kind, found in places.items()}


def read_feeds(feeds: Documents, most: int, histories: Documents = ()) -> tuple[tuple["Entry", ...], tuple[str, ...]]:
    """Return entries, `most` of each feed and what has left it, and lines on bad feeds.

    Example: `read_feeds(inputs.feeds, 9, inputs.histories)[0]`
    """
    from torchatlas.extract.feeds import parse

    def entries(feed: tuple[str, bytes]) -> list["Entry"]:
        return _united(parse(feed[1], without_secrets(feed[0]), most), feed[0], old.get(feed[0], b""))[:most]

    old = dict(histories)
    read, failures = attempt(feeds, entries)
    unread = (f"{e}; left out until `torchatlas build` gets a better one" for e in failures)
    return tuple(chain.from_iterable(read)), tuple(unread)


def read_pages(pages: Iterable[tuple[str, bytes]]) -> "tuple[tuple[Page, ...], tuple[str, ...]]":
    """Return pages, and lines on bad ones: `read_pages([open_page("a.txt")])[0]`."""
    from torchatlas.extract.pages import read_page

    named = ((without_secrets(name) if "://" in name else Path(name).name, document) for name, document in pages)
    readable, failures = attempt(named, lambda page: read_page(page[1], page[0]))
    remedy = "left out: import it again, or forget it with `torchatlas sources --remove`"
    return tuple(readable), tuple(f"{e}; {remedy}" for e in failures)


def copy_path(settings: Settings, address: str, ending: str) -> Path:
    """Return the path of a copy with an ending: `copy_path(settings, a, "feed")`."""
    return settings.home / "sources" / f"{copy_name(address)}.{ending}"


def _read_copies(paths: Iterable[tuple[str, Path]]) -> Documents:
    found = []
    for name, path in paths:
        try:
            with suppress(FileNotFoundError):  # just removed
                found.append((name, path.read_bytes()))
        except OSError as e:
            raise DataError(f"{path}: cannot be read ({e.strerror}); let this user read it, or remove it") from e
    return tuple(found)


def _absolute(name: str) -> str:
    if name == "-":
        raise SourceError("the next build cannot read standard input again; save it to a file")
    return name if "://" in name else str(Path(name).expanduser().absolute())
