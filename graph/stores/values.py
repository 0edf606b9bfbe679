"""An engine's values as plain ones, the same for both engines and fit for JSON.

A node or relationship becomes a dict of its properties that are not null, with its label or type under `_label`; a
path becomes `{"_nodes": [...], "_relationships": [...]}`, whose relationships also say `_source` and `_target`, the
ids of their two ends. The engines' own row ids and our marker label are hidden, also in `labels(n)`. Dates and the
like become text; so do the numbers that JSON has not: "NaN", "Infinity", "-Infinity".
"""

import math
from collections.abc import Mapping
from typing import Any

MARKER = "Torchatlas"
"""The second label of our nodes on a server, which may hold other people's nodes too."""


def from_ladybug(value: Any) -> Any:
    """A value of an embedded query's row as a plain one."""
    if isinstance(value, Mapping):
        if "_NODES" in value and "_RELS" in value:
            # A pattern's own variable (`-[e:REQUIRES*1..2]->`) holds the nodes between its ends, not these.
            ends = {str(node["_ID"]): node.get("id") for node in value["_NODES"]}
            return {
                "_nodes": [from_ladybug(node) for node in value["_NODES"]],
                "_relationships": [
                    from_ladybug(r) | {"_source": ends.get(str(r["_SRC"])), "_target": ends.get(str(r["_DST"]))}
                    for r in value["_RELS"]
                ],
            }
        if "_LABEL" in value:
            hidden = {"_ID", "_LABEL", "_SRC", "_DST"}
            shown = {k: from_ladybug(v) for k, v in sorted(value.items()) if k not in hidden and v is not None}
            return {"_label": value["_LABEL"]} | shown
    return _plain(value, from_ladybug)


def from_neo4j(value: Any) -> Any:
    """A value of a server's row as a plain one."""
    from neo4j.graph import Node, Path, Relationship

    from torchatlas.graph.values.schema import META, NODES

    if isinstance(value, Node):
        label = ":".join(sorted(value.labels - {MARKER}))
        return {"_label": label} | {k: from_neo4j(v) for k, v in sorted(value.items())}
    if isinstance(value, Relationship):
        return {"_label": value.type} | {k: from_neo4j(v) for k, v in sorted(value.items())}
    if isinstance(value, Path):
        return {
            "_nodes": [from_neo4j(node) for node in value.nodes],
            "_relationships": [
                from_neo4j(r) | {"_source": r.nodes[0].get("id"), "_target": r.nodes[1].get("id")}
                for r in value.relationships
                if r.nodes[0] is not None and r.nodes[1] is not None
            ],
        }
    if (
        isinstance(value, list)
        and MARKER in value
        and any(label in value for label in (META, *(node.label for node in NODES)))
    ):
        return [label for label in value if label != MARKER]
    return _plain(value, from_neo4j)


def _plain(value: Any, inner: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): inner(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)) and type(value).__name__ != "Duration":
        return [inner(v) for v in value]
    return str(value)
