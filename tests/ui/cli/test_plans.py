"""Plans, journeys, quizzes, what is next, known and heard: a person's answers, a program's JSON, files for players."""

import json
import re
import shlex
from dataclasses import replace
from datetime import date
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import feedparser
import pytest
import vobject

from tests.atlas import snapshot, stored
from tests.ui.cli.commands import answer, done, files, refused, run, walk
from tests.ui.walks import Steps, walks
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.plans import FORMATS, dumps

SHIPPED = r"""
A plan in sessions at a speed names what has taken the place of its goal
plan TorchScript --split 2x20m --speed 1.5 => at 1.5x\n | Session 2, | Try: torchatlas plan torch.export
plan TorchScript --split 2x20m --format markdown => - [ ] Session 2,

A journey goes by its title too
plan --journey => goals: Dynamo, AOTAutograd, Inductor
plan --journey 'Ship a model' => To understand

A quiz without answers left, stopped, with a budget, or of what is known says so
quiz AOTAutograd --keep < ynnnnnnn => That saves | No question is left: no answer would change the plan any further.
quiz Inductor < q => Stopped after 0 answers.\n | To understand Inductor:  | !That saves
quiz Inductor --budget 30m < nnnnnnnn => !That saves
quiz 'learning rate scheduler' < y => You know everything in the plan for learning rate scheduler. | !0 episodes

What is known and heard is kept and taken back
know dispatcher => == Remembered: dispatcher
heard 61 => == Remembered: #61 AOTAutograd
know dispatcher --forget => == Forgotten: dispatcher
know => You have not said yet that you know a concept
heard => == #61 AOTAutograd
plan AOTAutograd => You have heard the episodes that explain AOTAutograd

A plan without episodes says why
plan 'negative dimension index' => No episode explains negative dimension index.\n | !0 episodes
plan 'negative dimension index' --format markdown => No episode explains negative dimension index | !0 episodes
plan gradcheck --heard 48 => You have heard the episodes that explain gradcheck.\n | !0 episodes
plan gradcheck --known gradcheck => gradcheck is already known, so the plan has no step for gradcheck.\n | !0 episodes
plan autograd --budget 5m => autograd takes 16 min, you have 5 min. | !0 episodes

What a player cannot show is said on standard error
plan dispacher AOTAutograd --budget 20m --format ics => 2> I took "dispacher" for a typing slip | 2> \nLeft out:
plan dispacher AOTAutograd --budget 20m --format rss => 2> I took "dispacher" for a typing slip | 2> \nLeft out:
plan vmap --known vmap --format rss => 2== vmap is already known, so the plan has no step for vmap.
plan dispacher --format markdown => 2==

Without audio a feed is made and one line says how to get it
plan vmap --format rss => <item>
=> 2== no audio is known for 3 episodes; to get it: torchatlas add https://feeds.simplecast.com/OB5FkIl8
"""
SMALL = r"""
A plan says how it understood a question and nothing where a name is exact
plan 'how do functionalizations go' => I took "how do functionalizations go" to mean functionalization idea. Other
=> \nTo understand functionalization idea: 6 episodes
plan 'how do functionalizations go' --format markdown => I took
plan 'strides idea' => !I took | 2== | To understand strides idea:

What is next follows from what was heard
next => 1. #1 On tensor | makes ready: #2 On strides
heard 1 => == Remembered: #1 On tensor
next --limit 1 => 1. #2 On strides | and 2 more: torchatlas next --limit 3\n
=> Nothing else that you have heard builds on these | #1 On tensor: 2 ready episodes
next --limit 99 => !more:

Other commands say on standard error how they understood words
concepts aten/strides.cpp => 2> I took "aten/strides.cpp" to mean strides idea (aten/strides.cpp).
related 'what is strides?' => 2> My best guess for "what is strides" is the episode "On strides".
explain tensors 'strides idea' => 2> "tensors" is another name of tensor idea.
"""


def test_a_profile_is_carried_in_a_file_and_the_form_of_this_release_is_read_for_ever(small: Path) -> None:
    first, again = small / "first.toml", small / "again.toml"
    first.write_text('version = 1\nknown = ["view"]\nheard = ["show-view"]\ngoals = []\n', "utf-8")
    done(small, "profile", "import", str(first))
    done(small, "profile", "export", str(again))
    assert again.read_bytes() == first.read_bytes()
    first.write_text("version = 2\n", "utf-8")
    assert "first.toml: is no profile of version 1" in refused(small, "profile", "import", str(first))


@walks(SHIPPED)
def test_a_person_is_told(home: Path, steps: Steps) -> None:
    walk(home, steps)


@walks(SMALL)
def test_words_are_understood(small: Path, steps: Steps) -> None:
    walk(small, steps)


LOG = '  File "/home/ann/secret.py", line 3, in hidden\n' * 40 + "RuntimeError: view size is not compatible with input"
LOG = f"Traceback (most recent call last):\n{LOG} tensor's size and stride (at /home/ann). Use .reshape(...) instead.\n"


@pytest.mark.parametrize("style", ["text", *FORMATS])
def test_a_log_is_read_from_standard_input_and_only_its_message_is_kept(small: Path, style: str) -> None:
    told = done(small, "plan", "-", "--format", style, given=LOG.encode()).output
    assert "strides idea" in told and not re.search("home/|secret|hidden|Traceback|reshape", told)
    assert not [name for name, held in files(small).items() if b"secret" in held]


@pytest.mark.parametrize("command", ["plan", "search"])
def test_standard_input_is_a_question_of_some_length(small: Path, command: str) -> None:
    assert "strides idea" in done(small, command, "-", given=b"strides idea\r\n").stdout
    assert "at most 20,000 characters" in refused(small, command, "-", given=b"a" * 90_000)
    assert "at most 20,000 characters" in refused(small, command, "a" * 20_001)
    assert "standard input is empty" in refused(small, command, "-", given=b" \n")


ROWS = "MATCH (c:Concept) WHERE c.id IN ['autograd', 'dispatcher'] RETURN c.id, c ORDER BY c.id"


@pytest.mark.parametrize(
    ("line", "goals", "options"),
    [
        ("view --known dispatcher,autograd --heard 2", ["view"], {"known": ["dispatcher", "autograd"], "heard": 2}),
        ("AOTAutograd --budget 1h", ["AOTAutograd"], {"budget": 60}),
        ("AOTAutograd --split 2x20m --speed 1.5", ["AOTAutograd"], {"split": "2x20m", "speed": 1.5}),
        ("AOTAutograd --depth brief", ["AOTAutograd"], {"depth": "brief"}),
        ("'stirdes idea' 'area Compilation'", ["stirdes idea", "area Compilation"], {}),
        (f'view --query "{ROWS}"', ["view", "autograd", "dispatcher"], {}),
    ],
)
def test_the_words_of_a_plan_are_those_of_the_library(small: Path, line: str, goals: list[str], options: Any) -> None:
    with Atlas(load_settings(environment={"TORCHATLAS_HOME": str(small)})) as atlas:
        assert answer(small, "plan", *shlex.split(line)) == json.loads(dumps(atlas.plan(*goals, **options)))


def test_each_journey_is_a_whole_of_its_own_that_an_afternoon_holds(home: Path) -> None:
    journeys = answer(home, "plan", "--journey")
    assert 8 <= len(journeys) <= 13
    assert len(list(resources.files("torchatlas.data").joinpath("journeys").iterdir())) == len(journeys)
    heard: dict[str, frozenset[int]] = {}
    for journey in journeys:
        body = answer(home, "plan", "--journey", journey["name"])
        assert not body["unmet"] and 3 <= len(body["steps"]) <= 15 and body["minutes"] <= 240, journey["name"]
        assert answer(home, "plan", *journey["goals"]) == body
        heard[journey["name"]] = frozenset(step["number"] for step in body["steps"])
        assert 30 <= len(journey["about"].split()) <= 60
    assert all(len(a & b) <= len(a | b) / 2 for (_, a), (_, b) in combinations(heard.items(), 2)), "two are alike"
    wrong = "no journey is called 'ship-a-modle'; did you mean ship-a-model"
    assert wrong in refused(home, "plan", "--journey", "ship-a-modle")


def test_a_format_is_printed_and_written_alike(small: Path) -> None:
    for name in ("rss", "ics", "markdown"):
        target = small / f"listening-path{FORMATS[name].endings[0]}"
        given = ("--from", "2026-12-01") if name == "ics" else ()
        printed = done(small, "plan", "view", "--format", name, *given)
        written = done(small, "plan", "view", "--output", str(target), *given)
        assert target.read_bytes() == printed.stdout_bytes and not written.stdout
        assert re.search(r"listening-path\.\S+: [\d,]+ bytes\n$", written.stderr)
    assert len(feedparser.parse((small / "listening-path.xml").read_bytes()).entries) == 3


def test_a_calendar_begins_today_or_when_it_is_told(small: Path) -> None:
    def first(*options: str) -> date:
        calendar = run(small, "plan", "view", "--split", "2x30m", "--format", "ics", *options).stdout
        return vobject.readOne(calendar).vevent.dtstart.value

    before = date.today()
    assert before <= first() <= date.today()
    assert first("--from", "2026-12-01T08:15").isoformat() == "2026-12-01T08:15:00"


def test_a_question_without_quotes_is_told_to_have_them(small: Path) -> None:
    asked = "how do functionalizations go"
    assert f"; put the words in quotes: torchatlas plan '{asked}'" in refused(small, "plan", *asked.split())
    assert "in quotes" not in refused(small, "plan", "strides", "sourdough")
    assert "in quotes" not in refused(small, "plan", "strides", "aotautograd", "--heard", "sourdough")


def test_a_quiz_takes_answers_and_names_what_it_skips(home: Path) -> None:
    asked = done(home, "quiz", "AOTAutograd", "--keep", given=b"y\n" + b"n\n" * 7).stdout
    skipped = re.findall(r"^skip: (.*)$", asked, re.M)
    assert skipped and all(name.startswith("#") for name in skipped)
    assert not {f"#{s['number']} {s['title']}" for s in answer(home, "plan", "AOTAutograd")["steps"]} & set(skipped)
    first = answer(home, "quiz", "Inductor")
    assert first["plan"] == answer(home, "plan", "Inductor") and not first["skipped"]
    after = answer(home, "quiz", "Inductor", "--yes", first["check"]["id"])
    assert after["saved"] >= first["check"]["minutes"] and after["skipped"]


def test_the_episodes_of_a_file_are_heard_and_taken_back_and_a_mistake_in_it_changes_nothing(small: Path) -> None:
    file = small / "heard.txt"
    for content, says in (
        (b"1\n2, 1-40\n", "line 2: no episode is called '1-40'"),
        (b"1\n\xff\n", "line 2: it is not a text in UTF-8"),
        (b"\n \n", "it names no episode; write a number or a title on each line"),
    ):
        file.write_bytes(content)
        assert says in refused(small, "heard", "--file", str(file)) and not (small / "profile.toml").exists()
    file.write_bytes("\ufeff7 2\r\n\r\n3,On strides\r\n".encode())
    kept = done(small, "heard", "--file", str(file))
    assert [line.split()[1] for line in kept.stdout.splitlines()] == ["#7", "#2", "#3"] and not kept.stderr
    heard = answer(small, "heard")
    assert len(heard) == 3 and heard == answer(small, "heard", "--file", str(file), "--forget")
    assert run(small, "heard", "--file", "-", given=b"7").stdout == "Remembered: #7 On tracing\n"
    assert answer(small, "heard") == heard[:1]


def test_a_name_with_commas_is_one_name(tmp_path: Path) -> None:
    graph = snapshot()
    titled = tuple(replace(e, title="Flour, water, salt") if e.id == "show-tensor" else e for e in graph.episodes)
    named = tuple(replace(c, aliases=("strides, or steps",)) if c.id == "strides" else c for c in graph.concepts)
    stored(tmp_path, replace(graph, concepts=named, episodes=titled))
    for each in ("heard", "Flour, water, salt"), ("know", "strides, or steps"):
        done(tmp_path, *each)
        done(tmp_path, *each, "--forget")
    listed = ("--known", "strides,  or-Steps, view", "--heard", "flour, Water, salt, On strides")
    apart = ("--known", "strides", "--known", "view", "--heard", "show-tensor", "--heard", "show-strides")
    assert answer(tmp_path, "plan", "AOTAutograd", *listed) == answer(tmp_path, "plan", "AOTAutograd", *apart)
