"""The part of the graph that a Cypher statement asked about: the nodes of its answer and the relations between them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product

from torchatlas.graph.answers import Table
from torchatlas.graph.model import EDGE_GROUPS, RELATIONSHIPS, Edge, Snapshot
from torchatlas.queries import nodes_in

_KINDS = frozenset(table.kind for table in RELATIONSHIPS)


@dataclass(frozen=True, slots=True)
class Matched:
    """The ids of concepts and episodes, and the edges between them. `hidden`: how many more nodes the answer holds."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    hidden: int = 0


def matched(cypher: str, values: Mapping[str, object], table: Table, graph: Snapshot, *, most: int = 60) -> Matched:
    """Return at `most` so many nodes of an answer, those with relations first, and the relations of the statement.

    Those are the relationships of the paths that it returns; without paths, the relationships in its rows, each between
    nodes of its row; without both, all edges of the types that its text names between nodes of the answer, to which the
    nodes belong that its values name.

    Example: `matched("MATCH (a)-[:USES]->(b) RETURN a.id, b.id", {}, table, graph).edges[0].kind`
    """
    ids = tuple(dict.fromkeys([*_named(values, graph), *nodes_in(table, graph)]))
    edges = _edges(cypher, table, graph, set(ids))
    joined = {end for edge in edges for end in (edge.source, edge.target)}
    kept = sorted(ids, key=lambda id_: id_ not in joined)[:most]
    shown = set(kept)
    return Matched(
        tuple(id_ for id_ in ids if id_ in shown),
        tuple(edge for edge in edges if {edge.source, edge.target} <= shown),
        hidden=len(ids) - len(kept),
    )


def _named(values: Mapping[str, object], graph: Snapshot) -> list[str]:
    """Return the values that are ids."""
    return [v for v in values.values() if isinstance(v, str) and (v in graph.concept or v in graph.episode)]


def _edges(cypher: str, table: Table, graph: Snapshot, ids: set[str]) -> list[Edge]:
    walked = set(chain.from_iterable(_walked(value) for row in table.rows for value in row))
    walked = walked or set(chain.from_iterable(map(_beside, table.rows)))
    kinds = {kind for kind, _, _ in walked} or set(re.findall(r"\b[A-Z_]+\b", cypher)) & _KINDS
    found = (edge for group in EDGE_GROUPS for edge in getattr(graph, group) if edge.kind in kinds)
    return [
        edge
        for edge in found
        if edge.source in ids and edge.target in ids and (not walked or (edge.kind, edge.source, edge.target) in walked)
    ]


def _beside(row: tuple[object, ...]) -> Iterator[tuple[str, str, str]]:
    """Return the relationships that a row may hold: they do not say their ends, which are nodes of the row."""
    labelled = [value for value in row if isinstance(value, Mapping) and "_label" in value]
    nodes = [str(value["id"]) for value in labelled if "id" in value]
    kinds = {str(value["_label"]) for value in labelled} & _KINDS
    return ((kind, source, target) for kind in kinds for source, target in product(nodes, nodes))


def _walked(value: object) -> list[tuple[str, str, str]]:
    """Return the relationships of a path, or of the paths in a list."""
    if isinstance(value, list):
        return list(chain.from_iterable(map(_walked, value)))
    if not isinstance(value, Mapping) or "_relationships" not in value:
        return []
    return [(str(r["_label"]), str(r["_source"]), str(r["_target"])) for r in value["_relationships"]]
