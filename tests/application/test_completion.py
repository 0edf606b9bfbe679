import pytest

from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.queries import complete

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
