"""The Cypher page without a browser: the address holds question, text and values, and the answer comes with it."""

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.ui.web.conftest import Open, links, picture, shown


def drawn(app: Any) -> set[str]:
    """The ids in the first picture."""
    return {node["id"] for node in picture(app)["nodes"]}


def test_an_empty_page_offers_the_saved_questions_by_job(visit: Open) -> None:
    app = visit("cypher")
    assert app.header[0].value == "What comes first"
    assert "Schema: 4 kinds of nodes" in app.expander[0].label and not app.expander[0].proto.expanded
    card = links(app)[r"**What does this rest on?**"]
    assert parse_qs(card.query_string) == {"question": ["before"]} and not app.dataframe


@pytest.mark.slow
def test_a_text_runs_refuses_and_explains(visit: Open) -> None:
    app = visit("cypher")
    app.button(key="run").click().run()
    assert app.dataframe[0].value["area"].tolist()  # the example that stands there to begin with
    app.text_area(key="draft").input("MATCH (c:Concept {id: 'view'}) RETURN c.name AS name").run()
    app.button(key="run").click().run()
    assert app.dataframe[0].value["name"].tolist() == ["__torch_function__"]
    app.text_area(key="draft").input("CREATE (c:Concept {id: 'x'})").run()
    app.button(key="run").click().run()
    assert not app.exception and "may only read" in app.error[0].value.replace("\\", "")


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
    app.button(key="run").click().run()
    assert "question" not in app.query_params and app.dataframe[0].value["id"].tolist() == ["strides"]


def test_a_pattern_is_inserted_and_the_text_goes_on_by_a_click(visit: Open) -> None:
    app = visit("cypher")
    app.button(key="insert:REQUIRES").click().run()
    assert app.text_area(key="draft").value == "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept)\nRETURN a LIMIT 20"
    app.text_area(key="draft").input("MATCH (e:Epi").run()
    app.button(key="go_on:Episode").click().run()
    assert app.text_area(key="draft").value == "MATCH (e:Episode"


def test_a_question_that_is_not_there_is_named(visit: Open) -> None:
    assert "There is no “nope” in this graph" in shown(visit("cypher", question="nope"))
