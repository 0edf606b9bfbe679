"""Text of unknown origin stays text, and what people read has its usual form."""

import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.example_plan import PLAN
from tests.graph.builds import graph
from torchatlas.graph import answers, formatting, model
from torchatlas.graph.answers import Explanation, Gap, Gaps, Named, Plan, PlanChange, Primer, Table
from torchatlas.graph.formatting import clock, counted, day, esc, escaped, is_web, length, link, listed, web_address
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.views import census
from torchatlas.ui.plans import cell, plan_markdown, quiz_ending, rows_markdown

EMPTY = Plan((), (), minutes=0, steps=())
MARKS = [*"ab _*`[]()<>&;$\\#+-.!|~:=1/\"'@^{}\n\t", "&lt;", "&#60;"]


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=40).map("".join))
def test_a_text_is_shown_as_it_is_and_a_link_goes_to_the_web(text: str) -> None:
    read, words = MarkdownIt("gfm-like", {"linkify": False}).parse, " ".join(text.split())
    paragraph, in_file = read(esc(text)), read(plan_markdown(replace(EMPTY, known=(text,))))
    assert [t.type for t in paragraph] == ["paragraph_open", "inline", "paragraph_close"] * bool(words)
    known = next(t for t in in_file if t.content.startswith("Known already: "))
    for inline, shown in ((known, f"Known already: {words}."), *((t, words) for t in paragraph[1:2])):
        assert {c.type for c in inline.children or ()} <= {"text", "text_special"}
        assert "".join(c.content for c in inline.children or ()) == shown
    linked = MarkdownIt().parse(link(text, f"https://example.org/{text.strip()}"))
    opened = [c for t in linked for c in t.children or () if c.type == "link_open"]
    assert all(str(c.attrGet("href")).startswith("https://example.org/") for c in opened)


def test_only_web_addresses_are_linked_and_a_link_in_a_file_ends_where_it_should() -> None:
    bad = ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x", "https://", "http://[", "", None)
    for url in bad:
        assert not is_web(url) and web_address(url) is None and link("a_b", url) == "a\\_b"
    urls = (bad[0], "https://x.org/> <img src=x onerror=y>")
    text = plan_markdown(replace(EMPTY, primer=tuple(Primer("x", "x", definition="d", link=url) for url in urls)))
    assert "javascript" not in text and "<img" not in text and "<https://x.org/%3E%20%3Cimg" in text


def test_every_kind_has_words() -> None:
    tables = {name: value for name, value in vars(formatting).items() if name in formatting.__annotations__}
    kinds = {name: re.match(r"Mapping\[model\.(\w+)", str(formatting.__annotations__[name])) for name in tables}
    assert {n: {*table} for n, table in tables.items()} == {
        n: {*get_args(getattr(model, found[1]))} if found else {table.kind for table in model.RELATIONSHIPS}
        for n, found in kinds.items()
    }


A, B = ("a", "view"), ("b", "auto_grad")
EDGE = answers.ChainEdge(
    *B, kind="REQUIRES", target="a", target_name="view", words="it follows views", origin="inferred", confidence=0.75
)
WHY = "- **auto\\_grad** needs **view**: it follows views (inferred from texts, confidence 0.75)"
GRAPH = Snapshot((Concept("vmap", "vmap", area="Transforms"),))
ROUTE = answers.Route("shortest", "5 min shorter: leaves out [x].", steps=PLAN.steps)
SUCCESSOR = answers.Successor("n", "new", goal="subclasses", reason="it is *faster*")


def test_a_plan_is_a_checklist_that_says_what_it_leaves_out_before_its_steps() -> None:
    text = plan_markdown(replace(PLAN, notes=("All is known.",), routes=(ROUTE,), successors=(SUCCESSOR,)))
    places = [text.index(words) for words in ("1 episode, ~17 min.", "Left out: vmap", "All is known.", "1. [ ]")]
    assert places == sorted(places)
    assert "**#21 " in text and r"\_\_torch\_function\_\_" in text and r"\[hooks\]" in text and r"old \*news\*" in text
    assert " 4:26" in text and "1 h 15 min more" in text and "**GIL**" in text
    assert "\nShortest: 1 episode, \\~17 min; 5 min shorter: leaves out \\[x\\]." in text
    assert r"subclasses was superseded by new: it is \*faster\*." in text
    assert "**S2 E21 " in plan_markdown(replace(PLAN, steps=(replace(PLAN.steps[0], season=2),)))
    nothing = "Nothing is left to hear for this."
    assert replace(PLAN, steps=(), unmet=()).remarks[-1] == nothing
    assert nothing not in replace(PLAN, steps=()).remarks  # the budget is too small


NODE = {"_label": "Concept", "id": "view", "name": "view", "definition": "A long text.", "x": 1}
OTHER = {"_label": "Episode", "id": "s/1", "title": "On views"}
TAUGHT = {"_label": "TEACHES", "depth": "main", "quote": ""}
PATH = [TAUGHT | {"_source": "s/1", "_target": "view"}]
SHOWN, SHOWN_OTHER = "(:Concept {id: view, name: view})", "(:Episode {id: s/1, name: On views})"
GAP = Gap("vmap", "vmap", count=2, words="assumed by One", link="https://x.org/a|b")
GAPS = """**Assumed by episodes, and no episode teaches it**

| name | why | link |
| --- | --- | --- |
| vmap | assumed by One | <https://x.org/a%7Cb> |"""


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (day("2022-05-09"), "9 May 2022"),
        ([day("2022-13-09"), day(None)], ["2022-13-09", ""]),
        ([clock(0), clock(266), clock(3661)], ["0:00", "4:26", "1:01:01"]),
        ([length(9), length(75, estimated=True)], ["9 min", "~1 h 15 min"]),
        ([counted(1, "episode"), counted(1730, "concept")], ["1 episode", "1,730 concepts"]),
        (counted(0, "entry", "entries"), "0 entries"),
        ([listed(["vmap", "GIL", "JAX"]), listed(["vmap"])], ["vmap, GIL and JAX", "vmap"]),
        (escaped("a_b <img>"), "a\\_b \\<img\\>"),
        (link("a", "https://x.org/b(c) d"), "[a](https://x.org/b%28c%29%20d)"),
        (web_address("https://example.org/1.mp3?a=(b) c"), "https://example.org/1.mp3?a=(b)%20c"),
        ([formatting.doubt(origin) for origin in ("drafted", "curated", None)], ["drafted", "", ""]),
        (replace(EMPTY, origin="drafted").remarks[0][:40], "How sure: drafted; a part of it rests on"),
        # a value is shown as Cypher writes it
        ([cell(value) for value in (None, "a, b", True, 0.5, {})], ["", "a, b", "true", "0.5", "{}"]),
        (cell(["a", None, [1]]), "a, null, [1]"),
        (cell({"a": {"b": []}, "c": None}), "{a: {b: []}, c: null}"),
        ([cell(NODE), cell({"_label": "Other"}), cell(TAUGHT)], [SHOWN, "[:Other]", "[:TEACHES {depth: main}]"]),
        (cell({"_nodes": [OTHER, NODE], "_relationships": PATH}), f"{SHOWN_OTHER} -[:TEACHES]-> {SHOWN}"),
        (cell({"_nodes": [NODE, OTHER], "_relationships": PATH}), f"{SHOWN} <-[:TEACHES]- {SHOWN_OTHER}"),
        # an answer says in words what it holds
        (quiz_ending(answers.QUESTIONS, stopped=False), "These were all eight questions."),
        (quiz_ending(0, stopped=False), "There is nothing to ask: no answer would change the plan."),
        (quiz_ending(2, stopped=False), "No question is left: no answer would change the plan any further."),
        (quiz_ending(1, stopped=True), "Stopped after 1 answer."),
        (answers.Checklist(()).progress, (0.0, "0 of 0 heard, 0 min of 0 min")),
        (Explanation(A, A, chain=(), reverse=()).verdict, "Both are view, so neither comes first."),
        (Explanation(A, B, chain=(EDGE,), reverse=())._repr_markdown_(), f"view comes before auto\\_grad:\n\n{WHY}"),
        (
            Explanation(B, A, chain=(), reverse=(EDGE,))._repr_markdown_()[:47],
            "It is the other way round: view comes before au",
        ),
        (Explanation(A, B, chain=(), reverse=())._repr_markdown_()[:42], "Nothing says that view comes before auto\\_"),
        (str(PlanChange("v", "", goes_out=(Named("b", "#2"),) * 10)), f": {'- #2, ' * 7}- #2 and 2 more"),
        (str(PlanChange("v", "vmap", comes_in=(Named("a", "#1"),))), "vmap: + #1"),
        (str(PlanChange("v", "vmap")), "vmap: in another order"),
        (answers.Reading(("e",), "vmap", kind="episode", how="title", matched="vmap").described, 'the episode "vmap"'),
        (replace(EMPTY, notes=("No episode.",)).heading, "No episode."),
        ([answers.Split.parse(text) for text in ("2x1h", "5 x 45m")], [answers.Split(2, 60), answers.Split(5, 45)]),
        (Snapshot(episodes=(Episode("e", "Intro", show="S", number=1, season=2),)).label_of("e"), "S2 E1 Intro"),
        # a table for each kind of gap that there is; rows have no empty columns
        (Gaps((GAP,), (), orphans=(), superseded=())._repr_markdown_(), GAPS),
        (Gaps((), (), orphans=(), superseded=())._repr_markdown_(), "nothing"),
        (rows_markdown([Primer(*A, definition="It"), Primer(*B, definition="")])[:27], "| id | name | definition |\n"),
        (rows_markdown([Gap(*A, count=1, words="")])[:9], "| name |\n"),
        (Table(("n",), ((1,), (2,)), truncated=True)._repr_markdown_()[-33:], "| 2 |\n\n2 rows, more were left out"),
        (Table(("c",), ((NODE,), ([NODE],)))._repr_markdown_().splitlines()[2], f"| {SHOWN} |"),
        (Table(("name",), (("a|b",), (None,)))._repr_markdown_(), "| name |\n| --- |\n| a\\|b |\n|  |"),
    ],
)
def test_values_are_told_in_words(found: object, expected: object) -> None:
    assert found == expected


def test_a_graph_is_its_counts_and_a_census_two_tables() -> None:
    assert "| concepts | 1 |" in GRAPH._repr_markdown_()
    assert repr(GRAPH) == f"<Snapshot: {GRAPH.size}>" and "1 concept," in GRAPH.size
    text, kinds = census(GRAPH)._repr_markdown_(), census(graph(GRAPH.concepts, teaches="e vmap")).relationships
    assert "**nodes**" in text and "**relationships**" in text and "(:Concept {id: 'vmap'})" in text
    assert "| pattern | count | properties | example |" in text and "| 1 | id, name, area, definition (0), " in text
    told = {kind.name: (kind.count, kind.example) for kind in kinds if kind.name in ("TEACHES", "PART_OF")}
    taught = "(:Episode|Resource {id: 'e'})-[:TEACHES]->(:Concept {id: 'vmap'})"
    assert told == {"TEACHES": (1, taught), "PART_OF": (0, None)}
