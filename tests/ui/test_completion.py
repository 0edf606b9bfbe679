import pytest

from torchatlas.ui.cli.completion import Words, complete

WORDS = Words(
    (("autograd", "autograd"), ("gil", "global interpreter lock"), ("show/one", "One")),
    (("Autograd", "area"), ("GPU", "area")),
)


def offered(before: str) -> list[str]:
    return [candidate.text for candidate in complete(before, WORDS)]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("MATCH (c:Con", ["Concept"]),
        ("MATCH (:", ["Concept", "Episode", "Link"]),
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
        ("RETURN $RET", []),
        ("", []),
    ],
)
def test_what_may_stand_next(before: str, expected: list[str]) -> None:
    assert offered(before) == expected


def test_a_candidate_takes_the_place_of_what_was_typed() -> None:
    (candidate,) = complete("MATCH (c:Con", WORDS)
    assert "MATCH (c:Con"[: -candidate.replaces] + candidate.text == "MATCH (c:Concept"
