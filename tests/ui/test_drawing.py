"""Neighbourhoods, layers and the colours of areas: what is needed lies below, and every name has room."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations

import pytest

from tests.atlas import snapshot
from tests.graph.builds import graph, shipped
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.ui import drawing
from torchatlas.ui.drawing import area_hues, neighbourhood, neighbourhood_svg, neighbours, width

GRAPH = snapshot()
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#9AA3B0"


def surroundings(graph: Snapshot, centre: str, radius: int = 1) -> dict[str, tuple[int, int]]:
    return drawing.ego_layout(graph, neighbourhood(graph, centre, radius)[0])


@pytest.mark.parametrize("radius", [1, 2])
def test_every_neighbourhood_fits_the_page_and_names_keep_apart(radius: int) -> None:
    graph = shipped()
    for centre in [*list(graph.concept)[::40], *list(graph.episode)[::5], "dispatcher", "autograd"]:
        near, steps = (neighbourhood(graph, centre, r)[0] for r in (1, radius))
        places = drawing.ego_layout(graph, steps)
        assert set(places) == set(steps) and places[centre] == (0, 0)
        assert len(places) <= (drawing.LIMIT if radius == 1 else max(drawing.FURTHER, len(near)))
        half = {n: width(graph.name_of(n)) / 2 for n in places}
        ends = [(x - half[n] / drawing.ZOOM, x + half[n] / drawing.ZOOM) for n, (x, _) in places.items()]
        assert max(end for _, end in ends) - min(begin for begin, _ in ends) <= drawing.ACROSS * 1.3
        for (a, (ax, ay)), (b, (bx, by)) in combinations(places.items(), 2):  # at the smallest zoom
            assert abs(ay - by) >= drawing.ROW or abs(ax - bx) * drawing.ZOOM > half[a] + half[b], (a, b)
        for r in (r for node in places for r in graph.required_by.get(node, ())):
            assert r.target not in places or places[r.target][1] > places[r.source][1]


def test_needs_lie_below_the_chosen_what_builds_on_it_above_and_episodes_beside() -> None:
    places = surroundings(GRAPH, "autograd")
    assert places["view"][1] > 0 > places["dispatcher"][1]
    assert places["show-autograd"][0] > max(x for n, (x, _) in places.items() if n in GRAPH.concept)
    # below an episode lies what it assumes, above what it teaches, but prerequisites win
    places = surroundings(graph(teaches="e a ~c", assumes="e b", requires="b c"), "e")
    assert places["a"][1] < 0 and places["c"][1] > places["b"][1]
    assert len(set(surroundings(graph(requires="a b, b c, c a"), "a").values())) == 3  # a circle is drawn too


def test_of_many_neighbours_the_nearest_are_shown_and_the_rest_is_counted() -> None:
    many = graph(requires=", ".join(["far n050", "n051 n050", *(f"n{i:03} hub" for i in range(100))]))
    near, hidden = neighbourhood(many, "hub")
    assert (len(near), hidden) == (drawing.LIMIT, 101 - drawing.LIMIT)
    assert (near["hub"], near["n050"]) == (0, 1)  # the one with most ties
    assert neighbourhood(many, "far")[0] == {"far": 0, "n050": 1}
    assert neighbourhood(many, "far", 2)[0] == {"far": 0, "n050": 1, "n051": 2, "hub": 2}
    for draw in (neighbourhood, neighbourhood_svg):
        with pytest.raises(KeyError):
            draw(many, "nothing")


def test_the_order_of_the_input_does_not_matter() -> None:
    turned = Snapshot(**{name: group[::-1] for name, group in vars(GRAPH).items() if isinstance(group, tuple)})
    for centre in GRAPH.concept:
        assert surroundings(GRAPH, centre, 2) == surroundings(turned, centre, 2)


@pytest.mark.parametrize("centre", ["view", "show-strides", "hostile", "extra-09"])
def test_each_node_is_drawn_once_at_its_place_and_named_within_the_picture(centre: str) -> None:
    root = ET.fromstring(neighbourhood_svg(GRAPH, centre).svg)
    circles, texts = ([node for node in root.iter() if node.tag.endswith("}" + tag)] for tag in ("circle", "text"))
    places = surroundings(GRAPH, centre)
    drawn = {(int(c.attrib["cx"]), int(c.attrib["cy"])): c.attrib["fill"] for c in circles}
    assert drawn == {place: ORANGE if id_ in GRAPH.episode else BLUE for id_, place in places.items()}
    written = "".join(str(text.text) for text in texts).replace(" ", "")
    assert all(GRAPH.name_of(id_)[:40].replace(" ", "") in written for id_ in places)
    assert neighbourhood_svg(GRAPH, centre).nodes == len(places)
    around = f"{counted(len(places), 'node')} around {GRAPH.name_of(centre)[:40]}"
    assert root.attrib["role"] == "img" and root.attrib["aria-label"].startswith(around)
    left, top, wide, height = map(float, root.attrib["viewBox"].split())
    for node in (*circles, *texts):
        x, y = (float(node.attrib.get(name, node.attrib.get(f"c{name}", ""))) for name in "xy")
        half = 3.5 * len(node.text or "")
        assert left <= x - half and x + half <= left + wide and top <= y - 6 and y + 3 <= top + height


def test_a_line_has_the_colour_of_the_edge() -> None:
    at, found = {place: id_ for id_, place in surroundings(GRAPH, "view").items()}, {}
    for line in (n for n in ET.fromstring(neighbourhood_svg(GRAPH, "view").svg).iter() if n.tag.endswith("}line")):
        x1, y1, x2, y2 = (int(float(line.attrib[name])) for name in ("x1", "y1", "x2", "y2"))
        found[frozenset({at.get((x1, y1)), at.get((x2, y2))})] = line.attrib["stroke"]
    wanted = {"strides": BLUE, "autograd": BLUE, "show-view": ORANGE, "tensor": GREY}  # the last is a part of it
    assert {other: found[frozenset({"view", other})] for other in wanted} == wanted


def test_no_neighbours_share_a_hue_unless_there_are_more_and_all_hues_are_used() -> None:
    graph = shipped()
    hues, near = area_hues(graph), neighbours(graph)
    assert len(hues) > 12 and set(hues.values()) == set(drawing.HUES)
    assert min(len(near[area]) for area in hues) >= 2
    assert not [(a, b) for a in hues for b in near[a] if b in hues and hues[a] == hues[b]]
    assert area_hues(replace(graph, concepts=graph.concepts[::-1], episodes=graph.episodes[::-1])) == hues
    concepts = tuple(Concept(f"c{i}", f"c{i}", area=f"Area {i}", x=i) for i in range(9))
    assert len(area_hues(Snapshot(concepts))) == 9
