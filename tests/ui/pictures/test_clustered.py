"""A map of ten thousand nodes: few are drawn, the rest is counted, and building the picture takes little time."""

from time import process_time

import pytest

from tests.atlas import large, snapshot
from torchatlas.graph.drawing import MOST
from torchatlas.ui.pictures import clustered, map_picture, payload


@pytest.mark.slow
def test_ten_thousand_nodes_are_drawn_as_few_in_little_time() -> None:
    graph = large()
    begun = process_time()
    picture = clustered(map_picture(graph))
    body = payload(picture)
    assert process_time() - begun < 5
    assert 0.9 * MOST < len(body["nodes"]) <= MOST + 20
    assert body["hidden"] == 10_000 - len(body["nodes"])
    assert f"{body['hidden']:,} nodes stand behind others" in picture.name
    ids = {node["id"] for node in body["nodes"]}
    assert body["edges"] and all({edge["from"], edge["to"]} <= ids for edge in body["edges"])
    numbers = [int(dot.label.rpartition(" +")[2]) for dot in picture.dots if " +" in dot.label]
    assert sum(numbers) == picture.hidden
    opened = clustered(map_picture(graph, "Area 3"))  # an area is a map of its own
    assert opened.hidden == 0 and 300 < len(opened.dots) < 1000


def test_a_map_that_can_be_drawn_stays_as_it_is() -> None:
    picture = map_picture(snapshot())
    assert clustered(picture) == picture
    few = clustered(picture, most=10)
    assert len(few.dots) + few.hidden == len(picture.dots)


def test_what_stands_behind_a_node_is_a_picture_of_its_own() -> None:
    picture = map_picture(snapshot())
    few = clustered(picture, most=10)
    first = next(dot for dot in few.dots if dot.behind)
    opened = clustered(picture, most=10, opened=first.id)
    ids = {dot.id for dot in opened.dots}
    assert first.id in ids and len(ids) == 1 + first.behind and opened.landmark == first.id and not opened.hidden
    assert all({line.source, line.target} <= ids for line in opened.lines)
    for hidden in ids:  # a node that is not drawn opens the same
        assert clustered(picture, most=10, opened=hidden) == opened
    assert clustered(picture, most=10, opened="nothing") == few
