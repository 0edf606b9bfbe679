"""Plans, journeys, quizzes, what is next, known and heard: a person's answers, a program's JSON, files for players."""

import re
from dataclasses import replace
from datetime import date
from importlib import resources
from itertools import combinations
from pathlib import Path

import feedparser
import pytest
import vobject

from tests.atlas import snapshot, stored
from tests.ui.cli.commands import answer, done, refused, run
from torchatlas.ui.plans import FORMATS

HOW = "to get it: torchatlas add https://feeds.simplecast.com/OB5FkIl8\n"


def test_a_plan_for_people_and_for_programs(home: Path) -> None:
    assert "#61 AOTAutograd" in done(home, "plan", "AOTAutograd").stdout
    body = answer(home, "plan", "AOTAutograd", "--known", "dispatcher,autograd", "--heard", "2", "--budget", "1h30m")
    assert body["minutes"] == sum(s["minutes"] for s in body["steps"]) <= 90
    assert 2 not in [s["number"] for s in body["steps"]]


def test_a_plan_in_sessions_at_a_speed(home: Path) -> None:
    arguments = ("plan", "TorchScript", "--split", "2x20m", "--speed", "1.5")
    body = answer(home, *arguments)
    assert body["speed"] == 1.5 and body["successors"][0]["id"] == "torch-export"
    assert [s["minutes"] <= 20 for s in body["sessions"]] == [True, True]
    told = run(home, *arguments).stdout
    assert " at 1.5x\n" in told and "Session 2, " in told and "Try: torchatlas plan torch.export" in told
    assert "- [ ] Session 2, " in run(home, *arguments, "--format", "markdown").stdout


def test_the_depth_of_a_plan_is_an_option(home: Path) -> None:
    brief, usual, thorough = (answer(home, "plan", "AOTAutograd", "--depth", d) for d in ("brief", "usual", "thorough"))
    assert [s["role"] for s in brief["steps"]] == ["goal"] and brief["depth"] == "brief"
    assert brief["minutes"] < usual["minutes"] <= thorough["minutes"]


def test_the_nodes_in_the_rows_of_a_query_become_a_plan(small: Path) -> None:
    text = "MATCH (c:Concept) WHERE c.id IN ['autograd', 'dispatcher'] RETURN c.id, c ORDER BY c.id"
    assert answer(small, "plan", "--query", text) == answer(small, "plan", "autograd", "dispatcher")
    assert answer(small, "plan", "dispatcher", "--query", text) == answer(small, "plan", "dispatcher", "autograd")


def test_each_journey_is_a_whole_of_its_own_that_an_afternoon_holds(home: Path) -> None:
    journeys = answer(home, "journeys")
    assert 8 <= len(journeys) <= 12
    assert len(list(resources.files("torchatlas.data").joinpath("journeys").iterdir())) == len(journeys)
    heard: dict[str, frozenset[int]] = {}
    for journey in journeys:
        body = answer(home, "plan", "--journey", journey["name"])
        assert not body["unmet"] and 3 <= len(body["steps"]) <= 15 and body["minutes"] <= 240, journey["name"]
        assert answer(home, "plan", *journey["goals"]) == body
        heard[journey["name"]] = frozenset(step["number"] for step in body["steps"])
        assert 30 <= len(journey["about"].split()) <= 60
    assert all(len(a & b) <= len(a | b) / 2 for (_, a), (_, b) in combinations(heard.items(), 2)), "two are alike"
    shown, first = run(home, "journeys").stdout, journeys[0]
    assert all(journey["title"] in shown for journey in journeys) and "goals: Dynamo, AOTAutograd, Inductor" in shown
    assert answer(home, "plan", "--journey", first["title"]) == answer(home, "plan", "--journey", first["name"])
    wrong = "no journey is called 'ship-a-modle'; did you mean ship-a-model"
    assert wrong in refused(home, "plan", "--journey", "ship-a-modle")


def test_a_quiz_saves_what_is_known_and_keeps_it_on_request(home: Path) -> None:
    asked = done(home, "quiz", "AOTAutograd", "--keep", given=b"y\nn\nn\nn\nn\nn\nn\nn\n").stdout
    assert "That saves " in asked and "No question is left: no answer would change the plan any further." in asked
    skipped = re.findall(r"^skip: (.*)$", asked, re.M)
    assert skipped and all(name.startswith("#") for name in skipped)
    planned = {f"#{step['number']} {step['title']}" for step in answer(home, "plan", "AOTAutograd")["steps"]}
    assert not planned & set(skipped)
    first = answer(home, "quiz", "Inductor")
    assert first["check"]["question"].endswith("?") and not first["skipped"]
    after = answer(home, "quiz", "Inductor", "--yes", first["check"]["id"])
    assert after["saved"] >= first["check"]["minutes"] and after["skipped"]
    stopped = done(home, "quiz", "Inductor", given=b"q\n").stdout
    assert "Stopped after 0 answers.\n" in stopped and "To understand Inductor: " in stopped
    assert first["plan"] == answer(home, "plan", "Inductor"), "nothing is skipped yet"
    short = done(home, "quiz", "Inductor", "--budget", "30m", given=b"n\n" * 8).stdout
    assert "That saves " not in stopped + short
    all_known = run(home, "quiz", "learning rate scheduler", given=b"y\n").stdout
    assert "You know everything in the plan for learning rate scheduler." in all_known and "0 episodes" not in all_known


def test_what_is_next_follows_from_what_was_heard(home: Path) -> None:
    before = answer(home, "next")
    best = before["ready"][0]
    assert not before["refresh"] and best["opens"] and best["name"] in run(home, "next", "--limit", "1").stdout
    run(home, "heard", best["name"])
    after = answer(home, "next")
    assert [r["id"] for r in after["refresh"]] == [best["id"]]
    ready = {r["id"] for r in after["ready"]}
    assert ready >= {o["id"] for o in best["opens"]} and best["id"] not in ready
    told, count = run(home, "next").stdout, str(len(after["ready"]))
    assert "Nothing else that you have heard builds on these" in told
    assert f"and {len(after['ready']) - 5} more: torchatlas next --limit {count}\n" in told
    assert " more: " not in run(home, "next", "--limit", count).stdout


def test_what_is_known_and_heard_is_kept_and_used(home: Path) -> None:
    before = answer(home, "plan", "AOTAutograd")
    assert run(home, "know", "dispatcher").stdout == "Remembered: dispatcher\n"
    assert run(home, "heard", "61").stdout == "Remembered: #61 AOTAutograd\n"
    after = answer(home, "plan", "AOTAutograd")
    assert {s["number"] for s in after["steps"]} < {s["number"] for s in before["steps"]}
    assert "You have heard the episodes that explain AOTAutograd" in after["notes"][0]
    assert run(home, "know", "dispatcher", "--forget").stdout == "Forgotten: dispatcher\n"
    assert "You have not said yet that you know a concept" in run(home, "know").stdout and answer(home, "know") == []
    assert answer(home, "heard") == [{"id": "pytorch-developer-podcast/aotautograd", "name": "AOTAutograd"}]


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


def test_a_format_is_printed_and_written_alike(home: Path) -> None:
    for name in ("rss", "ics", "markdown"):
        target = home / f"listening-path{FORMATS[name].endings[0]}"
        given = ("--from", "2026-12-01") if name == "ics" else ()
        printed = done(home, "plan", "vmap", "--format", name, *given)
        written = done(home, "plan", "vmap", "--output", str(target), *given)
        assert target.read_bytes() == printed.stdout_bytes and not written.stdout
        assert re.search(r"listening-path\.\S+: [\d,]+ bytes\n$", written.stderr)


def test_without_audio_a_feed_is_made_and_one_line_says_how_to_get_it(home: Path) -> None:
    feed = done(home, "plan", "vmap", "--format", "rss")
    assert feed.stderr == f"no audio is known for 3 episodes; {HOW}"
    read = feedparser.parse(feed.stdout)
    assert len(read.entries) == 3 and all(e.link.startswith("https://") for e in read.entries if "link" in e)


def test_what_a_player_cannot_show_is_said_on_standard_error(home: Path) -> None:
    for name in ("ics", "rss"):
        told = run(home, "plan", "dispacher", "AOTAutograd", "--budget", "20m", "--format", name).stderr
        assert 'I took "dispacher" for a typing slip of dispatcher.\nLeft out: AOTAutograd' in told
    known = done(home, "plan", "vmap", "--known", "vmap", "--format", "rss")
    assert known.stderr == "vmap is already known, so the plan has no step for vmap.\n"
    assert not run(home, "plan", "dispacher", "--format", "markdown").stderr  # the list says it


def test_a_calendar_begins_today_or_when_it_is_told(home: Path) -> None:
    def first(*options: str) -> date:
        calendar = run(home, "plan", "vmap", "--split", "2x30m", "--format", "ics", *options).stdout
        return vobject.readOne(calendar).vevent.dtstart.value

    before = date.today()
    assert before <= first() <= date.today()
    assert first("--from", "2026-12-01T08:15").isoformat() == "2026-12-01T08:15:00"


def test_the_episodes_of_a_file_are_heard_and_taken_back(home: Path) -> None:
    file = home / "heard.txt"
    file.write_bytes("\ufeff7 2\r\n\r\n3,Strides\r\n".encode())
    kept = done(home, "heard", "--file", str(file))
    assert [line.split()[1] for line in kept.stdout.splitlines()] == ["#7", "#2", "#3", "#62"] and not kept.stderr
    heard = answer(home, "heard")
    assert len(heard) == 4 and heard == answer(home, "heard", "--file", str(file), "--forget")
    assert run(home, "heard", "--file", "-", given=b"7").stdout == "Remembered: #7 Functionalization\n"
    assert answer(home, "heard") == heard[:1]


@pytest.mark.parametrize(
    ("content", "arguments", "code", "says"),
    [
        (b"1\n2, 1-40\n", (), 1, "line 2: no episode is called '1-40'"),
        (b"1\n\xff\n", (), 1, "line 2: it is not a text in UTF-8"),
        (b"\n \n", (), 1, "it names no episode; write a number or a title on each line"),
        (b"1", ("2",), 2, "name episodes, or a file with --file, not both"),
    ],
)
def test_a_file_with_a_mistake_changes_nothing(
    small: Path, content: bytes, arguments: tuple[str, ...], code: int, says: str
) -> None:
    (small / "heard.txt").write_bytes(content)
    assert says in refused(small, "heard", "--file", str(small / "heard.txt"), *arguments, code=code)
    assert not (small / "profile.toml").exists()


QUESTION = "how do functionalizations go"


def test_a_plan_says_how_it_understood_a_question(small: Path) -> None:
    told = done(small, "plan", QUESTION).stdout
    assert told.startswith(f'I took "{QUESTION}" to mean functionalization idea. Other readings: ')
    assert "\nTo understand functionalization idea: 6 episodes" in told
    assert "I took" in run(small, "plan", QUESTION, "--format", "markdown").stdout
    exact = run(small, "plan", "strides idea")
    assert exact.stdout.startswith("To understand strides idea:") and exact.stderr == ""


def test_json_tells_what_was_understood_and_keeps_its_other_keys(small: Path) -> None:
    plain, slip = answer(small, "plan", "strides"), answer(small, "plan", "stirdes idea")
    told = slip["understood"][0]
    assert (told["text"], told["ids"], told["how"]) == ("stirdes idea", ["strides"], "corrected")
    assert told["sentence"] == 'I took "stirdes idea" for a typing slip of strides idea.'
    assert {**slip, "understood": 0} == {**plain, "understood": 0}
    area = answer(small, "plan", "area Compilation")
    assert (area["understood"][0]["how"], area["understood"][0]["ids"]) == ("area", ["aotautograd", "tracing"])
    assert area["goals"] == ["aotautograd idea", "tracing idea"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("concept", "aten/strides.cpp"), 'I took "aten/strides.cpp" to mean strides idea (aten/strides.cpp).'),
        (("related", "what is strides?"), 'I took "what is strides" to mean the episode "On strides".'),
        (("explain", "tensors", "strides idea"), '"tensors" is another name of tensor idea.'),
    ],
)
def test_other_commands_say_on_standard_error_how_they_understood_words(
    small: Path, arguments: tuple[str, ...], said: str
) -> None:
    told = done(small, *arguments)
    assert said in told.stderr and "I took" not in told.stdout


def test_a_question_without_quotes_is_told_to_have_them(small: Path) -> None:
    hint = f"; put the words in quotes: torchatlas plan '{QUESTION}'"
    assert hint in refused(small, "plan", *QUESTION.split())
    assert "in quotes" not in refused(small, "plan", "strides", "sourdough")
    assert "in quotes" not in refused(small, "plan", "strides", "aotautograd", "--heard", "sourdough")


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
