import pytest

from tests.atlas import snapshot
from torchatlas.graph.answers import Table
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.queries import nodes_by_row, nodes_in


def test_nodes_paths_lists_and_bare_ids_are_found_once_in_their_order() -> None:
    path = {"_nodes": [{"_label": "Concept", "id": "view"}, {"_label": "Link", "id": "bad"}], "_relationships": []}
    rows = (({"_label": "Episode", "id": "show-view", "title": "tensor"}, "strides"), (path, ["view", "tensor", 3]))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("show-view", "strides", "view", "tensor")


def test_a_show_with_the_id_of_a_concept_is_no_concept() -> None:
    rows = (({"_label": "Show", "id": "view"}, {"_label": "Concept:Mine", "id": "strides"}),)
    assert nodes_in(Table(("s", "c"), rows), snapshot()) == ("strides",)


def test_maps_are_looked_into_and_anything_else_is_nothing() -> None:
    rows = (({"made": {"of": "view"}}, 3.5), (None, "no id"))
    assert nodes_in(Table(("a", "b"), rows), snapshot()) == ("view",)


@pytest.mark.slow
def test_names_count_where_no_column_has_ids_and_then_all_of_them_do() -> None:
    rows = (("view", "strides idea", "it is so"), ("strides", "tensor idea", "view"))
    assert nodes_in(Table(("id", "name", "why"), rows), snapshot()) == ("view", "strides")
    named = tuple(row[1:] for row in rows)
    assert nodes_in(Table(("name", "why"), named), snapshot()) == ("strides", "tensor")
    assert nodes_in(Table(("title",), (("On view",), ("On strides",))), snapshot()) == ("show-view", "show-strides")


def test_a_column_of_which_only_a_part_is_known_is_no_column_of_nodes() -> None:
    assert nodes_in(Table(("word",), (("view",), ("no id",))), snapshot()) == ()


def test_a_title_that_several_episodes_have_means_all_of_them() -> None:
    twins = Snapshot(episodes=tuple(Episode(f"{show}/intro", "Introduction", show=show) for show in ("alpha", "beta")))
    assert nodes_by_row(Table(("title",), (("Introduction",),)), twins) == (("alpha/intro", "beta/intro"),)
