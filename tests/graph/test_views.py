"""Chains, gaps, counts and differences of a graph."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.atlas import snapshot
from tests.graph.builds import changed, edges, graph
from tests.strategies import snapshots, times
from torchatlas.graph import model
from torchatlas.graph.answers import Differences
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot, Teaches
from torchatlas.graph.planning.plan import make_plan, paths, plan_changes
from torchatlas.graph.views import BY_WEIGHT, chain, changes, find_gaps

NEEDS = "c b: c stands on b, b a bridge: b stands on a, d a bridge: d stands on a"
GUESS = Requires("c", "d", need="bridge", reason="by a sentence", origin="inferred", confidence=0.8)
GRAPH = graph(
    teaches="ea a, eb b, ec c, ed ~c",
    assumes=(model.Assumes("eb", "d", how="silent", at=9, why="it leans on it"),),
    requires=(*edges("requires", NEEDS), GUESS),
    listen_after="ed ec: hear c first",
)
FROM_TEXT = Teaches("eb", "b", depth="main", origin="declared", evidence="b", field="title", start=3)
TOLD = "eb TEACHES b None declared: b, b REQUIRES a bridge curated: b stands on a, ea TEACHES a None curated: told"
JUDGED = Teaches("ea", "a", depth="main", evidence="a thing", why="told")


@pytest.mark.parametrize(
    ("where", "ends", "steps"),
    [
        # the shortest way down, and what is said goes before what is inferred
        (GRAPH, "a c", "c REQUIRES b hear curated: c stands on b, b REQUIRES a bridge curated: b stands on a"),
        (GRAPH, "c a", ""),
        (GRAPH, "a a", ""),
        # between episodes by what they assume, explain and declare
        (GRAPH, "ec ed", "ed LISTEN_AFTER ec None declared: hear c first"),
        (GRAPH, "d eb", "eb ASSUMES d None declared: it leans on it"),
        (replace(GRAPH, teaches=(FROM_TEXT, JUDGED)), "ea eb", TOLD),
        *((graph(teaches="ea a, eb a"), ends, "") for ends in ("ea eb", "eb ea")),  # one subject has no order
    ],
)
def test_what_comes_first_is_told_step_by_step(where: Snapshot, ends: str, steps: str) -> None:
    found = chain(where, *ends.split())
    assert ", ".join(f"{s.source} {s.kind} {s.target} {s.need} {s.origin}: {s.words}" for s in found) == steps
    assert [s.at for s in found if s.kind == "ASSUMES"] == [9] * ("ASSUMES" in steps)
    assert all(s.source_name == where.name_of(s.source) and s.target_name == where.name_of(s.target) for s in found)


@given(snapshots())
def test_there_is_a_chain_exactly_where_one_concept_is_below_the_other(whole: Snapshot) -> None:
    needed = Snapshot(whole.concepts, requires=whole.requires)
    for concept in needed.concepts[:3]:
        below = model.closure(needed.required_by, [concept.id])
        for other in set(needed.concepts) - {concept}:
            assert bool(chain(needed, other.id, concept.id)) == (other.id in below)


NAMES = {"new": "new way", "old": "old way", "lone": "lone", "taken": "taken for granted"}
GAPS = graph(
    concepts=tuple(
        Concept(c, name, area="Area", source_paths=(f"aten/{c}.cpp",) if c in ("lone", "taken") else ())
        for c, name in NAMES.items()
    ),
    episodes=(Episode("e1", "One", show="Show"), Episode("e2", "Two", show="Show", basis="title")),
    teaches="e1 old, e2 new",
    assumes="e1 taken, e2 taken old",
    requires=(Requires("new", "old", need="bridge", reason="so it seems", origin="inferred", confidence=0.6),),
    concept_relations="old SUPERSEDED_BY new: it is better",
)


def test_each_kind_of_gap_is_found_and_what_is_firm_taught_or_joined_is_none() -> None:
    gaps = find_gaps(GAPS)
    assert [(g.id, g.count, g.words) for g in gaps.untaught] == [("taken", 2, "assumed by One and Two")]
    assert gaps.untaught[0].link == "https://github.com/pytorch/pytorch/blob/main/aten/taken.cpp"
    title = ("e2", "the map knows it only by its title")
    assert [(g.id, g.words) for g in gaps.thin] == [("new", "inferred with a confidence of 0.60"), title]
    assert [g.id for g in gaps.orphans] == ["lone"]
    old = ("old", "superseded by new way, and still the subject of One")
    assert [(g.id, g.words) for g in gaps.superseded] == [old]
    firm = (replace(GAPS.requires[0], confidence=0.9),)
    gaps = find_gaps(changed(GAPS, requires=firm, teaches="e1 old ~taken ~lone"))
    assert (gaps.untaught, [g.id for g in gaps.thin], gaps.orphans) == ((), ["e2"], ())


OLD = snapshot()
NEW = (*OLD.episodes, Episode("new", "New one", show="The Show", number=0))
BROUGHT, BETWEEN = (Teaches(episode, c, depth="part") for episode, c in (("new", "view"), ("show-view", "tensor")))
OTHERWISE = tuple(replace(e, minutes=50, guests=()) if e.id == "show-view" else e for e in NEW)
HUM = Snapshot((Concept("hum", "humming", area="Sounds"), Concept("dee", "dee", area="Sounds")))
HUM = replace(HUM, shows=(model.Show("hum", "The Hum"),))
NODES = "added: #0 New one; changed: #3 On view (minutes and guests)"
EDGES = "added: #3 On view explains tensor idea; added: #0 New one explains __torch_function__"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            OLD,
            changed(OLD, episodes=OTHERWISE, listen_after=()),
            f"{NODES}; removed: #2 On strides goes after #1 On tensor",
        ),
        # edges of old nodes come before those that a new node brings
        (OLD, changed(OLD, episodes=NEW, teaches=(*OLD.teaches, BROUGHT, BETWEEN)), f"added: #0 New one; {EDGES}"),
        (OLD, changed(OLD, concepts=(replace(c, x=c.x + 9) for c in OLD.concepts)), ""),  # no place on the map
        # a show with the id of a concept does not lend it its name
        (HUM, changed(HUM, requires="dee hum"), "added: dee needs humming"),
    ],
)
def test_added_removed_and_changed_are_told_with_what_changed(old: Snapshot, new: Snapshot, told: str) -> None:
    assert "; ".join(map(str, changes(old, new))) == told
    assert sorted(BY_WEIGHT) == sorted(model.TABLES)


@settings(max_examples=times(20))
@given(snapshots(), snapshots())
def test_the_way_back_is_the_same_with_added_and_removed_exchanged(one: Snapshot, other: Snapshot) -> None:
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    there = {(c.table, c.ids, c.how, c.properties) for c in changes(one, other)}
    assert there == {(c.table, c.ids, turned[c.how], c.properties) for c in changes(other, one)}
    assert changes(one, one) == ()


def test_a_need_less_takes_an_episode_out_of_the_plans_above_it_and_a_need_more_brings_one_in() -> None:
    for goal, path in paths(OLD).items():
        assert path == tuple(step.episode_id for step in make_plan(OLD, [goal]).steps)
    requires = tuple(r for r in OLD.requires if (r.source, r.target) != ("view", "strides"))
    found, compared = plan_changes(OLD, replace(OLD, requires=requires))
    assert compared == len(paths(OLD))
    by_goal = {change.id: change for change in found}
    assert {e.id for e in by_goal["view"].goes_out} == {"show-strides", "show-tensor"}
    assert "strides" not in by_goal and not by_goal["view"].comes_in
    found, _ = plan_changes(OLD, changed(OLD, requires="+ hostile strides"))
    assert [(c.id, "show-strides" in {e.id for e in c.comes_in}) for c in found] == [("hostile", True)]


def test_a_goal_that_comes_or_goes_is_a_plan_that_differs_and_headings_count() -> None:
    new = replace(OLD, teaches=tuple(t for t in OLD.teaches if t.target != "hostile"))
    there, back = plan_changes(OLD, new), plan_changes(new, OLD)
    assert [c.id for c in there[0]] == [c.id for c in back[0]] == ["hostile"]
    assert there[0][0].goes_out == back[0][0].comes_in != () and there[1] == back[1]
    groups = Differences(there[0], changes(OLD, new), compared=there[1]).groups
    assert list(groups)[-1] == "TEACHES: 1 removed"
    assert Differences((), (), compared=9)._repr_markdown_() == "- compared: 9"
