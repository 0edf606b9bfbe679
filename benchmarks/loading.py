"""How fast a graph is written, beside the engine's own barest way.

    Neo4j      a first load into an empty database, beside a bare batched UNWIND of the same rows by the driver
    embedded   `replace`, beside the engine's own bulk COPY of the same rows, which are tables already

Both sides have the same constraints and indexes. Ours also reads the graph that is there, writes a new one beside it,
verifies and switches. Rounds take turns and the best of each side counts: other work on the machine only slows a round
down. The server is started in a folder that is removed afterwards, or it is the one that TORCHATLAS_TEST_NEO4J names,
whose database is WIPED.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ladybug
import neo4j

from benchmarks.tables import BenchmarkTable
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.stores.ladybug import build as embedded
from torchatlas.graph.stores.ladybug.parquet import arrow_table
from torchatlas.graph.stores.neo4j import indexes, server
from torchatlas.graph.stores.neo4j.address import located
from torchatlas.graph.values import schema
from torchatlas.graph.values.errors import AtlasError
from torchatlas.graph.values.model import Concept, Episode, Mentions, RelatedTo, Requires, Snapshot

SIZES = ((1_000, 10_000), (20_000, 200_000))
"""Nodes and relationships of the graphs."""
ROUNDS = 3
BATCH = 10_000
COLUMNS = ("engine", "rows", "rows a second", "speed / a bare load")


def graph(nodes: int, edges: int) -> Snapshot:
    """Return a graph with so many nodes and about so many relationships, the same every time."""
    rng, half = random.Random(0), nodes // 2
    concepts = tuple(
        Concept(f"c{i}", f"Concept {i}", area=f"Area {i % 20}", definition="A line of text. " * 4) for i in range(half)
    )
    episodes = tuple(
        Episode(f"e{i}", f"Episode {i}", show="Show", number=i, summary="Words. " * 20) for i in range(half)
    )

    def pairs(count: int) -> list[tuple[int, int]]:
        return sorted({(rng.randrange(half), rng.randrange(half)) for _ in range(count)})

    return Snapshot(
        concepts=concepts,
        episodes=episodes,
        mentions=tuple(
            Mentions(f"e{a}", f"c{b}", count=1, field="summary", start=0, end=5, evidence="Words")
            for a, b in pairs(edges // 2)
        ),
        requires=tuple(Requires(f"c{a}", f"c{b}", need="hear", reason="A reason.") for a, b in pairs(edges // 4)),
        related_to=tuple(RelatedTo(f"e{a}", f"e{b}", score=0.5, reasons=("a reason",)) for a, b in pairs(edges // 4)),
    )


def bare_unwind(driver: neo4j.Driver, tables: dict[str, list[schema.Row]]) -> None:
    """Write the rows by the driver alone."""
    for name, table in schema.TABLES.items():
        if isinstance(table, schema.NodeTable):
            text = f"UNWIND $rows AS row CREATE (n:{name}) SET n = row"
        else:
            ends = f"MATCH (a:{table.source} {{id: row.source}}) MATCH (b:{table.target} {{id: row.target}})"
            values = ", ".join(f"{column.name}: row.{column.name}" for column in table.columns)
            text = f"UNWIND $rows AS row {ends} CREATE (a)-[:{name} {{{values}}}]->(b)"
        for start in range(0, len(tables[name]), BATCH):
            driver.execute_query(text, rows=tables[name][start : start + BATCH])


def bulk_copy(path: Path, tables: dict[str, Any]) -> None:
    """Write the tables by the engine's own COPY alone."""
    with ladybug.Database(path, buffer_pool_size=embedded.MEMORY) as base, ladybug.Connection(base) as connection:
        for statement in embedded.definitions():
            connection.execute(statement)
        for name, table in tables.items():
            connection.execute(f"COPY `{name}` FROM $rows", {"rows": table})


def seconds(task: Callable[[], object]) -> float:
    """Return the seconds that a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def row(engine: str, rows: int, rounds: list[tuple[float, float]]) -> tuple[str, ...]:
    """Return the row of an engine. `rounds`: (bare, ours) in seconds each."""
    bare, ours = (min(side) for side in zip(*rounds, strict=True))
    return engine, f"{rows:,}", f"{rows / ours:,.0f}", f"{bare / ours:.2f}"


def on_a_server(address: str, snapshot: Snapshot) -> list[tuple[float, float]]:
    """Measure rounds on a server that is emptied before each."""
    uri, auth, database = located(address, os.environ)
    tables, rounds = schema.rows(snapshot), []
    with open_store(address) as store, neo4j.GraphDatabase.driver(uri, auth=auth, database=database) as driver:

        def wipe() -> None:
            with driver.session() as session:
                session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()

        for statement in indexes.wanted().values():
            driver.execute_query(statement)
        for turn in range(ROUNDS + 1):  # the first one warms the server up
            wipe()
            bare = seconds(lambda: bare_unwind(driver, tables))
            wipe()
            ours = seconds(lambda: store.replace(snapshot, "benchmark"))
            if turn:
                rounds.append((bare, ours))
        wipe()
    return rounds


def embedded_rounds(snapshot: Snapshot) -> list[tuple[float, float]]:
    """Measure rounds in a folder that is removed afterwards."""
    arrow = {n: arrow_table(schema.TABLES[n], values) for n, values in schema.columns(snapshot).items()}
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(ROUNDS):
            bare = seconds(lambda turn=turn: bulk_copy(Path(folder) / f"bare{turn}", arrow))
            store = open_store(f"ladybug:{folder}/ours")
            rounds.append((bare, seconds(lambda store=store: store.replace(snapshot, "benchmark"))))
    return rounds


@contextmanager
def test_server() -> Iterator[str]:
    """Return the address of a server whose database may be wiped."""
    if given := os.environ.get("TORCHATLAS_TEST_NEO4J"):
        yield given
        return
    with tempfile.TemporaryDirectory() as folder:
        started = server.start(Path(folder), lambda line: print(line, file=sys.stderr))
        try:
            yield f"bolt://{server.USER}:{started.password}@127.0.0.1:{started.port}"
        finally:
            server.stop(Path(folder))


def loading(folder: Path | None = None) -> BenchmarkTable:
    """Measure both engines. `folder` is not read."""
    snapshots = [graph(*size) for size in SIZES]
    counts = [sum(len(table) for table in schema.rows(snapshot).values()) for snapshot in snapshots]
    pairs = list(zip(counts, snapshots, strict=True))
    found = [row("embedded", count, embedded_rounds(snapshot)) for count, snapshot in pairs]
    note = (
        f"The best of {ROUNDS} rounds. A bare load is the engine's own `COPY`, or an `UNWIND` by the driver for Neo4j."
    )
    try:
        with test_server() as address:
            found += [row("Neo4j", count, on_a_server(address, snapshot)) for count, snapshot in pairs]
    except AtlasError as e:
        note += f" Neo4j is left out: {e}."
    return BenchmarkTable(COLUMNS, tuple(found), (note,))
