"""A map without the shipped files: the page on it is replayed, and its edges are tried."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.doc_sessions import ROOT, agrees, blocks, sessions
from tests.ui.cli.commands import COMMANDS, done, refused, run
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.shipped import bundled

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
def test_nothing_that_ships_is_on_it_drafts_are_told_apart_and_nothing_is_overwritten(folder: Path) -> None:
    bread = begin(folder / "bread", "bread.xml")
    assert "5 episodes" in run(bread, "build", "--offline").stdout
    assert run(bread, "journeys").stdout.strip() == "" and refused(bread, "concept", "AOTAutograd")
    assert "torchatlas plan 'Oven spring'" in run(bread, "journeys").stderr
    assert not SHIPPED.search(run(bread, "questions").stdout)
    done(bread, "candidates", "--draft", "few.toml", "--limit", "3", "--area", "Bread")
    text = Path("few.toml").read_text("utf-8")
    drafted = tomllib.loads(text)
    assert drafted.pop("area") == "Bread" and len(drafted) == 3 and all(draft["draft"] for draft in drafted.values())
    for name, wrong in ("few.toml", "is there already"), ("a" * 300, "cannot be written (File name too long); name"):
        assert wrong in refused(bread, "candidates", "--draft", name)
    assert Path("few.toml").read_text("utf-8") == text
    done(bread, "candidates", "--draft", "more.toml")
    assert not drafted.keys() & tomllib.loads(Path("more.toml").read_text("utf-8")).keys()
    listed = bread / "sources.toml"
    assert tomllib.loads(listed.read_text("utf-8"))["title"] == "Baking bread"
    listed.write_text(listed.read_text("utf-8").replace("shipped = false", "shipped = true"), "utf-8")
    assert "88 episodes" in run(bread, "build", "--offline").stdout


@pytest.mark.slow
def test_examples_and_goals_are_those_of_the_map(folder: Path) -> None:
    bread = begin(folder / "bread", "bread.xml")
    done(bread, "candidates", "--draft", "bread.toml")
    asked = run(bread, "questions").stdout
    assert run(bread, "journeys").stderr.casefold().count("torchatlas plan 'oven spring'") == 1  # concept and episode
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
    assert "1 episode" in run(home, "plan", "Only one").stdout
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
        assert run(home, "corrections").stderr.splitlines()[-1] == f"{own}: {counted}"
    (home / "sources.toml").write_text("shipped = 1", "utf-8")
    assert "shipped must be true or false" in refused(home, "concepts") and done(home, "plan", "--help")
