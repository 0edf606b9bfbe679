"""A TOML file of lists and texts that a person may edit: exact complaints, and no comment is lost."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from torchatlas.extract.toml_text import load_toml
from torchatlas.graph.errors import DataError
from torchatlas.graph.whole_files import write_whole
from torchatlas.notes import note
from torchatlas.user_files.files import changing, read_text

T = TypeVar("T")
_REMOVED = {"model": "own spaCy pipelines are no longer read, since none changed what is found"}
"""An entry that former versions read -> why it is ignored."""
_MOVED = frozenset({"sources", "pages", "refused", "vocabularies"})
"""Entries that stood in profile.toml before the first release."""


def load(path: Path, kind: type[T]) -> T:
    """Return the file's entries as a value of the dataclass `kind`; its defaults where there is no file.

    Every field of `kind` is a tuple of texts, a text, a whole number from 1 on, or true/false. What former versions
    read is ignored with a note. Raises DataError with the file and the wrong entry.

    Example: load(Path("profile.toml"), Profile)
    """
    known = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]
    entries: dict[str, Any] = {}
    for key, value in read(path).items():
        if key in _REMOVED:
            _note_removed(path, key)
            continue
        if key in _MOVED and key not in known:
            raise DataError(
                f"{path}: {key!r} stands in a file of its own, {path.with_name('sources.toml')}; move it there"
            )
        if key not in known:
            raise DataError(f"{path}: unknown entry {key!r}; it may hold {', '.join(known)}")
        if isinstance(known[key], bool):
            if not isinstance(value, bool):
                raise DataError(f"{path}: {key} must be true or false, such as {key} = false")
            entries[key] = value
        elif isinstance(known[key], int):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise DataError(f"{path}: {key} must be a whole number from 1 on, such as {key} = {known[key]}")
            entries[key] = value
        elif isinstance(known[key], str):
            if not isinstance(value, str):
                raise DataError(f'{path}: {key} must be a text in quotes, such as {key} = ""')
            entries[key] = value
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            entries[key] = tuple(value)
        else:
            raise DataError(f"{path}: {key} must be a list of texts, such as {key} = []")
    return kind(**entries)


@cache  # a command reads a file several times
def _note_removed(path: Path, key: str) -> None:
    note(f"{path}: {key} is ignored: {_REMOVED[key]}; remove this entry")


def read(path: Path) -> Mapping[str, Any]:
    """Return what the file holds, nothing where there is no file. Raises DataError where it cannot be read.

    Example: read(Path("profile.toml"))
    """
    import tomllib

    remedy = "fix it, or move it away to start again"
    try:
        return load_toml(read_text(path, remedy, missing=""))
    except tomllib.TOMLDecodeError as e:
        raise DataError(f"{path}: cannot be read ({e}); {remedy}") from e


def change(path: Path, kind: type[T], to: Callable[[T], T], header: str) -> T:
    """Change the file as one step, so that no change of another process is lost, and return the new value.

    `header` is the first line of a new file. Raises DataError where the file cannot be read or written; it stays as it
    was.

    Example: change(path, Profile, lambda profile: profile.having("known", ["vmap"]), "My profile")
    """
    with changing(path):
        before = load(path, kind)
        after = to(before)
        names = [f.name for f in fields(after)]  # type: ignore[arg-type]
        if changed := {n: getattr(after, n) for n in names if getattr(after, n) != getattr(before, n)}:
            save(path, changed, header)
        return after


def save(path: Path, entries: Mapping[str, object], header: str) -> None:
    """Write entries whole or not at all; comments and the order of the file stay.

    An empty entry that the file does not have is left out.

    Example: save(Path("profile.toml"), {"known": ("vmap",)}, "My profile")
    """
    import tomlkit

    if path.exists():
        document = tomlkit.parse(path.read_text("utf-8"))
    else:
        document = tomlkit.document()
        document.add(tomlkit.comment(header))
    for key, value in entries.items():
        if not value and key not in document:
            continue
        if isinstance(value, tuple):
            items = tomlkit.array()
            items.extend(value)
            document[key] = items.multiline(len(items) > 3)
        elif document.get(key) != value:
            document[key] = value
    write_whole(path, tomlkit.dumps(document).encode())
