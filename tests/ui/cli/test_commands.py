"""Commands on maps that are there: answers in formats, comparisons, files, shows, and what a terminal must not obey."""

import json
import os
import subprocess
import sys
from csv import reader
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.atlas import HOSTILE, of_two_shows, snapshot, stored
from tests.doc_sessions import ROOT, environment
from tests.strategies import snapshots, times
from tests.ui.cli.commands import UNSEEN, answer, done, refused, run, walk
from tests.ui.walks import Steps, walks
from torchatlas.graph.errors import DataError
from torchatlas.graph.export import node_link, read_node_link
from torchatlas.graph.model import Snapshot

SAMPLE = str(ROOT / "data" / "sample.xml")
EPISODES = ("query", "MATCH (e:Episode) RETURN count(e) AS n")


@walks(r"""
A query answers in formats and says what it leaves out
query 'MATCH (e:Episode {number: $n}) RETURN e.title' -p n=3 --format csv => == e.title\nOn view
query 'MATCH (e:Episode) RETURN e.title' --limit 3 --seconds 9 => 2== 3 rows, more were left out; --limit shows more
ask before -p concept=AOTAutograd --limit 2 --seconds 9 => 2== 2 rows, more were left out; --limit shows more

A table keeps values as they are, and numbers as numbers
query "RETURN 'a' AS a, ['b', null] AS b, true AS c, null AS d, {e: 1} AS e" --format csv
=> == a,b,c,d,e\na,"[""b"", null]",true,,"{""e"": 1}"
query "RETURN -1 AS a, -1.5 AS b, '-2' AS c, 'a=b' AS d, -3 AS `=e`" --format sheet
=> == a,b,c,d,'=e\n-1,-1.5,-2,a=b,-3
query --help => formulas
""")
def test_a_table_is_printed(small: Path, steps: Steps) -> None:
    walk(small, steps)


@pytest.mark.parametrize("style", ["csv", "sheet"])
def test_a_line_that_ends_with_a_carriage_return_stands_in_quotes(small: Path, style: str) -> None:
    assert done(small, "query", "RETURN $x AS a", "-p", "x=b\r=1", "--format", style).stdout == 'a\n"b\r=1"\n'


def test_no_text_in_a_sheet_is_a_formula(small: Path) -> None:
    texts = ['=HYPERLINK("http://x")', "+1+cmd", "-1+1", "@SUM(1)", "\t=1", "\r=1", " =1", "\uff1d1"]
    given = [word for n, text in enumerate(texts) for word in ("-p", f"x{n}={text}")]
    asked = "RETURN " + ", ".join(f"$x{n} AS c{n}, [$x{n}] AS l{n}" for n in range(len(texts)))
    for style, before in ("csv", ""), ("sheet", "'"):
        table = done(small, "query", asked, *given, "--format", style).stdout.split("\n", 1)[1]
        assert next(reader(StringIO(table, newline="")))[::2] == [before + text for text in texts]


def test_a_wide_row_stands_line_by_line(small: Path) -> None:
    many = ", ".join(f"{n} AS column{n}" for n in range(17))
    shown = run(small, "query", f"RETURN {many}").stdout.splitlines()
    assert shown[1].split("│")[1:3] == [" column0  ", " 0  "] and len(shown) == 19


def test_lists_have_the_keys_on_which_programs_rely(small: Path) -> None:
    assert answer(small, "questions")["columns"] == ["name", "description", "parameters"]
    keys = {"id", "name", "aliases", "in_texts", "phrases", "area", "definition", "requires"}
    assert {frozenset(row) for row in answer(small, "concepts")} == {frozenset(keys)}


FEED = """<rss version="2.0"><channel><title>x</title>
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
    Path("hostile.xml").write_text(FEED, "utf-8")
    shown = done(home, *command, "--format", style, color=True)
    assert "vmap" in shown.stdout and not UNSEEN.search(shown.output)
    assert style != "jsonl" or json.loads(shown.stdout)["id"] == "a\u202eb\x7f"


def program(home: Path, *arguments: str, **environment: str) -> dict[str, object]:
    command = [sys.executable, "-m", "torchatlas", *arguments]
    variables = {**os.environ, "TORCHATLAS_HOME": str(home), **environment}
    return {"args": command, "env": variables, "cwd": ROOT, "stderr": subprocess.PIPE}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_names_are_utf_8_whatever_the_locale_is(small: Path, encoding: str) -> None:
    command = ("query", "RETURN '\u2192 \u00e9' AS x", "--format", "csv")
    locale = program(small, *command, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    shown = subprocess.run(**locale, stdout=subprocess.PIPE, check=False)
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
    for feed, says in (str(bad), "bad.xml"), ("-", "save it to a file"):
        failed = run(home, "add", feed, given=Path(SAMPLE).read_bytes())
        assert failed.exit_code == 1 and says in failed.stderr
        assert (home / "atlas.lbug").read_bytes() == before and not (home / "sources.toml").exists()
    told = refused(home, "plan", "vmap", "--store", f"ladybug:{broken}")
    assert "broken.lbug" in told and "torchatlas build" in told and broken.read_bytes() == b"not a database" * 400
    assert str(bad) in run(bad, "concepts").output  # a home that is a file


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


def test_an_export_and_a_page_replace_files_and_nothing_else(small: Path) -> None:
    for _ in range(2):
        done(small, "export", str(small / "atlas.json"))
    os.mkfifo(small / "pipe.json")
    for odd, code in ("pipe.json", 1), ("atlas.json/more.json", 1), ("none.odd", 2):
        assert refused(small, "export", str(small / odd), code=code)
    assert (small / "pipe.json").is_fifo()
    target = small / "sent" / "map.html"
    first = done(small, "share", str(target), "aotautograd")
    assert first.stderr.splitlines()[-1] == f"{target}: {target.stat().st_size:,} bytes"
    page = target.read_text("utf-8")
    assert "<h1>The way to aotautograd idea</h1>" in page and str(small) not in page
    done(small, "share", str(target))
    assert "<h1>Map of PyTorch internals</h1>" in target.read_text("utf-8")


@pytest.mark.slow
@settings(max_examples=times(25))
@given(snapshots())
def test_what_export_writes_as_json_is_read_back(graph: Snapshot) -> None:
    assert read_node_link(node_link(graph), "graph.json") == graph


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"{}", b'{"nodes": [{"id": "X:a", "label": "X"}], "edges": []}',
        b'{"nodes": [{"id": "Concept:a", "label": "Concept", "name": 5, "area": "x"}], "edges": []}',
        b'{"nodes": [{"id": "Concept:a", "label": "Concept", "aliases": 5}], "edges": []}',
        b'{"nodes": [], "edges": [{"source": "Concept:a", "target": "Concept:b", "kind": "REQUIRES"}]}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_graph_is_one_line(content: bytes) -> None:
    with pytest.raises(DataError, match=r"^a\.json is no graph in JSON; name a file"):
        read_node_link(content, "a.json")


def test_files_a_store_and_the_present_map_are_compared_and_a_long_list_is_cut(small: Path) -> None:
    old, new, none, other = (small / name for name in ("old.json", "new.json", "none.json", "other"))
    done(small, "export", str(old))
    assert run(small, "diff", str(old)).stdout == "nothing has changed\n"
    graph = replace(snapshot(), listen_after=())
    new.write_bytes(node_link(graph))
    other.mkdir()
    address = stored(other, graph)["TORCHATLAS_STORE"]
    name = "#2 On strides goes after #1 On tensor"
    assert f"LISTEN_AFTER: 1 removed\n  removed: {name}\n" in run(small, "diff", str(old), str(new)).stdout
    ends = {"table": "LISTEN_AFTER", "ids": ["show-strides", "show-tensor"]}
    change = {"how": "removed", **ends, "name": name, "properties": []}
    assert answer(small, "diff", str(old), address)["changes"] == [change]
    none.write_bytes(node_link(Snapshot()))
    shown = run(small, "diff", str(none)).stdout
    assert "Concept: 30 added\n" in shown and "  and 22 more; --format json has them all\n" in shown
    assert "<img" in shown and "\x1b" not in shown


@pytest.mark.parametrize("place", ["nowhere.json", "memory:", "ladybug:nothing.lbug", "a\0b"])
def test_where_there_is_no_graph_a_line_says_what_to_name(tmp_path: Path, monkeypatch, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    told = refused(tmp_path, "diff", place, place)
    assert "name a" in told and "Errno" not in told and "lbug: holds" not in told and told.count("nowhere.json") <= 1


@pytest.fixture(scope="module")
def two_shows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    stored(home, of_two_shows())
    return home


def test_shows_are_listed_with_what_is_known_of_them(two_shows: Path) -> None:
    first, second = f"{HOSTILE}  [other-show]\n  4 episodes\n", f"The Show  [the-show]\n  8 episodes, by {HOSTILE}\n"
    addresses = "  page: https://example.org/show\n  feed: https://example.org/rss?token=***\n"
    assert done(two_shows, "shows").stdout == first + second + addresses


@walks(r"""
A command on a show knows no other episodes, and several shows are together
plan 'extra 1' --show other-show --show other-show => More 0
search 'More 1' --limit 30 --show other-show => show-more-1 | !show-view | !show-strides
related 'More 1' --show other-show => !On view | !On strides
next --show other-show => More 0 | !On tensor
plan 'aotautograd idea' --show the-show --show onerror => On tensor
""")
def test_a_map_has_several_shows(two_shows: Path, steps: Steps) -> None:
    walk(two_shows, steps)


def test_a_page_to_send_holds_the_shows_that_are_named(two_shows: Path, tmp_path: Path) -> None:
    done(two_shows, "share", str(tmp_path / "a.html"), "--show", "other-show")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "show-more-1" in page and "show-view" not in page


@pytest.mark.slow
def test_of_programs_that_need_a_graph_one_builds_and_the_others_answer_from_it(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    item = "<item><title>One</title><guid>1</guid></item>"
    (tmp_path / "feed.xml").write_text(f'<rss version="2.0"><channel><title>S</title>{item}</channel></rss>', "utf-8")
    done(tmp_path, "add", str(tmp_path / "feed.xml"))
    (tmp_path / "atlas.lbug").unlink()
    command = [sys.executable, "-m", "torchatlas", "plan", "One"]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    asked = [subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path), **piped) for _ in range(3)]
    answers = [process.communicate(timeout=300) for process in asked]
    assert [process.returncode for process in asked] == [0, 0, 0]
    assert len({stdout for stdout, _ in answers}) == 1
    assert sum("Writing the graph" in stderr for _, stderr in answers) == 1
