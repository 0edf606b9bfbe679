"""Other routes to the goals of a plan, and what took the place of a goal."""

from dataclasses import replace

from hypothesis import given

from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.graph.plans import GRAPH, changed, teaches
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.values.answers import Plan
from torchatlas.graph.values.model import Concept, ConceptRelation, Episode, Requires, Snapshot


def routes(plan: Plan) -> dict[str, tuple[list[str], str]]:
    return {r.name: ([s.title for s in r.steps], r.how) for r in plan.routes}


def test_the_shortest_route_keeps_what_must_be_heard_before_the_goal() -> None:
    assert routes(make_plan(GRAPH, ["compiler"])) == {
        "shortest": (["Base", "Middle", "Goal"], "15 min shorter: leaves out #4 Deep.")
    }
    assert not make_plan(GRAPH, ["compiler"], budget=60).routes  # it is the plan


def test_the_gentlest_route_adds_what_is_worth_hearing_on_the_way() -> None:
    worth = changed(
        requires=[*GRAPH.requires, Requires("tracing", "island", need="worth", reason="it is where traces land")]
    )
    found = routes(make_plan(worth, ["compiler"]))
    titles, how = found["gentlest"]
    assert sorted(titles) == ["Aside", "Base", "Deep", "Goal", "Middle"]
    assert how == "5 min longer: adds #5 Aside; explains Island in place of a sentence."
    assert "gentlest" not in routes(make_plan(worth, ["compiler"], budget=79))
    assert "gentlest" not in routes(make_plan(worth, ["compiler"], depth="thorough"))


def dated(**published: str) -> Snapshot:
    """The small graph, in which some episodes have dates."""
    return changed(episodes=[replace(e, published=published.get(e.id.removeprefix("show/"))) for e in GRAPH.episodes])


def test_the_newest_route_takes_later_episodes_for_the_same_ends() -> None:
    titles, how = routes(make_plan(dated(base="2020-05-01", again="2023-01-07"), ["compiler"]))["newest"]
    assert titles == ["Again", "Middle", "Goal", "Deep"]
    assert how == "1 min longer: adds #1 Again (7 Jan 2023) and leaves out #0 Base (1 May 2020)."
    assert "newest" not in routes(make_plan(dated(base="2023-05-01", again="2020-01-07"), ["compiler"]))
    assert "newest" not in routes(make_plan(dated(base="2020-05-01", again="2023-01-07"), ["compiler"], budget=75))


def test_one_old_episode_is_not_newer_than_two_later_ones() -> None:
    dates = {"both": "2020-01-01", "one": "2020-06-01", "other": "2020-06-01", "goal": "2024-01-01"}
    graph = Snapshot(
        tuple(Concept(c, c.title(), area="Area") for c in ("a", "b", "g")),
        tuple(Episode(e, e, show="Show", minutes=30 if e == "both" else 5, published=d) for e, d in dates.items()),
        teaches=(*teaches("both", "a", "b"), *teaches("one", "a"), *teaches("other", "b"), *teaches("goal", "g")),
        requires=tuple(Requires("g", c, need="hear", reason="r") for c in "ab"),
    )
    plan = make_plan(graph, ["g"])
    assert plan.minutes == 15 and not plan.routes


def test_the_newest_route_leaves_out_an_own_episode_whose_subject_is_superseded() -> None:
    graph = Snapshot(
        tuple(Concept(c, c.title(), area="Area") for c in ("ci", "old", "new")),
        (Episode("a", "A", show="Show", minutes=5), Episode("b", "B", show="Show", minutes=5)),
        teaches=(*teaches("a", "old", "ci"), *teaches("b", "ci")),
        concept_relations=(ConceptRelation("old", "new", kind="SUPERSEDED_BY", reason="its jobs moved"),),
    )
    assert routes(make_plan(graph, ["ci"]))["newest"] == (["B"], "5 min shorter: leaves out A.")


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
