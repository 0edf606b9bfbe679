"""The command line on the shipped data: a person's answers and a program's JSON."""

import json
import os
import subprocess
import sys
from csv import reader
from io import StringIO
from pathlib import Path

import pytest

from tests.doc_sessions import ROOT
from tests.ui.cli.commands import UNSEEN, answer, done, refused, run

SAMPLE = str(ROOT / "data" / "sample.xml")
EPISODES = ("query", "MATCH (e:Episode) RETURN count(e) AS n")


def test_search_related_and_concepts(home: Path) -> None:
    assert answer(home, "search", "aotautgrad")[0]["id"] == "aotautograd"
    rows = answer(home, "related", "49", "--limit", "5")
    assert len(rows) == 5 and all(row["reasons"] and isinstance(row["reasons"][0], str) for row in rows)
    concepts = answer(home, "concepts")
    assert len(concepts) >= 150
    assert set(concepts[0]) == {"id", "name", "aliases", "in_texts", "phrases", "area", "definition", "requires"}


def test_a_query_answers_in_formats_and_says_what_it_leaves_out(home: Path) -> None:
    assert answer(home, *EPISODES) == {"columns": ["n"], "rows": [[83]]}
    csv = run(home, "query", "MATCH (e:Episode {number: $n}) RETURN e.title", "-p", "n=61", "--format", "csv")
    assert csv.stdout == "e.title\nAOTAutograd\n"
    asked = ("query", "MATCH (e:Episode) RETURN e.title"), ("ask", "before", "-p", "concept=AOTAutograd")
    for cut in (run(home, *each, "--limit", "3", "--seconds", "9") for each in asked):
        assert cut.stderr == "3 rows, more were left out; --limit shows more\n"


def test_extract_streams_a_line_an_episode(home: Path) -> None:
    streamed = run(home, "extract", SAMPLE, "--format", "jsonl").stdout
    rows = [json.loads(line) for line in streamed.splitlines()]
    assert len(rows) == 3
    for row in rows:
        texts = {"description": row["text"], "title": row["title"]}
        assert row["mentions"] and all(texts[m["field"]][m["start"] : m["end"]] == m["text"] for m in row["mentions"])
    assert run(home, "extract", "-", given=Path(SAMPLE).read_bytes()).stdout == streamed


def test_a_feed_that_is_added_is_in_the_graph_and_survives_a_rebuild(home: Path) -> None:
    for command in ("add", SAMPLE), ("build", "--offline"):
        done(home, *command)
        assert answer(home, *EPISODES)["rows"] == [[86]]


def test_saved_questions_are_listed_for_people_and_for_programs(small: Path) -> None:
    body, told = answer(small, "questions"), run(small, "questions").stdout
    assert body["columns"] == ["name", "description", "parameters"]
    assert body["rows"] and all(f"{name}\n" in told for name, _, _ in body["rows"])


def test_standard_input_is_not_remembered(home: Path) -> None:
    piped = run(home, "add", "-", given=Path(SAMPLE).read_bytes())
    assert piped.exit_code == 1 and "save it to a file" in piped.stderr
    assert not (home / "sources.toml").exists()


HOSTILE = """<rss version="2.0"><channel><title>x</title>
<item><title>vmap &amp;#27;]0;owned\x9b2J</title><guid>a\u202eb\x7f</guid>
<description>&lt;a href="https://e.org/&amp;#27;[31m\x9b1m"&gt;vmap&lt;/a&gt; &#x202e;uses.</description></item>
</channel></rss>"""


@pytest.mark.parametrize(
    ("command", "style"),
    [
        *((("extract", "hostile.xml"), style) for style in ("text", "json", "jsonl")),
        *((("query", 'RETURN "\x1b[31mvmap\x9b" AS x'), style) for style in ("table", "json")),
    ],
)
def test_nothing_from_a_feed_or_the_graph_is_an_order_to_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], style: str
) -> None:
    monkeypatch.chdir(home)
    Path("hostile.xml").write_text(HOSTILE, "utf-8")
    shown = run(home, *command, "--format", style, color=True)
    assert shown.exit_code == 0 and "vmap" in shown.stdout and not UNSEEN.search(shown.output)
    assert style != "jsonl" or json.loads(shown.stdout)["id"] == "a\u202eb\x7f"


def program(home: Path, *arguments: str, **environment: str) -> dict[str, object]:
    command = [sys.executable, "-m", "torchatlas.ui.cli.program", *arguments]
    variables = {**os.environ, "TORCHATLAS_HOME": str(home), **environment}
    return {"args": command, "env": variables, "cwd": ROOT, "stderr": subprocess.PIPE}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_names_are_utf_8_whatever_the_locale_is(home: Path, encoding: str) -> None:
    command = ("query", "RETURN '\u2192 \u00e9' AS x", "--format", "csv")
    shown = subprocess.run(
        **program(home, *command, PYTHONIOENCODING=encoding, PYTHONUTF8="0"), stdout=subprocess.PIPE, check=False
    )
    assert shown.stdout.decode() == "x\n\u2192 \u00e9\n", shown.stderr


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (("concepts",), 0),
        (("concepts", "--format", "json"), 1),
        (("query", "MATCH (c:Concept) RETURN c", "--format", "csv"), 0),
        (("export", "-", "--format", "json"), 0),
    ],
)
def test_a_full_disk_is_one_line_and_a_reader_that_leaves_is_none(
    home: Path, command: tuple[str, ...], lines: int
) -> None:
    with Path("/dev/full").open("wb") as full:
        filled = subprocess.run(**program(home, *command), stdout=full, check=False)
    assert (filled.returncode, filled.stderr) == (1, b"Error: the output cannot be written: the disk is full\n")
    with subprocess.Popen(**program(home, *command), stdout=subprocess.PIPE) as left:
        assert left.stdout is not None and left.stderr is not None
        assert all(left.stdout.readline() for _ in range(lines))
        left.stdout.close()
        assert left.stderr.read() == b"" and (left.wait(60) == 1 or lines)


def test_what_was_there_stays_when_a_feed_or_the_store_is_broken(home: Path, tmp_path: Path) -> None:
    bad, broken = tmp_path / "bad.xml", tmp_path / "broken.lbug"
    bad.write_text("no feed", "utf-8")
    broken.write_bytes(b"not a database" * 400)
    before = (home / "atlas.lbug").read_bytes()
    failed = run(home, "add", str(bad))
    assert failed.exit_code == 1 and "bad.xml" in failed.stderr
    assert (home / "atlas.lbug").read_bytes() == before and not (home / "sources.toml").exists()
    told = refused(home, "plan", "vmap", "--store", f"ladybug:{broken}")
    assert "broken.lbug" in told and "torchatlas build" in told and broken.read_bytes() == b"not a database" * 400


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
    done(home, "add", str(feed))
    known = "MATCH (e:Episode {title: 'AOTAutograd'}) RETURN e.id, e.audio_url, e.minutes"
    audio = ["pytorch-developer-podcast/aotautograd", "https://example.org/61.mp3", 19]
    assert answer(home, "query", known)["rows"] == [audio]
    new = "MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept) WHERE e.guid = 'live-84' RETURN c.id AS id"
    assert answer(home, "query", new)["rows"] == [["vmap"]] and answer(home, *EPISODES)["rows"] == [[84]]


NULLS = "RETURN 'a' AS a, ['b', null] AS b, true AS c, null AS d, {e: 1} AS e"
NUMBERS = "RETURN -1 AS a, -1.5 AS b, '-2' AS c, 'a=b' AS d, -3 AS `=e`"


@pytest.mark.parametrize(
    ("style", "text", "shown"),
    [
        ("csv", NULLS, 'a,b,c,d,e\na,"[""b"", null]",true,,"{""e"": 1}"\n'),
        ("sheet", NUMBERS, "a,b,c,d,'=e\n-1,-1.5,-2,a=b,-3\n"),
        ("csv", "RETURN $`set` AS a", 'a\n"b\r=1"\n'),
        ("sheet", "RETURN $`set` AS a", 'a\n"b\r=1"\n'),
    ],
)
def test_a_table_keeps_values_as_they_are(small: Path, style: str, text: str, shown: str) -> None:
    given = ("-p", "set=b\r=1") if "$" in text else ()
    assert run(small, "query", text, *given, "--format", style).stdout == shown


def test_a_wide_row_stands_line_by_line(small: Path) -> None:
    many = ", ".join(f"{n} AS column{n}" for n in range(17))
    shown = run(small, "query", f"RETURN {many}").stdout.splitlines()
    assert shown[1].split("│")[1:3] == [" column0  ", " 0  "] and len(shown) == 19


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x")', "+1+cmd", "-1+1", "@SUM(1)", "\t=1", "\r=1", " =1", "\uff1d1"]
)
def test_no_text_in_a_sheet_is_a_formula(small: Path, text: str) -> None:
    def first(style: str) -> str:
        shown = run(small, "query", "RETURN $x AS a, -1 AS b, [$x] AS c", "-p", f"x={text}", "--format", style)
        return next(reader(StringIO(shown.stdout.split("\n", 1)[1], newline="")))[0]

    assert (first("csv"), first("sheet")) == (text, f"'{text}")
    assert "formulas" in run(small, "query", "--help").stdout


def test_an_export_replaces_files_and_nothing_else(small: Path) -> None:
    for _ in range(2):
        done(small, "export", str(small / "atlas.json"))
    os.mkfifo(small / "pipe.json")
    for odd, code in ("pipe.json", 1), ("atlas.json/more.json", 1), ("none.odd", 2):
        assert refused(small, "export", str(small / odd), code=code)
    assert (small / "pipe.json").is_fifo()


def test_a_page_to_send_is_written_whole_and_replaces_the_one_before(small: Path) -> None:
    target = small / "sent" / "map.html"
    first = done(small, "share", str(target), "aotautograd")
    assert first.stderr.splitlines()[-1] == f"{target}: {target.stat().st_size:,} bytes"
    page = target.read_text("utf-8")
    assert "<h1>The way to aotautograd idea</h1>" in page and str(small) not in page
    done(small, "share", str(target))
    assert "<h1>Map of PyTorch internals</h1>" in target.read_text("utf-8")
