"""The map's layout: everything has a place of its own, the same every time, areas together."""

from itertools import combinations
from math import hypot
from statistics import mean

import pytest

from tests.atlas import snapshot
from torchatlas.graph.build.areas import areas_of
from torchatlas.graph.build.layout import GAP, overview
from torchatlas.graph.values.model import Concept, Snapshot


def test_every_concept_and_episode_has_a_place_of_its_own() -> None:
    graph = snapshot()
    places = overview(graph)
    assert set(places) == {c.id for c in graph.concepts} | {e.id for e in graph.episodes}
    assert all(type(x) is int and type(y) is int for x, y in places.values())
    for (ax, ay), (bx, by) in combinations(places.values(), 2):
        assert hypot((ax - bx) / GAP[0], (ay - by) / GAP[1]) > 0.9


@pytest.mark.slow
def test_the_same_graph_has_the_same_map_whatever_its_order() -> None:
    graph = snapshot()
    turned = Snapshot(
        graph.concepts[::-1], graph.episodes[::-1], teaches=graph.teaches[::-1], requires=graph.requires[::-1],
        concept_relations=graph.concept_relations,
    )  # fmt: skip
    assert overview(turned) == overview(graph)


def test_nodes_of_an_area_lie_together() -> None:
    graph = snapshot()
    places, areas = overview(graph), areas_of(graph)

    def apart(a: str, b: str) -> float:
        return hypot(places[a][0] - places[b][0], places[a][1] - places[b][1])

    pairs = [(apart(a, b), areas[a] == areas[b]) for a, b in combinations(sorted(places), 2) if areas[a] and areas[b]]
    assert mean(d for d, same in pairs if same) < 0.7 * mean(d for d, same in pairs if not same)


def test_small_graphs_have_a_map_too() -> None:
    assert overview(Snapshot()) == {}
    assert overview(Snapshot((Concept("a", "a", area="x"),))) == {"a": (0, 0)}
    assert len(set(overview(Snapshot((Concept("a", "a", area="x"), Concept("b", "b", area="y")))).values())) == 2
