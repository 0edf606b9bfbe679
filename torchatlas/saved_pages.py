"""The user's saved pages: copies in the folder of sources, their names in sources.toml, so that a build reads them."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from torchatlas.extract.feeds.document import without_password
from torchatlas.extract.pages.page import Page, read_page
from torchatlas.feeds import Source, copy_path, unwritable
from torchatlas.files import write_whole
from torchatlas.graph.values.errors import SourceError
from torchatlas.settings import Settings
from torchatlas.sources import Sources, change_sources, load_sources


def open_page(name: str) -> tuple[str, bytes]:
    """(name, document) of a page that can be read: a file by its whole path. Raises SourceError; nothing is written."""
    from torchatlas.extract.feeds.fetch import fetch

    if name == "-":
        raise SourceError("standard input has no name to be remembered by; save the page to a file and import that")
    if "://" not in name:
        name = str(Path(name).expanduser().absolute())
    fetched = fetch(name)
    read_page(fetched.data, fetched.address)
    return name, fetched.data


def keep_pages(settings: Settings, pages: Iterable[tuple[str, bytes]]) -> None:
    """Keep a copy of each page and note its name in sources.toml. Raises SourceError where that cannot be written."""
    for name, document in pages:
        path = copy_path(settings, name, "page")
        try:
            write_whole(path, document)
        except OSError as e:
            raise unwritable(path, e) from e
        change_sources(settings, partial(Sources.adding, page=name))


def kept_pages(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """(name, document) of the pages that were imported."""
    kept = ((name, copy_path(settings, name, "page")) for name in load_sources(settings).pages)
    return tuple((name, path.read_bytes()) for name, path in kept if path.exists())


def imported(settings: Settings) -> tuple[Source, ...]:
    """The pages that were imported, in the order in which they were, with the shape that each has."""
    copies = dict(kept_pages(settings))
    return tuple(_source(name, copies.get(name)) for name in load_sources(settings).pages)


def _source(name: str, document: bytes | None) -> Source:
    if document is None:
        return Source(name, trouble="its copy is gone; import it again", kind="page")
    pages, unread = read_pages([(name, document)])
    shape, entries = (pages[0].shape, len(pages[0].entries)) if pages else ("", 0)
    return Source(name, shape, entries=entries, trouble="".join(unread), kind="page")


def read_pages(pages: Iterable[tuple[str, bytes]]) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The pages by the names of their files, for who reads a report knows the folder; a line for each unreadable one.

    Only those that were readable are kept; another version may read otherwise.
    """
    read: list[Page] = []
    unread: list[str] = []
    for name, document in pages:
        try:
            read.append(read_page(document, without_password(name) if "://" in name else Path(name).name))
        except SourceError as e:
            unread.append(f"{e}; left out: import it again, or forget it with `torchatlas sources --remove`")
    return tuple(read), tuple(unread)
