"""The command line on the shipped data: a person's answers and a program's JSON."""

import json
import os
import re
import subprocess
import sys
from csv import reader
from importlib import resources
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.slow

SAMPLE = str(Path(__file__).parents[3] / "data" / "sample.xml")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the graph has been built once."""
    home = tmp_path_factory.mktemp("home")
    done = run(home, "build", "--offline")
    # All that ships has evidence, and nothing contradicts.
    assert done.exit_code == 0 and "set aside" not in done.stderr
    return home


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    """A home of one's own: the built graph is copied, the profile is empty."""
    (tmp_path / "atlas.lbug").write_bytes((built / "atlas.lbug").read_bytes())
    return tmp_path


def run(home: Path, *arguments: str, given: bytes = b"") -> Result:
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": None, "NEO4J_URI": None, "COLUMNS": "200"}
    return CliRunner().invoke(main, arguments, env=environment, input=given)


def answer(home: Path, *arguments: str) -> object:
    done = run(home, *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


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
    assert nothing.exit_code == 1 and "hold no concept" in nothing.stderr
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
    wrong = run(home, "plan", "--journey", "ship-a-modle")
    assert wrong.exit_code == 1 and "no journey is called 'ship-a-modle'; did you mean ship-a-model" in wrong.stderr


def test_a_quiz_saves_what_is_known_and_keeps_it_on_request(home: Path) -> None:
    done = run(home, "quiz", "AOTAutograd", "--keep", given=b"y\nn\nn\nn\nn\nn\nn\nn\n")
    assert done.exit_code == 0 and "skip: " in done.stdout and " instead of " in done.stdout
    skipped = re.findall(r"^skip: (.*)$", done.stdout, re.M)
    planned = answer(home, "plan", "AOTAutograd")
    assert isinstance(planned, dict) and not {step["title"] for step in planned["steps"]} & set(skipped)
    first = answer(home, "quiz", "Inductor")
    assert isinstance(first, dict) and first["check"]["question"].endswith("?") and not first["skipped"]
    after = answer(home, "quiz", "Inductor", "--yes", first["check"]["id"])
    assert isinstance(after, dict) and after["saved"] >= first["check"]["minutes"] and after["skipped"]
    stopped = run(home, "quiz", "Inductor", given=b"q\n")
    assert stopped.exit_code == 0 and " instead of " not in stopped.stdout


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
    assert "Worth refreshing" in run(home, "next").stdout


def test_what_is_known_and_heard_is_kept_and_used(home: Path) -> None:
    before = answer(home, "plan", "AOTAutograd")
    assert run(home, "know", "dispatcher").stdout == "dispatcher\n"
    assert run(home, "heard", "61").stdout == "AOTAutograd\n"
    after = answer(home, "plan", "AOTAutograd")
    assert isinstance(before, dict) and isinstance(after, dict)
    assert {s["number"] for s in after["steps"]} < {s["number"] for s in before["steps"]}
    assert "You have heard the episodes that explain AOTAutograd" in after["notes"][0]
    assert run(home, "know", "dispatcher", "--forget").exit_code == 0
    assert run(home, "know").stdout == "" and answer(home, "know") == []
    assert answer(home, "heard") == [{"id": "pytorch-developer-podcast/aotautograd", "name": "AOTAutograd"}]
    assert "heard" in (home / "profile.toml").read_text("utf-8")


def test_search_related_and_concepts(home: Path) -> None:
    hits = answer(home, "search", "aotautgrad")
    assert isinstance(hits, list) and hits[0]["id"] == "aotautograd"
    rows = answer(home, "related", "49", "--limit", "5")
    assert isinstance(rows, list) and len(rows) == 5
    assert all(row["reasons"] and isinstance(row["reasons"][0], str) for row in rows)
    concepts = answer(home, "concepts")
    assert isinstance(concepts, list) and len(concepts) >= 150
    assert set(concepts[0]) == {"id", "name", "aliases", "area", "definition", "requires"}


def test_query_reads_and_only_reads(home: Path) -> None:
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e) AS n") == {"columns": ["n"], "rows": [[83]]}
    csv = run(home, "query", "MATCH (e:Episode {number: $n}) RETURN e.title", "-p", "n=61", "--format", "csv")
    assert csv.stdout == "e.title\nAOTAutograd\n"
    refused = run(home, "query", "MATCH (e:Episode) DETACH DELETE e")
    assert refused.exit_code == 1 and refused.stderr.startswith("Error: ") and refused.stderr.count("\n") == 1
    asked = ("query", "MATCH (e:Episode) RETURN e.title"), ("ask", "before", "-p", "concept=AOTAutograd")
    for cut in (run(home, *each, "--limit", "3", "--seconds", "9") for each in asked):
        assert cut.stderr == "3 rows, more were left out; --limit shows more\n"


def test_extract_streams_a_line_an_episode(home: Path) -> None:
    done = run(home, "extract", SAMPLE, "--format", "jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3
    for row in rows:
        texts = {"description": row["text"], "title": row["title"]}
        assert row["mentions"] and all(texts[m["field"]][m["start"] : m["end"]] == m["text"] for m in row["mentions"])
    piped = run(home, "extract", "-", given=Path(SAMPLE).read_bytes())
    assert piped.stdout == done.stdout


def test_a_feed_that_is_added_is_in_the_graph_and_survives_a_rebuild(home: Path) -> None:
    assert run(home, "add", SAMPLE).exit_code == 0
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e) AS n") == {"columns": ["n"], "rows": [[86]]}
    assert run(home, "build", "--offline").exit_code == 0
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e) AS n") == {"columns": ["n"], "rows": [[86]]}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("plan", "AOTAutogarden"), "did you mean AOTAutograd"),
        (("plan", "vmap", "--speed", "9"), "the speed must be from 0.5 to 4, not 9"),
        (("plan", "vmap", "--speed", "nan"), "the speed must be from 0.5 to 4, not nan"),
        (("plan", "vmap", "--split", "3y30m"), "write 3x30m"),
        (("related", "no such thing at all"), "no episode is called"),
        (("plan", "vmap", "--store", "postgres://x"), "use one of"),
        (("plan", "vmap", "--store", "bolt://127.0.0.1:1"), "127.0.0.1:1"),
        (("extract", "/no/such/feed.xml"), "/no/such/feed.xml"),
        (("ask", "befor"), "did you mean"),
        (("query", "MATCH (e:Episod) RETURN e"), "Episod"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_1(home: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run(home, *arguments)
    assert done.exit_code == 1, done.output
    assert says in done.stderr and done.stderr.startswith("Error: ") and done.stderr.strip().count("\n") == 0
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "vmap", "--budget", "soon"),
        ("plan", "vmap", "--speed", "fast"),
        ("query", "RETURN 1", "--seconds", "-1"),
        ("query", "RETURN '\udcff'"),
        ("query", "RETURN $x", "-p", "x"),
        ("ask", "before", "-p", "concept=\udcff"),
    ],
)
def test_a_wrong_option_is_exit_code_2(home: Path, arguments: tuple[str, ...]) -> None:
    done = run(home, *arguments)
    assert done.exit_code == 2 and done.stdout == "" and "Usage:" in done.stderr


def test_saved_questions_are_listed_for_people_and_for_programs(home: Path) -> None:
    body = answer(home, "questions")
    assert isinstance(body, dict) and body["columns"] == ["name", "description", "parameters"]
    for name, _, _ in body["rows"]:
        assert f"{name}\n" in run(home, "questions").stdout


def test_standard_input_is_not_remembered(home: Path) -> None:
    done = run(home, "add", "-", given=Path(SAMPLE).read_bytes())
    assert done.exit_code == 1 and "save it to a file" in done.stderr
    assert not (home / "profile.toml").exists()


HOSTILE = """<rss version="2.0"><channel><title>x</title>
<item><title>vmap &amp;#27;]0;owned\x9b2J</title><guid>a\u202eb\x7f</guid>
<description>&lt;a href="https://e.org/&amp;#27;[31m\x9b1m"&gt;vmap&lt;/a&gt; &#x202e;uses.</description></item>
</channel></rss>"""


@pytest.mark.parametrize("style", ["text", "json", "jsonl"])
def test_nothing_from_a_feed_is_an_order_to_the_terminal(home: Path, tmp_path: Path, style: str) -> None:
    feed = tmp_path / "hostile.xml"
    feed.write_text(HOSTILE, "utf-8")
    environment = {"TORCHATLAS_HOME": str(home)}
    done = CliRunner().invoke(main, ["extract", str(feed), "--format", style], env=environment, color=True)
    assert done.exit_code == 0 and "vmap" in done.stdout
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.output)
    if style == "jsonl":
        assert json.loads(done.stdout)["id"] == "a\u202eb\x7f"


@pytest.mark.parametrize("style", ["table", "json"])
def test_nothing_from_the_graph_is_an_order_to_the_terminal(home: Path, style: str) -> None:
    done = CliRunner().invoke(
        main, ["query", 'RETURN "\x1b[31mred\x9b" AS x', "--format", style],
        env={"TORCHATLAS_HOME": str(home)}, color=True,
    )  # fmt: skip
    assert done.exit_code == 0 and "red" in done.stdout and not re.search("[\x1b\x9b]", done.stdout)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_names_are_utf_8_whatever_the_locale_is(home: Path, encoding: str) -> None:
    environment = {**os.environ, "TORCHATLAS_HOME": str(home), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [
        sys.executable,
        "-m",
        "torchatlas.ui.cli.program",
        "query",
        "RETURN '\u2192 \u00e9' AS x",
        "--format",
        "csv",
    ]
    done = subprocess.run(command, capture_output=True, env=environment, cwd=Path(SAMPLE).parents[1], check=False)
    assert done.stdout.decode() == "x\n\u2192 \u00e9\n", done.stderr


def test_a_reader_that_leaves_early_gets_no_traceback(home: Path) -> None:
    environment = {**os.environ, "TORCHATLAS_HOME": str(home)}
    command = [sys.executable, "-m", "torchatlas.ui.cli.program", "concepts", "--format", "json"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=Path(SAMPLE).parents[1]
    )
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.wait(timeout=60)
    assert b"Traceback" not in said and b"Exception" not in said


def test_what_was_there_stays_when_a_feed_or_the_store_is_broken(home: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("no feed", "utf-8")
    before = (home / "atlas.lbug").read_bytes()
    done = run(home, "add", str(bad))
    assert done.exit_code == 1 and "bad.xml" in done.stderr
    assert (home / "atlas.lbug").read_bytes() == before and not (home / "profile.toml").exists()
    broken = tmp_path / "broken.lbug"
    broken.write_bytes(b"not a database" * 400)
    done = run(home, "plan", "vmap", "--store", f"ladybug:{broken}")
    assert done.exit_code == 1 and "broken.lbug" in done.stderr and "torchatlas build" in done.stderr
    assert broken.read_bytes() == b"not a database" * 400


LIVE = """<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>PyTorch Developer Podcast</title>
<item><title>AOTAutograd</title><guid>live-61</guid><pubDate>Mon, 09 May 2022 13:00:00 +0000</pubDate>
<enclosure url="https://example.org/61.mp3" type="audio/mpeg" length="1"/><itunes:duration>19:13</itunes:duration>
<description>Needs the dispatcher.</description></item>
<item><title>A new one on vmap</title><guid>live-84</guid><description>vmap and more.</description></item>
</channel></rss>"""


def test_the_live_feed_brings_audio_and_new_episodes_to_the_episodes_that_are_known(home: Path, tmp_path: Path) -> None:
    feed = tmp_path / "live.xml"
    feed.write_text(LIVE, "utf-8")
    assert run(home, "add", str(feed)).exit_code == 0
    known = "MATCH (e:Episode {title: 'AOTAutograd'}) RETURN e.id AS id, e.audio_url AS audio, e.minutes AS minutes"
    assert answer(home, "query", known) == {
        "columns": ["id", "audio", "minutes"],
        "rows": [["pytorch-developer-podcast/aotautograd", "https://example.org/61.mp3", 19]],
    }
    new = "MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept) WHERE e.guid = 'live-84' RETURN c.id AS id"
    assert answer(home, "query", new) == {"columns": ["id"], "rows": [["vmap"]]}
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e) AS n") == {"columns": ["n"], "rows": [[84]]}


def test_a_full_disk_and_a_reader_that_has_gone_are_one_line_or_none(home: Path) -> None:
    environment = {**os.environ, "TORCHATLAS_HOME": str(home)}
    for command in (
        ["concepts"],
        ["query", "MATCH (c:Concept) RETURN c", "--format", "csv"],
        ["export", "-", "--format", "json"],
    ):
        words = [sys.executable, "-m", "torchatlas.ui.cli.program", *command]
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, env=environment, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "Error: the output cannot be written: the disk is full\n")
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        assert child.stdout is not None and child.stderr is not None
        child.stdout.close()
        assert child.wait(60) == 1 and child.stderr.read() == b""
        child.stderr.close()


def test_csv_has_the_json_of_what_is_no_text(home: Path) -> None:
    text = "RETURN 'a' AS a, ['b', null] AS b, true AS c, null AS d, {e: 1} AS e"
    done = run(home, "query", text, "--format", "csv")
    assert done.stdout == 'a,b,c,d,e\na,"[""b"", null]",true,,"{""e"": 1}"\n'


def test_a_wide_row_stands_line_by_line(home: Path) -> None:
    many = ", ".join(f"{n} AS column{n}" for n in range(17))
    shown = run(home, "query", f"RETURN {many}").stdout.splitlines()
    assert shown[1].split("│")[1:3] == [" column0  ", " 0  "] and len(shown) == 19


def test_an_export_replaces_files_and_nothing_else(home: Path) -> None:
    target = home / "atlas.json"
    assert run(home, "export", str(target)).exit_code == 0 == run(home, "export", str(target)).exit_code
    os.mkfifo(home / "pipe.json")
    for odd in ("pipe.json", "atlas.json/more.json", "none.odd"):
        done = run(home, "export", str(home / odd))
        assert done.exit_code in (1, 2) and done.stderr.splitlines()[-1].startswith("Error: "), odd
    assert (home / "pipe.json").is_fifo()


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x")', "+1+cmd", "-1+1", "@SUM(1)", "\t=1", "\r=1", " =1", "\uff1d1"]
)
def test_no_text_in_a_sheet_is_a_formula(home: Path, text: str) -> None:
    def first(style: str) -> str:
        done = run(home, "query", "RETURN $x AS a, -1 AS b, [$x] AS c", "-p", f"x={text}", "--format", style)
        return next(reader(StringIO(done.stdout.split("\n", 1)[1], newline="")))[0]

    assert first("csv") == text
    assert first("sheet") == f"'{text}"


def test_a_carriage_return_in_a_text_begins_no_row(home: Path) -> None:
    for style in ("csv", "sheet"):
        assert run(home, "query", "RETURN $x AS a", "-p", "x=b\r=1", "--format", style).stdout == 'a\n"b\r=1"\n'


def test_a_sheet_keeps_numbers_and_its_help_says_why(home: Path) -> None:
    done = run(home, "query", "RETURN -1 AS a, -1.5 AS b, '-2' AS c, 'a=b' AS d, -3 AS `=e`", "--format", "sheet")
    assert done.stdout == "a,b,c,d,'=e\n-1,-1.5,-2,a=b,-3\n"
    assert "formulas" in run(home, "query", "--help").stdout
