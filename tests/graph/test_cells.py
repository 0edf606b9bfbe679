import pytest

from torchatlas.graph.markdown import cell

NODE = {"_label": "Concept", "id": "view", "name": "view", "definition": "A long text.", "x": 1}
OTHER = {"_label": "Episode", "id": "s/1", "title": "On views"}
EDGE = {"_label": "TEACHES", "depth": "main", "quote": ""}


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
        (EDGE, "[:TEACHES {depth: main}]"),
        (
            {"_nodes": [OTHER, NODE], "_relationships": [EDGE | {"_source": "s/1", "_target": "view"}]},
            "(:Episode {id: s/1, name: On views}) -[:TEACHES]-> (:Concept {id: view, name: view})",
        ),
        (
            {"_nodes": [NODE, OTHER], "_relationships": [EDGE | {"_source": "s/1", "_target": "view"}]},
            "(:Concept {id: view, name: view}) <-[:TEACHES]- (:Episode {id: s/1, name: On views})",
        ),
    ],
)
def test_a_value_is_shown_as_cypher_writes_it(value: object, text: str) -> None:
    assert cell(value) == text
