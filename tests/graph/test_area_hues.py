"""The colours of areas: no two that touch share one."""

from dataclasses import replace

from tests.graph.builds import shipped
from torchatlas.graph.drawing import HUES, area_hues, neighbours
from torchatlas.graph.model import Concept, Snapshot


def test_no_neighbours_share_a_hue_and_all_hues_are_used() -> None:
    graph = shipped()
    hues, near = area_hues(graph), neighbours(graph)
    assert len(hues) > 12 and set(hues.values()) == set(HUES)
    assert min(len(near[area]) for area in hues) >= 2
    assert not [(a, b) for a in hues for b in near[a] if b in hues and hues[a] == hues[b]]
    turned = replace(graph, concepts=graph.concepts[::-1], episodes=graph.episodes[::-1])
    assert area_hues(turned) == hues


def test_more_neighbours_than_hues_share_some() -> None:
    concepts = tuple(Concept(f"c{i}", f"c{i}", area=f"Area {i}", x=i) for i in range(9))
    assert len(area_hues(Snapshot(concepts))) == 9
