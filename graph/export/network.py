"""A graph as networkx has it, and by it as GraphML, GEXF and node-link JSON: formats of graph programs."""

import io
import json
import re
from typing import TYPE_CHECKING, Any

from torchatlas.graph.values import schema
from torchatlas.graph.values.model import Snapshot

if TYPE_CHECKING:
    import networkx as nx

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OURS = {"label": "link_label"}  # `label` says what a node is
_TODAY = re.compile(rb' lastmodifieddate="[^"]*"')


def to_network(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """Nodes are called `Label:id` and have `label` (Concept ...), `name` and their properties; nulls are left out.

    An edge's key and `kind` are its type. Lists stay lists, which GraphML and GEXF do not have.
    """
    import networkx as nx

    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    tables = schema.rows(snapshot)
    for node in schema.NODES:
        for row in tables[node.label]:
            called = {"label": node.label, "name": row.get("title") or row.get("label") or row["id"]}
            known = {_OURS.get(k, k): v for k, v in row.items() if v is not None and k != "id"}
            network.add_node(f"{node.label}:{row['id']}", **(called | known))
    for edge in schema.RELATIONSHIPS:
        for row in tables[edge.kind]:
            ends = f"{edge.source}:{row.pop('source')}", f"{edge.target}:{row.pop('target')}"
            known = {k: v for k, v in row.items() if v is not None}
            network.add_edge(*ends, key=edge.kind, **(known | {"kind": edge.kind}))
    return network


def graphml(snapshot: Snapshot) -> bytes:
    """GraphML; lists are texts in JSON."""
    import networkx as nx

    written = io.BytesIO()
    nx.write_graphml(_scalar(to_network(snapshot)), written)
    return written.getvalue()


def gexf(snapshot: Snapshot) -> bytes:
    """GEXF, as Gephi reads it; lists are texts in JSON. A node's label is its name, `label` is `type` there."""
    import networkx as nx

    network = _scalar(to_network(snapshot))
    for _, data in network.nodes(data=True):
        data["type"], data["label"] = data["label"], data["name"]
    for *_, data in network.edges(data=True):
        for taken in ("start", "end"):  # GEXF means moments by them
            if taken in data:
                data[f"{taken}_at"] = data.pop(taken)
    written = io.BytesIO()
    nx.write_gexf(network, written)
    return _TODAY.sub(b"", written.getvalue())


def node_link(snapshot: Snapshot) -> bytes:
    """JSON with `nodes` and `edges`, as networkx and D3 read it."""
    import networkx as nx

    network = to_network(snapshot)
    return json.dumps(nx.node_link_data(network, edges="edges"), ensure_ascii=False, indent=1).encode()


def _scalar(network: "nx.MultiDiGraph[str]") -> "nx.MultiDiGraph[str]":
    """Every list as JSON, every text without what XML cannot hold. Changes the network and returns it."""

    def plain(value: Any) -> Any:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        return _NOT_XML.sub("", text) if isinstance(text, str) else text

    for _, data in network.nodes(data=True):
        data.update({k: plain(v) for k, v in data.items()})
    for *_, data in network.edges(data=True):
        data.update({k: plain(v) for k, v in data.items()})
    return network
