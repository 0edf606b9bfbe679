"""A graph as a networkx graph, and so as GraphML, GEXF and node-link JSON, which graph programs read."""

import io
import json
import re
from typing import TYPE_CHECKING, Any

from torchatlas.graph.values import schema
from torchatlas.graph.values.characters import seen, xml_text
from torchatlas.graph.values.model import Snapshot

if TYPE_CHECKING:
    import networkx as nx

_RENAMED = {"label": "link_label"}  # `label` holds the label of a node
_TODAY = re.compile(rb' lastmodifieddate="[^"]*"')


def to_network(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """Return the graph as networkx has it: a node `Label:id` with `label`, `name` and its properties, without nulls.

    The key and the `kind` of an edge are its type. Lists stay lists, which GraphML and GEXF do not have.

    Example: `to_network(snapshot).nodes["Concept:vmap"]["area"]`
    """
    import networkx as nx

    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    tables = schema.rows(snapshot)
    for node in schema.NODES:
        for row in tables[node.label]:
            named = {"label": node.label, "name": row.get("title") or row.get("label") or row["id"]}
            known = {_RENAMED.get(k, k): v for k, v in row.items() if v is not None and k != "id"}
            network.add_node(f"{node.label}:{row['id']}", **(named | known))
    for edge in schema.RELATIONSHIPS:
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

    def plain(value: Any) -> Any:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        return xml_text(text) if isinstance(text, str) else text

    for *_, data in (*network.nodes(data=True), *network.edges(data=True)):
        data.update({k: plain(v) for k, v in data.items()})
    return network
