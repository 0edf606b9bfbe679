"""The embedded engine's values as plain ones."""

from collections.abc import Mapping
from typing import Any

from torchatlas.graph.stores.plain_values import plain

_HIDDEN = {"_ID", "_LABEL", "_SRC", "_DST"}


def from_ladybug(value: Any) -> Any:
    """Return a value of a row as a plain one; `plain_values` tells the shapes.

    >>> from_ladybug({"_ID": {"offset": 0, "table": 0}, "_LABEL": "Concept", "id": "tensor", "x": None})
    {'_label': 'Concept', 'id': 'tensor'}
    """
    if isinstance(value, Mapping) and "_NODES" in value and "_RELS" in value:
        # A pattern's own variable (`-[e:REQUIRES*1..2]->`) holds the nodes between its ends, without the ends.
        ends = {str(node["_ID"]): node.get("id") for node in value["_NODES"]}
        return {
            "_nodes": [from_ladybug(node) for node in value["_NODES"]],
            "_relationships": [
                from_ladybug(r) | {"_source": ends.get(str(r["_SRC"])), "_target": ends.get(str(r["_DST"]))}
                for r in value["_RELS"]
            ],
        }
    if isinstance(value, Mapping) and "_LABEL" in value:
        shown = {k: from_ladybug(v) for k, v in sorted(value.items()) if k not in _HIDDEN and v is not None}
        return {"_label": value["_LABEL"]} | shown
    return plain(value, from_ladybug)
