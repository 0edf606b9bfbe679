"""A graph out of the node-link JSON that `network` writes."""

from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from torchatlas.graph.values import schema
from torchatlas.graph.values.errors import DataError
from torchatlas.graph.values.model import Snapshot

_RENAMED = {"link_label": "label"}


class _Node(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: str
    label: str


class _Edge(BaseModel):
    model_config = ConfigDict(extra="allow")
    source: str
    target: str
    kind: str


class _NodeLink(BaseModel):
    nodes: list[_Node]
    edges: list[_Edge]


def read_node_link(content: bytes, name: str) -> Snapshot:
    """Return the graph that `node_link` wrote. `name`: of the file, for the error.

    Raises DataError where the content is something else, or the graph of a version with another schema.

    >>> from torchatlas.graph.export.network import node_link
    >>> read_node_link(node_link(Snapshot()), "graph.json") == Snapshot()
    True
    """
    try:
        found = _NodeLink.model_validate_json(content)
        tables: dict[str, list[dict[str, Any]]] = {table: [] for table in schema.TABLES}
        for node in found.nodes:
            facts = {_RENAMED.get(key, key): value for key, value in (node.model_extra or {}).items()}
            tables[node.label].append(facts | {"id": node.id.partition(":")[2]})
        for edge in found.edges:
            ends = {"source": edge.source.partition(":")[2], "target": edge.target.partition(":")[2]}
            tables[edge.kind].append((edge.model_extra or {}) | ends)
        return TypeAdapter(Snapshot).validate_python(asdict(schema.from_rows(tables)))
    except (ValueError, KeyError, TypeError) as e:  # pydantic's errors are ValueErrors
        wanted = "name a file that this version's `torchatlas export FILE.json` wrote"
        raise DataError(f"{name} is no graph in JSON; {wanted}") from e
