"""The layered picture: arrows point down, nothing lies on anything, and order of input does not matter."""

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from networkx import NetworkXUnfeasible

from torchatlas.graph.drawing import APART, DOWN, layers

NODES = st.integers(1, 12).map(lambda n: [f"n{i}" for i in range(n)])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str]]]:
    nodes = draw(NODES)
    pairs = list(combinations(nodes, 2))
    return nodes, draw(st.lists(st.sampled_from(pairs), max_size=20)) if pairs else []


@given(graphs())
def test_every_edge_points_down_and_boxes_keep_apart(graph: tuple[list[str], list[tuple[str, str]]]) -> None:
    nodes, edges = graph
    places = layers(nodes, edges)
    assert all(places[a][1] < places[b][1] for a, b in edges)
    for (ax, ay), (bx, by) in combinations(places.values(), 2):
        assert ay != by or abs(ax - bx) >= APART - 2
    assert layers(nodes[::-1], edges[::-1]) == places


def test_a_chain_is_straight_and_a_circle_is_refused() -> None:
    assert {x for x, _ in layers("abc", [("a", "b"), ("b", "c")]).values()} == {0}
    assert layers([], []) == {}
    with pytest.raises(NetworkXUnfeasible):
        layers("ab", [("a", "b"), ("b", "a")])


@given(graphs())
@example((list("abcmz"), [("a", "b"), ("b", "c"), ("c", "z"), ("a", "m"), ("m", "z")]))
def test_what_leads_on_stands_just_above_the_first_that_it_leads_to(
    graph: tuple[list[str], list[tuple[str, str]]],
) -> None:
    nodes, edges = graph
    places = layers(nodes, edges)
    for node in {a for a, _ in edges}:
        assert min(places[b][1] for a, b in edges if a == node) - places[node][1] == DOWN
