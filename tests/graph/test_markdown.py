"""Each answer as a notebook shows it. Plans as files are in tests/ui/test_exports.py."""

from torchatlas.graph.answers.census import census
from torchatlas.graph.values.answers import ChainEdge, Explanation, Gap, Gaps, Plan, Table, Unmet
from torchatlas.graph.values.markdown import rows_markdown
from torchatlas.graph.values.model import Concept, Snapshot

A, B = ("a", "view"), ("b", "auto_grad")
EDGE = ChainEdge(
    *B, kind="REQUIRES", target="a", target_name="view", words="it follows views", origin="inferred", confidence=0.75
)
GRAPH = Snapshot((Concept("vmap", "vmap", area="Transforms"),))


def test_a_plan_is_a_checklist() -> None:
    plan = Plan(("vmap",), (), minutes=0, steps=(), unmet=(Unmet("vmap", 22),))
    assert "Left out: vmap would take 22 min more." in plan._repr_markdown_()


def test_an_explanation_says_each_edge_of_its_chain() -> None:
    why = "- **auto\\_grad** needs **view**: it follows views (inferred, confidence 0.75)"
    found = Explanation(A, B, chain=(EDGE,), reverse=())
    assert found._repr_markdown_() == f"view comes before auto\\_grad:\n\n{why}"
    found = Explanation(B, A, chain=(), reverse=(EDGE,))
    assert found._repr_markdown_() == f"It is the other way round: view comes before auto\\_grad:\n\n{why}"
    found = Explanation(A, B, chain=(), reverse=())
    assert found._repr_markdown_() == "Nothing says that view comes before auto\\_grad, or auto\\_grad before view."


def test_gaps_are_a_table_for_each_kind_that_there_is() -> None:
    gap = Gap("vmap", "vmap", count=2, words="assumed by One", link="https://x.org/a|b")
    text = Gaps((gap,), (), orphans=(), superseded=())._repr_markdown_()
    assert text.startswith("**untaught**\n\n| id | name | count | words | link |\n")
    assert text.endswith("| vmap | vmap | 2 | assumed by One | <https://x.org/a%7Cb> |")
    assert Gaps((), (), orphans=(), superseded=())._repr_markdown_() == "nothing"


def test_a_census_is_two_tables() -> None:
    text = census(GRAPH)._repr_markdown_()
    assert "**nodes**" in text and "**relationships**" in text and "(:Concept {id: 'vmap'})" in text


def test_a_graph_is_its_counts() -> None:
    assert "| concepts | 1 |" in GRAPH._repr_markdown_()


def test_a_table_has_the_columns_of_the_query() -> None:
    assert Table(("name",), (("a|b",), (None,)))._repr_markdown_() == "| name |\n| --- |\n| a\\|b |\n|  |"


def test_rows_have_no_empty_columns() -> None:
    gaps = [Gap(*A, count=1, words=""), Gap(*B, count=0, words="")]
    assert rows_markdown(gaps).splitlines()[0] == "| id | name | count |"
