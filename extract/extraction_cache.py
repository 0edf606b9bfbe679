"""The cache between builds: an SQLite file, replaced where it is broken."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any, TypeVar, get_args, get_origin

T = TypeVar("T")
_TABLE = "CREATE TABLE IF NOT EXISTS found (key BLOB PRIMARY KEY, mark BLOB, value BLOB) WITHOUT ROWID"


class ExtractionCache(AbstractContextManager["ExtractionCache"]):
    """A context manager over the file at `path`; None keeps nothing.

    Example: `with ExtractionCache(path) as cache: cache.put(key("a text"), [1])`
    """

    def __init__(self, path: Path | None) -> None:
        self.database = _opened(path) if path else None
        self.used: set[bytes] = set()

    def __exit__(self, *_: object) -> None:
        if self.database is not None:
            with suppress(sqlite3.Error):
                self.database.commit()
            self.database.close()
            self.database = None

    def get(self, key: bytes) -> Any:
        """Return the JSON value under a key, None where there is none."""
        self.used.add(key)
        for mark, value in self._run("SELECT mark, value FROM found WHERE key = ?", key):
            if isinstance(value, bytes) and mark == sha256(value).digest():  # no bit is flipped
                return json.loads(value)
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep a JSON value or dataclasses under a key."""
        self.used.add(key)
        if self.database is not None:
            data = json.dumps(value, separators=(",", ":"), default=_plain).encode()
            self._run("REPLACE INTO found VALUES (?, ?, ?)", key, sha256(data).digest(), data)

    def kept(self, key: bytes, make: Callable[[], T], kind: Any = None) -> T:
        """Return the kept or made value. `kind`: its type, unless it is JSON.

        >>> ExtractionCache(None).kept(key("a text"), lambda: [1])
        [1]
        """
        if (value := self.get(key)) is not None:
            return reader(kind)(value)  # type: ignore[no-any-return]
        self.put(key, made := make())
        return made

    def keep_used(self) -> None:
        """Drop the values that were neither read nor put since the cache was opened."""
        used = json.dumps([key.hex().upper() for key in self.used])
        self._run("DELETE FROM found WHERE hex(key) NOT IN (SELECT value FROM json_each(?))", used)

    def _run(self, statement: str, *row: object) -> list[tuple[Any, ...]]:
        """Run a statement; a file that fails is not used from then on."""
        if self.database is None:
            return []
        try:
            return self.database.execute(statement, row).fetchall()
        except sqlite3.Error:
            self.database.close()
            self.database = None
            return []


def key(*parts: str) -> bytes:
    """Return the key of the findings in a list of texts.

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
    """Return what turns JSON, rows or named values, into dataclasses; pydantic starts too slowly.

    >>> from torchatlas.graph.findings import FoundLink
    >>> reader(tuple[FoundLink, ...])([["https://e.org", "other", "", ""]])
    (FoundLink(url='https://e.org', type='other', label='', id=''),)
    """
    origin, of, make = get_origin(kind), get_args(kind), kind
    if is_dataclass(kind):
        each: Any = fields(kind)
        readers = {field.name: reader(field.type) for field in each}

        def read(row: Any) -> Any:
            named = row if isinstance(row, dict) else dict(zip(readers, row, strict=True))
            return make(**{name: readers[name](value) for name, value in named.items() if name in readers})

        return read
    if hasattr(kind, "_fields"):
        return lambda row: make(*row)
    if origin is tuple:
        return lambda rows: tuple(map(reader(of[0]), rows))
    if origin is Mapping:
        return lambda rows: {key: reader(of[1])(row) for key, row in rows.items()}
    return frozenset if origin is frozenset else lambda value: value


def _plain(value: Any) -> Any:
    return [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else sorted(value)


def spacy_version() -> str:
    """Return `importlib.metadata.version("spacy")`, but faster."""
    spec = find_spec("spacy")
    return str(run_path(str(Path(spec.origin or "").with_name("about.py")))["__version__"]) if spec else ""


def _opened(path: Path) -> sqlite3.Connection | None:
    """Return the database; None if impossible. Removes a file of another kind."""
    for _ in range(2):
        database = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=2.0, check_same_thread=False)
            database.execute(_TABLE)
            database.execute("SELECT key, mark, value FROM found LIMIT 1").fetchone()
            return database
        except (OSError, sqlite3.Error) as e:
            if database:
                database.close()
            if type(e) is not sqlite3.DatabaseError and "no such column" not in str(e):
                return None  # locked, or not to be written
        with suppress(OSError):
            path.unlink()
    return None
