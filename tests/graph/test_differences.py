"""The differences of two graphs: nodes, edges, and the plans that follow from them."""

from dataclasses import replace

from hypothesis import given, settings

from tests.atlas import snapshot
from tests.strategies import snapshots, times
from torchatlas.graph.answers import Differences
from torchatlas.graph.model import TABLES, Concept, Episode, Requires, Show, Snapshot, Teaches
from torchatlas.graph.planning.plan import make_plan, paths, plan_changes
from torchatlas.graph.views import BY_WEIGHT, changes

OLD = snapshot()


def test_every_label_and_type_is_compared() -> None:
    assert sorted(BY_WEIGHT) == sorted(TABLES)


def test_added_removed_and_changed_are_told_with_what_changed() -> None:
    episodes = (*OLD.episodes, Episode("new", "New one", show="The Show", number=7))
    episodes = tuple(replace(e, minutes=50, guests=()) if e.id == "show-view" else e for e in episodes)
    new = replace(OLD, episodes=episodes, listen_after=(), teaches=(*OLD.teaches, Teaches("new", "view", depth="part")))
    assert [(c.table, str(c)) for c in changes(OLD, new)] == [
        ("Episode", "added: #7 New one"),
        ("Episode", "changed: #3 On view (minutes and guests)"),
        ("TEACHES", "added: #7 New one explains __torch_function__"),
        ("LISTEN_AFTER", "removed: #2 On strides goes after #1 On tensor"),
    ]


def test_a_show_with_the_id_of_a_concept_does_not_lend_it_its_name() -> None:
    hum, dee = Concept("hum", "humming", area="Sounds"), Concept("dee", "dee", area="Sounds")
    old = Snapshot((hum, dee), shows=(Show("hum", "The Hum"),))
    new = replace(old, requires=(Requires("dee", "hum", need="hear", reason="so"),))
    assert [c.name for c in changes(old, new)] == ["dee needs humming"]


def test_a_node_that_only_moves_on_the_map_has_not_changed() -> None:
    assert changes(OLD, replace(OLD, concepts=tuple(replace(c, x=c.x + 9) for c in OLD.concepts))) == ()


def test_edges_of_old_nodes_come_before_those_that_a_new_node_brings() -> None:
    episodes = (*OLD.episodes, Episode("new", "A", show="The Show"))
    brought, between = Teaches("new", "view", depth="part"), Teaches("show-view", "tensor", depth="part")
    found = changes(OLD, replace(OLD, episodes=episodes, teaches=(*OLD.teaches, brought, between)))
    assert [c.ids for c in found if c.table == "TEACHES"] == [("show-view", "tensor"), ("new", "view")]


@settings(max_examples=times(20))
@given(snapshots(), snapshots())
def test_the_way_back_is_the_same_with_added_and_removed_exchanged(one: Snapshot, other: Snapshot) -> None:
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    there = {(c.table, c.ids, c.how, c.properties) for c in changes(one, other)}
    assert there == {(c.table, c.ids, turned[c.how], c.properties) for c in changes(other, one)}
    assert changes(one, one) == ()


def test_the_plans_that_are_compared_are_those_that_are_made() -> None:
    for goal, path in paths(OLD).items():
        assert path == tuple(step.episode_id for step in make_plan(OLD, [goal]).steps)


def test_a_need_less_takes_an_episode_out_of_the_plans_above_it_and_a_need_more_brings_one_in() -> None:
    requires = tuple(r for r in OLD.requires if (r.source, r.target) != ("view", "strides"))
    found, compared = plan_changes(OLD, replace(OLD, requires=requires))
    assert compared == len(paths(OLD))
    by_goal = {change.id: change for change in found}
    assert {e.id for e in by_goal["view"].goes_out} == {"show-strides", "show-tensor"}
    assert "strides" not in by_goal and not by_goal["view"].comes_in
    more = Requires("hostile", "strides", need="hear", reason="It stands on strides.")
    found, _ = plan_changes(OLD, replace(OLD, requires=(*OLD.requires, more)))
    assert [(c.id, "show-strides" in {e.id for e in c.comes_in}) for c in found] == [("hostile", True)]


def test_a_goal_that_comes_or_goes_is_a_plan_that_differs() -> None:
    new = replace(OLD, teaches=tuple(t for t in OLD.teaches if t.target != "hostile"))
    there, back = plan_changes(OLD, new), plan_changes(new, OLD)
    assert [c.id for c in there[0]] == [c.id for c in back[0]] == ["hostile"]
    assert there[0][0].goes_out == back[0][0].comes_in != () and there[1] == back[1]


def test_headings_count_and_nothing_is_nothing() -> None:
    new = replace(OLD, listen_after=())
    plans, compared = plan_changes(OLD, new)
    assert list(Differences(plans, changes(OLD, new), compared=compared).groups)[-1] == "LISTEN_AFTER: 1 removed"
    assert Differences((), (), compared=9)._repr_markdown_() == "- compared: 9"
