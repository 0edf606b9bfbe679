"""Pictures as values and as what vis-network is fed, a map of very many nodes, and the message that follows one."""

import json
from dataclasses import replace
from itertools import combinations
from operator import itemgetter
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from tests.atlas import HOSTILE, snapshot
from tests.graph.builds import changed
from tests.graph.builds import graph as build
from torchatlas.graph.answers import Related
from torchatlas.graph.model import Snapshot
from torchatlas.graph.views import episode_card
from torchatlas.profile import Profile
from torchatlas.ui import pictures
from torchatlas.ui.drawing import APART, area_hues
from torchatlas.ui.pictures import MapState, Matched, Payload, answer_picture, clustered, clusters, map_picture, payload

GRAPH = snapshot()


def test_episodes_alone_show_their_lines_and_can_stand_in_the_order_of_time() -> None:
    days = (None if e.number == 99 else f"2021-{1 + n % 12:02}-11" for n, e in enumerate(GRAPH.episodes))
    episodes = tuple(replace(e, published=day) for e, day in zip(GRAPH.episodes, days, strict=True))
    graph = replace(GRAPH, episodes=episodes)
    picture = pictures.episodes_picture(graph, by_time=True)
    across = [graph.episode[dot["id"]] for dot in sorted(picture.dots, key=itemgetter("x"))]
    dated = [(e.published, e.number or 0) for e in across if e.published]
    assert dated == sorted(dated) and len({dot["x"] for dot in picture.dots}) == 12
    assert len({dot["y"] for dot in picture.dots}) == 4  # three areas, and episodes that are in none
    assert [caption["text"] for caption in picture.captions] == ["2021", "Autograd", "Compilation", "Tensors"]
    told = {(line["from"], line["to"], line["quiet"]) for line in picture.lines}
    assert ("show-tensor", "show-strides", False) in told
    on_map = {dot["id"]: (dot["x"], dot["y"]) for dot in map_picture(graph).dots}
    assert all(on_map[dot["id"]] == (dot["x"], dot["y"]) for dot in pictures.episodes_picture(graph).dots)


def test_no_neighbouring_areas_share_a_colour() -> None:
    assert len({*area_hues(GRAPH).values()}) == 3


def test_resources_are_drawn_only_where_they_are_asked_for() -> None:
    graph, kinds = changed(GRAPH, docs="show-view"), ("all", "met", "read")
    whole, met, read = ({d["id"]: d["label"] for d in map_picture(graph, shown=kind).dots} for kind in kinds)
    assert read == {"show-view": "◆ On view", "view": "__torch_function__"} and "show-view" not in whole | met
    chosen = {d["id"]: d["group"] for d in map_picture(graph, beside=["show-view"]).dots}
    assert chosen.keys() - whole.keys() == {"show-view"} and chosen["show-view"] == "resource"


def test_lines_run_from_what_comes_first() -> None:
    lines = {(line["from"], line["to"]): line for line in map_picture(GRAPH).lines}
    assert lines["strides", "view"]["tip"] == "__torch_function__ needs strides idea: view stands on strides."
    assert not lines["show-tensor", "tensor"]["quiet"] and lines["show-tensor", "extra-00"]["quiet"]


def test_what_stands_out_is_shown_even_where_no_episode_touches_it() -> None:
    near = [Related("show-strides", "On strides", score=0.5, reasons=())]
    assert pictures.lit(episode_card(GRAPH, "show-view"), near) == ("show-strides", "show-view", "view")
    assert pictures.lit(None) == ()
    state = MapState(selected="view").of(GRAPH, Profile(heard=("show-view",)))  # who has heard it knows what is below
    assert (state.known, state.heard, state.selected) == (("strides", "tensor", "view"), ("show-view",), "view")
    assert pictures.shown_with(GRAPH, "met", "extra-20") == "all"
    assert pictures.shown_with(GRAPH, "met", "view") == pictures.shown_with(GRAPH, "met", None) == "met"
    assert pictures.shown_with(GRAPH, "episodes", "extra-20") == "episodes"


def test_the_payload_is_json_and_its_revision_follows_the_content() -> None:
    assert (
        payload(map_picture(Snapshot()))["nodes"] == payload(answer_picture(Snapshot(), Matched((), ())))["edges"] == []
    )
    everything = payload(map_picture(GRAPH))
    assert json.loads(json.dumps(everything)) == everything | {"captions": []}
    assert payload(map_picture(snapshot()))["rev"] == everything["rev"]
    part = map_picture(GRAPH, area="Autograd")
    assert payload(part)["rev"] != everything["rev"] and dict(part.areas) == area_hues(GRAPH)
    labels = {n["id"]: n["label"] for n in everything["nodes"]}
    assert labels["hostile"] == HOSTILE and labels["show-view"] == "▶ On view"
    assert all("color" not in n for n in everything["nodes"])


def test_a_neighbourhood_shows_every_line() -> None:
    picture = pictures.neighbourhood_picture(GRAPH, "view")
    high = {dot["id"]: dot["y"] for dot in picture.dots}
    assert picture.centre == "view" and high["strides"] > high["view"] == 0 > high["autograd"]
    assert {"show-view", "tensor"} <= set(high) and not any(line["quiet"] for line in picture.lines)
    lines = pictures.neighbourhood_picture(GRAPH, "show-aotautograd").lines
    told = {(line["from"], line["to"], line["kind"]) for line in lines}
    assert ("autograd", "show-aotautograd", "ASSUMES") in told


def test_a_group_opens_in_place_and_what_is_lit_is_drawn_too() -> None:
    picture = map_picture(GRAPH)
    assert clustered(picture) == picture
    few = clustered(picture, most=10)
    assert len(few.dots) + few.hidden == len(picture.dots)
    first = next(dot for dot in few.dots if dot.get("behind"))
    opened = clustered(picture, most=10, opened=[first["id"]])
    ids, group = {dot["id"] for dot in opened.dots}, {dot["id"] for dot in opened.dots if dot.get("opened")}
    assert ids == group | {dot["id"] for dot in few.dots} and len(group) == 1 + first["behind"] and first["id"] in group
    assert opened.hidden == few.hidden - first["behind"]
    assert all({line["from"], line["to"]} <= ids for line in opened.lines)
    for hidden in group:  # a node that is not drawn opens the same
        assert clustered(picture, most=10, opened=[hidden]) == opened
    assert clustered(picture, most=10, opened=["nothing"]) == few
    lit = next(dot["id"] for dot in picture.dots if dot["id"] not in ids)
    more = clustered(picture, most=10, opened=[first["id"], lit])
    assert {dot["id"] for dot in more.dots} == ids | {lit} and more.hidden == opened.hidden - 1
    numbers = [int(dot["label"].rpartition(" +")[2]) for dot in more.dots if dot.get("behind")]
    assert sum(numbers) == more.hidden


@given(st.sets(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda pair: pair[0] < pair[1]), max_size=40))
@example({(n, 60 + n % 4) for n in range(54)})  # more than stand side by side
def test_an_answer_is_drawn_from_what_comes_first_to_last_no_wider_than_a_page(pairs: set[tuple[int, int]]) -> None:
    found = build(requires=", ".join(f"n{later} n{earlier}" for earlier, later in sorted(pairs)))
    drawn = payload(answer_picture(found, Matched(tuple(found.concept), found.requires)))
    at = {node["id"]: (node["x"], node["y"]) for node in drawn["nodes"]}
    assert all(at[line["from"]][1] < at[line["to"]][1] for line in drawn["edges"])
    assert all(ay != by or abs(ax - bx) >= APART - 2 for (ax, ay), (bx, by) in combinations(at.values(), 2))
    assert max((abs(x) for x, _ in at.values()), default=0) <= 3 * APART


def test_what_is_circular_is_drawn_in_rows_all_the_same() -> None:
    found = build(requires="a b, b c, c a")
    drawn = payload(answer_picture(found, Matched(tuple(found.concept), found.requires)))
    assert len({node["y"] for node in drawn["nodes"]}) == 3 and len(drawn["edges"]) == 3


def dot(id_: str, x: int, y: int, area: str, weight: int) -> Payload:
    return {"id": id_, "x": x, "y": y, "area": area, "weight": weight}


PLACES, WEIGHTS = st.integers(-99, 99), st.integers(0, 9)
DOTS = st.builds(dot, st.uuids().map(str), PLACES, PLACES, st.sampled_from("abcd"), WEIGHTS)


@given(st.lists(DOTS, unique_by=itemgetter("id"), max_size=60), st.integers(1, 30), st.randoms())
def test_every_node_is_drawn_or_stands_behind_one_of_its_area(dots: list[Payload], most: int, rng: Random) -> None:
    found = clusters(dots, most)
    hidden = [id_ for of in found.values() for id_ in of]
    assert sorted([*found, *hidden]) == sorted(d["id"] for d in dots)
    assert len(found) <= max(most, 0) + 4
    area = {d["id"]: d["area"] for d in dots}
    assert all(area[id_] == area[landmark] for landmark, of in found.items() for id_ in of)
    rng.shuffle(dots)
    assert clusters(dots, most) == found


def test_a_node_stands_behind_the_nearest_one() -> None:
    dots = [dot(i, x, 0, "a", weight) for i, x, weight in (("left", 0, 9), ("right", 9, 9), ("lost", 6, 1))]
    assert clusters(dots, most=2) == {"left": (), "right": ("lost",)}
