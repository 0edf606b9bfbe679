"""The words in which a card tells of ties between concepts."""

from torchatlas.graph.model import Concept, ConceptRelation, Requires, Snapshot
from torchatlas.graph.views import concept_card

GRAPH = Snapshot(
    concepts=tuple(
        Concept(id_, name, area="Core") for id_, name in (("d", "dispatcher"), ("k", "dispatch key"), ("o", "operator"))
    ),
    requires=(
        Requires("d", "o", need="bridge", reason="an operator has many kernels"),
        Requires("d", "k", need="bridge", reason=""),
    ),
    concept_relations=(
        ConceptRelation("d", "k", kind="USES", reason="dispatcher uses dispatch key"),
        ConceptRelation("d", "o", kind="USES", reason="each operator has a table of kernels"),
    ),
)


def test_a_reason_that_only_repeats_a_relation_is_left_out() -> None:
    assert [(row.name, row.why) for row in concept_card(GRAPH, "d").others] == [
        ("dispatch key", "uses"),
        ("operator", "uses; each operator has a table of kernels"),
    ]
    assert concept_card(GRAPH, "k").others[0].why == "used by"


def test_the_reason_of_a_need_stands_before_its_degree() -> None:
    assert {row.name: row.why for row in concept_card(GRAPH, "d").needs} == {
        "operator": "an operator has many kernels (a sentence is enough)",
        "dispatch key": "a sentence is enough",
    }
