"""Kill what writes a graph, at random moments, and see that a whole graph is there: python -m tests.kills

    embedded    200 kills of a process that replaces the graph in a file, over and over
    load        20 kills of a process that stages a large graph on a Neo4j server
    server      10 kills of the server itself in mid-load, each followed by its restart

Seeded: the moments are the same ones every time, as far as a machine allows it. The servers are our own, in folders
that go afterwards.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import neo4j

from tests.stores.graphs import SMALL
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.stores.neo4j import server
from torchatlas.graph.stores.neo4j.address import located
from torchatlas.graph.values.model import Concept, Requires, Snapshot

OURS = {"Torchatlas", "TorchatlasMeta", "Concept", "Episode", "Show", "Link"}
SIZES = (3000, 4000)
LOOP = """
import sys
import torchatlas.graph.stores.neo4j.rows as rows, torchatlas.graph.stores.neo4j.staging as staging
from torchatlas.graph.stores.engines import open_store
from tests.kills import large
rows.AT_ONCE, staging.BATCH = 100, 500
graphs = {f"new {size}": large(size) for size in map(int, sys.argv[2:])}
with open_store(sys.argv[1]) as store:
    print("go", flush=True)
    while True:
        for mark, graph in graphs.items():
            store.replace(graph, mark)
"""


def large(size: int) -> Snapshot:
    """A graph of `size` concepts in a chain."""
    return Snapshot(
        concepts=tuple(Concept(f"c{i:05}", "n" * 50, area="a") for i in range(size)),
        requires=tuple(Requires(f"c{i + 1:05}", f"c{i:05}", need="hear", reason="next") for i in range(size - 1)),
    )


def whole(address: str) -> str:
    """What the store's graph was built from. AssertionError where it is not exactly that graph."""
    with open_store(address) as store:
        mark, graph = store.fingerprint(), store.snapshot()
    expected = {"old": SMALL} | {f"new {size}": large(size) for size in SIZES}
    assert mark in expected, f"the graph is lost: {mark}"
    assert graph == expected[mark], f"the graph is torn: {mark}, {len(graph.concepts)} concepts"
    return str(mark)


def kill_a_loop(address: str, moment: float) -> None:
    """Start a process that writes without end, and kill it after `moment` seconds."""
    run = [sys.executable, "-c", LOOP, address, *map(str, SIZES)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writing:
        assert writing.stdout is not None
        writing.stdout.readline()
        time.sleep(moment)
        writing.kill()


def kill_embedded(folder: Path, times: int, seed: int) -> Counter[str]:
    """How often each graph was found after a kill. AssertionError: a torn or lost one."""
    address, rng = f"ladybug:{folder / 'g.lbug'}", random.Random(seed)
    open_store(address).replace(SMALL, "old")
    found: Counter[str] = Counter()
    for _ in range(times):
        kill_a_loop(address, rng.uniform(0, 0.6))
        found[whole(address)] += 1
    open_store(address).replace(SMALL, "old")
    assert whole(address) == "old"
    return found


def kill_loads(address: str, times: int, seed: int) -> Counter[str]:
    """The same on a server; at the end one more load, which leaves nothing of those that were killed."""
    rng = random.Random(seed)
    with open_store(address) as store:
        store.replace(SMALL, "old")
    found: Counter[str] = Counter()
    for _ in range(times):
        kill_a_loop(address, rng.uniform(0, 3.0))
        found[whole(address)] += 1
    with open_store(address) as store:
        store.replace(SMALL, "old")
    assert whole(address) == "old" and labels(address) == OURS
    return found


def kill_the_server(home: Path, times: int, seed: int) -> Counter[str]:
    """Kill the server while a process loads into it, start it again, and look."""
    rng = random.Random(seed)
    with open_store(f"neo4j+local:{home}") as store:
        store.replace(SMALL, "old")
    found: Counter[str] = Counter()
    for _ in range(times):
        running = server.start(home)
        run = [sys.executable, "-c", LOOP, f"neo4j+local:{home}", *map(str, SIZES)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writing:
            assert writing.stdout is not None
            writing.stdout.readline()
            time.sleep(rng.uniform(0, 3.0))
            os.kill(running.pid, signal.SIGKILL)
            writing.wait()
        found[whole(f"neo4j+local:{home}")] += 1
    return found


def labels(address: str) -> set[str]:
    """All labels that nodes on a server bear."""
    uri, auth, database = located(address, {})
    with neo4j.GraphDatabase.driver(uri, auth=auth) as driver:
        records, _, _ = driver.execute_query("MATCH (n) UNWIND labels(n) AS l RETURN DISTINCT l", database_=database)
    return {record["l"] for record in records}


def main() -> None:
    """All of it; what was found is printed."""
    with tempfile.TemporaryDirectory() as folder:
        print("embedded", dict(kill_embedded(Path(folder), 200, 0)), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        running = server.start(home, lambda line: print(line, file=sys.stderr))
        try:
            address = f"bolt://{server.USER}:{running.password}@127.0.0.1:{running.port}"
            print("load", dict(kill_loads(address, 20, 1)), flush=True)
            print("server", dict(kill_the_server(home, 10, 2)), flush=True)
        finally:
            server.stop(home)


if __name__ == "__main__":
    main()
