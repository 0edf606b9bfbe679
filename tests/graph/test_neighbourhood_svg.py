"""A neighbourhood as SVG: every node once with its whole name, in its colour, and a line where an edge is."""

import re
import xml.etree.ElementTree as ET

import pytest

from tests.atlas import snapshot
from torchatlas.graph.drawing import ego_layout, neighbourhood, neighbourhood_svg

GRAPH = snapshot()
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#9AA3B0"


def parts(centre: str, tag: str) -> list[ET.Element]:
    root = ET.fromstring(neighbourhood_svg(GRAPH, centre).svg)
    return [node for node in root.iter() if node.tag.endswith("}" + tag)]


@pytest.mark.parametrize("centre", ["view", "show-strides", "hostile", "extra-09"])
def test_each_node_is_drawn_once_at_its_place_and_named(centre: str) -> None:
    around = neighbourhood(GRAPH, centre)
    places = ego_layout(GRAPH, around)
    drawn = {(int(c.attrib["cx"]), int(c.attrib["cy"])): c.attrib["fill"] for c in parts(centre, "circle")}
    assert drawn == {place: ORANGE if id_ in GRAPH.episode else BLUE for id_, place in places.items()}
    written = "".join(str(text.text) for text in parts(centre, "text")).replace(" ", "")
    assert all(GRAPH.name_of(id_)[:40].replace(" ", "") in written for id_ in around.steps)
    assert neighbourhood_svg(GRAPH, centre).nodes == len(around.steps)


def test_a_line_has_the_colour_of_the_edge() -> None:
    places = ego_layout(GRAPH, neighbourhood(GRAPH, "view"))
    at = {place: id_ for id_, place in places.items()}
    found = {}
    for line in parts("view", "line"):
        x1, y1, x2, y2 = (int(float(line.attrib[name])) for name in ("x1", "y1", "x2", "y2"))
        found[frozenset({at.get((x1, y1)), at.get((x2, y2))})] = line.attrib["stroke"]
    assert found[frozenset({"view", "strides"})] == found[frozenset({"view", "autograd"})] == BLUE
    assert found[frozenset({"view", "show-view"})] == ORANGE
    assert found[frozenset({"view", "tensor"})] == GREY  # a part of it


def test_all_of_it_lies_within_the_picture() -> None:
    root = ET.fromstring(neighbourhood_svg(GRAPH, "view").svg)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for node in (*parts("view", "circle"), *parts("view", "text")):
        x, y = (float(node.attrib[name]) for name in (("cx", "cy") if "cx" in node.attrib else ("x", "y")))
        half = 3.5 * len(node.text or "")
        assert left <= x - half and x + half <= left + width and top <= y - 6 and y + 3 <= top + height


def test_it_is_the_same_for_the_same_graph_and_names_what_it_shows() -> None:
    svg = neighbourhood_svg(GRAPH, "view").svg
    assert svg == neighbourhood_svg(snapshot(), "view").svg
    assert re.search(r'role="img" aria-label="\d+ nodes around __torch_function__"', svg)
    with pytest.raises(KeyError):
        neighbourhood_svg(GRAPH, "nobody")
