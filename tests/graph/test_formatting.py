"""Text of unknown origin stays text, and what people read has its usual form."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.example_plan import PLAN
from torchatlas.graph import answers, formatting, model
from torchatlas.graph.answers import Explanation, Gap, Plan, PlanChange, Primer, Table
from torchatlas.graph.formatting import clock, counted, day, esc, escaped, is_web, length, link, listed, web_address
from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches, group_of, key_of
from torchatlas.graph.views import census
from torchatlas.ui.plans import cell, plan_markdown, quiz_ending, rows_markdown

MARKED = st.text(st.sampled_from("ab _*`[]()<>&;$\\#+-.!|~:=1/\"'@^{}\n\t"), min_size=1, max_size=40)


@given(MARKED)
def test_escaped_text_is_rendered_as_itself(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(esc(text))
    words = " ".join(text.split())
    assert [t.type for t in tokens] == (["paragraph_open", "inline", "paragraph_close"] if words else [])
    if words:
        assert {c.type for c in tokens[1].children or ()} <= {"text", "text_special"}
        assert "".join(c.content for c in tokens[1].children or ()) == words


@given(MARKED, MARKED)
def test_a_link_goes_to_the_web_or_is_no_link(label: str, rest: str) -> None:
    url = f"https://example.org/{rest.strip()}"
    tokens = MarkdownIt().parse(link(label, url))
    opened = [c for t in tokens for c in t.children or () if c.type == "link_open"]
    assert all(str(c.attrGet("href")).startswith("https://example.org/") for c in opened)


@pytest.mark.parametrize(
    "bad", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x", "https://", "http://[", "", None]
)
def test_only_web_addresses_are_linked(bad: str | None) -> None:
    assert not is_web(bad) and web_address(bad) is None and link("a_b", bad) == "a\\_b"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (day("2022-05-09"), "9 May 2022"),
        (day("2022-13-09"), "2022-13-09"),
        (day(None), ""),
        (clock(0), "0:00"),
        (clock(266), "4:26"),
        (clock(3661), "1:01:01"),
        (length(9), "9 min"),
        (length(75, estimated=True), "~1 h 15 min"),
        (counted(1, "episode"), "1 episode"),
        (counted(1730, "concept"), "1,730 concepts"),
        (counted(0, "entry", "entries"), "0 entries"),
        (listed(["vmap", "GIL", "JAX"]), "vmap, GIL and JAX"),
        (listed(["vmap"]), "vmap"),
        (escaped("a_b <img>"), "a\\_b \\<img\\>"),
        (link("a", "https://x.org/b(c) d"), "[a](https://x.org/b%28c%29%20d)"),
        (web_address("https://example.org/1.mp3?a=(b)"), "https://example.org/1.mp3?a=(b)"),
        (web_address("https://example.org/a b"), "https://example.org/a%20b"),
        (formatting.doubt("drafted"), "drafted"),
        (formatting.doubt("curated"), ""),
    ],
)
def test_small_things(found: str | None, expected: str | None) -> None:
    assert found == expected


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (formatting.VERBS, Literal[tuple(table.kind for table in model.RELATIONSHIPS)]),
        (formatting.RELATIONS, model.ConceptRelationKind),
        (formatting.REFERENCES, model.Reference),
        (formatting.NEEDS, model.Need),
        (formatting.DEPTHS, model.Depth),
        (formatting.BASES, model.Basis),
        (formatting.ORIGINS, model.Origin),
        (formatting.CERTAINTIES, model.Origin),
        (formatting.PLAN_DEPTHS, model.PlanDepth),
    ],
)
def test_every_kind_has_words(table: Mapping[str, Any], kinds: Any) -> None:
    assert set(table) == set(get_args(kinds))


def test_every_table_is_tested_for_that() -> None:
    tables = [name for name, value in vars(formatting).items() if name.isupper() and isinstance(value, dict)]
    (mark,) = test_every_kind_has_words.pytestmark  # type: ignore[attr-defined]
    assert len(tables) == len(mark.args[1])


def test_markdown_shows_names_as_they_are() -> None:
    text = plan_markdown(PLAN)
    assert r"\_\_torch\_function\_\_" in text and r"\[hooks\]" in text and r"old \*news\*" in text
    assert " 4:26" in text and "~17 min" in text and "1 h 15 min more" in text and "**GIL**" in text


MARKS = [*"ab _*`[]()<>&;$\\#+-.!|~:=1/\"'@^{}\n\t", "&lt;", "&#60;"]


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=40).map("".join))
def test_names_in_a_file_are_shown_as_they_are(name: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(plan_markdown(Plan((), (name,), minutes=0, steps=())))
    known = next(t for t in tokens if t.content.startswith("Known already: "))
    assert {c.type for c in known.children or ()} <= {"text", "text_special"}
    assert "".join(c.content for c in known.children or ()) == f"Known already: {' '.join(name.split())}."


def test_a_link_in_a_file_goes_to_the_web_and_ends_where_it_should() -> None:
    bad = [
        Primer("x", "x", definition="d", link=url)
        for url in ("javascript:alert(1)", "https://x.org/> <img src=x onerror=y>")
    ]
    text = plan_markdown(Plan((), (), minutes=0, steps=(), primer=tuple(bad)))
    assert "javascript" not in text and "<img" not in text and "<https://x.org/%3E%20%3Cimg" in text


A, B = ("a", "view"), ("b", "auto_grad")
EDGE = answers.ChainEdge(
    *B, kind="REQUIRES", target="a", target_name="view", words="it follows views", origin="inferred", confidence=0.75
)
GRAPH = Snapshot((Concept("vmap", "vmap", area="Transforms"),))


def test_a_plan_is_a_checklist_that_says_what_it_leaves_out_before_its_steps() -> None:
    plan = Plan(("vmap",), (), minutes=0, steps=(), unmet=(answers.Unmet("vmap", 22),))
    assert "Left out: vmap, which needs 22 min more." in plan._repr_markdown_()
    text = plan_markdown(replace(PLAN, notes=("All is known.",)))
    places = [text.index(words) for words in ("1 episode, ~17 min.", "Left out: vmap", "All is known.", "1. [ ]")]
    assert places == sorted(places)


def test_a_step_of_a_season_is_called_by_both_numbers() -> None:
    assert "**#21 " in plan_markdown(PLAN)
    assert "**S2 E21 " in plan_markdown(replace(PLAN, steps=(replace(PLAN.steps[0], season=2),)))


def test_an_explanation_says_each_edge_of_its_chain() -> None:
    why = "- **auto\\_grad** needs **view**: it follows views (inferred from texts, confidence 0.75)"
    found = Explanation(A, B, chain=(EDGE,), reverse=())
    assert found._repr_markdown_() == f"view comes before auto\\_grad:\n\n{why}"
    found = Explanation(B, A, chain=(), reverse=(EDGE,))
    assert found._repr_markdown_() == f"It is the other way round: view comes before auto\\_grad:\n\n{why}"
    found = Explanation(A, B, chain=(), reverse=())
    assert found._repr_markdown_() == "Nothing says that view comes before auto\\_grad, or auto\\_grad before view."


def test_gaps_are_a_table_for_each_kind_that_there_is() -> None:
    gap = Gap("vmap", "vmap", count=2, words="assumed by One", link="https://x.org/a|b")
    text = answers.Gaps((gap,), (), orphans=(), superseded=())._repr_markdown_()
    assert text.startswith("**Assumed by episodes, and no episode teaches it**\n\n| name | why | link |\n")
    assert text.endswith("| vmap | assumed by One | <https://x.org/a%7Cb> |")
    assert answers.Gaps((), (), orphans=(), superseded=())._repr_markdown_() == "nothing"


def test_a_census_is_two_tables() -> None:
    text = census(GRAPH)._repr_markdown_()
    assert "**nodes**" in text and "**relationships**" in text and "(:Concept {id: 'vmap'})" in text
    assert "| pattern | count | properties | example |" in text and "| 1 | id, name, area, definition (0), " in text


def test_a_graph_is_its_counts() -> None:
    assert "| concepts | 1 |" in GRAPH._repr_markdown_()
    assert repr(GRAPH) == f"<Snapshot: {GRAPH.size}>" and "1 concept," in GRAPH.size


def test_a_table_has_the_columns_of_the_query() -> None:
    cut = Table(("n",), ((1,), (2,)), truncated=True)
    assert cut._repr_markdown_().endswith("| 2 |\n\n2 rows, more were left out")
    node = {"_label": "Concept", "id": "view", "name": "view", "x": 1}
    assert "| (:Concept {id: view, name: view}) |" in Table(("c",), ((node,), ([node],)))._repr_markdown_()
    assert Table(("name",), (("a|b",), (None,)))._repr_markdown_() == "| name |\n| --- |\n| a\\|b |\n|  |"


def test_rows_have_no_empty_columns() -> None:
    primers = [Primer(*A, definition="It shares."), Primer(*B, definition="")]
    assert rows_markdown(primers).splitlines()[0] == "| id | name | definition |"
    assert rows_markdown([Gap(*A, count=1, words="")]).splitlines()[0] == "| name |"


def test_a_plan_tells_other_routes_what_took_the_place_of_the_goal_and_that_nothing_is_left_to_hear() -> None:
    route = answers.Route("shortest", "5 min shorter: leaves out [x].", steps=PLAN.steps)
    other = replace(
        PLAN, routes=(route,), successors=(answers.Successor("n", "new", goal="subclasses", reason="it is *faster*"),)
    )
    assert "\nShortest: 1 episode, \\~17 min; 5 min shorter: leaves out \\[x\\]." in plan_markdown(other)
    assert r"subclasses was superseded by new: it is \*faster\*." in plan_markdown(other)
    nothing = "Nothing is left to hear for this."
    assert replace(PLAN, steps=(), unmet=()).remarks[-1] == nothing
    assert nothing not in replace(PLAN, steps=()).remarks  # the budget is too small


NODE = {"_label": "Concept", "id": "view", "name": "view", "definition": "A long text.", "x": 1}
OTHER = {"_label": "Episode", "id": "s/1", "title": "On views"}
TAUGHT = {"_label": "TEACHES", "depth": "main", "quote": ""}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("a, b", "a, b"),
        (True, "true"),
        (0.5, "0.5"),
        (["a", None, [1]], "a, null, [1]"),
        ({"a": {"b": []}, "c": None}, "{a: {b: []}, c: null}"),
        ({}, "{}"),
        (NODE, "(:Concept {id: view, name: view})"),
        ({"_label": "Other"}, "[:Other]"),
        (TAUGHT, "[:TEACHES {depth: main}]"),
        (
            {"_nodes": [OTHER, NODE], "_relationships": [TAUGHT | {"_source": "s/1", "_target": "view"}]},
            "(:Episode {id: s/1, name: On views}) -[:TEACHES]-> (:Concept {id: view, name: view})",
        ),
        (
            {"_nodes": [NODE, OTHER], "_relationships": [TAUGHT | {"_source": "s/1", "_target": "view"}]},
            "(:Concept {id: view, name: view}) <-[:TEACHES]- (:Episode {id: s/1, name: On views})",
        ),
    ],
)
def test_a_value_is_shown_as_cypher_writes_it(value: object, text: str) -> None:
    assert cell(value) == text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (quiz_ending(answers.QUESTIONS, stopped=False), "These were all eight questions."),
        (quiz_ending(0, stopped=False), "There is nothing to ask: no answer would change the plan."),
        (quiz_ending(2, stopped=False), "No question is left: no answer would change the plan any further."),
        (quiz_ending(1, stopped=True), "Stopped after 1 answer."),
        (answers.Checklist(()).progress, (0.0, "0 of 0 heard, 0 min of 0 min")),
        (Explanation(A, A, chain=(), reverse=()).verdict, "Both are view, so neither comes first."),
        (
            str(PlanChange("v", "vmap", goes_out=(answers.Named("b", "#2"),) * 10)),
            f"vmap: {'- #2, ' * 7}- #2 and 2 more",
        ),
        (str(PlanChange("v", "vmap", comes_in=(answers.Named("a", "#1"),))), "vmap: + #1"),
        (str(PlanChange("v", "vmap")), "vmap: in another order"),
        (answers.Reading(("e",), "vmap", kind="episode", how="title", matched="vmap").described, 'the episode "vmap"'),
        (Plan(("vmap",), (), minutes=0, steps=(), notes=("No episode.",)).heading, "No episode."),
        (answers.Split.parse("2x1h"), answers.Split(2, 60)),
        (answers.Split.parse("5 x 45m"), answers.Split(5, 45)),
        (key_of(Teaches("e", "vmap", depth="main")), ("TEACHES", "e", "vmap")),
        ([group_of(table) for table in ("Concept", "TEACHES", "USES")], ["concepts", "teaches", "concept_relations"]),
        (Snapshot(episodes=(Episode("e", "Intro", show="S", number=1, season=2),)).label_of("e"), "S2 E1 Intro"),
    ],
)
def test_an_answer_says_in_words_what_it_holds(said: object, words: object) -> None:
    assert said == words
