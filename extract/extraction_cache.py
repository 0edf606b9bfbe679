"""The cache between builds of what takes long to find: an SQLite file whose keys hash all that the values come from.

"Nothing found" is kept like any other result. A file that is broken, locked or of another kind is made anew or left
out, without a message.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any, TypeVar, get_args, get_origin

T = TypeVar("T")

_TABLE = "CREATE TABLE IF NOT EXISTS found (key BLOB PRIMARY KEY, mark BLOB, value BLOB) WITHOUT ROWID"
_PATIENCE = 2.0  # seconds


class ExtractionCache:
    """A context manager over the file at `path`; None keeps nothing.

    Example: `with ExtractionCache(path) as cache: cache.put(key("a text"), [1])`
    """

    def __init__(self, path: Path | None) -> None:
        self.database = _opened(path) if path else None
        self.used: set[bytes] = set()

    def __enter__(self) -> "ExtractionCache":
        return self

    def __exit__(self, *_: object) -> None:
        if self.database is not None:
            with suppress(sqlite3.Error):
                self.database.commit()
            self.database.close()
            self.database = None

    def get(self, key: bytes) -> Any:
        """Return the JSON value under a key, None where there is none.

        >>> ExtractionCache(None).get(key("a")) is None
        True
        """
        self.used.add(key)
        for mark, value in self._run("SELECT mark, value FROM found WHERE key = ?", key):
            if isinstance(value, bytes) and mark == sha256(value).digest():  # SQLite would not notice a flipped bit
                return json.loads(value)
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep a value under a key: a JSON value or dataclasses. Example: `cache.put(key("a text"), [{"start": 0}])`"""
        self.used.add(key)
        if self.database is not None:
            data = json.dumps(value, separators=(",", ":"), default=_plain).encode()
            self._run("REPLACE INTO found VALUES (?, ?, ?)", key, sha256(data).digest(), data)

    def kept(self, key: bytes, make: Callable[[], T], kind: Any = None) -> T:
        """Return the value under a key, made by `make` where there is none.

        `kind`: its type, a dataclass or a tuple of some; None: a JSON value.

        >>> ExtractionCache(None).kept(key("a text"), lambda: [1])
        [1]
        """
        value: T | None = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
            return value
        return value if kind is None else reader(kind)(value)

    def keep_used(self) -> None:
        """Drop the values that were neither read nor put since the cache was opened, so that the file does not grow.

        Example: `cache.keep_used()` at the end of a build.
        """
        used = json.dumps([key.hex().upper() for key in self.used])
        self._run("DELETE FROM found WHERE hex(key) NOT IN (SELECT value FROM json_each(?))", used)

    def _run(self, statement: str, *row: object) -> list[tuple[Any, ...]]:
        """Run a statement. A file that fails is not used from then on."""
        if self.database is None:
            return []
        try:
            return self.database.execute(statement, row).fetchall()
        except sqlite3.Error:
            self.database.close()
            self.database = None
            return []


def key(*parts: str) -> bytes:
    """Return the key of the findings in these texts; no two lists of texts share a key.

    >>> key("a", "b") == key("a", "b") != key("ab")
    True
    """
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return digest.digest()


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """Return what makes a dataclass, or a tuple of some, of the JSON value that was put into a cache.

    pydantic would read the same, but takes longer to start than all of a second build takes to read.

    >>> from torchatlas.graph.findings import FoundLink
    >>> reader(tuple[FoundLink, ...])([["https://e.org", "other", "", ""]])
    (FoundLink(url='https://e.org', type='other', label='', id=''),)
    """
    origin, of, make = get_origin(kind), get_args(kind), kind
    if is_dataclass(kind):
        each: Any = fields(kind)
        readers = [(field.name, reader(field.type)) for field in each]
        return lambda row: make(**{name: read(v) for (name, read), v in zip(readers, row, strict=True)})
    if origin is tuple:
        return lambda rows: tuple(map(reader(of[0]), rows))
    if origin is Mapping:
        return lambda rows: {key: reader(of[1])(row) for key, row in rows.items()}
    return frozenset if origin is frozenset else lambda value: value


def _plain(value: Any) -> Any:
    """Return what JSON has no form for as what it has."""
    return [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else sorted(value)


def spacy_version() -> str:
    """Return spaCy's version as its own file states it: `importlib.metadata` takes longer than all else that starts.

    Example: `spacy_version() == importlib.metadata.version("spacy")`
    """
    spec = find_spec("spacy")
    return str(run_path(str(Path(spec.origin or "").with_name("about.py")))["__version__"]) if spec else ""


def _opened(path: Path) -> sqlite3.Connection | None:
    """Return the database in this file, None where there can be none. A file of another kind is removed first."""
    for _ in range(2):
        database = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
            database.execute(_TABLE)
            database.execute("SELECT key, mark, value FROM found LIMIT 1").fetchone()
            return database
        except (OSError, sqlite3.Error) as e:
            if database:
                database.close()
            if not isinstance(e, sqlite3.DatabaseError):
                return None
            if isinstance(e, sqlite3.OperationalError) and "no such column" not in str(e):
                return None  # locked, or not to be written
        with suppress(OSError):
            path.unlink()
    return None
