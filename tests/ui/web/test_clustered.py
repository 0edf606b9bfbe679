"""A map of ten thousand nodes: few are drawn, the rest is counted, and building the picture takes little time."""

from random import Random
from time import process_time

import pytest

from tests.atlas import placed, snapshot
from torchatlas.graph.drawing.clusters import MOST
from torchatlas.graph.values.model import Concept, Episode, Requires, Snapshot, Teaches
from torchatlas.ui.web.clustered import clustered
from torchatlas.ui.web.draw import payload
from torchatlas.ui.web.view import map_picture


def large(count: int = 10_000) -> Snapshot:
    """A graph with so many nodes, half of them episodes, the same every time."""
    rng, half = Random(3), count // 2
    concepts = tuple(Concept(f"c{i}", f"concept {i}", area=f"Area {i % 16}") for i in range(half))
    episodes = tuple(Episode(f"e{i}", f"Episode {i}", show="Show", minutes=20) for i in range(half))
    needs = {(i, rng.randrange(i)) for i in range(1, half) for _ in range(2)}
    return placed(
        Snapshot(
            concepts,
            episodes,
            teaches=tuple(Teaches(f"e{i}", f"c{rng.randrange(half)}", depth="main") for i in range(half)),
            requires=tuple(Requires(f"c{a}", f"c{b}", need="hear", reason="made up") for a, b in sorted(needs)),
        )
    )


@pytest.mark.slow
def test_ten_thousand_nodes_are_drawn_as_few_in_little_time() -> None:
    graph = large()
    begun = process_time()
    picture = clustered(map_picture(graph))
    body = payload(picture)
    assert process_time() - begun < 5
    assert 0.9 * MOST < len(body["nodes"]) <= MOST + 20
    assert body["hidden"] == 10_000 - len(body["nodes"])
    assert f"{body['hidden']} nodes stand behind others" in picture.name
    ids = {node["id"] for node in body["nodes"]}
    assert body["edges"] and all({edge["from"], edge["to"]} <= ids for edge in body["edges"])
    numbers = [int(dot.label.rpartition(" +")[2]) for dot in picture.dots if " +" in dot.label]
    assert sum(numbers) == picture.hidden
    opened = clustered(map_picture(graph, "Area 3"))  # an area is a map of its own
    assert opened.hidden == 0 and 300 < len(opened.dots) < 1000


def test_a_map_that_can_be_drawn_stays_as_it_is() -> None:
    picture = map_picture(snapshot())
    assert clustered(picture) is picture
    few = clustered(picture, most=10)
    assert len(few.dots) + few.hidden == len(picture.dots)
