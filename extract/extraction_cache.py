"""The cache between builds of what takes long to find: an SQLite file whose keys hash all that the values come from.

"Nothing found" is kept like any other result. Where the file is broken, locked or of another kind, it is made anew or
left out, without a message.
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
        for mark, value in self._run("SELECT mark, value FROM found WHERE key = ?", (key,)):
            if isinstance(value, bytes) and mark == _mark(value):  # SQLite would not notice a flipped bit
                return json.loads(value)
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep a value under a key: a JSON value or dataclasses. Example: `cache.put(key("a text"), [{"start": 0}])`"""
        self.used.add(key)
        if self.database is not None:
            data = json.dumps(value, separators=(",", ":"), default=_plain).encode()
            self._run("REPLACE INTO found VALUES (?, ?, ?)", (key, _mark(data), data))

    def kept(self, key: bytes, make: Callable[[], T], kind: Any = None) -> T:
        """Return the value under a key; where there is none, the value that `make` gives, which is put there.

        `kind`: its type, a dataclass or a tuple of some; None: a JSON value.

        >>> ExtractionCache(None).kept(key("a text"), lambda: [1])
        [1]
        """
        value: T | None = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
            return value
        return value if kind is None else read_as(kind, value)

    def keep_used(self) -> None:
        """Drop the values that were neither read nor put since the cache was opened, so that the file does not grow.

        Example: `cache.keep_used()` at the end of a build.
        """
        self._run("CREATE TEMP TABLE used (key BLOB PRIMARY KEY) WITHOUT ROWID")
        for key in self.used:
            self._run("INSERT INTO used VALUES (?)", (key,))
        self._run("DELETE FROM found WHERE key NOT IN (SELECT key FROM used)")

    def _run(self, statement: str, row: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
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


def read_as(kind: Any, value: Any) -> Any:
    """Return the dataclass, or the tuple of some, that was put into a cache as this JSON value.

    pydantic would read the same, but takes longer to start than all of a second build takes to read.

    >>> from torchatlas.graph.findings import FoundLink
    >>> read_as(tuple[FoundLink, ...], [["https://e.org", "other", "", ""]])
    (FoundLink(url='https://e.org', type='other', label='', id=''),)
    """
    return _reader(kind)(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin, of = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        types: dict[str, Any] = {field.name: field.type for field in fields(kind)}
        readers = [(name, _reader(of_field)) for name, of_field in types.items()]
        made: Callable[..., Any] = kind if isinstance(kind, type) else type(kind)
        return lambda row: made(**{name: read(v) for (name, read), v in zip(readers, row, strict=True)})
    if origin is tuple:
        return lambda rows: tuple(map(_reader(of[0]), rows))
    if origin is Mapping:
        return lambda rows: {key: _reader(of[1])(row) for key, row in rows.items()}
    return frozenset if origin is frozenset else _same


def _same(value: Any) -> Any:
    return value


def _plain(value: Any) -> Any:
    """Return what JSON has no form for as what it has."""
    return [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else sorted(value)


def spacy_version() -> str:
    """Return spaCy's version as its own file states it: `importlib.metadata` takes longer than all else that starts.

    Example: `spacy_version() == importlib.metadata.version("spacy")`
    """
    spec = find_spec("spacy")
    return str(run_path(str(Path(spec.origin or "").with_name("about.py")))["__version__"]) if spec else ""


def _mark(value: bytes) -> bytes:
    return sha256(value).digest()[:8]


def _opened(path: Path) -> sqlite3.Connection | None:
    """Return the database in this file, None where there can be none. A file of another kind is removed first."""
    for again in (True, False):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
        except (OSError, sqlite3.Error):
            return None
        try:
            database.execute(_TABLE)
            database.execute("SELECT key, mark, value FROM found LIMIT 1").fetchone()
            return database
        except sqlite3.DatabaseError as e:
            database.close()
            if isinstance(e, sqlite3.OperationalError) and "no such column" not in str(e):
                return None  # locked, or not to be written
        if again:
            with suppress(OSError):
                path.unlink()
    return None
