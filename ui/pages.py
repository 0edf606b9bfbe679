"""The user's saved pages: copies in the folder of sources, their names in the profile, so that a build reads them."""

import hashlib
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from extract.page import Page, read_page
from graph.errors import SourceError
from ui.files import write_whole
from ui.profile import Profile, change_profile, load_profile
from ui.settings import Settings


def open_page(settings: Settings, name: str) -> tuple[str, bytes]:
    """(name, document) of a page that can be read: a file by its whole path. Raises SourceError; nothing is written."""
    from extract.source import fetch

    if name == "-":
        raise SourceError("standard input has no name to be remembered by; save the page to a file and import that")
    if "://" not in name:
        name = str(Path(name).expanduser().absolute())
    document = fetch(name).data
    read_page(document, name)
    return name, document


def keep_pages(settings: Settings, pages: Iterable[tuple[str, bytes]]) -> None:
    """Keep a copy of each page and note its name in the profile. Raises SourceError where that cannot be written."""
    for name, document in pages:
        path = _copy(settings, name)
        try:
            if not path.exists() or path.read_bytes() != document:
                write_whole(path, document)
        except OSError as e:
            raise SourceError(f"{path}: cannot be written ({e.strerror}); TORCHATLAS_HOME names another folder") from e
        change_profile(settings.profile, partial(Profile.with_page, name=name))


def kept_pages(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """(name, document) of the pages that were imported."""
    kept = ((name, _copy(settings, name)) for name in load_profile(settings.profile).pages)
    return tuple((name, path.read_bytes()) for name, path in kept if path.exists())


def read_pages(pages: Iterable[tuple[str, bytes]]) -> list[Page]:
    """The pages as values, by the names of their files: who reads a report knows the folder."""
    return [read_page(document, name if "://" in name else Path(name).name) for name, document in pages]


def _copy(settings: Settings, name: str) -> Path:
    return settings.sources / f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.page"
