"""Hostile Cypher on every engine, and what must not have changed after it: python -m tests.attacks [SECONDS]

`attacks.json` holds statements that must be refused, by kinds, statements that look hostile and must be run, and bombs,
which may be refused, answered or ended, but within their limit. A test runs all but the bombs, and a few of those. This
program runs every bomb on the embedded engine and on a server of its own, which it then stops.
"""

import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer

import neo4j

from tests.cypher_texts import VALUES
from tests.stores.graphs import SMALL
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.worker import GRACE

_TEXTS = json.loads((Path(__file__).parent / "attacks.json").read_text("utf-8"))
SECRET = "the-content-of-a-file-of-the-user"
GIVEN = {**VALUES, "query": "CREATE (:Concept {id: 'evil'})", "label": "tensor"}
OVERHEAD = 15.0  # seconds that a busy computer may need beside
_ON_THE_SERVER = (
    "MATCH (n) RETURN labels(n) AS a, properties(n) AS b",
    "MATCH (n)-[r]->(m) RETURN n.id AS a, type(r) AS b, m.id AS c, properties(r) AS d",
    *(f"CALL db.{name}()" for name in ("labels", "relationshipTypes", "propertyKeys")),
    *(f"SHOW {name} YIELD name, type, labelsOrTypes, properties" for name in ("INDEXES", "CONSTRAINTS")),
    "SHOW SETTINGS YIELD name, value",
    "SHOW USERS YIELD user, suspended",
    "SHOW DATABASES YIELD name, access, currentStatus",
)


def whole(text: str | list[str | list]) -> str:
    """A statement as it is sent: a list stands for its parts, and [PART, TIMES] for a part that is repeated."""
    return text if isinstance(text, str) else "".join(p if isinstance(p, str) else p[0] * p[1] for p in text)


REFUSED: dict[str, list[str]] = {kind: [whole(t) for t in texts] for kind, texts in _TEXTS["refused"].items()}
BOMBS = [whole(text) for text in _TEXTS["bombs"]]


def reads(engine: str) -> list[str]:
    """The statements that look hostile and that the engine (Neo4j or ladybug) must run."""
    return [whole(text) for text in (*_TEXTS["read"]["both"], *_TEXTS["read"][engine])]


@contextmanager
def canary() -> Iterator[tuple[str, list[str]]]:
    """A web server's address, and the first lines of what it was asked."""
    asked: list[str] = []

    class Noted(StreamRequestHandler):
        def handle(self) -> None:
            asked.append(self.rfile.readline().decode("latin-1"))

    with TCPServer(("127.0.0.1", 0), Noted) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_address[1]}", asked
        web.shutdown()


def aimed(text: str, address: str, folder: Path) -> str:
    """A statement that names the canary, a file that must not be read, and one that must not be written."""
    text = text.replace("{canary}", address).replace("{file}", str(folder / "secret.csv"))
    return text.replace("{out}", str(folder / "out"))


def state(store: Store, direct: neo4j.Driver | None, folder: Path) -> Mapping[str, object]:
    """What an attack may want to change: the graph, the whole server or the file of the graph, and the folder."""
    found: dict[str, object] = {"graph": store.snapshot(), "fingerprint": store.fingerprint()}
    found["files"] = {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    for text in _ON_THE_SERVER if direct else ():
        found[text] = sorted(repr(row.data()) for row in direct.execute_query(text).records)
    return found


def outcome(store: Store, text: str, seconds: float) -> tuple[str, float]:
    """How a statement ended (`answered`, or the error's line), and after how many seconds. Other errors are raised.

    The process that asks is there before: its start does not count. A server may be too busy with the bombs before to
    answer at all.
    """
    with suppress(AtlasError):
        store.query("RETURN 1 AS x", seconds=10)
    begun, said = time.monotonic(), "answered"
    try:
        store.query(text, GIVEN, seconds=seconds)
    except AtlasError as e:
        said = str(e)
    took = time.monotonic() - begun
    assert "\n" not in said and len(said) < 600, said
    assert SECRET not in said, text
    assert took < seconds + GRACE + OVERHEAD, f"{took:.1f} s: {text[:100]}"
    return said, took


def some_bombs(count: int, seed: int = 1) -> list[str]:
    """So many bombs; the same seed draws the same ones."""
    return random.Random(seed).sample(BOMBS, count)


def ask_all(address: str, seconds: float) -> None:
    with open_store(address) as store:
        store.replace(SMALL, "one")
        ended, slowest = Counter[str](), 0.0
        kinds = {"took more than": "ended at the limit", "Neo4j at": "server too busy", "answered": "answered"}
        for text in BOMBS:
            said, took = outcome(store, text, seconds)
            ended[next((kind for mark, kind in kinds.items() if mark in said), "refused")] += 1
            slowest = max(slowest, took)
    print(f"{address.partition(':')[0]}: {len(BOMBS)} bombs: {dict(ended)}; the slowest took {slowest:.1f} s")


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if sys.argv[1:] else 2.0
    with tempfile.TemporaryDirectory() as folder:
        ask_all(f"ladybug:{folder}/graph.lbug", seconds)
        with open_store(f"ladybug:{folder}/graph.lbug") as file:
            assert file.snapshot() == SMALL
        for version in (server.VERSION, "2026.09.0"):
            home = Path(folder) / version
            server.start(home, print, version=version, stay=True)
            try:
                ask_all(f"neo4j+local:{home}", seconds)
            finally:
                begun = time.monotonic()
                assert server.stop(home) and not server.is_served(home)
            print(f"Neo4j {version}: stopped in {time.monotonic() - begun:.1f} s")
            server.start(home, version=version)
            with open_store(f"neo4j+local:{home}") as again:
                assert again.snapshot() == SMALL
            server.stop(home)
