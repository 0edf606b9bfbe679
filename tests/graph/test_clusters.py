"""Very many nodes on the map: the weightiest are drawn, and every other one is behind a neighbour of its area."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.drawing import MOST, Mark, clusters

MARKS = st.builds(
    Mark, st.uuids().map(str), x=st.integers(-99, 99), y=st.integers(-99, 99), area=st.sampled_from("abcd"),
    weight=st.integers(0, 9),
)  # fmt: skip


def many(count: int) -> list[Mark]:
    rng = Random(7)
    return [
        Mark(
            f"n{i}", x=rng.randrange(9000), y=rng.randrange(6000), area=rng.choice("abcdefgh"), weight=rng.randrange(30)
        )
        for i in range(count)
    ]


@given(st.lists(MARKS, unique_by=lambda m: m.id, max_size=60), st.integers(1, 30), st.randoms())
def test_every_node_is_drawn_or_stands_behind_one_of_its_area(marks: list[Mark], most: int, rng: Random) -> None:
    kept = rng.sample(sorted(m.id for m in marks), min(3, len(marks)))
    found = clusters(marks, most, kept)
    hidden = [id_ for of in found.values() for id_ in of]
    assert sorted([*found, *hidden]) == sorted(m.id for m in marks)
    assert set(kept) <= set(found) or len(marks) <= most
    assert len(found) <= max(most, 0) + 4 + len(kept)
    area = {m.id: m.area for m in marks}
    assert all(area[id_] == area[landmark] for landmark, of in found.items() for id_ in of)
    rng.shuffle(marks)
    assert clusters(marks, most, kept) == found


def test_ten_thousand_nodes_are_drawn_as_few() -> None:
    marks = many(10_000)
    found = clusters(marks, keep=["n17"])
    assert 0.95 * MOST < len(found) <= MOST + 8
    assert "n17" in found
    weight = {m.id: m.weight for m in marks}
    assert min(weight[i] for i in found if i != "n17") >= max(weight[i] for of in found.values() for i in of) - 1
    share = Counter(m.area for m in marks if m.id in found)
    assert max(share.values()) < 1.2 * min(share.values())


def test_a_node_stands_behind_the_nearest_one() -> None:
    marks = [Mark(i, x=x, y=0, area="a", weight=w) for i, x, w in (("left", 0, 9), ("right", 9, 9), ("lost", 6, 1))]
    assert clusters(marks, most=2) == {"left": (), "right": ("lost",)}


def test_a_map_that_can_be_drawn_is_not_clustered() -> None:
    assert set(clusters(many(MOST)).values()) == {()}
