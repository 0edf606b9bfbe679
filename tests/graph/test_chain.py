from dataclasses import replace

from hypothesis import given

from tests.graph.builds import edges, graph
from tests.strategies import snapshots
from torchatlas.graph.model import Assumes, Requires, Snapshot, Teaches, closure
from torchatlas.graph.views import chain

NEEDS = "c b: c stands on b, b a bridge: b stands on a, d a bridge: d stands on a"
GUESS = Requires("c", "d", need="bridge", reason="by a sentence", origin="inferred", confidence=0.8)
GRAPH = graph(
    teaches="ea a, eb b, ec c, ed ~c",
    assumes=(Assumes("eb", "d", how="silent", at=9, why="it leans on it"),),
    requires=(*edges("requires", NEEDS), GUESS),
    listen_after="ed ec: hear c first",
)


def walked(earlier: str, later: str) -> list[tuple[str, str, str]]:
    return [(step.source, step.kind, step.target) for step in chain(GRAPH, earlier, later)]


def test_between_concepts_it_is_the_shortest_way_down_and_what_is_said_goes_before_what_is_inferred() -> None:
    assert walked("a", "c") == [("c", "REQUIRES", "b"), ("b", "REQUIRES", "a")]
    first, second = chain(GRAPH, "a", "c")
    assert (first.source_name, first.target_name, first.words, first.need) == ("C", "B", "c stands on b", "hear")
    assert (second.words, second.origin) == ("b stands on a", "curated")
    assert walked("c", "a") == walked("a", "a") == []


def test_between_episodes_it_goes_by_what_they_assume_explain_and_declare() -> None:
    assert walked("ea", "ec") == [
        ("ec", "TEACHES", "c"), ("c", "REQUIRES", "b"), ("b", "REQUIRES", "a"), ("ea", "TEACHES", "a"),
    ]  # fmt: skip
    assert walked("ec", "ed") == [("ed", "LISTEN_AFTER", "ec")]
    assert walked("d", "eb") == [("eb", "ASSUMES", "d")]
    assert [step.at for step in chain(GRAPH, "d", "eb")] == [9]


def test_a_step_that_explains_says_why_it_does_or_what_its_text_says() -> None:
    from_text = Teaches("eb", "b", depth="main", origin="declared", evidence="b", field="title", start=3)
    judged = Teaches("ea", "a", depth="main", evidence="a thing", why="it is told from the start")
    said = replace(GRAPH, teaches=(from_text, judged))
    assert [(step.words, step.origin) for step in chain(said, "ea", "eb")] == [
        ("b", "declared"), ("b stands on a", "curated"), ("it is told from the start", "curated"),
    ]  # fmt: skip


def test_two_episodes_on_one_subject_come_in_no_order() -> None:
    same = graph(teaches="ea a, eb a")
    assert chain(same, "ea", "eb") == chain(same, "eb", "ea") == ()


@given(snapshots())
def test_there_is_a_chain_exactly_where_one_concept_is_below_the_other(whole: Snapshot) -> None:
    needed = Snapshot(whole.concepts, requires=whole.requires)
    for concept in needed.concepts[:3]:
        below = closure(needed.required_by, [concept.id])
        for other in set(needed.concepts) - {concept}:
            assert bool(chain(needed, other.id, concept.id)) == (other.id in below)
