"""The values in the rows of a query on one line each, in the forms that Cypher has for them."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any


def cell(value: object) -> str:
    """Return a value on one line: a node by id and name, an edge by its properties, a path as a pattern.

    >>> cell({"_label": "Concept", "id": "vmap", "name": "vmap", "x": 1})
    '(:Concept {id: vmap, name: vmap})'
    """
    if value is None:
        return ""
    return ", ".join(map(_inner, value)) if isinstance(value, list) else _inner(value)


def _inner(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        if "_nodes" in value:
            return _path(value["_nodes"], value["_relationships"])
        if "id" in value and "_label" in value:
            return _node(value)
        if "_label" in value:
            hidden = ("_label", "_source", "_target")
            return f"[:{value['_label']}{_properties({k: v for k, v in value.items() if k not in hidden and v != ''})}]"
        return _properties(value).strip() or "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inner, value))}]"
    return "null" if value is None else str(value)


def _node(node: Mapping[str, Any]) -> str:
    name = node.get("name") or node.get("title") or node.get("label") or ""
    return f"(:{node['_label']} {{id: {node['id']}{f', name: {name}' if name else ''}}})"


def _properties(properties: Mapping[str, Any]) -> str:
    return f" {{{', '.join(f'{key}: {_inner(value)}' for key, value in properties.items())}}}" if properties else ""


def _path(nodes: list[Mapping[str, Any]], edges: list[Mapping[str, Any]]) -> str:
    """Return (a) -[:KIND]-> (b) <-[:KIND]- (c)."""
    steps = [_node(nodes[0])] if nodes else []
    for (before, after), edge in zip(pairwise(nodes), edges, strict=False):
        backwards = edge.get("_target") == before.get("id") != after.get("id")
        steps.append(f"<-[:{edge['_label']}]-" if backwards else f"-[:{edge['_label']}]->")
        steps.append(_node(after))
    return " ".join(steps)
