"""A plan says how sure it is: of each step and of each sentence, and as a whole."""

from dataclasses import replace

import pytest

from tests.graph.plans import GRAPH, changed
from torchatlas.graph.answers import Plan
from torchatlas.graph.model import Episode, ListenAfter, Mentions, Origin, Snapshot
from torchatlas.graph.planning.plan import make_plan

ALL: tuple[Origin, ...] = ("curated", "declared", "drafted", "inferred")


def origins(plan: Plan) -> dict[str, Origin | None]:
    return {step.title: step.origin for step in plan.steps}


def with_needs(**origin: Origin) -> Snapshot:
    """Return the graph whose needs, by their ends ("compiler_tracing"), come from somewhere else."""
    return changed(requires=[replace(r, origin=origin.get(f"{r.source}_{r.target}", r.origin)) for r in GRAPH.requires])


def test_a_plan_that_people_judged_has_nothing_to_say() -> None:
    plan = make_plan(GRAPH, ["compiler"])
    assert plan.origin == "curated" and {*origins(plan).values()} == {"curated"}
    assert not plan.remarks and not any(step.doubt for step in plan.steps)


@pytest.mark.parametrize("origin", ALL[1:])
def test_a_step_is_as_sure_as_the_need_that_calls_for_it_and_the_plan_as_its_least_sure_step(origin: Origin) -> None:
    plan = make_plan(with_needs(compiler_tracing=origin), ["compiler"])
    assert origins(plan) == {"Base": "curated", "Middle": origin, "Goal": "curated", "Deep": "curated"}
    assert plan.origin == origin and plan.remarks[-1].startswith(f"How sure: {origin}; ")


def test_a_step_is_no_surer_than_that_its_episode_explains_what_is_needed() -> None:
    taught = [replace(t, origin="inferred") if t.source == "goal" else t for t in GRAPH.teaches]
    graph = replace(with_needs(compiler_tracing="declared"), teaches=tuple(taught))
    found = origins(make_plan(graph, ["compiler"]))
    assert (found["Goal"], found["Middle"], found["Base"]) == ("inferred", "declared", "curated")


def test_an_episode_that_was_asked_for_needs_no_evidence_and_one_that_it_asks_for_is_declared() -> None:
    graph = changed(listen_after=[ListenAfter("aside", "deep", quote="listen to Deep first")])
    plan = make_plan(graph, ["aside"])
    assert origins(plan) == {"Deep": "declared", "Aside": None} and plan.origin == "declared"
    assert make_plan(GRAPH, ["aside"]).origin is None


def test_an_episode_that_only_names_a_goal_is_a_guess() -> None:
    named = Mentions("bare", "nobody", count=1, field="description", start=0, end=6, evidence="nobody")
    graph = replace(
        changed(episodes=[*GRAPH.episodes, Episode("bare", "Bare", show="Show", minutes=9)], requires=[]),
        mentions=(named,), assumes=(),
    )  # fmt: skip
    plan = make_plan(graph, ["nobody"])
    assert origins(plan) == {"Bare": "inferred"} and plan.steps[0].nearest


def test_a_sentence_is_as_sure_as_the_surest_edge_that_calls_for_it() -> None:
    def told(graph: Snapshot) -> list[str]:
        return [line.told for line in make_plan(graph, ["compiler"]).primer]

    assert told(GRAPH) == ["What nobody is."]
    assert told(with_needs(compiler_nobody="drafted")) == ["What nobody is. (drafted)"]
