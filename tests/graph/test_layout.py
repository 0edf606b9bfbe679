"""The map's layout: height means order, areas together, everything with a place of its own that it keeps."""

from collections import defaultdict
from dataclasses import fields
from math import hypot
from random import Random
from statistics import mean

import pytest
from scipy.spatial import cKDTree

from tests.atlas import snapshot
from tests.graph import builds
from tests.graph.builds import shipped
from torchatlas.graph.layout import GAP, heights_and_sides, overview
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.graph.views import areas_of, concepts_in_episodes


def ten_more_episodes(graph: Snapshot, seed: int) -> Snapshot:
    """The graph with ten episodes on new concepts, which require old ones that episodes explain."""
    rng = Random(seed)
    known, areas = sorted(concepts_in_episodes(graph)), sorted({c.area for c in graph.concepts})
    taught = [f"new{seed}-{n} ~part{seed}-{n}" if rng.random() < 0.7 else f"new{seed}-{n}" for n in range(10)]
    new = [concept.strip("~") for told in taught for concept in told.split()]
    needs = [f"{concept} {below}" for concept in new for below in rng.sample(known, rng.randrange(4))]
    return builds.changed(
        graph,
        concepts=(*graph.concepts, *(Concept(id_, id_, area=rng.choice(areas)) for id_ in new)),
        episodes="+ " + " ".join(f"more{n}" for n in range(10)),
        teaches=", ".join(f"more{n} {told}" for n, told in enumerate(taught)),
        requires="+ " + ", ".join(needs),
    )


def test_a_prerequisite_lies_below_what_needs_it_and_the_map_has_the_shape_of_a_screen_under_each_filter() -> None:
    graph = shipped()
    places, met = overview(graph), concepts_in_episodes(graph)
    edges = [r for r in graph.requires if r.source in met and r.target in met]
    assert len(edges) > 800
    assert mean(places[r.target][1] > places[r.source][1] for r in edges) >= 0.9
    for shown in (set(places), met | set(graph.episode)):
        across, down = zip(*(places[n] for n in shown), strict=True)
        assert 1.4 < (max(across) - min(across)) / (max(down) - min(down)) < 1.8


def test_areas_hang_together_and_background_is_at_the_foot() -> None:
    places, areas, members = overview(shipped()), areas_of(shipped()), defaultdict(list)
    for node, area in areas.items():
        members[area].append(places[node])
    centre = {area: (mean(x for x, _ in of), mean(y for _, y in of)) for area, of in members.items()}
    far = {(n, a): hypot(places[n][0] - x, places[n][1] - y) for n in areas for a, (x, y) in centre.items()}
    own = [(areas[n] == area, distance) for (n, area), distance in far.items()]
    assert mean(d for is_own, d in own if is_own) < 0.3 * mean(d for is_own, d in own if not is_own)
    nodes = sorted(places)
    _, nearest = cKDTree([places[n] for n in nodes]).query([places[n] for n in nodes], k=2)
    assert mean(areas[nodes[i]] == areas[nodes[j]] for i, j in nearest) > 0.95
    assert max(centre, key=lambda area: centre[area][1]) == "Background"
    assert centre["Compilation"][1] < centre["Tensors and storage"][1]


@pytest.mark.parametrize("seed", range(4))
def test_ten_more_episodes_move_nothing_far(seed: int) -> None:
    graph = shipped()
    before, after = overview(graph), overview(ten_more_episodes(graph, seed))
    assert len(after) > len(before) + 20
    across = [x for x, _ in before.values()]
    far = max(hypot(after[n][0] - x, after[n][1] - y) for n, (x, y) in before.items())
    assert far <= 0.05 * (max(across) - min(across))


def test_each_node_has_a_place_of_its_own_whatever_the_order_of_the_graph() -> None:
    for graph in (snapshot(), shipped()):
        groups = {f.name: getattr(graph, f.name)[::-1] for f in fields(graph)}
        places = overview(graph)
        assert overview(Snapshot(**groups)) == places and set(places) == {*graph.concept, *graph.episode}
        assert all(type(x) is int and type(y) is int for x, y in places.values())
        assert not cKDTree([(x / GAP[0], y / GAP[1]) for x, y in places.values()]).query_pairs(0.9)
    # small graphs have a map too
    assert (overview(Snapshot()), overview(builds.graph("a"))) == ({}, {"a": (0, 0)})
    assert len(set(overview(builds.graph("a:x b:y")).values())) == 2


def test_heights_go_up_step_by_step_and_a_circle_stands_level() -> None:
    needs = "b a, c b, d a, d c, x y, y x, y d"
    ranks = heights_and_sides(builds.graph("z", "f", teaches="e c ~a", requires=needs))
    found = {node: height for node, (height, _) in ranks.items()}
    assert (found["a"], found["b"], found["c"], found["e"], found["f"], found["z"]) == (0, 1, 2, 2.5, 0, 0)
    assert 2 < found["d"] < 3  # the mean of 1 and 3, which leans to 3
    assert found["x"] == found["y"] == pytest.approx(found["d"] + 1)
