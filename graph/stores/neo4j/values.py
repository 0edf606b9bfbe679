"""The values of the Neo4j driver as plain ones, and the label that marks the nodes of torchatlas on a server."""

from typing import Any

from neo4j.graph import Node, Path, Relationship
from neo4j.time import Duration

from torchatlas.graph.model import META, NODES
from torchatlas.graph.stores.plain_values import plain

MARKER = "Torchatlas"  # the second label of our nodes: a server may hold other people's nodes too
_LABELS = {META, *(node.label for node in NODES)}


def from_neo4j(value: Any) -> Any:
    """Return a value of a row as a plain one; `plain_values` tells the shapes. The marker is hidden in `labels(n)` too.

    >>> from_neo4j(["Concept", "Torchatlas"])
    ['Concept']
    """
    if isinstance(value, (Node, Relationship)):
        label = value.type if isinstance(value, Relationship) else ":".join(sorted(value.labels - {MARKER}))
        return {"_label": label} | {k: from_neo4j(v) for k, v in sorted(value.items())}
    if isinstance(value, Path):
        return {
            "_nodes": [from_neo4j(node) for node in value.nodes],
            "_relationships": [
                from_neo4j(r) | {"_source": r.nodes[0].get("id"), "_target": r.nodes[1].get("id")}
                for r in value.relationships
                if r.nodes[0] is not None and r.nodes[1] is not None
            ],
        }
    if isinstance(value, list) and MARKER in value and any(isinstance(v, str) and v in _LABELS for v in value):
        return [label for label in value if label != MARKER]
    return str(value) if isinstance(value, Duration) else plain(value, from_neo4j)  # a Duration is a tuple
