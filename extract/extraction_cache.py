"""The cache between builds of what takes long to find: an SQLite file whose keys hash all that the values come from.

The key of a text's findings is a hash of the extractor's fingerprint and of the text. "Nothing found" is kept like any
other result. Where the file is broken, locked or of another kind, it is made anew or left out, without a message.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_TABLE = "CREATE TABLE IF NOT EXISTS found (key BLOB PRIMARY KEY, mark BLOB, value BLOB) WITHOUT ROWID"
_STATED = re.compile(r'^__version__ = "([^"]+)"', re.M)
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
        for mark, value in self._run("SELECT mark, value FROM found WHERE key = ?", [(key,)]):
            if isinstance(value, bytes) and mark == _mark(value):  # SQLite would not notice a flipped bit
                return json.loads(value)
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep a JSON value under a key. Example: `cache.put(key("a text"), [{"start": 0}])`"""
        self.used.add(key)
        data = json.dumps(value, separators=(",", ":")).encode()
        self._run("REPLACE INTO found VALUES (?, ?, ?)", [(key, _mark(data), data)])

    def kept(self, key: bytes, make: Callable[[], Any]) -> Any:
        """Return the JSON value under a key; where there is none, the value that `make` gives, which is put there.

        >>> ExtractionCache(None).kept(key("a text"), lambda: [1])
        [1]
        """
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def keep_used(self) -> None:
        """Drop the values that were neither read nor put since the cache was opened, so that the file does not grow.

        Example: `cache.keep_used()` at the end of a build.
        """
        self._run("CREATE TEMP TABLE used (key BLOB PRIMARY KEY) WITHOUT ROWID", [()])
        self._run("INSERT INTO used VALUES (?)", [(key,) for key in sorted(self.used)])
        self._run("DELETE FROM found WHERE key NOT IN (SELECT key FROM used)", [()])

    def _run(self, statement: str, rows: Iterable[tuple[object, ...]]) -> list[tuple[Any, ...]]:
        """Run a statement for each row. A file that fails is not used from then on."""
        if self.database is None:
            return []
        try:
            return [found for row in rows for found in self.database.execute(statement, row)]
        except sqlite3.Error:
            self.database.close()
            self.database = None
            return []


def key(*parts: str) -> bytes:
    """Return the key of the findings in these texts; no two lists of texts share a key.

    >>> key("a", "b") == key("a", "b") != key("ab")
    True
    """
    return key_of(parts)


def key_of(parts: Iterable[str]) -> bytes:
    """Return the `key` of texts that need not all be in memory.

    >>> key_of(iter("ab")) == key("a", "b")
    True
    """
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return digest.digest()


def spacy_version() -> str:
    """Return spaCy's version as its own file states it: to start, `importlib.metadata` loads a parser of e-mails.

    Example: `spacy_version() == importlib.metadata.version("spacy")`
    """
    spec = find_spec("spacy")
    about = Path(spec.origin).with_name("about.py") if spec and spec.origin else Path()
    stated = _STATED.search(about.read_text("utf-8")) if about.is_file() else None
    if stated:
        return stated[1]
    from importlib.metadata import version

    return version("spacy")


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
        except sqlite3.OperationalError as e:
            database.close()
            if "no such column" not in str(e):
                return None  # locked, or not to be written
        except sqlite3.DatabaseError:
            database.close()
        if again:
            with suppress(OSError):
                path.unlink()
    return None
