"""The texts that a graph is built from: shipped files, and the last good copies of the user's feeds."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from extract.corrections import parse_corrections
from extract.vocabulary import load_vocabulary
from graph.correcting import correct
from graph.curated import Catalogue, Vocabulary
from graph.errors import AtlasError, DataError, SourceError
from ui.bundled import bundled, bundled_file
from ui.files import write_whole
from ui.profile import change_profile, load_profile
from ui.settings import Settings

Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a graph depends on. `feeds`: (address, document) pairs; `code`: a hash of what builds it;
    `corrections`: the user's file, by its path."""

    concepts: Texts
    unplaced: tuple[str, str]
    episodes: Texts
    feeds: tuple[tuple[str, bytes], ...]
    code: str
    corrections: tuple[str, str]

    @property
    def fingerprint(self) -> str:
        """Equal for equal inputs, on every machine."""
        digest = hashlib.sha256(self.code.encode())
        for name, text in (*self.concepts, self.unplaced, *self.episodes, ("corrections", self.corrections[1])):
            digest.update(f"{name}\0{text}\0".encode())
        for address, document in self.feeds:
            digest.update(address.encode("utf-8", "surrogatepass") + b"\0" + document + b"\0")
        return digest.hexdigest()[:16]


def inputs(settings: Settings) -> Inputs:
    """What a build would read now. No network is asked: of feeds it takes the last good copies."""
    addresses = load_profile(settings.profile).sources
    kept = ((address, _copy(settings, address)) for address in addresses)
    feeds = tuple((address, path.read_bytes()) for address, path in kept if path.exists())
    return Inputs(
        bundled("concepts", ".toml"),
        bundled_file("unplaced.toml"),
        bundled("episodes", ".toml"),
        feeds,
        _code(),
        read_corrections(settings),
    )


def read_corrections(settings: Settings) -> tuple[str, str]:
    """The path and the text of the user's corrections file, which need not exist. Raises DataError if unreadable."""
    path = str(settings.corrections)
    try:
        return path, settings.corrections.read_text("utf-8")
    except FileNotFoundError:
        return path, ""
    except (OSError, UnicodeDecodeError) as e:
        raise DataError(f"{settings.corrections}: cannot be read ({e}); mend it, or move it away") from e


def shipped_vocabulary() -> Vocabulary:
    """The vocabulary as it ships."""
    return load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))


def vocabulary(settings: Settings) -> Vocabulary:
    """The shipped vocabulary as the user corrects it."""
    corrections = parse_corrections(*read_corrections(settings))
    return correct(shipped_vocabulary(), Catalogue(), corrections).vocabulary


def remember(settings: Settings, address: str) -> int:
    """Fetch a feed, keep a copy, and note its address in the profile. Returns how many entries it has.

    Raises SourceError where it cannot be read; nothing is changed then.
    """
    if address == "-":
        raise SourceError("standard input cannot be read again by the next build; save it to a file and add that")
    if "://" not in address:
        address = str(Path(address).expanduser().absolute())
    count, _ = _fetch(settings, address)
    change_profile(settings.profile, lambda p: p.with_source(address))
    return count


def refresh_sources(settings: Settings) -> Iterator[str]:
    """Fetch every remembered feed again; yields a line for each that gave trouble and keeps its last good copy."""
    for address in load_profile(settings.profile).sources:
        try:
            _, note = _fetch(settings, address)
        except AtlasError as e:
            if not _copy(settings, address).exists():
                raise
            note = f"{e}; using the copy of last time"
        if note:
            yield note


def _fetch(settings: Settings, address: str) -> tuple[int, str]:
    from extract.feed import parse
    from extract.source import fetch

    fetched = fetch(address, settings.home / "http")
    count = len(parse(fetched.data, fetched.address).entries)
    path = _copy(settings, address)
    try:
        write_whole(path, fetched.data)
    except OSError as e:
        raise SourceError(f"{path}: cannot be written ({e.strerror}); TORCHATLAS_HOME names another folder") from e
    return count, fetched.note


def _copy(settings: Settings, address: str) -> Path:
    name = hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return settings.sources / f"{name}.feed"


@cache
def _code() -> str:
    """A hash of the modules that decide what a graph looks like, so that a new version builds anew."""
    digest = hashlib.sha256()
    for package in ("graph", "extract"):
        for module in sorted((f for f in files(package).iterdir() if f.name.endswith(".py")), key=lambda f: f.name):
            digest.update(module.read_bytes())
    return digest.hexdigest()
