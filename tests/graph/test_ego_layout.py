"""A neighbourhood as a picture: what is needed lies below, and every name has room, for every node that ships."""

from itertools import combinations

import pytest

from tests.atlas import snapshot
from tests.graph.builds import shipped
from torchatlas.graph.drawing import ACROSS, FURTHER, LIMIT, ROW, ZOOM, ego_layout, neighbourhood, width
from torchatlas.graph.model import Assumes, Concept, Episode, Requires, Snapshot, Teaches


def requires(source: str, target: str) -> Requires:
    return Requires(source, target, need="hear", reason="made up")


def check_names_keep_apart(graph: Snapshot, layout: dict[str, tuple[int, int]]) -> None:
    """No two names touch at the smallest zoom, with 12 pixels of height to a line."""
    for (a, (ax, ay)), (b, (bx, by)) in combinations(layout.items(), 2):
        wide = (width(graph.name_of(a)) + width(graph.name_of(b))) / 2
        assert abs(ay - by) >= ROW or abs(ax - bx) * ZOOM > wide, (a, b)


@pytest.mark.parametrize("radius", [1, 2])
def test_every_neighbourhood_fits_the_page_and_names_keep_apart(radius: int) -> None:
    graph = shipped()
    for centre in [*list(graph.concept)[::40], *list(graph.episode)[::5], "dispatcher", "autograd"]:
        around = neighbourhood(graph, centre, radius)
        layout = ego_layout(graph, around)
        assert set(layout) == set(around.steps)
        assert len(layout) <= (LIMIT if radius == 1 else max(FURTHER, len(neighbourhood(graph, centre).steps)))
        assert layout[centre] == (0, 0)
        half = {n: width(graph.name_of(n)) / ZOOM / 2 for n in layout}
        assert (
            max(x + half[n] for n, (x, _) in layout.items()) - min(x - half[n] for n, (x, _) in layout.items())
            <= ACROSS * 1.3
        )
        check_names_keep_apart(graph, layout)
        for r in (r for node in layout for r in graph.required_by.get(node, ())):
            assert r.target not in layout or layout[r.target][1] > layout[r.source][1]


def test_needs_lie_below_the_chosen_what_builds_on_it_above_and_episodes_beside() -> None:
    graph = snapshot()
    layout = ego_layout(graph, neighbourhood(graph, "autograd"))
    assert layout["view"][1] > 0 > layout["dispatcher"][1]
    assert layout["show-autograd"][0] > max(x for n, (x, _) in layout.items() if n in graph.concept)


def test_what_an_episode_assumes_lies_below_and_what_it_teaches_above() -> None:
    graph = Snapshot(
        tuple(Concept(i, i, area="x") for i in "abc"),
        (Episode("e", "e", show="s"),),
        teaches=(Teaches("e", "a", depth="main"), Teaches("e", "c", depth="part")),
        assumes=(Assumes("e", "b", how="silent"),),
        requires=(requires("b", "c"),),  # it assumes what needs what it teaches: prerequisites win
    )
    places = ego_layout(graph, neighbourhood(graph, "e"))
    assert places["a"][1] < 0
    assert places["c"][1] > places["b"][1]


def test_a_circle_of_needs_is_drawn_too() -> None:
    pairs = ("a", "b"), ("b", "c"), ("c", "a")
    graph = Snapshot(tuple(Concept(i, i, area="x") for i in "abc"), requires=tuple(requires(*p) for p in pairs))
    layout = ego_layout(graph, neighbourhood(graph, "a"))
    assert len(set(layout.values())) == 3


def test_of_many_neighbours_the_nearest_are_shown_and_the_rest_is_counted() -> None:
    names = [f"n{i:03}" for i in range(100)]
    graph = Snapshot(
        (Concept("hub", "hub", area="x"), *(Concept(i, i, area="x") for i in names), Concept("far", "far", area="x")),
        requires=(*(requires(i, "hub") for i in names), requires("far", "n050"), requires("n051", "n050")),
    )
    near = neighbourhood(graph, "hub")
    assert (len(near.steps), near.hidden) == (LIMIT, 101 - LIMIT)
    assert near.steps["hub"] == 0
    assert near.steps["n050"] == 1  # the one with most ties
    assert neighbourhood(graph, "far").steps == {"far": 0, "n050": 1}
    assert neighbourhood(graph, "far", 2).steps == {"far": 0, "n050": 1, "n051": 2, "hub": 2}
    with pytest.raises(KeyError):
        neighbourhood(graph, "nothing")


def test_the_order_of_the_input_does_not_matter() -> None:
    graph = snapshot()
    turned = Snapshot(
        graph.concepts[::-1], graph.episodes[::-1], teaches=graph.teaches[::-1], requires=graph.requires[::-1],
        related_to=graph.related_to[::-1], assumes=graph.assumes, concept_relations=graph.concept_relations,
        listen_after=graph.listen_after,
    )  # fmt: skip
    for centre in graph.concept:
        one, other = (ego_layout(g, neighbourhood(g, centre, 2)) for g in (graph, turned))
        assert one == other
