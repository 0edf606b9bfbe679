"""The user's files, read, written and locked, with one-line errors; and the log."""

import logging
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from torchatlas.extract.toml_text import load_toml
from torchatlas.graph.errors import DataError, SourceError, shortened
from torchatlas.graph.names import visible
from torchatlas.graph.whole_files import alone, write_whole, writing

S = TypeVar("S")
T = TypeVar("T")
STYLES = {".graphml": "graphml", ".gexf": "gexf", ".json": "json", ".cypher": "cypher", ".txt": "anki"}
STYLES |= {"": "csv", ".obsidian": "obsidian"}  # of a folder; all by the ending of a name
_PATIENCE = 60.0  # seconds
_AGAIN = "fix it, or move it away to start again"
_WANTED = {
    bool: "true or false, such as {0} = false",
    int: "a whole number from 1 on, such as {0} = {1}",
    str: 'a text in quotes, such as {0} = ""',
    tuple: "a list of texts, such as {0} = []",
}


def log(*lines: str) -> None:
    """Warn the person by the logger "torchatlas": `log("set aside: a quote")`."""
    for line in lines:
        logging.getLogger("torchatlas").warning("%s", visible(line))


def attempt(sources: Iterable[S], read: Callable[[S], T]) -> tuple[list[T], list[SourceError]]:
    """Return what `read` makes, and errors: `attempt(["a.html"], open_page)`."""
    done, failures = list[T](), list[SourceError]()
    for source in sources:
        try:
            done.append(read(source))
        except SourceError as e:
            failures.append(e)
    return done, failures


def read_text(path: Path, remedy: str, *, missing: str | None = None) -> str:
    """Read a file, else `missing`: `read_text(path, "move it")`. Raises DataError."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise OSError(0, "it is a pipe or a device")  # without an end
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as e:
        if missing is not None and isinstance(e, FileNotFoundError):
            return missing
        raise DataError(f"{path}: cannot be read ({getattr(e, 'strerror', e)}); {remedy}") from e


def load(path: Path, kind: type[T]) -> T:
    """Read a TOML file into a dataclass: `load(Path("profile.toml"), Profile)`.

    Fields are texts, tuples of texts, integers from 1 on or flags. Raises DataError.
    """
    try:
        listed = load_toml(read_text(path, _AGAIN, missing=""))
    except tomllib.TOMLDecodeError as e:
        raise DataError(f"{path}: cannot be read ({e}); {_AGAIN}") from e
    known: dict[str, Any] = {f.name: f.default for f in fields(kind)}  # type: ignore[arg-type]
    entries: dict[str, Any] = {}
    for key, value in listed.items():
        if key not in known:
            raise DataError(f"{path}: unknown entry {key!r}; it may hold {', '.join(known)}")
        wanted = type(known[key])
        fits = type(value) is wanted and (wanted is not int or value > 0)
        if wanted is tuple:
            fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not fits:
            raise DataError(f"{path}: {key} must be {_WANTED[wanted].format(key, known[key])}")
        entries[key] = tuple(value) if isinstance(value, list) else value
    return kind(**entries)


def change(path: Path, kind: type[T], to: Callable[[T], T], header: str) -> T:
    """Change a TOML file, keep its comments: `change(path, Profile, to, "Mine")`.

    Return the new value; `header` is the first line of a new file. Raises DataError.
    """
    import tomlkit

    with changing(path):
        before = load(path, kind)
        after = to(before)
        if after == before:
            return after
        document = tomlkit.parse(read_text(path, _AGAIN, missing=f"# {header}\n"))
        for key in (f.name for f in fields(kind)):  # type: ignore[arg-type]
            value = getattr(after, key)
            if value == getattr(before, key):
                continue
            if isinstance(value, tuple):
                items = tomlkit.array()
                items.extend(value)
                value = items.multiline(len(items) > 3)
            document[key] = value
        write_whole(path, tomlkit.dumps(document).encode())
        return after


def write_file(path: Path, content: bytes, *, new: bool = False, forced: bool = True) -> Path:
    """Write a file, over none if `new`: `write_file(path, b"")`. Raises DataError."""
    try:
        with writing(path, "name another place"):
            if path.exists() and (new or not path.is_file()):
                raise DataError(f"{path}: is {'there already' if new else 'not a file'}; name another place")
            write_whole(path, content, private=False, forced=forced)
    except ValueError as e:
        raise DataError(f"{shortened(str(path))!r} cannot be a file ({e}); name another place") from e
    return path


def style_of(target: Path, style: str | None = None, styles: Mapping[str, str] = STYLES) -> str:
    """Return `style`, or the name's: `style_of(Path("a.gexf"))`. Raises DataError."""
    found = style or styles.get(target.suffix.lower(), "")
    if found not in styles.values():
        known = ", ".join(dict.fromkeys(styles.values()))
        raise DataError(f"cannot tell the format of {shortened(str(target))}; name one of {known}")
    if found in ("csv", "obsidian") and str(target) == "-":
        raise DataError(f"{found} is several files; name a folder, or a format of one file")
    return found


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Lock a file against other processes: `with changing(settings.profile): ...`."""
    other = f"another torchatlas is changing {path}"
    with writing(path), alone(path.with_suffix(".lock"), other, _PATIENCE, log):
        yield
