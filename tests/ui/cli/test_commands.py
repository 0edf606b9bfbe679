"""The command line on the shipped data: a person's answers and a program's JSON."""

import json
import os
import re
import subprocess
import sys
from csv import reader
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.ui.cli.commands import answer, run
from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.slow

SAMPLE = str(Path(__file__).parents[3] / "data" / "sample.xml")


def test_search_related_and_concepts(home: Path) -> None:
    hits = answer(home, "search", "aotautgrad")
    assert isinstance(hits, list) and hits[0]["id"] == "aotautograd"
    rows = answer(home, "related", "49", "--limit", "5")
    assert isinstance(rows, list) and len(rows) == 5
    assert all(row["reasons"] and isinstance(row["reasons"][0], str) for row in rows)
    concepts = answer(home, "concepts")
    assert isinstance(concepts, list) and len(concepts) >= 150
    assert set(concepts[0]) == {"id", "name", "aliases", "in_texts", "phrases", "area", "definition", "requires"}


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
        (("plan", "vmap", "--speed", "9"), "the speed must be at most 4, not 9"),
        (("plan", "vmap", "--speed", "nan"), "the speed must be at least 0.5, not nan"),
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


@pytest.mark.parametrize("command", ["build", "extract"])
def test_an_empty_address_of_a_cluster_is_a_mistake(home: Path, command: str) -> None:
    done = run(home, command, *([SAMPLE] if command == "extract" else []), "--on", "")
    assert done.exit_code == 2 and done.stderr.endswith("--on': it is empty; write tcp://SCHEDULER:8786\n")
