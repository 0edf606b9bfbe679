"""Statements: what may stand next, the part of the graph that one asked about, and the nodes in its rows."""

from typing import Any

import pytest

from tests.atlas import snapshot
from tests.extract.cases import pairs
from tests.graph.builds import graph
from torchatlas.graph.answers import Table
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.queries import complete, nodes_by_row, nodes_in
from torchatlas.ui.pictures import matched

GRAPH = Snapshot(
    (Concept("autograd", "autograd", area="Autograd"), Concept("gil", "global interpreter lock", area="GPU")),
    (Episode("show/one", "One", show="Show"),),
)
NEXT = r"""
MATCH (c:Con => Concept | MATCH (: => Concept, Episode, Resource, Show, Link | MATCH (c:`Con => Concept
MATCH (c:Episode|Con => Concept | MATCH (a)-[r:`REQ => REQUIRES | RETURN `c`.`defin => definition
MATCH (a)-[r:REQ => REQUIRES | MATCH (a)-[:TEACHES|ASS => ASSUMES | MATCH (c:Concept {id: 'auto => autograd
WHERE c.id = "interp => gil | MATCH (c {area: 'A => Autograd | RETURN c.defin => definition
MATCH (c:Concept {def => definition | MATCH (c) RETURN DIST => | MATCH (c) RET => RETURN, RETURN DISTINCT
WHERE c.name CONTAINS 'RET => | MATCH (c) WHERE c.name = 'foo ma => | WHERE c.name = 'a.defin =>
WHERE c.name = 'all (c:Con => | WHERE c.name = 'if id = "auto => | RETURN `a ret => | RETURN `ret =>
WHERE c.name = 'if id = ' auto => | WHERE c.name = 'foo' RET => RETURN, RETURN DISTINCT
// it's one\nRET => RETURN, RETURN DISTINCT | RETURN $RET => | MATCH (c:Concept) RETURN c =>
MATCH (n:Concept) RETURN c => CONTAINS, CASE, count(, collect(, coalesce( | MATCH (n) RETURN count(n) AS c =>
MATCH (n) RETURN count(n) As c => | MATCH (n) RETURN count(n) AS many ORDER BY m => MATCH, min(, max(
MATCH (n) RETURN count(n) AS many ORDER BY many => | MATCH (n) WHERE n.x = 1 OR n.y = 2 OR => ORDER BY | =>
"""


@pytest.mark.parametrize(("before", "expected"), pairs(NEXT))
def test_what_may_stand_next(before: str, expected: str) -> None:
    assert ", ".join(text for text, *_ in complete(before.replace(r"\n", "\n"), GRAPH)) == expected


def test_a_candidate_takes_the_place_of_what_was_typed() -> None:
    ((text, replaced, _),) = complete("MATCH (c:Con", GRAPH)
    assert "MATCH (c:Con"[:-replaced] + text == "MATCH (c:Concept"


def node(id_: str, label: str = "Concept") -> dict[str, str]:
    return {"_label": label, "id": id_}


def pairs(*rows: tuple[object, ...]) -> set[tuple[str, str]]:
    table = Table({2: ("x", "y"), 3: ("x", "r", "y")}[len(rows[0])], rows)
    found = matched("MATCH (x)-[r:REQUIRES]->(y) RETURN *", {}, table, graph(requires="b a, c a, c b"))
    return {(edge.source, edge.target) for edge in found.edges}


def test_relationships_are_drawn_between_the_nodes_of_their_row_or_where_there_is_none_all_of_their_type() -> None:
    two = {("b", "a"), ("c", "a")}
    assert pairs(*two) == two | {("c", "b")}
    needs = {"_label": "REQUIRES", "need": "hear"}
    assert pairs(*((node(a), needs, node(b)) for a, b in two)) == two
    assert pairs(*((needs, node(b)) for _, b in two)) == set()


PATH = {"_nodes": [node("view"), node("bad", "Link")], "_relationships": []}


@pytest.mark.parametrize(
    ("columns", "rows", "found"),
    [
        (  # nodes, paths, lists and bare ids, each once
            "a b",
            (({**node("show-view", "Episode"), "title": "tensor"}, "strides"), (PATH, ["view", "tensor", 3])),
            "show-view strides view tensor",
        ),
        ("s c", ((node("view", "Show"), node("strides", "Concept:Mine")),), "strides"),  # a show with a concept's id
        ("a b", (({"made": {"of": "view"}}, 3.5), (None, "no id")), "view"),
        ("id name why", (("view", "strides idea", "it is so"), ("strides", "tensor idea", "view")), "view strides"),
        ("name why", (("strides idea", "it is so"), ("tensor idea", "view")), "strides tensor"),  # no column has ids
        ("title", (("On view",), ("On strides",)), "show-view show-strides"),
        ("word", (("view",), ("no id",)), ""),  # only a part is known
    ],
)
def test_the_nodes_of_an_answer_are_found_in_its_rows(columns: str, rows: tuple[Any, ...], found: str) -> None:
    assert nodes_in(Table(tuple(columns.split()), rows), snapshot()) == tuple(found.split())


def test_a_title_that_several_episodes_have_means_all_of_them() -> None:
    twins = Snapshot(episodes=tuple(Episode(f"{show}/intro", "Introduction", show=show) for show in ("alpha", "beta")))
    assert nodes_by_row(Table(("title",), (("Introduction",),)), twins) == (("alpha/intro", "beta/intro"),)
