"""The Cypher page without a browser: the address holds question, text and values, and the answer comes with it."""

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.ui.web.conftest import Open, links, picture, press, shown


def drawn(app: Any) -> set[str]:
    return {node["id"] for node in picture(app)["nodes"]}


def test_an_empty_page_offers_the_saved_questions_by_job(visit: Open) -> None:
    app = visit("cypher")
    assert app.header[0].value == "What comes first"
    assert "Schema: 4 kinds of nodes" in app.expander[0].label and not app.expander[0].proto.expanded
    card = links(app)[r"**What does this rest on?**"]
    assert parse_qs(card.query_string) == {"question": ["before"]} and not app.dataframe


@pytest.mark.slow
def test_a_text_runs(visit: Open) -> None:
    app = visit("cypher")
    press(app, "run")
    assert app.dataframe[0].value["area"].tolist()  # the example that stands there to begin with
    app.text_area(key="draft").input("MATCH (c:Concept {id: 'view'}) RETURN c.name AS name").run()
    press(app, "run")
    assert app.dataframe[0].value["name"].tolist() == ["__torch_function__"]


@pytest.mark.slow
def test_an_address_with_a_text_and_its_values_is_answered_on_load(visit: Open) -> None:
    text = "MATCH (e:Episode)-[:TEACHES]->(c:Concept {id: $which}) RETURN e, c.id AS id"
    app = visit("cypher", text=text)
    assert "Give a value for which" in shown(app) and not app.dataframe
    app.text_input(key="value::which").input("view").run()
    assert app.query_params["v.which"] == "view" and app.dataframe[0].value["id"].tolist() == ["view"]
    again = visit("cypher", text=text, **{"v.which": "view"})
    assert again.dataframe[0].value["id"].tolist() == ["view"]
    assert drawn(again) == {"view", "show-view"}
    assert parse_qs(links(again)["Plan a path to all 2"].query_string) == {"goal": ["show-view", "view"]}


@pytest.mark.slow
def test_a_saved_question_keeps_its_value_and_becomes_a_text_when_it_is_changed(visit: Open) -> None:
    app = visit("cypher", question="before", **{"v.concept": "view"})
    assert app.dataframe[0].value["id"].tolist() == ["strides", "tensor"]
    assert drawn(app) == {"view", "strides", "tensor"}
    app.selectbox(key="value:before:concept").select("strides").run()
    assert app.query_params["v.concept"] == "strides" and app.dataframe[0].value["id"].tolist() == ["tensor"]
    app.text_area(key="draft").input("MATCH (c:Concept {id: $concept}) RETURN c.id AS id").run()
    press(app, "run")
    assert "question" not in app.query_params and app.dataframe[0].value["id"].tolist() == ["strides"]


def test_a_pattern_is_inserted_and_the_text_goes_on_by_a_click(visit: Open) -> None:
    app = visit("cypher")
    press(app, "insert:REQUIRES")
    assert app.text_area(key="draft").value == "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept)\nRETURN a LIMIT 20"
    app.text_area(key="draft").input("MATCH (e:Epi").run()
    press(app, "go_on:Episode")
    assert app.text_area(key="draft").value == "MATCH (e:Episode"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("CREATE (c:Concept {id: 'x'})", "", "may only read"),
        ("RETURN $x AS x", "9223372036854775808", "write a longer number as text, with quotes"),
        ("RETURN $x AS x", "9" * 5000, "write a longer number as text, with quotes"),
        ("RETURN interval('178956970 years') AS x, $x AS y", "1", "return it as text"),
        (f"RETURN {'(' * 300}$x{')' * 300} AS x", "1", "nested deeper than 100 levels"),
    ],
)
def test_a_text_or_value_that_is_refused_is_one_line_on_the_page(visit: Open, text: str, value: str, says: str) -> None:
    app = visit("cypher")
    app.text_area(key="draft").input(text)
    press(app, "run")
    if app.text_input:
        app.text_input(key="value::x").input(value).run()
    assert not app.exception and says in app.error[0].value.replace("\\", "")
