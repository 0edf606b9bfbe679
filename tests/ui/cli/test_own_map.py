"""A map of one's own: the page on it is replayed, its edges are tried; terms of feeds and saved pages are kept."""

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.doc_sessions import ROOT, agrees, blocks, sessions
from tests.pages import DESCALE, VALVES, best_of, blog, directory, listing
from tests.ui.cli.commands import COMMANDS, UNSEEN, answer, done, files, refused, run
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.settings import load_settings
from torchatlas.shipped import bundled
from torchatlas.sources import load_sources
from torchatlas.ui.plans import FORMATS

PAGE = (ROOT / "docs" / "your-own-podcast.md").read_text("utf-8")
SHIPPED = re.compile(r"pytorch|torch/|autograd|dispatcher|strides|functionalization|inductor|simplecast", re.I)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the page's feed."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(ROOT / "docs" / "bread.xml", tmp_path)).parent


def begin(home: Path, *feeds: str) -> Path:
    done(home, "new", str(home), "--title", "Baking bread")
    for feed in feeds:
        done(home, "add", feed)
    return home


@pytest.mark.slow
def test_the_page_leads_from_a_feed_to_a_path(folder: Path) -> None:
    shown = [each for each in sessions(PAGE) if each.comment == "in a map of your own"]
    assert len(shown) == 5
    for each in shown:
        if each is shown[-1]:  # the drafts are reworded by then
            reworded = next(text for _, text in blocks(PAGE, "toml") if "gluten" in text)
            (folder / "bread.toml").write_text(reworded, "utf-8")
        printed = done(folder / "bread", *shlex.split(each.command)[1:]).stdout
        assert agrees(each.output, printed.rstrip("\n")), printed


@pytest.mark.slow
def test_nothing_that_ships_is_on_it_drafts_are_told_apart_and_nothing_is_overwritten(folder, built: Path) -> None:
    bread = begin(folder / "bread", "bread.xml")
    assert "5 episodes" in run(bread, "build", "--offline").stdout
    assert run(bread, "plan", "--journey").stdout.strip() == "" and refused(bread, "concepts", "AOTAutograd")
    assert "torchatlas plan 'Oven spring'" in run(bread, "plan", "--journey").stderr
    assert not SHIPPED.search(run(bread, "ask").stdout)
    done(bread, "candidates", "--draft", "few.toml", "--limit", "3", "--area", "Bread")
    text = Path("few.toml").read_text("utf-8")
    drafted = tomllib.loads(text)
    assert drafted.pop("area") == "Bread" and len(drafted) == 3 and all(draft["draft"] for draft in drafted.values())
    for name, wrong in ("few.toml", "is there already"), ("a" * 300, "cannot be written (File name too long); name"):
        assert wrong in run(bread, "candidates", "--draft", name).stderr
    assert Path("few.toml").read_text("utf-8") == text
    done(bread, "candidates", "--draft", "more.toml")
    assert not drafted.keys() & tomllib.loads(Path("more.toml").read_text("utf-8")).keys()
    listed = bread / "sources.toml"
    assert tomllib.loads(listed.read_text("utf-8"))["title"] == "Baking bread"
    listed.write_text(listed.read_text("utf-8").replace("shipped = false", "shipped = true"), "utf-8")
    shutil.copy(built / "extractions.sqlite3", bread)
    assert "88 episodes" in run(bread, "build", "--offline").stdout


@pytest.mark.slow
def test_a_password_or_token_of_a_feed_stays_out_of_all_but_a_feed(folder: Path) -> None:
    kept = (
        '<link>https://e.org/1?auth=SEKRETpage</link><enclosure url="https://me:SEKRETaudio@e.org/1.mp3" type="a/b"/>'
    )
    Path("bread.xml").write_text(Path("bread.xml").read_text("utf-8").replace("<item>", f"<item>{kept}"), "utf-8")
    bread = begin(folder / "bread", "bread.xml")
    for style in FORMATS:
        shown = done(bread, "plan", "Oven spring", "--format", style)
        found = {*re.findall("SEKRET[a-z]+", shown.stdout.replace("\r\n ", ""))}
        assert found == ({"SEKRETaudio"} if style == "rss" else set()), style
        assert ("keep it to yourself" if style == "rss" else "left out: the addresses of ") in shown.stderr
    assert "left out: the addresses of 5 episodes that" in done(bread, "share", "map.html", "Oven spring").stderr
    assert "SEKRET" not in Path("map.html").read_text("utf-8")


@pytest.mark.slow
def test_examples_and_goals_are_those_of_the_map(folder: Path) -> None:
    bread = begin(folder / "bread", "bread.xml")
    done(bread, "candidates", "--draft", "bread.toml")
    asked = run(bread, "ask").stdout
    assert (
        run(bread, "plan", "--journey").stderr.casefold().count("torchatlas plan 'oven spring'") == 1
    )  # concept and episode
    assert "concept=bulk-fermentation" in asked and "area='Baking bread'" in asked and not SHIPPED.search(asked)
    assert "e.g. bulk-fermentation" in run(bread, "ask", "before").output
    done(bread, "ask", "where-explained", "--param", "concept=bulk-fermentation")


@pytest.mark.slow
def test_help_speaks_of_what_the_map_is_of(tmp_path: Path) -> None:
    home = begin(tmp_path / "home")
    own, first = ({name: run(place, name, "--help").stdout for name in COMMANDS} for place in (home, tmp_path))
    concepts = load_vocabulary(bundled("concepts", ".toml")).concepts
    names = sorted({re.escape(name) for c in concepts for name in (c.id, c.name, *c.aliases)}, key=len, reverse=True)
    shipped = re.compile(rf"(?<![\w-])({'|'.join(names)})(?![\w-])", re.I)
    examples = {name: text.partition("Example: ")[2].partition("Options:")[0] for name, text in own.items()}
    assert not {name: found for name, text in examples.items() if (found := shipped.findall(text))}
    assert not [name for name, text in own.items() if SHIPPED.search(text)]
    assert all(text and not re.search(r"\{\w+\}", text) for text in (*own.values(), *first.values()))
    told = run(home, "--help").stdout
    assert "A map of Baking bread" in told and not SHIPPED.search(told) and "plan AOTAutograd" in first["plan"]


def of_items(folder: Path, title: str, *items: str) -> Path:
    space, inner = "http://www.itunes.com/dtds/podcast-1.0.dtd", "".join(f"<item>{item}</item>" for item in items)
    channel = f"<channel><title>{title}</title>{inner}</channel>"
    (folder / "feed.xml").write_text(f'<rss version="2.0" xmlns:itunes="{space}">{channel}</rss>', "utf-8")
    return begin(folder / "home", str(folder / "feed.xml"))


def told_next(home: Path) -> str:
    return " ".join(run(home, "next").stdout.split())


@pytest.mark.slow
def test_a_feed_with_one_plain_episode_says_what_lacks(tmp_path: Path) -> None:
    home = of_items(tmp_path, "One", "<title>Only one</title><description>It is about tea.</description>")
    assert "1 post" in run(home, "plan", "Only one").stdout
    assert "torchatlas candidates --draft FILE" in told_next(home)
    done(home, "heard", "Only one")
    assert "you have heard all" in told_next(home)
    asked = done(home, "candidates")
    assert asked.stdout == "" and "no candidate" in asked.stderr


@pytest.mark.slow
def test_episodes_whose_subjects_are_unknown_are_not_said_to_be_heard(tmp_path: Path) -> None:
    """What notes name has an area, but no episode is about it."""
    said = ("owlQuilt is out. We like owlQuilt. And owlQuilt!", "Is owlQuilt old? An owlQuilt, or owlQuilt.")
    items = (f"<title>News {n}</title><guid>{n}</guid><description>{text}</description>" for n, text in enumerate(said))
    home = of_items(tmp_path, "Two", *items)
    done(home, "candidates", "--draft", str(tmp_path / "news.toml"))
    assert "does not know the subjects" in told_next(home)


@pytest.mark.slow
def test_two_episodes_of_one_title_are_told_apart_wherever_they_are_named(tmp_path: Path) -> None:
    item = "<title>Introduction</title><itunes:episode>1</itunes:episode><description>How it began.</description>"
    home = of_items(tmp_path, "Owl TV", *(f"{item}<guid>{s}</guid><itunes:season>{s}</itunes:season>" for s in (1, 2)))
    assert run(home, "heard", "s2e1").stdout == "Remembered: S2 E1 Introduction\n"
    assert run(home, "heard").stdout == "S2 E1 Introduction\n"
    found = {line.split("  ")[1] for line in run(home, "search", "introduction").stdout.splitlines()}
    assert {"S1 E1 Introduction", "S2 E1 Introduction"} <= found
    assert "S1 E1 or S2 E1" in run(home, "heard", "Introduction").output


def test_a_folder_with_a_map_is_left_alone_and_its_corrections_are_counted(tmp_path: Path) -> None:
    done(tmp_path, "new", str(home := tmp_path / "a b"))
    before = (home / "sources.toml").read_text("utf-8")
    told = refused(tmp_path, "new", str(home), "--title", "Other")
    assert 'title = "a b"' in before and str(home / "sources.toml") in told and "another place" in told
    assert (home / "sources.toml").read_text("utf-8") == before
    own = home / "corrections.toml"
    for text, counted in ("", "no corrections"), ("[topic.owl]\nname = 'Owl'\n", "1 correction"):
        own.write_text(text, "utf-8")
        assert run(home, "check", "corrections").stderr.splitlines()[-1] == f"{own}: {counted}"
    (home / "sources.toml").write_text("shipped = 1", "utf-8")
    assert "shipped must be true or false" in refused(home, "concepts") and done(home, "plan", "--help")


FEED = """<rss version="2.0"><channel><title>Invented</title>
<item><title>The lantern pass</title><guid>a</guid>
<description>The lantern pass runs behind vmap, in GlowWorm.</description></item>
<item><title>Lights</title><guid>b</guid>
<description>A lantern pass again. With owl::nest&#x202e;[31m!</description></item>
</channel></rss>"""
OWN = """# mine
[topic.owl]  # first
name = "Owl"
aliases = ["the owl's nest"]
[[rename]]
concept = "Dynamo"
name = "Dyno"
"""


@pytest.fixture
def feed(built: Path, tmp_path: Path) -> str:
    """A feed, in a home where the texts that ship have been read."""
    shutil.copy(built / "extractions.sqlite3", tmp_path)
    path = tmp_path / "feed.xml"
    path.write_text(FEED, "utf-8")
    return str(path)


def named(rows: list[dict[str, Any]]) -> set[str]:
    return {row["text"] for row in rows}


@pytest.mark.slow
def test_terms_of_a_feed_or_of_all_sources_are_listed_best_first_with_counts_and_a_quote(tmp_path: Path, feed) -> None:
    found = answer(tmp_path, "candidates", feed)
    assert found[0]["text"] == "lantern pass" and {"GlowWorm", "owl::nest"} <= named(found)
    assert found[0]["count"] == 3 and len(found[0]["episodes"]) == 2
    assert set(found[0]) == {"text", "count", "score", "episodes", "field", "start", "end", "quote"}
    assert len(answer(tmp_path, "candidates", feed, "--limit", "1")) == 1
    told = run(tmp_path, "candidates", feed)
    assert "lantern pass: 3 times in 2 episodes" in told.stdout and told.stderr.startswith("Reading episodes ...\n")
    assert not UNSEEN.search(told.output)
    lines = (run(tmp_path, "extract", feed, *options).stdout.split("\n")[0] for options in (["--candidates"], []))
    first, plain = map(json.loads, lines)
    assert first["candidates"][0].items() >= {"text": "lantern pass", "count": 2}.items() and "candidates" not in plain
    done(tmp_path, "add", feed)
    found = answer(tmp_path, "candidates", "--limit", "500")
    assert "lantern pass" in named(found) and any(row["field"] == "summary" for row in found)


@pytest.mark.slow
def test_an_accepted_term_is_a_topic_that_the_next_extraction_knows(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "corrections.toml"
    own.write_text(OWN, "utf-8")
    for term in ("vmap", "VMAP", "the owl's nest", "Dyno", "!!!", "owl"):
        assert refused(tmp_path, "candidates", "--accept", term) and own.read_text("utf-8") == OWN
    arguments = ("--name", "Lantern Pass", "--definition", 'It "glows".', "--area", "Light")
    accepted = answer(tmp_path, "candidates", "--accept", "lantern pass", *arguments)
    assert accepted == {"id": "lantern-pass", "name": "Lantern Pass"}
    text = own.read_text("utf-8")
    topic = {"name": "Lantern Pass", "area": "Light", "definition": 'It "glows".', "aliases": ["lantern pass"]}
    assert text.startswith("# mine\n[topic.owl]  # first\n") and tomllib.loads(text)["topic"]["lantern-pass"] == topic
    assert "lantern pass" not in named(answer(tmp_path, "candidates", feed))
    assert "lantern-pass" in {m["concept_id"] for m in answer(tmp_path, "extract", feed)[0]["mentions"]}
    assert done(tmp_path, "candidates", "--accept", "GlowWorm").stdout == "GlowWorm [glowworm]\n"


@pytest.mark.slow
def test_a_rejected_term_is_not_listed_again_and_a_draft_is_told(tmp_path: Path, feed: str) -> None:
    drafted = answer(tmp_path, "candidates", feed, "--draft", str(tmp_path / "own.toml"))
    assert any({"id": "glowworm", "name": "GlowWorm"}.items() <= row.items() for row in drafted)
    rejected = answer(tmp_path, "candidates", "--reject", "Lantern-Pass", "--reject", "GlowWorm")
    assert rejected == ["Lantern-Pass", "GlowWorm"]
    assert {"lantern pass", "GlowWorm"}.isdisjoint(named(answer(tmp_path, "candidates", feed)))
    assert tomllib.loads((tmp_path / "sources.toml").read_text("utf-8"))["refused"] == rejected


@pytest.mark.slow
def test_a_vocabulary_of_ones_own_is_used_by_option_and_by_profile(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "own.toml"
    topic = '[beacon]\nname = "beacon"\naliases = ["lantern pass"]\ndefinition = "It glows."'
    own.write_text(f'area = "Light"\n{topic}\n', "utf-8")

    def concepts(*arguments: str) -> set[str]:
        return {m["concept_id"] for row in answer(tmp_path, "extract", feed, *arguments) for m in row["mentions"]}

    assert "beacon" not in concepts()
    assert {"beacon", "vmap"} <= concepts("--vocabulary", str(own))
    (tmp_path / "sources.toml").write_text(f"vocabularies = ['{own}']\n", "utf-8")
    assert {"beacon", "vmap"} <= concepts()
    own.unlink()
    assert "own.toml" in run(tmp_path, "extract", feed).stderr


SHOW = "PyTorch Developer Podcast"
GRAPHS = (
    "Launching tiny kernels one by one is slow. With CUDA graphs a bunch of launches is recorded and replayed at once; "
    "what about memory addresses, random numbers and Philox? Written up in https://github.com/pytorch/pytorch/pull/51436"
)
NEW = "A new episode about vmap ( https://example.org/vmap ), which nobody has heard of so far."
LISTED = [("AOTAutograd", "19:00", VALVES), (None, None, GRAPHS), (None, None, DESCALE)]
BEST = [("Vectorisation", "05/07/21", "15 min", "SIMD."), ("On vmap", "05/07/25", "12 min", NEW)]
SAVED = {
    "player.txt": directory(LISTED, focus=("AOTAutograd", VALVES), show=SHOW),
    "good.txt": best_of(BEST, show=SHOW),
    "list.txt": listing([("AOTAutograd", VALVES), ("On vmap", NEW)], show=SHOW),
    "blog.txt": blog([("Kettles and vmap", (NEW,))]),
    "letter.txt": "Dear friend,\nnothing new here.\n",
}
"""A page of each shape, and one that is none."""


@pytest.mark.slow
def test_an_import_is_tried_remembered_in_the_map_and_changes_nothing_the_next_time(built, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name, text in SAVED.items():
        (tmp_path / name).write_text(text, "utf-8")
    player, good, listed, blogged, letter = (str(tmp_path / name) for name in SAVED)
    found = answer(home, "import", player, "--dry-run")
    assert [(r["outcome"], r["title"], r["episode"]) for r in found] == [
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", None, "CUDA graphs"),
        ("not placed", None, None),
    ]
    assert any("pytorch/pytorch#51436" in str(e) for e in list(found[2]["evidence"])) and not files(home)
    shutil.copy(built / "extractions.sqlite3", home)
    told = run(home, "import", player, good, listed, blogged, letter)
    assert told.exit_code == 1 and "good.txt: 1 new, 1 merged, 0 not placed" in told.stdout
    assert [line for line in told.stderr.splitlines() if "letter.txt" in line and "is no page" in line]
    assert load_sources(load_settings(None, {"TORCHATLAS_HOME": str(home)})).pages == (player, good, listed, blogged)
    link = "MATCH (e)-[:CITES]->(l:Link {url: 'https://example.org/vmap'})"
    facts = answer(home, "query", f"{link} RETURN e.title, e.kind, e.published, e.minutes ORDER BY e.title")
    assert facts["rows"] == [["Kettles and vmap", "post", None, 1], ["On vmap", "episode", "2025-05-07", 12]]
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e)")["rows"] == [[83 + 2]]
    before = files(home)
    assert [r["outcome"] for r in answer(home, "import", good, blogged)] == ["merged"] * 3
    told = run(home, "import", letter, str(tmp_path / "missing.txt"), "-")
    assert told.exit_code == 1 and not told.stdout
    assert len(told.stderr.splitlines()) == 4  # each page, and that none was left
    assert files(home) == before
