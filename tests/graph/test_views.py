"""Chains, gaps, counts and differences of a graph."""

from dataclasses import replace

from hypothesis import given, settings

from tests.atlas import snapshot
from tests.graph.builds import edges, graph
from tests.strategies import snapshots, times
from torchatlas.graph import model
from torchatlas.graph.answers import Differences
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot, Teaches
from torchatlas.graph.planning.plan import make_plan, paths, plan_changes
from torchatlas.graph.views import BY_WEIGHT, census, chain, changes, find_gaps

NEEDS = "c b: c stands on b, b a bridge: b stands on a, d a bridge: d stands on a"
GUESS = Requires("c", "d", need="bridge", reason="by a sentence", origin="inferred", confidence=0.8)
GRAPH = graph(
    teaches="ea a, eb b, ec c, ed ~c",
    assumes=(model.Assumes("eb", "d", how="silent", at=9, why="it leans on it"),),
    requires=(*edges("requires", NEEDS), GUESS),
    listen_after="ed ec: hear c first",
)


def walked(earlier: str, later: str) -> list[tuple[str, str, str]]:
    return [(step.source, step.kind, step.target) for step in chain(GRAPH, earlier, later)]


def test_between_concepts_it_is_the_shortest_way_down_and_what_is_said_goes_before_what_is_inferred() -> None:
    assert walked("a", "c") == [("c", "REQUIRES", "b"), ("b", "REQUIRES", "a")]
    first, second = chain(GRAPH, "a", "c")
    assert (first.source_name, first.target_name, first.words, first.need) == ("C", "B", "c stands on b", "hear")
    assert (second.words, second.origin) == ("b stands on a", "curated")
    assert walked("c", "a") == walked("a", "a") == []


def test_between_episodes_it_goes_by_what_they_assume_explain_and_declare() -> None:
    assert walked("ea", "ec") == [
        ("ec", "TEACHES", "c"), ("c", "REQUIRES", "b"), ("b", "REQUIRES", "a"), ("ea", "TEACHES", "a"),
    ]  # fmt: skip
    assert walked("ec", "ed") == [("ed", "LISTEN_AFTER", "ec")]
    assert walked("d", "eb") == [("eb", "ASSUMES", "d")]
    assert [step.at for step in chain(GRAPH, "d", "eb")] == [9]


def test_a_step_that_explains_says_why_it_does_or_what_its_text_says() -> None:
    from_text = Teaches("eb", "b", depth="main", origin="declared", evidence="b", field="title", start=3)
    judged = Teaches("ea", "a", depth="main", evidence="a thing", why="it is told from the start")
    said = replace(GRAPH, teaches=(from_text, judged))
    assert [(step.words, step.origin) for step in chain(said, "ea", "eb")] == [
        ("b", "declared"), ("b stands on a", "curated"), ("it is told from the start", "curated"),
    ]  # fmt: skip


def test_two_episodes_on_one_subject_come_in_no_order() -> None:
    same = graph(teaches="ea a, eb a")
    assert chain(same, "ea", "eb") == chain(same, "eb", "ea") == ()


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
    episodes=(
        Episode("e1", "One", show="Show"),
        Episode("e2", "Two", show="Show", basis="title", url="https://example.org/2"),
    ),
    links=(model.Link("l", "https://example.org/new-way", type="docs"),),
    teaches="e1 old, e2 new",
    assumes="e1 taken, e2 taken old",
    requires=(Requires("new", "old", need="bridge", reason="so it seems", origin="inferred", confidence=0.6),),
    cites=(model.Cites("e1", "l"),),
    concept_relations="old SUPERSEDED_BY new: it is better",
)


def test_each_kind_of_gap_is_found_and_nothing_else() -> None:
    gaps = find_gaps(GAPS)
    (untaught,) = gaps.untaught
    assert (untaught.id, untaught.count, untaught.words) == ("taken", 2, "assumed by One, Two")
    assert untaught.link == "https://github.com/pytorch/pytorch/blob/main/aten/taken.cpp"
    assert [(g.id, g.words) for g in gaps.thin] == [
        ("new", "inferred with a confidence of 0.60"),
        ("e2", "the map knows this episode only by its title"),
    ]
    assert [g.id for g in gaps.orphans] == ["lone"]
    assert [(g.id, g.words) for g in gaps.superseded] == [
        ("old", "superseded by new way, and still the subject of One")
    ]


def test_what_is_firm_taught_or_joined_is_no_gap() -> None:
    firm = replace(GAPS.requires[0], confidence=0.9)
    taught = (*GAPS.teaches, *edges("teaches", "e1 ~taken ~lone"))
    gaps = find_gaps(replace(GAPS, requires=(firm,), teaches=taught))
    assert (gaps.untaught, [g.id for g in gaps.thin], gaps.orphans) == ((), ["e2"], ())


def test_what_is_there_is_counted_with_an_example() -> None:
    graph = Snapshot(
        (Concept("a", "A", area="Area", definition="What it is."), Concept("b", "B", area="Area")),
        (Episode("e", "E", show="Show"),),
        teaches=(Teaches("e", "a", depth="main", at=3),),
    )
    counted = census(graph)
    kinds = {kind.name: kind for kind in (*counted.nodes, *counted.relationships)}
    assert (kinds["Concept"].count, kinds["Concept"].pattern) == (2, "(:Concept)")
    assert {p.name: p.count for p in kinds["Concept"].properties}["definition"] == 1
    assert kinds["TEACHES"].example == "(:Episode {id: 'e'})-[:TEACHES]->(:Concept {id: 'a'})"
    assert {p.name: p.type for p in kinds["TEACHES"].properties}["at"] == "integer"
    assert (kinds["PART_OF"].count, kinds["PART_OF"].example) == (0, None)


OLD = snapshot()


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
    old = Snapshot((hum, dee), shows=(model.Show("hum", "The Hum"),))
    new = replace(old, requires=(Requires("dee", "hum", need="hear", reason="so"),))
    assert [c.name for c in changes(old, new)] == ["dee needs humming"]


def test_every_label_and_type_is_compared_but_no_place_on_the_map() -> None:
    assert sorted(BY_WEIGHT) == sorted(model.TABLES)
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
