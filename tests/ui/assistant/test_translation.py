"""Answers for an assistant: what a list leaves out is told, and addresses stay as they were given."""

from dataclasses import replace

from tests.atlas import snapshot
from tests.ui.assistant.conftest import tools
from torchatlas.graph.answers import Hit, Plan, Route, Understood
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.views import concept_card
from torchatlas.ui.mcp import PlanAnswer

WHOLE = snapshot()
PLAN = make_plan(WHOLE, ["aotautograd"])


def plan_answer(plan: Plan) -> PlanAnswer:
    return tools(WHOLE, plan=plan).plan(("aotautograd",))


def test_what_a_plan_leaves_out_is_told_list_by_list() -> None:
    first, _, *others = PLAN.steps
    long = replace(first, teaches=first.teaches[:1] * 8, caveats=("Moved.",) * 4)
    goals = Understood("", tuple(f"goal-{n}" for n in range(12)), how="name")
    routes = (Route("shortest", "x", steps=()),) * 11
    plan = replace(PLAN, steps=(long, replace(long, number=2), *others), routes=routes, understood=(goals,))
    answer = plan_answer(plan)
    assert answer.left_out == (
        "Left out: 4 more explained concepts, 2 more notes, 1 more other route and 2 more linked goals."
    )
    assert len(answer.steps[0].explains) == 6 and len(answer.steps[0].notes) == 3 and len(answer.other_routes) == 10
    assert plan_answer(PLAN).left_out == ""


def test_source_files_that_are_left_out_of_a_concept_are_told() -> None:
    card = replace(concept_card(WHOLE, "view"), source_paths=tuple(f"aten/{n}.cpp" for n in range(13)))
    answer = tools(WHOLE, concept=card).concept("view")
    assert len(answer.source_files) == 10 and answer.left_out == "Left out: 3 more source files."


def test_a_search_names_an_episode_by_number_and_title() -> None:
    hits = [
        Hit(kind, id_, name="", matched="", score=1.0) for kind, id_ in (("concept", "view"), ("episode", "show-view"))
    ]
    found = tools(WHOLE, search=hits).search("view", 2).found
    assert [row.name for row in found] == ["__torch_function__", "#3 On view"]


def test_an_address_leaves_as_it_was_given() -> None:
    given = "https://example.org/wiki/Tape_(film)?tag=[a]*'b'&c=%C3%A9+d"
    step = replace(PLAN.steps[0], url=given)
    assert plan_answer(replace(PLAN, steps=(step,))).steps[0].episode == given
    broken = replace(step, url="https://example.org/a b\n\x1bc")
    assert plan_answer(replace(PLAN, steps=(broken,))).steps[0].episode == "https://example.org/a%20b%0Ac"
