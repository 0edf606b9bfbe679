"""Statements: what may stand next, the part of the graph that one asked about, and the nodes in its rows."""

import pytest

from tests.atlas import snapshot
from tests.graph.builds import graph
from torchatlas.graph.answers import Table
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.queries import complete, nodes_by_row, nodes_in
from torchatlas.ui.pictures import matched

GRAPH = Snapshot(
    (Concept("autograd", "autograd", area="Autograd"), Concept("gil", "global interpreter lock", area="GPU")),
    (Episode("show/one", "One", show="Show"),),
)


def offered(before: str) -> list[str]:
    return [candidate.text for candidate in complete(before, GRAPH)]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("MATCH (c:Con", ["Concept"]),
        ("MATCH (:", ["Concept", "Episode", "Show", "Link"]),
        ("MATCH (c:`Con", ["Concept"]),
        ("MATCH (c:Episode|Con", ["Concept"]),
        ("MATCH (a)-[r:`REQ", ["REQUIRES"]),
        ("RETURN `c`.`defin", ["definition"]),
        ("MATCH (a)-[r:REQ", ["REQUIRES"]),
        ("MATCH (a)-[:TEACHES|ASS", ["ASSUMES"]),
        ("MATCH (c:Concept {id: 'auto", ["autograd"]),
        ('WHERE c.id = "interp', ["gil"]),
        ("MATCH (c {area: 'A", ["Autograd"]),
        ("RETURN c.defin", ["definition"]),
        ("MATCH (c:Concept {def", ["definition"]),
        ("MATCH (c) RETURN DIST", []),
        ("MATCH (c) RET", ["RETURN", "RETURN DISTINCT"]),
        ("WHERE c.name CONTAINS 'RET", []),
        ("MATCH (c) WHERE c.name = 'foo ma", []),
        ("WHERE c.name = 'a.defin", []),
        ("WHERE c.name = 'all (c:Con", []),
        ("WHERE c.name = 'if id = \"auto", []),
        ("RETURN `a ret", []),
        ("RETURN `ret", []),
        ("WHERE c.name = 'if id = ' auto", []),
        ("WHERE c.name = 'foo' RET", ["RETURN", "RETURN DISTINCT"]),
        ("// it's one\nRET", ["RETURN", "RETURN DISTINCT"]),
        ("RETURN $RET", []),
        ("MATCH (c:Concept) RETURN c", []),
        ("MATCH (n:Concept) RETURN c", ["CONTAINS", "CASE", "count(", "collect(", "coalesce("]),
        ("MATCH (n) RETURN count(n) AS c", []),
        ("MATCH (n) RETURN count(n) As c", []),
        ("MATCH (n) RETURN count(n) AS many ORDER BY m", ["MATCH", "min(", "max("]),
        ("MATCH (n) RETURN count(n) AS many ORDER BY many", []),
        ("MATCH (n) WHERE n.x = 1 OR n.y = 2 OR", ["ORDER BY"]),
        ("", []),
    ],
)
def test_what_may_stand_next(before: str, expected: list[str]) -> None:
    assert offered(before) == expected


def test_a_candidate_takes_the_place_of_what_was_typed() -> None:
    (candidate,) = complete("MATCH (c:Con", GRAPH)
    assert "MATCH (c:Con"[: -candidate.replaces] + candidate.text == "MATCH (c:Concept"


PAIRS = (("b", "a"), ("c", "a"), ("c", "b"))


def node(id_: str) -> dict[str, str]:
    return {"_label": "Concept", "id": id_}


def pairs(table: Table) -> set[tuple[str, str]]:
    found = matched("MATCH (x)-[r:REQUIRES]->(y) RETURN *", {}, table, graph(requires="b a, c a, c b"))
    return {(edge.source, edge.target) for edge in found.edges}


def test_ids_alone_have_all_relations_of_the_types_in_the_text() -> None:
    assert pairs(Table(("x", "y"), (("b", "a"), ("c", "a")))) == set(PAIRS)


def test_a_relationship_in_a_row_is_drawn_between_nodes_of_its_row() -> None:
    rows = tuple((node(a), {"_label": "REQUIRES", "need": "hear"}, node(b)) for a, b in PAIRS[:2])
    assert pairs(Table(("x", "r", "y"), rows)) == set(PAIRS[:2])
    assert pairs(Table(("r", "y"), tuple(row[1:] for row in rows))) == set()


def test_nodes_paths_lists_and_bare_ids_are_found_once_in_their_order() -> None:
    path = {"_nodes": [{"_label": "Concept", "id": "view"}, {"_label": "Link", "id": "bad"}], "_relationships": []}
    rows = (({"_label": "Episode", "id": "show-view", "title": "tensor"}, "strides"), (path, ["view", "tensor", 3]))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("show-view", "strides", "view", "tensor")


def test_a_show_with_the_id_of_a_concept_is_no_concept() -> None:
    rows = (({"_label": "Show", "id": "view"}, {"_label": "Concept:Mine", "id": "strides"}),)
    assert nodes_in(Table(("s", "c"), rows), snapshot()) == ("strides",)


def test_maps_are_looked_into_and_anything_else_is_nothing() -> None:
    rows = (({"made": {"of": "view"}}, 3.5), (None, "no id"))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("view",)


@pytest.mark.slow
def test_names_count_where_no_column_has_ids_and_then_all_of_them_do() -> None:
    rows = (("view", "strides idea", "it is so"), ("strides", "tensor idea", "view"))
    assert nodes_in(Table(("id", "name", "why"), rows), snapshot()) == ("view", "strides")
    named = tuple(row[1:] for row in rows)
    assert nodes_in(Table(("name", "why"), named), snapshot()) == ("strides", "tensor")
    assert nodes_in(Table(("title",), (("On view",), ("On strides",))), snapshot()) == ("show-view", "show-strides")


def test_a_column_of_which_only_a_part_is_known_is_no_column_of_nodes() -> None:
    assert nodes_in(Table(("word",), (("view",), ("no id",))), snapshot()) == ()


def test_a_title_that_several_episodes_have_means_all_of_them() -> None:
    twins = Snapshot(episodes=tuple(Episode(f"{show}/intro", "Introduction", show=show) for show in ("alpha", "beta")))
    assert nodes_by_row(Table(("title",), (("Introduction",),)), twins) == (("alpha/intro", "beta/intro"),)
