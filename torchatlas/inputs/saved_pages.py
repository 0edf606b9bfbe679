"""The user's saved pages: copies in the folder of sources, their names in sources.toml, so that a build reads them."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.extract.fetch import without_secrets
from torchatlas.graph.errors import DataError, SourceError
from torchatlas.graph.whole_files import write_whole
from torchatlas.inputs.feeds import Source, copy_path, read_copies, unwritable
from torchatlas.notes import attempt
from torchatlas.settings import Settings
from torchatlas.user_files.files import read_copy
from torchatlas.user_files.sources import Sources, change_sources, load_sources

if TYPE_CHECKING:
    from torchatlas.extract.pages import Page


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
