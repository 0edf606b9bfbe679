"""The inputs of a build: shipped files, the user's files, and the last good copies of their feeds and pages."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from torchatlas.extract.extraction_cache import spacy_version
from torchatlas.extract.fetch import ENTRIES
from torchatlas.inputs.bundled import bundled, bundled_file
from torchatlas.inputs.feeds import kept_documents, kept_feeds
from torchatlas.inputs.saved_pages import kept_pages
from torchatlas.settings import Settings
from torchatlas.user_files.files import read_text
from torchatlas.user_files.sources import Sources, load_sources

NamedTexts = tuple[tuple[str, str], ...]
"""(name, text) pairs."""
Documents = tuple[tuple[str, bytes], ...]
"""(address or name, content) pairs."""

_UNCOUNTED = {"fingerprint": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Everything that a graph depends on, and the cache that makes reading it again cheap.

    `code`: a hash of the program's modules; `concepts`, `episodes`, `unplaced`: the curated files; `corrections`: the
    text of the user's file, and `corrections_file` its path, for messages; `feeds`, `pages`: documents by address;
    `named`: the transcripts and chapters that feeds name; `feed_entries`: how many entries of a feed count;
    `reader`: the version of spaCy; `cache`: the file of what was found before, or None.
    """

    code: str
    concepts: NamedTexts
    unplaced: tuple[str, str]
    episodes: NamedTexts
    corrections: str
    feeds: Documents = ()
    named: Documents = ()
    pages: Documents = ()
    feed_entries: int = ENTRIES
    reader: str = ""
    corrections_file: str = field(default="corrections.toml", metadata=_UNCOUNTED)
    cache: Path | None = field(default=None, metadata=_UNCOUNTED)

    @property
    def fingerprint(self) -> str:
        """The version of the program, and a hash of every field but the places of files.

        Equal for equal inputs, on every machine.
        """
        digest = hashlib.sha256()
        for each in fields(self):
            if each.metadata.get("fingerprint", True):
                for part in (each.name, *_leaves(getattr(self, each.name))):
                    content = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
                    digest.update(b"%d:" % len(content) + content)
        return f"{self.code[:8]}-{digest.hexdigest()[:16]}"

    def is_of_another_version(self, fingerprint: str) -> bool:
        """Return whether another version of the program made the graph with this fingerprint.

        Example: inputs.is_of_another_version(store.fingerprint())
        """
        version, _, _ = fingerprint.partition("-")
        return version != self.code[:8]


def read_inputs(settings: Settings) -> Inputs:
    """Return what a build would read now. The network is not asked: feeds count by their last good copies.

    Raises DataError where a file of the user's cannot be read.

    Example: read_inputs(load_settings()).fingerprint
    """
    sources = load_sources(settings)
    return Inputs(
        code=code_fingerprint(),
        concepts=read_vocabularies(sources),
        unplaced=unplaced_wordings(sources),
        episodes=bundled("episodes", ".toml") if sources.shipped else (),
        corrections=read_corrections(settings),
        corrections_file=str(settings.corrections),
        feeds=kept_feeds(settings),
        named=kept_documents(settings),
        pages=kept_pages(settings),
        feed_entries=sources.feed_entries,
        reader=spacy_version(),
        cache=settings.home / "extractions.sqlite3",
    )


def read_corrections(settings: Settings) -> str:
    """Return the text of the user's corrections, "" where there are none. Raises DataError.

    Example: read_corrections(load_settings())
    """
    return read_text(settings.corrections, "fix it, or move it away to start again", missing="")


def read_vocabularies(sources: Sources, more: Iterable[str] = ()) -> NamedTexts:
    """Return the texts of the shipped vocabulary, where it is wanted, of the user's own ones and of `more` files.

    Raises DataError where one cannot be read.

    Example: read_vocabularies(Sources(vocabularies=("~/compilers.toml",)))
    """
    own = dict.fromkeys((*sources.vocabularies, *more))
    texts = ((name, read_text(Path(name).expanduser(), "fix it, or name another vocabulary")) for name in own)
    return (*(bundled("concepts", ".toml") if sources.shipped else ()), *texts)


def unplaced_wordings(sources: Sources) -> tuple[str, str]:
    """Return the file of wordings that are no concept of the shipped vocabulary, empty where that is not wanted.

    Example: unplaced_wordings(Sources())[0]
    """
    name, text = bundled_file("unplaced.toml")
    return name, text if sources.shipped else ""


@cache
def code_fingerprint(package: Traversable | None = None) -> str:
    """Return a hash of the modules that may decide what a graph looks like, and of the terms that texts are read with.

    These are all modules of the package but the front ends, so a change in any module that a build imports makes the
    next command build anew. `package`: the folder of another copy of the program.

    Example: code_fingerprint()[:8]
    """
    root = package or files("torchatlas")
    digest = hashlib.sha256()
    for terms in ("glossary.txt", "terms.txt"):
        digest.update((root / "data" / terms).read_bytes())
    for module in _modules(root):
        digest.update(module.read_bytes())
    return digest.hexdigest()


def _modules(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda f: f.name):
        if entry.name.endswith(".py"):
            yield entry
        elif entry.is_dir() and entry.name not in {"ui", "data", "__pycache__"}:
            yield from _modules(entry)


def _leaves(value: object) -> Iterator[str | bytes]:
    """Yield the texts, numbers and documents in a field, with the length of each tuple: no two values read alike."""
    if isinstance(value, tuple):
        yield str(len(value))
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | bytes):
        yield value
    elif isinstance(value, int):
        yield str(value)
