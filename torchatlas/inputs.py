"""The texts that a graph is built from: shipped files, and the last good copies of the user's feeds."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from torchatlas.bundled import bundled, bundled_file
from torchatlas.feeds import kept_documents, kept_feeds
from torchatlas.graph.build.corrections.apply import correct
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.errors import DataError
from torchatlas.profile import load_profile
from torchatlas.saved_pages import kept_pages
from torchatlas.settings import Settings

Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a graph depends on. `feeds`: (address, document) pairs; `code`: a hash of what builds it;
    `corrections`: the user's file, by its path; `named`: the transcripts and chapters that the feeds name;
    `pages`: (name, document) pairs of the pages that were imported; `model`: the user's own spaCy pipeline.

    The graph does not depend on `cache`, the file of what was found before.
    """

    concepts: Texts
    unplaced: tuple[str, str]
    _: KW_ONLY
    episodes: Texts
    feeds: tuple[tuple[str, bytes], ...]
    code: str
    corrections: tuple[str, str]
    named: tuple[tuple[str, bytes], ...] = ()
    pages: tuple[tuple[str, bytes], ...] = ()
    model: str = ""
    cache: Path | None = None

    @property
    def fingerprint(self) -> str:
        """Equal for equal inputs, on every machine."""
        digest = hashlib.sha256(f"{self.code}{self.model}".encode())
        for name, text in (*self.concepts, self.unplaced, *self.episodes, ("corrections", self.corrections[1])):
            digest.update(f"{name}\0{text}\0".encode())
        for address, document in (*self.feeds, *self.named, *self.pages):
            digest.update(address.encode("utf-8", "surrogatepass") + b"\0" + document + b"\0")
        return digest.hexdigest()[:16]


def inputs(settings: Settings) -> Inputs:
    """What a build would read now. No network is asked: of feeds it takes the last good copies."""
    profile = load_profile(settings.profile)
    return Inputs(
        (*bundled("concepts", ".toml"), *read_vocabularies(profile.vocabularies)),
        bundled_file("unplaced.toml"),
        episodes=bundled("episodes", ".toml"),
        feeds=kept_feeds(settings),
        code=_code(),
        corrections=read_corrections(settings),
        named=kept_documents(settings),
        pages=kept_pages(settings),
        model=profile.model,
        cache=settings.home / "extractions.sqlite3",
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
    from torchatlas.extract.curated.vocabulary import load_vocabulary  # pydantic takes a tenth of a second to load

    return load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))


def read_vocabularies(names: Iterable[str]) -> Texts:
    """The user's own vocabularies, written as those in data/concepts. Raises DataError where one cannot be read."""
    return tuple((name, _text_of(Path(name).expanduser())) for name in names)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise DataError(f"{path}: this vocabulary cannot be read ({e}); mend it, or name another file") from e


def uncorrected(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """The shipped vocabulary and the user's own, in files that the profile names and `more`."""
    from torchatlas.extract.curated.vocabulary import load_vocabulary

    own = read_vocabularies(dict.fromkeys((*load_profile(settings.profile).vocabularies, *more)))
    return load_vocabulary((*bundled("concepts", ".toml"), *own), bundled_file("unplaced.toml"))


def vocabulary(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """The same as the user corrects it."""
    from torchatlas.extract.curated.corrections import parse_corrections

    corrections = parse_corrections(*read_corrections(settings))
    return correct(uncorrected(settings, more), Catalogue(), corrections).vocabulary


@cache
def _code() -> str:
    """A hash of the modules, and the terms, that decide what a graph looks like, so that a new version builds anew."""
    digest = hashlib.sha256(bundled_file("terms.txt")[1].encode())
    for package in ("torchatlas.graph", "torchatlas.extract"):
        for module in _modules(files(package)):
            digest.update(module.read_bytes())
    return digest.hexdigest()


def _modules(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda f: f.name):
        if entry.is_dir():
            yield from _modules(entry)
        elif entry.name.endswith(".py"):
            yield entry
