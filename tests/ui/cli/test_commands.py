"""Commands on maps that are there: answers, files, shows, statements, what is loaded, what no terminal must obey."""

import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from csv import reader
from dataclasses import replace
from importlib import import_module
from io import StringIO
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from hypothesis import given, settings

from tests.atlas import HOSTILE, of_two_shows, snapshot, stored
from tests.doc_sessions import ROOT, environment
from tests.extract.cases import pairs
from tests.strategies import snapshots, times
from tests.ui.cli.commands import COMMANDS, UNSEEN, answer, done, files, refused, run, walk
from tests.ui.walks import Steps, walks
from torchatlas.atlas import Atlas
from torchatlas.extract.catalogue import parse_corrections
from torchatlas.graph.errors import DataError
from torchatlas.graph.export import node_link, read_node_link
from torchatlas.graph.model import Snapshot
from torchatlas.settings import load_settings
from torchatlas.ui.cli.ask import is_whole, statements
from torchatlas.ui.cli.program import PLACES, RENAMED, main
from torchatlas.ui.plans import dumps


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


def test_no_text_in_a_sheet_is_a_formula_and_a_line_that_ends_with_a_carriage_return_stands_in_quotes(small) -> None:
    texts = ['=HYPERLINK("http://x")', "+1+cmd", "-1+1", "@SUM(1)", "\t=1", "\r=1", " =1", "\uff1d1"]
    given = [word for n, text in enumerate(texts) for word in ("-p", f"x{n}={text}")]
    asked = "RETURN " + ", ".join(f"$x{n} AS c{n}, [$x{n}] AS l{n}" for n in range(len(texts)))
    for style, before in ("csv", ""), ("sheet", "'"):
        table = done(small, "query", asked, *given, "--format", style).stdout.split("\n", 1)[1]
        assert next(reader(StringIO(table, newline="")))[::2] == [before + text for text in texts]
        assert done(small, "query", "RETURN $x AS a", "-p", "x=b\r=1", "--format", style).stdout == 'a\n"b\r=1"\n'


def test_a_wide_row_stands_line_by_line(small: Path) -> None:
    many = ", ".join(f"{n} AS column{n}" for n in range(17))
    shown = run(small, "query", f"RETURN {many}").stdout.splitlines()
    assert shown[1].split("│")[1:3] == [" column0  ", " 0  "] and len(shown) == 19


def test_lists_have_the_keys_on_which_programs_rely(small: Path) -> None:
    assert answer(small, "ask")["columns"] == ["name", "description", "parameters"]
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
def test_nothing_from_a_feed_or_the_graph_is_an_order_to_the_terminal(home, monkeypatch, command, style) -> None:
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


PRINTED = """concepts => 0 | concepts --format json => 1 | query "MATCH (c:Concept) RETURN c" --format csv => 0
    export - --format json => 0"""


@pytest.mark.parametrize(("command", "lines"), pairs(PRINTED))
def test_a_full_disk_is_one_line_and_a_reader_that_left_none(home: Path, command: str, lines: str) -> None:
    with Path("/dev/full").open("wb") as full:
        filled = subprocess.run(**program(home, *shlex.split(command)), stdout=full, check=False)
    assert (filled.returncode, filled.stderr) == (1, b"Error: the output cannot be written: the disk is full\n")
    with subprocess.Popen(**program(home, *shlex.split(command)), stdout=subprocess.PIPE) as left:
        assert left.stdout is not None and left.stderr is not None
        assert all(left.stdout.readline() for _ in range(int(lines)))
        left.stdout.close()
        assert left.stderr.read() == b"" and (left.wait(60) == 1 or int(lines))


def test_what_was_there_stays_when_a_feed_or_the_store_is_broken(home: Path, tmp_path: Path) -> None:
    bad, broken = tmp_path / "bad.xml", tmp_path / "broken.lbug"
    bad.write_text("no feed", "utf-8")
    broken.write_bytes(b"not a database" * 400)
    before = (home / "atlas.lbug").read_bytes()
    for feed, says in (str(bad), "bad.xml"), ("-", "save it to a file"):
        failed = run(home, "add", feed, given=(ROOT / "data" / "sample.xml").read_bytes())
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
    count = "MATCH (e:Episode) RETURN count(e) AS n"
    new = "MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept) WHERE e.guid = 'live-84' RETURN c.id AS id"
    assert answer(home, "query", new)["rows"] == [["vmap"]] and answer(home, "query", count)["rows"] == [[84]]


def test_proposed_notes_are_written_to_a_new_file_which_corrections_take(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# PyTorch 2.9\n- Deprecate `torch.jit.script` (#1)\n", "utf-8")
    (row,) = answer(home, "changes", str(tmp_path / "notes.md"))
    command, own = ("changes", str(tmp_path / "notes.md"), "--write"), tmp_path / "notes.toml"
    done(home, *command, str(own))
    assert "is there already" in refused(home, *command, str(own))
    (read,) = parse_corrections(str(own), own.read_text("utf-8"))
    assert (read.note, [*read.episodes]) == ("PyTorch 2.9: Deprecate torch.jit.script (#1)", row["episodes"])


def test_an_export_and_a_page_replace_files_and_nothing_else(small: Path) -> None:
    for _ in range(2):
        done(small, "export", str(small / "atlas.json"))
    os.mkfifo(small / "pipe.json")
    for odd in "pipe.json", "atlas.json/more.json", "none.odd":
        assert refused(small, "export", str(small / odd))
    assert (small / "pipe.json").is_fifo()
    told = done(small, "export", str(vault := small / "vault"), "--format", "obsidian").stderr
    with (theirs := vault / "episodes/2 On strides.md").open("a") as file:
        file.write("mine\n")
    told += done(small, "export", str(vault), "--format", "obsidian").stderr
    assert theirs.read_text("utf-8").endswith("mine\n")
    assert told.count("kept") == 1 and "kept 1 note that you wrote or changed: episodes/2 On strides.md\n" in told
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
    same = run(small, "diff", str(old))
    assert (same.stdout, same.stderr) == ("nothing has changed\n", "Comparing plans ...\n")
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


def test_shows_are_listed_with_what_is_known_of_them_and_a_page_holds_one(two_shows: Path, tmp_path: Path) -> None:
    first, second = f"{HOSTILE}  [other-show]\n  4 episodes\n", f"The Show  [the-show]\n  8 episodes, by {HOSTILE}\n"
    addresses = "  page: https://example.org/show\n  feed: https://example.org/rss?token=***\n"
    assert done(two_shows, "shows").stdout == first + second + addresses
    done(two_shows, "share", str(tmp_path / "a.html"), "--show", "other-show")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "show-more-1" in page and "show-view" not in page


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


FAMILIES = {f"torchatlas.ui.cli.{place.partition(':')[0]}" for place in PLACES.values()}


def test_every_command_is_in_the_table_completed_by_a_shell_and_listed_with_what_its_help_says_first(tmp_path) -> None:
    found = {v for name in FAMILIES for v in vars(import_module(name)).values() if isinstance(v, click.Command)}
    inner = {each for group in found if isinstance(group, click.Group) for each in group.commands.values()}
    assert found - inner == {*COMMANDS.values()} and all(command.name == n for n, command in COMMANDS.items())
    completed = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions([], "")
    assert [each.value for each in completed] == sorted(COMMANDS)
    listed = dict(re.findall(r"^  (\w+) {2,}(\S.*)$", run(tmp_path, "--help").stdout.partition("Options:")[2], re.M))
    told = " ".join(run(tmp_path, "add", "--help").stdout.split())
    unlisted = [name for name in COMMANDS if f"`torchatlas {name}" in told]
    assert listed == {name: c.get_short_help_str(64) for name, c in COMMANDS.items() if name not in unlisted}
    assert unlisted == ["extract", "candidates"]


def test_an_old_name_answers_as_it_did_and_names_the_new_one(small: Path) -> None:
    with Atlas(load_settings(environment={"TORCHATLAS_HOME": str(small)})) as atlas:
        asked = {"concept": atlas.concept("view"), "gaps": atlas.gaps(), "journeys": atlas.journeys()}
        asked |= {"corrections": atlas.corrections(), "schema": atlas.schema(), "shows": atlas.shows()}
    for name, wanted in asked.items():
        told = done(small, name, *["view"] * (name == "concept"), "--format", "json")
        assert json.loads(told.stdout) == json.loads(dumps(wanted)), name
        assert told.stderr.splitlines()[0] == f"torchatlas {name} is now torchatlas {RENAMED[name]}"
    assert done(small, "questions").stdout == done(small, "ask").stdout
    assert done(small, "console", given=b"RETURN 1 AS x;").stdout == done(small, "query", "RETURN 1 AS x").stdout
    assert {*asked, "questions", "console"} == {*RENAMED} and done(small, "schema", "--format", "text").stdout


COMPLETED = """plan str => strides | plan show => show-strides | explain view st => strides | ask befo => before
    plan --journey sh => ship-a-model | plan v --known st => strides | heard show-st => show-strides | know q => None"""


@pytest.mark.parametrize(("line", "word"), pairs(COMPLETED))
def test_a_shell_completes(small: Path, monkeypatch: pytest.MonkeyPatch, line: str, word: str) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(small))
    *words, typed = line.split()
    offered = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions(words, typed)
    assert word in [each.value for each in offered] or (word == "None" and not offered)


def test_a_doctor_names_all_that_is_broken_and_changes_nothing(small: Path) -> None:
    assert "BROKEN" not in done(small, "doctor").stdout and {"versions", "places"} <= answer(small, "doctor").keys()
    (small / "profile.toml").write_text("known = 5", "utf-8")
    (small / "sources.toml").write_text('sources = ["https://example.org/feed.xml"]', "utf-8")
    before, found = files(small), run(small, "doctor", "--store", "bolt://127.0.0.1:1")
    for told in "BROKEN: .*known must be", "BROKEN: .*127.0.0.1:1", "note: .*feed.xml was not read", "neo4j \\d":
        assert re.search(told, found.stdout), told
    assert (found.exit_code, files(small)) == (1, before) and found.stderr.endswith("broken: 2; see above what to do\n")


CODE = """
import atexit, os, sys
from torchatlas.ui.cli.program import main
atexit.register(lambda: print(os.environ.get("OPENBLAS_NUM_THREADS"), *sys.modules, file=sys.stderr))
main(sys.argv[1:], "torchatlas", standalone_mode=False)
"""
BUILDS = "spacy scipy networkx pandas pyarrow pydantic neo4j torchatlas.extract.pipeline torchatlas.graph.build"
DRAWS = "streamlit pyvis rich mcp uvicorn dask distributed"
HEAVY = f"{BUILDS} {DRAWS} requests urllib3 feedparser selectolax charset_normalizer torchatlas.extract.text"
MAP = (*FAMILIES, "torchatlas.atlas", "torchatlas.build", "torchatlas.graph.answers", "torchatlas.graph.model")


@pytest.mark.parametrize(
    ("command", "without"),
    [
        ("--help", f"{HEAVY} ladybug numpy rapidfuzz highspy"),
        ("plan AOTAutograd", f"{HEAVY} ladybug importlib.metadata rapidfuzz"),
        ("related 12", f"{HEAVY} ladybug importlib.metadata highspy rapidfuzz"),
        ("search 'why is my memory not freed'", f"{HEAVY} ladybug importlib.metadata numpy highspy"),
        ("concepts vmap", f"{HEAVY} ladybug importlib.metadata numpy highspy snowballstemmer"),
        ("complete plan vm", f"{HEAVY} ladybug importlib.metadata numpy highspy rapidfuzz"),
        ("build --offline", f"{BUILDS} {DRAWS} ladybug numpy highspy feedparser"),
        ("build --offline anew", f"{DRAWS} pandas scipy.optimize highspy spacy.cli requests"),
    ],
)
def test_a_command_loads_neither_a_build_nor_another_command(built: Path, tmp_path, command: str, without: str) -> None:
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    words = shlex.split(command.removesuffix(" anew"))
    variables = {**free, "TORCHATLAS_HOME": str(built if "anew" not in command else tmp_path)}
    if command.startswith("complete"):
        variables |= {"_TORCHATLAS_COMPLETE": "bash_complete", "COMP_WORDS": command, "COMP_CWORD": "2"}
    run = [sys.executable, "-c", CODE, *words]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True, env=variables)
    threads, *modules = done.stderr.splitlines()[-1].split()
    assert not {*modules} & {*without.split()}
    if command == "--help":
        assert not [name for name in modules if name.startswith(MAP)]
    elif not command.startswith(("build", "complete")):
        assert len({*modules} & FAMILIES) == 1 and threads == "1"
    assert ("spacy" in modules) == ("anew" in command)


THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


@pytest.mark.parametrize("name", THREADS)
def test_a_number_of_threads_that_the_user_chose_stays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in THREADS:
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "3")
    main(["check", "--help"], standalone_mode=False)
    assert [(each, os.environ[each]) for each in THREADS if each in os.environ] == [(name, "3")]


def test_a_pipe_of_statements_is_run_one_by_one_and_a_cut_answer_told(small: Path) -> None:
    texts = (
        ":format csv\nMATCH (c:Concept {id: 'view'})\nRETURN c.area AS area;\n:param id tensor\n"
        "MATCH (c:Concept {id: $id}) RETURN c.name AS name;\n:ask where-explained concept='strides idea'\n"
    )
    shown = "area Tensors name 'tensor idea' id,title,depth,weight,second 'show-strides,On strides,main,1.0,266'"
    assert done(small, "query", given=texts.encode()).stdout.splitlines() == shlex.split(shown)
    many = b"MATCH (c:Concept) RETURN c.id ORDER BY c.id;\n:ask before concept=aotautograd\n"
    told = done(small, "query", "--limit", "2", given=many).stderr
    assert told.splitlines() == 2 * ["2 rows, more were left out; --limit shows more"]
    assert done(small, "query", given=b":format csv\nRETURN 1 AS x;\n:quit\nRETURN 2 AS y;\n").stdout == "x\n1\n"


WRONG = """CREATE (c:Concept); => queries may only read | :nonsense => there is no command :nonsense; :help lists them
    :format xml => not as 'xml' | :ask befor => did you mean | :ask before 'x => No closing quotation
    :param 1x 3 => is not NAME=VALUE | :_init__ => there is no command :_init__
    RETURN $`a b`; => the query wants a value for $a b: :param 'a b' VALUE"""


@pytest.mark.parametrize(("text", "says"), pairs(WRONG))
def test_from_a_pipe_a_mistake_ends_it_with_one_line(small: Path, text: str, says: str) -> None:
    assert says in refused(small, "query", given=f"{text}\nRETURN 1;\n".encode())


def test_statements_end_with_a_semicolon_an_empty_line_or_the_file() -> None:
    assert all(map(is_whole, ("RETURN 1;", "RETURN 1\n", ":help", "", "RETURN 1; // done")))
    assert not any(map(is_whole, ("RETURN 1", "RETURN ';'", "RETURN 'a;", "RETURN 1 // ;")))
    lines = "RETURN\n1;\n\n:help\nRETURN 2\n\nRETURN ';\n';\nRETURN 3".splitlines(keepends=True)
    assert list(statements(lines)) == ["RETURN\n1;", ":help", "RETURN 2", "RETURN ';\n';", "RETURN 3"]
    together = "RETURN 1; RETURN ';' ;RETURN\r\n2; // ;\r\n:help\r\nRETURN 'a; RETURN 3".splitlines(keepends=True)
    found = ["RETURN 1;", "RETURN ';' ;", "RETURN\r\n2;", ":help", "RETURN 'a; RETURN 3"]
    assert list(statements(together)) == found


@pytest.fixture
def terminal(small: Path) -> Iterator[int]:
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TORCHATLAS_HOME": str(small), "NO_COLOR": "1", "TERM": "xterm"}
    own = {"env": variables, "cwd": ROOT, "start_new_session": True}
    command = [sys.executable, "-m", "torchatlas", "query"]
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, **own)
    os.close(theirs)
    yield ours
    child.terminate()
    child.wait(10)
    os.close(ours)


def seen(terminal: int, what: str) -> str:
    """All that is printed until `what` is."""
    text, until = "", time.monotonic() + 30
    while what not in text:
        assert time.monotonic() < until, text
        if select.select([terminal], [], [], 0.5)[0]:
            text += os.read(terminal, 65536).decode("utf-8", "replace")
            if "\x1b[6n" in text:  # where is the cursor?
                os.write(terminal, b"\x1b[1;1R")
                text = text.replace("\x1b[6n", "")
    return text


@pytest.mark.slow
def test_a_person_types_completes_recalls_and_goes_on_after_a_mistake(terminal: int, small: Path) -> None:
    def typed(keys: bytes, until: str) -> str:
        os.write(terminal, keys)
        return seen(terminal, until)

    seen(terminal, "cypher>")
    typed(b"MATCH (c:Conc\t", "ept")  # the completion, which the next key would end
    assert "Tensors" in typed(b" {id: 'view'}) RETURN c.area AS where_it_is;\r", "1 row")
    assert "may only read" in typed(b"DELETE everything;\r", "not 'DELETE'")
    seen(terminal, "cypher>")
    assert "Tensors" in typed(b"\x1b[A\x1b[A\r", "1 row")  # the one before the last
    seen(terminal, "cypher>")
    typed(b":param 1x 3\r", "is not NAME=VALUE")
    seen(terminal, "cypher>")
    assert "11 " in typed(b"\x1b[200~RETURN 11 AS one;\nRETURN 22 AS two;\x1b[201~\r", "22 ")  # pasted
    seen(terminal, "cypher>")
    os.write(terminal, b"\x04")
    assert "where_it_is" in (small / "console-history").read_text("utf-8")
