"""How deep a plan goes, and what it takes away for somebody who knows more."""

from hypothesis import given
from hypothesis import strategies as st

from tests.graph.plan_questions import THOROUGH, Question, with_parts
from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.formatting import PLAN_DEPTHS
from torchatlas.graph.model import PlanDepth, Requires, closure
from torchatlas.graph.planning.demands import main_subjects
from torchatlas.graph.planning.plan import make_plan

WORTH = changed(
    requires=[
        *(r for r in GRAPH.requires if r.source not in ("compiler", "partitioner")),
        Requires("compiler", "tracing", need="worth", reason="it compiles what was traced"),
        Requires("partitioner", "compiler", need="worth", reason="it splits what the compiler made"),
    ]
)


def test_what_is_worth_it_to_the_goal_is_heard_first_with_all_that_it_needs() -> None:
    plan = make_plan(WORTH, ["compiler"])
    assert [(s.title, s.role) for s in plan.steps][:3] == [("Base", "before"), ("Middle", "before"), ("Goal", "goal")]
    assert plan.steps[1].why == "Tracing helps with Compiler: it compiles what was traced."


def test_what_is_worth_it_to_a_side_subject_of_an_episode_is_a_sentence() -> None:
    """Goal is about Compiler first, about Island beside."""

    def planned(subject: str) -> list[str]:
        needs = [Requires(subject, "views", need="worth", reason="r")]
        side = [*GRAPH.teaches, *teaches("show/goal", "compiler", "island")[1:]]
        return titles(make_plan(changed(requires=needs, teaches=side), ["show/goal"]))

    assert planned("compiler") == ["Base", "Goal"]
    assert planned("island") == ["Goal"]


def test_what_is_worth_it_only_to_something_on_the_way_is_a_sentence() -> None:
    plan = make_plan(WORTH, ["partitioner"])
    assert titles(plan) == ["Goal", "Deep"]
    assert [p.id for p in plan.primer][:1] == ["tracing"]
    assert titles(make_plan(WORTH, ["partitioner"], depth="thorough")) == ["Base", "Middle", "Goal", "Deep"]


def test_what_is_worth_it_and_has_no_episode_is_a_sentence_and_no_gap() -> None:
    plan = make_plan(changed(requires=[Requires("compiler", "nobody", need="worth", reason="r")]), ["compiler"])
    assert "nobody" in [p.id for p in plan.primer]
    assert not plan.gaps


def test_a_brief_plan_has_the_own_episodes_only_and_a_sentence_for_what_they_need() -> None:
    plan = make_plan(GRAPH, ["compiler"], depth="brief")
    assert [(s.title, s.role) for s in plan.steps] == [("Goal", "goal")]
    assert {"tracing", "views"} <= {p.id for p in plan.primer}
    assert (plan.depth, make_plan(GRAPH, ["compiler"]).depth) == ("brief", "usual")


def test_a_thorough_plan_has_also_what_deepens_the_goal_and_calls_for_more() -> None:
    """Deep calls for Aside, which no usual plan takes for the sake of what deepens it."""
    needs = Requires("partitioner", "island", need="hear", reason="r")
    graph = changed(requires=[*GRAPH.requires, needs])
    assert not {"Deep", "Aside"} & set(titles(make_plan(graph, ["compiler"])))
    assert {"Deep", "Aside"} <= set(titles(make_plan(graph, ["compiler"], depth="thorough")))


def test_a_deeper_plan_keeps_the_episodes_of_the_one_before_where_others_would_be_shorter() -> None:
    """Again teaches Views and Island, and alone takes less time than Base and Aside."""
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/again", "views", "island")[1:]],
        requires=[*GRAPH.requires, Requires("tracing", "island", need="worth", reason="r")],
    )
    assert set(titles(make_plan(graph, ["compiler"], depth="thorough"))) >= set(titles(make_plan(graph, ["compiler"])))


@given(with_parts())
@THOROUGH
def test_a_deeper_plan_holds_the_briefer_one(question: Question) -> None:
    brief, usual, thorough = (make_plan(*question, depth=depth) for depth in PLAN_DEPTHS)
    assert set(titles(brief)) <= set(titles(usual)) <= set(titles(thorough))
    assert all(step.role == "goal" for step in brief.steps)


@given(with_parts(), st.sampled_from([*PLAN_DEPTHS]), st.data())
@THOROUGH
def test_who_knows_more_never_gets_a_longer_plan(question: Question, depth: PlanDepth, data: st.DataObject) -> None:
    graph, goals, known, heard, _ = question
    more = data.draw(st.sampled_from([*sorted(graph.concept), *sorted(graph.episode)]))
    learned = [*known, more] if more in graph.concept else known
    listened = [*heard, more] if more in graph.episode else heard
    before, after = (
        make_plan(graph, goals, known, heard, depth=depth),
        make_plan(graph, goals, learned, listened, depth=depth),
    )
    assert after.minutes <= before.minutes


@given(with_parts())
@THOROUGH
def test_a_plan_for_several_goals_covers_what_each_needs(question: Question) -> None:
    """What deepens a goal may be an own episode of another one, and then calls for nothing further."""
    graph, goals, known, heard, _ = question
    everything = make_plan(graph, goals, known, heard)
    taught = {t.id for s in everything.steps for t in s.teaches} | set(titles(everything))
    taught |= {r.target for r in graph.concept_relations if r.kind == "PART_OF" and r.source in taught}  # by its parts
    for goal in goals:
        alone = make_plan(graph, [goal], known, heard)
        assert {s.title for s in alone.steps if s.role == "goal"} <= set(titles(everything))
        needed = closure(graph.required_by, [goal, *main_subjects(graph, goal)])
        told = {p.id for p in (*everything.gaps, *everything.primer)}
        assert needed.intersection(g.id for g in alone.gaps) <= told | taught
