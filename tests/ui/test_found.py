from graph.answers import Table
from tests.atlas import snapshot
from ui.found import nodes_in


def test_nodes_paths_lists_and_bare_ids_are_found_once_in_their_order() -> None:
    path = {"_nodes": [{"_label": "Concept", "id": "view"}, {"_label": "Link", "id": "bad"}], "_relationships": []}
    rows = (({"_label": "Episode", "id": "show-view", "title": "tensor"}, "strides"), (path, ["view", "tensor", 3]))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("show-view", "strides", "view", "tensor")


def test_maps_are_looked_into_and_anything_else_is_nothing() -> None:
    rows = (({"made": {"of": "view"}}, 3.5), (None, "no id"))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("view",)
