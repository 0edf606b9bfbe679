"""Files of the user: read, written and locked, with mistakes told in one line; and notes to the person."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from torchatlas.extract.toml_text import load_toml
from torchatlas.graph.errors import DataError, SourceError, shortened
from torchatlas.graph.names import visible
from torchatlas.graph.whole_files import write_whole

S = TypeVar("S")
T = TypeVar("T")
_LOGGER = logging.getLogger("torchatlas")


def note(line: str) -> None:
    """Tell one line; control characters of names and feeds are made harmless.

    Example: note("set aside: a quote that is not in its text")
    """
    _LOGGER.warning("%s", visible(line))


def attempt(sources: Iterable[S], read: Callable[[S], T]) -> tuple[list[T], list[SourceError]]:
    """Return what `read` makes of each source, and the errors of the sources that it cannot read.

    Example: attempt(["playerfm.html"], open_page)
    """
    done: list[T] = []
    failures: list[SourceError] = []
    for source in sources:
        try:
            done.append(read(source))
        except SourceError as e:
            failures.append(e)
    return done, failures


def note_failures(failures: Sequence[SourceError], total: int) -> str:
    """Note each of the failures among so many sources and return how many there are, in words; "" for none.

    Raises SourceError where no source is left.

    >>> note_failures([], 3)
    ''
    """
    if failures and total == 1:
        raise failures[0]
    for failure in failures:
        note(str(failure))
    if failures and len(failures) == total:
        raise SourceError(f"none of the {total} could be read")
    return f"{len(failures)} of {total} could not be read" if failures else ""


_PATIENCE = 60.0  # seconds
_TOLD_AFTER = 1.0  # seconds
_OTHER_HOME = "TORCHATLAS_HOME names another folder"


def read_text(path: Path, remedy: str, *, missing: str | None = None) -> str:
    """Return the text of a user's file, `missing` where there is none. Raises DataError where it cannot be read.

    Example: read_text(Path("own.toml"), "name another file")
    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        if missing is not None and isinstance(e, FileNotFoundError):
            return missing
        raise DataError(f"{path}: cannot be read ({e}); {remedy}") from e


def read_copy(path: Path) -> bytes | None:
    """Return a copy that the program keeps, None where there is none. Raises DataError where it cannot be read.

    >>> read_copy(Path("no such file"))
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:  # it may have been removed a moment ago
        return None
    except OSError as e:
        raise DataError(f"{path}: cannot be read ({e.strerror}); let this user read it, or remove it") from e


def remove_copy(path: Path) -> None:
    """Remove a copy that the program keeps, where there is one. Raises DataError where that is not possible.

    Example: remove_copy(Path("sources/0a1b.feed"))
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as e:
        raise DataError(f"{path}: cannot be removed ({e.strerror}); remove it yourself") from e


def write_file(path: Path, content: bytes) -> Path:
    """Write a whole file for the person and return its path. Raises DataError where that is not possible.

    Example: write_file(Path("atlas.json"), graph_bytes(atlas.graph, "json"))
    """
    with _named(path):
        if path.exists() and not path.is_file():
            raise DataError(f"{path}: is not a file; name another place, or - for standard output")
        write_whole(path, content, private=False)
    return path


def is_taken(path: Path) -> bool:
    """Return whether there is a file or folder at a path. Raises DataError where there cannot be one.

    >>> is_taken(Path("no such file"))
    False
    """
    with _named(path):
        return path.exists()


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file meanwhile. Raises DataError where that, or writing, is impossible.

    Example: `with changing(settings.profile): ...`
    """
    other = f"another torchatlas is changing {path}"
    with _written(path, _OTHER_HOME), alone(path.with_suffix(".lock"), other, _PATIENCE):
        yield


@contextmanager
def alone(lock: Path, other: str, patience: float) -> Iterator[None]:
    """Hold the lock in a file, which one process holds at a time; note what the `other` does if it takes over a second.

    Raises DataError after `patience` seconds, and where the file cannot be written.

    Example: `with alone(home / "build.lock", "another torchatlas is building the map", 3600): ...`
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock)
    with _written(lock.parent, _OTHER_HOME):
        lock.parent.mkdir(parents=True, exist_ok=True)
        with suppress(Timeout):
            held.acquire(_TOLD_AFTER)
        if not held.is_locked:
            note(f"{other}; waiting for it")
            try:
                held.acquire(patience)
            except Timeout as e:
                raise DataError(f"{other}, and has not ended in {patience:g} seconds; end that program") from e
    try:
        yield
    finally:
        held.release()


@contextmanager
def _written(path: Path, remedy: str) -> Iterator[None]:
    """Turn what the system raises for a file or folder into one line."""
    try:
        yield
    except OSError as e:
        raise DataError(f"{shortened(str(path))}: cannot be written ({e.strerror}); {remedy}") from e


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn what the system raises for a path that the person has named into one line."""
    try:
        with _written(path, "name another place"):
            yield
    except ValueError as e:  # a name that no system has, such as one with a null byte
        raise DataError(f"{shortened(str(path))!r} cannot be the name of a file ({e}); name another place") from e


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


STYLES = {".graphml": "graphml", ".gexf": "gexf", ".json": "json", ".cypher": "cypher", "": "csv"}
"""The ending of a file of the graph for other programs -> its style."""


def style_of(target: Path, style: str | None = None) -> str:
    """Return `style`, or the one that the target's name asks for; the target "-" is standard output.

    Raises DataError where neither says it, and for csv, which is several files, on standard output.

    >>> style_of(Path("atlas.gexf")), style_of(Path("ATLAS.GRAPHML"))
    ('gexf', 'graphml')
    """
    found = style or STYLES.get(target.suffix.lower())
    if found is None or found not in STYLES.values():
        raise DataError(f"cannot tell the format of {target}; name one of {', '.join(sorted(STYLES.values()))}")
    if found == "csv" and str(target) == "-":
        others = ", ".join(sorted({*STYLES.values()} - {"csv"}))
        raise DataError(f"csv is several files; name a format of one: {others}")
    return found
