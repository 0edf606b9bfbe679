"""Words of a person on the command line, over a small graph in a store of its own."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.atlas import snapshot, stored
from torchatlas.ui.cli.program import main


def run(environment: dict[str, str], *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environment | {"COLUMNS": "200"})


def test_a_plan_says_how_it_understood_a_question(environment: dict[str, str]) -> None:
    done = run(environment, "plan", "how do functionalizations go")
    assert done.exit_code == 0, done.output
    said = 'I took "how do functionalizations go" to mean functionalization idea. Other readings: '
    assert done.stdout.startswith(said) and "\nTo understand functionalization idea: 6 episodes" in done.stdout
    assert "I took" in run(environment, "plan", "how do functionalizations go", "--format", "markdown").stdout


def test_nothing_is_said_where_the_name_is_exact(environment: dict[str, str]) -> None:
    done = run(environment, "plan", "strides idea")
    assert done.stdout.startswith("To understand strides idea:") and done.stderr == ""


def test_json_tells_what_was_understood_and_keeps_its_other_keys(environment: dict[str, str]) -> None:
    plain = json.loads(run(environment, "plan", "strides", "--format", "json").stdout)
    slip = json.loads(run(environment, "plan", "stirdes idea", "--format", "json").stdout)
    told = slip["understood"][0]
    assert (told["text"], told["ids"], told["how"]) == ("stirdes idea", ["strides"], "corrected")
    assert told["sentence"] == 'I took "stirdes idea" for a typing slip of strides idea.'
    assert {**slip, "understood": 0} == {**plain, "understood": 0}


def test_an_area_stands_for_the_main_subjects_of_its_episodes(environment: dict[str, str]) -> None:
    plan = json.loads(run(environment, "plan", "area Compilation", "--format", "json").stdout)
    assert plan["understood"][0]["how"] == "area"
    assert plan["understood"][0]["ids"] == ["aotautograd", "tracing"]
    assert plan["goals"] == ["aotautograd idea", "tracing idea"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("concept", "aten/strides.cpp"), 'I took "aten/strides.cpp" to mean strides idea (aten/strides.cpp).'),
        (("related", "what is strides?"), 'I took "what is strides" to mean the episode "On strides".'),
        (("explain", "tensors", "strides idea"), '"tensors" is another name of tensor idea.'),
    ],
)
def test_other_commands_say_on_standard_error_how_they_understood_words(
    environment: dict[str, str], arguments: tuple[str, ...], said: str
) -> None:
    done = run(environment, *arguments)
    assert done.exit_code == 0, done.output
    assert said in done.stderr and "I took" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("plan", "MVCC"), "no concept or episode is called 'MVCC'"),
        (("plan", "how do I bake bread"), "no concept or episode is called 'how do I bake bread'"),
        (("know", "how do functionalizations go"), "did you mean functionalization idea"),
        (("heard", "what is strides?"), "did you mean On strides"),
        (("plan", "strides", "--known", "how do functionalizations go"), "did you mean functionalization idea"),
    ],
)
def test_words_that_are_not_understood_are_one_line_and_exit_code_1(
    environment: dict[str, str], arguments: tuple[str, ...], says: str
) -> None:
    done = run(environment, *arguments)
    assert done.exit_code == 1 and done.stdout == "" and done.stderr.count("\n") == 1 and says in done.stderr


def test_a_question_without_quotes_is_told_to_have_them(environment: dict[str, str]) -> None:
    done = run(environment, "plan", "how", "do", "functionalizations", "go")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1
    assert "; put the words in quotes: torchatlas plan 'how do functionalizations go'" in done.stderr
    assert "in quotes" not in run(environment, "plan", "strides", "sourdough").stderr
    assert "in quotes" not in run(environment, "plan", "strides", "aotautograd", "--heard", "sourdough").stderr


def test_a_query_without_a_value_says_how_to_give_it_where_that_is_possible(environment: dict[str, str]) -> None:
    missing = "the query wants a value for $id"
    assert run(environment, "query", "RETURN $id").stderr == f"Error: {missing}: --param id=VALUE\n"
    assert run(environment, "plan", "--query", "RETURN $id").stderr == f"Error: {missing}\n"


def test_a_name_with_commas_is_one_name(tmp_path: Path) -> None:
    graph = snapshot()
    titled = tuple(replace(e, title="Flour, water, salt") if e.id == "show-tensor" else e for e in graph.episodes)
    named = tuple(replace(c, aliases=("strides, or steps",)) if c.id == "strides" else c for c in graph.concepts)
    environment = stored(tmp_path, replace(graph, concepts=named, episodes=titled))
    for each in ("heard", "Flour, water, salt"), ("know", "strides, or steps"):
        done = run(environment, *each)
        assert done.exit_code == 0, done.output
        assert run(environment, *each, "--forget").exit_code == 0
    goal = ("plan", "AOTAutograd", "--format", "json")
    listed = ("--known", "strides, or steps, view", "--heard", "flour, Water, salt, On strides")
    apart = ("--known", "strides", "--known", "view", "--heard", "show-tensor", "--heard", "show-strides")
    assert run(environment, *goal, *listed).stdout == run(environment, *goal, *apart).stdout != ""
