"""Very many nodes on the map: the weightiest are drawn, and every other one is behind a neighbour of its area."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from torchatlas.ui.pictures import MOST, Dot, clusters


def dot(id_: str, x: int, y: int, area: str, weight: int) -> Dot:
    return Dot(id_, "concept", label=id_, tooltip="", x=x, y=y, area=area, weight=weight)


PLACES, WEIGHTS = st.integers(-99, 99), st.integers(0, 9)
DOTS = st.builds(dot, st.uuids().map(str), PLACES, PLACES, st.sampled_from("abcd"), WEIGHTS)


def many(count: int) -> list[Dot]:
    rng = Random(7)
    return [
        dot(f"n{i}", rng.randrange(9000), rng.randrange(6000), rng.choice("abcdefgh"), rng.randrange(30))
        for i in range(count)
    ]


@given(st.lists(DOTS, unique_by=lambda d: d.id, max_size=60), st.integers(1, 30), st.randoms())
def test_every_node_is_drawn_or_stands_behind_one_of_its_area(dots: list[Dot], most: int, rng: Random) -> None:
    found = clusters(dots, most)
    hidden = [id_ for of in found.values() for id_ in of]
    assert sorted([*found, *hidden]) == sorted(d.id for d in dots)
    assert len(found) <= max(most, 0) + 4
    area = {d.id: d.area for d in dots}
    assert all(area[id_] == area[landmark] for landmark, of in found.items() for id_ in of)
    rng.shuffle(dots)
    assert clusters(dots, most) == found


def test_ten_thousand_nodes_are_drawn_as_few() -> None:
    dots = many(10_000)
    found = clusters(dots)
    assert 0.95 * MOST < len(found) <= MOST + 8
    weight = {d.id: d.weight for d in dots}
    assert min(weight[i] for i in found) >= max(weight[i] for of in found.values() for i in of) - 1
    share = Counter(d.area for d in dots if d.id in found)
    assert max(share.values()) < 1.2 * min(share.values())


def test_a_node_stands_behind_the_nearest_one() -> None:
    dots = [dot(i, x, 0, "a", weight) for i, x, weight in (("left", 0, 9), ("right", 9, 9), ("lost", 6, 1))]
    assert clusters(dots, most=2) == {"left": (), "right": ("lost",)}


def test_a_map_that_can_be_drawn_is_not_clustered() -> None:
    assert set(clusters(many(MOST)).values()) == {()}
