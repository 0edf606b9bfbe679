"""A graph in the formats of other programs: GraphML, GEXF, node-link JSON, a Cypher script, and CSV files."""

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from torchatlas.graph.errors import DataError
from torchatlas.graph.model import NODES, RELATIONSHIPS, TABLES, NodeTable, Row, Snapshot, from_rows, rows_of
from torchatlas.graph.names import seen, xml_text

if TYPE_CHECKING:
    import networkx as nx


_RENAMED = {"label": "link_label"}  # `label` holds the label of a node
_RENAMED_BACK = {"link_label": "label"}
_TODAY = re.compile(rb' lastmodifieddate="[^"]*"')


def to_network(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """Return the graph as networkx has it: a node `Label:id` with `label`, `name` and its properties, without nulls.

    The key and the `kind` of an edge are its type. Lists stay lists, which GraphML and GEXF do not have.

    Example: `to_network(snapshot).nodes["Concept:vmap"]["area"]`
    """
    import networkx as nx

    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    tables = rows_of(snapshot)
    for node in NODES:
        for row in tables[node.label]:
            named = {"label": node.label, "name": row.get("title") or row.get("label") or row["id"]}
            known = {_RENAMED.get(k, k): v for k, v in row.items() if v is not None and k != "id"}
            network.add_node(f"{node.label}:{row['id']}", **(named | known))
    for edge in RELATIONSHIPS:
        for row in tables[edge.kind]:
            ends = f"{edge.source}:{row.pop('source')}", f"{edge.target}:{row.pop('target')}"
            known = {k: v for k, v in row.items() if v is not None}
            network.add_edge(*ends, key=edge.kind, **(known | {"kind": edge.kind}))
    return network


def graphml(snapshot: Snapshot) -> bytes:
    """Return the graph as GraphML; lists are texts in JSON.

    Example: `Path("atlas.graphml").write_bytes(graphml(snapshot))`
    """
    import networkx as nx

    written = io.BytesIO()
    nx.write_graphml(_scalar(to_network(snapshot)), written)
    return written.getvalue()


def gexf(snapshot: Snapshot) -> bytes:
    """Return the graph as GEXF, as Gephi reads it; lists are texts in JSON. `label` holds the name, `type` the label.

    Example: `Path("atlas.gexf").write_bytes(gexf(snapshot))`
    """
    import networkx as nx

    network = _scalar(to_network(snapshot))
    for _, data in network.nodes(data=True):
        data["type"], data["label"] = data["label"], data["name"]
    for *_, data in network.edges(data=True):
        for taken in ("start", "end"):  # which are moments in GEXF
            if taken in data:
                data[f"{taken}_at"] = data.pop(taken)
    written = io.BytesIO()
    nx.write_gexf(network, written)
    return _TODAY.sub(b"", written.getvalue())


def node_link(snapshot: Snapshot) -> bytes:
    """Return the graph as JSON with `nodes` and `edges`, as networkx and D3 read it.

    Example: `json.loads(node_link(snapshot))["nodes"]`
    """
    import networkx as nx

    network = to_network(snapshot)
    return seen(json.dumps(nx.node_link_data(network, edges="edges"), ensure_ascii=False, indent=1)).encode()


def _scalar(network: "nx.MultiDiGraph[str]") -> "nx.MultiDiGraph[str]":
    """Turn every list into JSON and drop the characters that XML cannot hold. Changes the network and returns it."""
    for *_, data in (*network.nodes(data=True), *network.edges(data=True)):
        for key, value in data.items():
            text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
            data[key] = xml_text(text) if isinstance(text, str) else text
    return network


def read_node_link(content: bytes, name: str) -> Snapshot:
    """Return the graph that `node_link` wrote. `name`: of the file, for the error.

    Raises DataError where the content is something else, or the graph of a version with another schema.

    >>> from torchatlas.graph.export import node_link
    >>> read_node_link(node_link(Snapshot()), "graph.json") == Snapshot()
    True
    """
    try:
        found = json.loads(content)
        tables: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
        for node in found["nodes"]:
            facts = {_RENAMED_BACK.get(key, key): value for key, value in node.items() if key != "label"}
            tables[node["label"]].append(facts | {"id": node["id"].partition(":")[2]})
        for edge in found["edges"]:
            ends = {end: edge[end].partition(":")[2] for end in ("source", "target")}
            tables[edge["kind"]].append(edge | ends)
        return TypeAdapter(Snapshot).validate_python(asdict(from_rows(tables)))
    except (ValueError, KeyError, TypeError, AttributeError) as e:  # pydantic's errors are ValueErrors
        wanted = "name a file that this version's `torchatlas export FILE.json` wrote"
        raise DataError(f"{name} is no graph in JSON; {wanted}") from e


_ROWS = 200
"""Rows of a statement: an editor in a browser becomes slow on longer statements."""


def cypher_script(snapshot: Snapshot) -> bytes:
    """Return the script: statements that end in `;` and a line break.

    A second run changes nothing; nodes that the graph does not have stay.

    Example: `Path("atlas.cypher").write_bytes(cypher_script(snapshot))`
    """
    return "".join(f"{statement};\n" for statement in statements(snapshot)).encode()


def statements(snapshot: Snapshot) -> Iterator[str]:
    """Yield the statements one by one: constraints, nodes, relationships.

    >>> next(statements(Snapshot()))
    'CREATE CONSTRAINT IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE'
    """
    tables = rows_of(snapshot)
    for node in NODES:
        yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{node.label}) REQUIRE n.id IS UNIQUE"
    for node in NODES:
        for rows in _batches(tables[node.label]):
            yield f"UNWIND {_list(map(_map, rows))} AS row MERGE (n:{node.label} {{id: row.id}}) SET n += row"
    for edge in RELATIONSHIPS:
        ends = f"MATCH (a:{edge.source} {{id: row[0]}}) MATCH (b:{edge.target} {{id: row[1]}})"
        for rows in _batches(tables[edge.kind]):
            values = (_list((_literal(r.pop("source")), _literal(r.pop("target")), _map(r))) for r in rows)
            yield f"UNWIND {_list(values)} AS row {ends} MERGE (a)-[r:{edge.kind}]->(b) SET r += row[2]"


def _batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[first : first + _ROWS] for first in range(0, len(rows), _ROWS))


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _map(row: Row) -> str:
    return f"{{{', '.join(f'`{key}`: {_literal(value)}' for key, value in row.items() if value is not None)}}}"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return _list(map(_literal, value))
    if isinstance(value, str):
        plain = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return f"'{plain}'"
    return repr(value)


SEPARATOR = "\x1f"
"""The character between the items of a list: no text of a graph holds it."""

_TYPES = {"string": "", "integer": ":long", "float": ":double", "strings": ":string[]"}


def csv_files(snapshot: Snapshot) -> dict[str, bytes]:
    """Map file names to contents: a file for each label and each relationship type, with a header as its first line.

    >>> csv_files(Snapshot())["Link.csv"]
    b'"id:ID(Link)","url","type","label",":LABEL"\\n'
    """
    files = {}
    for name, rows in rows_of(snapshot).items():
        table = TABLES[name]
        if isinstance(table, NodeTable):
            ends, label = {"id": f"id:ID({name})"}, ":LABEL"
        else:
            ends, label = {"source": f":START_ID({table.source})", "target": f":END_ID({table.target})"}, ":TYPE"
        header = ends | {c.name: c.name + _TYPES[c.type] for c in table.columns if c.name not in ends}
        lines = ([*(row[column] for column in header), name] for row in rows)
        files[f"{name}.csv"] = _csv([*header.values(), label], lines)
    return files


def import_arguments(folder: str) -> list[str]:
    """Return the arguments of `neo4j-admin database import full DATABASE` that read the files from a folder.

    >>> import_arguments("/import")[0]
    '--nodes=/import/Concept.csv'
    """
    nodes = [f"--nodes={folder}/{node.label}.csv" for node in NODES]
    edges = [f"--relationships={folder}/{edge.kind}.csv" for edge in RELATIONSHIPS]
    return [*nodes, *edges, "--array-delimiter=U+001F", "--multiline-fields=true"]


def _csv(header: Sequence[object], rows: Iterable[Sequence[object]]) -> bytes:
    return "".join(",".join(map(_cell, row)) + "\n" for row in (header, *rows)).encode()


def _cell(value: object) -> str:
    """Write a cell, every text in quotes, because an empty cell without quotes is null.

    Python's own `csv.QUOTE_NOTNULL` needs Python 3.12.
    """
    if isinstance(value, list):
        value = SEPARATOR.join(value)
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return "" if value is None else repr(value)
