"""Plans, journeys, quizzes and what is next, on the shipped data: a person's answers and a program's JSON."""

import re
from importlib import resources
from itertools import combinations
from pathlib import Path

import pytest

from tests.ui.cli.commands import answer, run

pytestmark = pytest.mark.slow


def test_a_plan_for_people_and_for_programs(home: Path) -> None:
    done = run(home, "plan", "AOTAutograd")
    assert done.exit_code == 0 and "#61 AOTAutograd" in done.stdout
    body = answer(home, "plan", "AOTAutograd", "--known", "dispatcher,autograd", "--heard", "2", "--budget", "1h30m")
    assert isinstance(body, dict)
    assert body["minutes"] == sum(s["minutes"] for s in body["steps"]) <= 90
    assert 2 not in [s["number"] for s in body["steps"]]
    assert "AOTAutograd" in run(home, "plan", "AOTAutograd", "--format", "markdown").stdout


def test_a_plan_in_sessions_at_a_speed(home: Path) -> None:
    arguments = ("plan", "TorchScript", "--split", "2x20m", "--speed", "1.5")
    body = answer(home, *arguments)
    assert isinstance(body, dict) and body["speed"] == 1.5 and body["successors"][0]["id"] == "torch-export"
    assert [s["minutes"] <= 20 for s in body["sessions"]] == [True, True]
    told = run(home, *arguments).stdout
    assert " at 1.5x\n" in told and "Session 2, " in told and "Try: torchatlas plan torch.export" in told
    assert "- [ ] Session 2, " in run(home, *arguments, "--format", "markdown").stdout


def test_the_depth_of_a_plan_is_an_option(home: Path) -> None:
    brief, usual, thorough = (answer(home, "plan", "AOTAutograd", "--depth", d) for d in ("brief", "usual", "thorough"))
    assert isinstance(brief, dict) and isinstance(usual, dict) and isinstance(thorough, dict)
    assert [s["role"] for s in brief["steps"]] == ["goal"] and brief["depth"] == "brief"
    assert brief["minutes"] < usual["minutes"] <= thorough["minutes"]
    assert run(home, "plan", "AOTAutograd", "--depth", "endless").exit_code == 2


def test_the_nodes_in_the_rows_of_a_query_become_a_plan(home: Path) -> None:
    text = "MATCH (c:Concept) WHERE c.id IN ['autograd', 'dispatcher'] RETURN c.id, c ORDER BY c.id"
    assert answer(home, "plan", "--query", text) == answer(home, "plan", "autograd", "dispatcher")
    assert answer(home, "plan", "dispatcher", "--query", text) == answer(home, "plan", "dispatcher", "autograd")
    nothing = run(home, "plan", "--query", "RETURN 1 AS x")
    assert nothing.exit_code == 1
    assert "no concept and no episode in 1 row: RETURN nodes, or their ids" in nothing.stderr
    assert run(home, "plan", "--query", "CREATE (:Concept)").exit_code == 1
    assert run(home, "plan").exit_code == 2


def test_each_journey_is_a_whole_of_its_own_that_an_afternoon_holds(home: Path) -> None:
    journeys = answer(home, "journeys")
    assert isinstance(journeys, list) and 8 <= len(journeys) <= 12
    assert len(list(resources.files("torchatlas.data").joinpath("journeys").iterdir())) == len(journeys)
    heard: dict[str, frozenset[int]] = {}
    for journey in journeys:
        body = answer(home, "plan", "--journey", journey["name"])
        assert isinstance(body, dict)
        assert not body["unmet"] and 3 <= len(body["steps"]) <= 15 and body["minutes"] <= 240, journey["name"]
        assert answer(home, "plan", *journey["goals"]) == body
        heard[journey["name"]] = frozenset(step["number"] for step in body["steps"])
        assert 30 <= len(journey["about"].split()) <= 60
    assert all(len(a & b) <= len(a | b) / 2 for (_, a), (_, b) in combinations(heard.items(), 2)), "two are alike"
    shown = run(home, "journeys").stdout
    assert all(journey["title"] in shown for journey in journeys) and "goals: Dynamo, AOTAutograd, Inductor" in shown
    assert answer(home, "plan", "--journey", journeys[0]["title"]) == answer(
        home, "plan", "--journey", journeys[0]["name"]
    )
    wrong = run(home, "plan", "--journey", "ship-a-modle")
    assert wrong.exit_code == 1 and "no journey is called 'ship-a-modle'; did you mean ship-a-model" in wrong.stderr


def test_a_quiz_saves_what_is_known_and_keeps_it_on_request(home: Path) -> None:
    done = run(home, "quiz", "AOTAutograd", "--keep", given=b"y\nn\nn\nn\nn\nn\nn\nn\n")
    assert done.exit_code == 0 and "skip: " in done.stdout and "That saves " in done.stdout
    assert "No question is left: no answer would change the plan any further." in done.stdout
    skipped = re.findall(r"^skip: (.*)$", done.stdout, re.M)
    planned = answer(home, "plan", "AOTAutograd")
    assert isinstance(planned, dict) and all(name.startswith("#") for name in skipped)
    assert not {f"#{step['number']} {step['title']}" for step in planned["steps"]} & set(skipped)
    first = answer(home, "quiz", "Inductor")
    assert isinstance(first, dict) and first["check"]["question"].endswith("?") and not first["skipped"]
    after = answer(home, "quiz", "Inductor", "--yes", first["check"]["id"])
    assert isinstance(after, dict) and after["saved"] >= first["check"]["minutes"] and after["skipped"]
    stopped = run(home, "quiz", "Inductor", given=b"q\n")
    assert stopped.exit_code == 0 and "Stopped after 0 answers." in stopped.stdout
    assert "That saves " not in stopped.stdout and "To understand Inductor: " in stopped.stdout
    assert first["plan"] == answer(home, "plan", "Inductor"), "nothing is skipped yet"
    assert "That saves " not in run(home, "quiz", "Inductor", "--budget", "30m", given=b"n\n" * 8).stdout
    all_known = run(home, "quiz", "learning rate scheduler", given=b"y\n")
    assert (
        "You know everything in the plan for learning rate scheduler." in all_known.stdout
        and "0 episodes" not in all_known.stdout
    )


def test_what_is_next_follows_from_what_was_heard(home: Path) -> None:
    before = answer(home, "next")
    assert isinstance(before, dict) and not before["refresh"]
    best = before["ready"][0]
    assert best["opens"] and best["name"] in run(home, "next", "--limit", "1").stdout
    run(home, "heard", best["name"])
    after = answer(home, "next")
    assert isinstance(after, dict) and [r["id"] for r in after["refresh"]] == [best["id"]]
    ready = {r["id"] for r in after["ready"]}
    assert ready >= {o["id"] for o in best["opens"]} and best["id"] not in ready
    told = run(home, "next").stdout
    assert "Nothing else that you have heard builds on these" in told
    assert f"and {len(after['ready']) - 5} more: torchatlas next --limit {len(after['ready'])}\n" in told
    assert " more: " not in run(home, "next", "--limit", str(len(after["ready"]))).stdout


def test_what_is_known_and_heard_is_kept_and_used(home: Path) -> None:
    before = answer(home, "plan", "AOTAutograd")
    assert run(home, "know", "dispatcher").stdout == "Remembered: dispatcher\n"
    assert run(home, "heard", "61").stdout == "Remembered: #61 AOTAutograd\n"
    after = answer(home, "plan", "AOTAutograd")
    assert isinstance(before, dict) and isinstance(after, dict)
    assert {s["number"] for s in after["steps"]} < {s["number"] for s in before["steps"]}
    assert "You have heard the episodes that explain AOTAutograd" in after["notes"][0]
    assert run(home, "know", "dispatcher", "--forget").stdout == "Forgotten: dispatcher\n"
    assert "You have not said yet that you know a concept" in run(home, "know").stdout and answer(home, "know") == []
    assert answer(home, "heard") == [{"id": "pytorch-developer-podcast/aotautograd", "name": "AOTAutograd"}]
    assert "heard" in (home / "profile.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("sparse tensor",), "No episode explains sparse tensor.\n"),
        (("gradcheck", "--heard", "48"), "You have heard the episodes that explain gradcheck.\n"),
        (("gradcheck", "--known", "gradcheck"), "gradcheck is already known, so the plan has no step for gradcheck.\n"),
        (("autograd", "--budget", "5m"), "The budget is too short for any episode that is left to hear on autograd.\n"),
    ],
)
def test_a_plan_without_episodes_says_once_why(home: Path, arguments: tuple[str, ...], says: str) -> None:
    told = run(home, "plan", *arguments).stdout
    assert told.startswith(says) and told.count(says.rstrip()) == 1 and "0 episodes" not in told
    as_markdown = run(home, "plan", *arguments, "--format", "markdown").stdout
    assert says.rstrip(".\n") in as_markdown.replace("\\", "") and "0 episodes" not in as_markdown
