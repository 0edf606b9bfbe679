"""What is written is read back by the programs it is for; the Cypher script and the CSV by Neo4j: tests/stores."""

import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from tests.atlas import from_rows, snapshot
from tests.strategies import snapshots
from torchatlas.graph.export import csv_files, cypher_script, gexf, graphml, import_arguments, node_link, to_network
from torchatlas.graph.model import NODES, TABLES, Snapshot

WHOLE = snapshot()


def back(network: "nx.MultiDiGraph[str]", lists: bool) -> Snapshot:
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}

    def row(name: str, data: dict[str, Any], **more: str) -> dict[str, Any]:
        columns = {column.name: column.type for column in TABLES[name].columns}
        known = data | more
        empty = {c: [] for c, kind in columns.items() if kind == "strings"}
        found = {c: v for c, v in known.items() if c in columns or c in ("source", "target")}
        return empty | {c: json.loads(v) if columns.get(c) == "strings" and not lists else v for c, v in found.items()}

    for node, data in network.nodes(data=True):
        label = data.pop("label")
        data = {("label" if k == "link_label" else k): v for k, v in data.items()}
        tables[label].append(row(label, data, id=node.partition(":")[2]))
    for source, target, kind, data in network.edges(data=True, keys=True):
        ends = {"source": source.partition(":")[2], "target": target.partition(":")[2]}
        tables[kind].append(row(kind, data, **ends))
    return from_rows(tables)


@given(snapshots())
def test_a_network_has_the_whole_graph(graph: Snapshot) -> None:
    assert back(to_network(graph), lists=True) == graph


def test_node_link_json_and_graphml_come_back_whole() -> None:
    assert back(nx.node_link_graph(json.loads(node_link(WHOLE)), edges="edges"), lists=True) == WHOLE
    assert back(nx.read_graphml(io.BytesIO(graphml(WHOLE)), force_multigraph=True), lists=False) == WHOLE


def test_gexf_is_read_with_every_node_and_edge_and_bears_no_date() -> None:
    written = gexf(WHOLE)
    network = nx.read_gexf(io.BytesIO(written))
    assert network.number_of_nodes() == len(WHOLE.concepts) + len(WHOLE.episodes) + len(WHOLE.shows) + len(WHOLE.links)
    assert network.number_of_edges() == to_network(WHOLE).number_of_edges()
    assert network.nodes["Concept:strides"]["label"] == "strides idea"
    assert b"lastmodified" not in written


@pytest.mark.parametrize("write", [graphml, gexf, node_link, cypher_script])
def test_the_same_graph_is_the_same_bytes(write: Any) -> None:
    assert write(WHOLE) == write(snapshot())


@given(snapshots())
def test_any_text_can_be_written_as_xml(graph: Snapshot) -> None:
    for write in (graphml, gexf):
        assert re.match(rb"<", write(graph))


def test_no_text_ends_a_statement_of_a_script_or_a_field_of_a_table() -> None:
    hostile = 'it\'s "x"; \n MATCH (n) DETACH DELETE n;\n//`\\ \\u0027 \r\n\t\x00\x1b\u2028\U0001f642 ;\n$p, {a} \\'
    graph = Snapshot(concepts=(replace(WHOLE.concepts[0], definition=hostile, aliases=(hostile,)),))
    assert cypher_script(graph).decode().count(";\n") == len(NODES) + 1
    rows = list(csv.reader(io.StringIO(csv_files(graph)["Concept.csv"].decode(), newline="")))
    assert rows[1][rows[0].index("definition")] == hostile and len(rows) == 2


def test_an_empty_graph_can_be_written() -> None:
    for write in (graphml, gexf, node_link, cypher_script, csv_files):
        assert write(Snapshot())


def test_a_script_keeps_each_statement_on_a_line_of_its_own() -> None:
    lines = cypher_script(WHOLE).decode().splitlines()
    assert all(line.endswith(";") for line in lines)
    assert lines[0] == "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE;"


def test_a_table_begins_with_its_header_and_the_import_tool_is_told_its_name() -> None:
    assert csv_files(Snapshot())["Link.csv"] == b'"id:ID(Link)","url","type","label",":LABEL"\n'
    assert import_arguments("/import")[0] == "--nodes=/import/Concept.csv"
