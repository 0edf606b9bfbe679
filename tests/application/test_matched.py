"""The part of the graph that a statement asked about."""

from torchatlas.graph.answers import Table
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.ui.pictures import matched

PAIRS = (("b", "a"), ("c", "a"), ("c", "b"))
GRAPH = Snapshot(
    tuple(Concept(id_, id_.upper(), area="A") for id_ in "abc"),
    requires=tuple(Requires(*pair, need="hear", reason="it rests") for pair in PAIRS),
)


def node(id_: str) -> dict[str, str]:
    return {"_label": "Concept", "id": id_}


def pairs(table: Table) -> set[tuple[str, str]]:
    found = matched("MATCH (x)-[r:REQUIRES]->(y) RETURN *", {}, table, GRAPH)
    return {(edge.source, edge.target) for edge in found.edges}


def test_ids_alone_have_all_relations_of_the_types_in_the_text() -> None:
    assert pairs(Table(("x", "y"), (("b", "a"), ("c", "a")))) == set(PAIRS)


def test_a_relationship_in_a_row_is_drawn_between_nodes_of_its_row() -> None:
    rows = tuple((node(a), {"_label": "REQUIRES", "need": "hear"}, node(b)) for a, b in PAIRS[:2])
    assert pairs(Table(("x", "r", "y"), rows)) == set(PAIRS[:2])
    assert pairs(Table(("r", "y"), tuple(row[1:] for row in rows))) == set()
