"""Other routes to the goals of a plan, and what took the place of a goal."""

from dataclasses import replace

from hypothesis import given

from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.graph.plans import GRAPH, changed
from torchatlas.graph.answers import Plan
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Requires, Snapshot, Teaches
from torchatlas.graph.planning.plan import make_plan


def routes(plan: Plan) -> dict[str, tuple[list[str], str]]:
    return {r.name: ([s.title for s in r.steps], r.how) for r in plan.routes}


def test_the_shortest_route_keeps_what_must_be_heard_before_the_goal() -> None:
    assert routes(make_plan(GRAPH, ["compiler"])) == {
        "shortest": (["Base", "Middle", "Goal"], "15 min shorter: leaves out #4 Deep.")
    }
    assert not make_plan(GRAPH, ["compiler"], budget=60).routes  # it is the plan


def test_other_episodes_that_take_as_long_are_no_shorter_route() -> None:
    """E0 alone tells of the ground of E3, which the plan hears for the goal; both take 15 minutes."""
    taught = (("e0", "c0"), ("e1", "c1"), ("e2", "c2"), ("e2", "c3"), ("e3", "c0"), ("e3", "c3"))
    needs = (("c1", "c0"), ("c2", "c0"), ("c2", "c1"), ("c3", "c0"), ("c3", "c1"), ("c3", "c2"))
    graph = Snapshot(
        concepts=tuple(Concept(f"c{i}", f"C{i}", area="A") for i in range(4)),
        episodes=tuple(Episode(f"e{i}", f"E{i}", show="Show", number=i, minutes=15) for i in range(4)),
        teaches=tuple(Teaches(e, c, depth="main", weight=0.99 if (e, c) in taught[3:5] else 1.0) for e, c in taught),
        requires=tuple(
            Requires(a, b, need="worth" if (a, b) == needs[3] else "hear", reason="it rests") for a, b in needs
        ),
    )
    plan = make_plan(graph, ["c3"])
    assert plan.minutes == 45 and not plan.routes


def test_a_difference_by_an_episode_of_unknown_length_is_an_estimate() -> None:
    unknown = changed(episodes=[replace(e, minutes=None) if e.title == "Deep" else e for e in GRAPH.episodes])
    assert routes(make_plan(unknown, ["compiler"]))["shortest"][1] == "~11 min shorter: leaves out #4 Deep."


def test_the_gentlest_route_adds_what_is_worth_hearing_on_the_way() -> None:
    worth = changed(
        requires=[*GRAPH.requires, Requires("tracing", "island", need="worth", reason="it is where traces land")]
    )
    found = routes(make_plan(worth, ["compiler"]))
    titles, how = found["gentlest"]
    assert sorted(titles) == ["Aside", "Base", "Deep", "Goal", "Middle"]
    assert how == "5 min longer: adds #5 Aside. It explains Island, which the plan leaves to a sentence."
    assert "gentlest" not in routes(make_plan(worth, ["compiler"], budget=79))
    assert "gentlest" not in routes(make_plan(worth, ["compiler"], depth="thorough"))


def test_the_newest_route_leads_to_what_took_the_place_of_a_superseded_goal() -> None:
    """Island gave way to Lost and Lost to Partitioner, whose episode is Deep."""
    gone = [ConceptRelation(*pair, kind="SUPERSEDED_BY") for pair in (("island", "lost"), ("lost", "partitioner"))]
    graph = changed(concept_relations=gone)
    titles, how = routes(make_plan(graph, ["island"]))["newest"]
    assert titles == ["Base", "Middle", "Goal", "Deep"]
    assert how == (
        "1 h 10 min longer: adds #0 Base, #2 Middle, #3 Goal and #4 Deep; leaves out #5 Aside. "
        "It leads to Partitioner in place of Island."
    )
    assert routes(make_plan(graph, ["island"], budget=74))["newest"][0] == ["Base", "Middle", "Deep"]
    assert "newest" not in routes(make_plan(graph, ["island"], budget=14))
    assert "newest" not in routes(make_plan(graph, ["island"], known=["partitioner"]))
    assert "newest" not in routes(make_plan(graph, ["island", "partitioner"]))
    assert "newest" not in routes(make_plan(graph, ["compiler"]))


def test_no_route_leads_to_what_no_episode_explains() -> None:
    gone = ConceptRelation("island", "nobody", kind="SUPERSEDED_BY")
    assert not routes(make_plan(changed(requires=[], concept_relations=[gone]), ["island"]))


def test_a_route_to_a_successor_has_an_episode_that_the_plan_lacks() -> None:
    """Tracing is explained on the way to Compiler."""
    gone = ConceptRelation("compiler", "tracing", kind="SUPERSEDED_BY")
    assert "newest" not in routes(make_plan(changed(concept_relations=[gone]), ["compiler"]))


def test_a_goal_that_is_known_is_not_named_in_a_route_to_its_successor() -> None:
    gone = ConceptRelation("island", "views", kind="SUPERSEDED_BY")
    plan = make_plan(changed(concept_relations=[gone]), ["island", "tracing"], known=["island"])
    assert routes(plan)["newest"][1] == "41 min longer: adds #1 Again and #3 Goal. It leads to Views."


def test_a_superseded_goal_names_what_took_its_place() -> None:
    new = ConceptRelation("compiler", "whole", kind="SUPERSEDED_BY", reason="it does more.")
    graph = changed(concept_relations=[new])
    (successor,) = make_plan(graph, ["compiler"]).successors
    assert (successor.id, str(successor)) == ("whole", "Compiler was superseded by Whole: it does more.")
    assert not make_plan(graph, ["compiler", "whole"]).successors
    assert not make_plan(graph, ["whole"]).successors


@given(asked())
@THOROUGH
def test_routes_differ_reach_the_goals_of_the_plan_and_fit(question: Question) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(graph, goals, known, heard, budget)
    chosen = [{s.episode_id for s in steps} for steps in (plan.steps, *(r.steps for r in plan.routes))]
    assert all(a != b for i, a in enumerate(chosen) for b in chosen[:i])
    for route in plan.routes:
        taken = sum(s.minutes for s in route.steps)
        assert budget is None or taken <= budget
        assert any(s.role == "goal" for s in route.steps) == any(s.role == "goal" for s in plan.steps)
        assert route.name != "shortest" or taken < plan.minutes
        if route.name == "gentlest":
            assert {s.episode_id for s in plan.steps} < {s.episode_id for s in route.steps}
