"""A map without the shipped files: the page on it is replayed, and its edges are tried."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.doc_sessions import ROOT, agrees, blocks, sessions
from tests.ui.cli.commands import COMMANDS, run
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.shipped import bundled

PAGE = (ROOT / "docs" / "your-own-podcast.md").read_text("utf-8")
MARK = "in a map of your own"


def begin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a map of the page's feed in a folder, and work there."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    shutil.copy(ROOT / "docs" / "bread.xml", folder)
    home = folder / "bread"
    assert run(home, "new", str(home), "--title", "Baking bread").exit_code == 0
    assert run(home, "add", "bread.xml").exit_code == 0
    return home


@pytest.mark.slow
def test_the_page_leads_from_a_feed_to_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shutil.copy(ROOT / "docs" / "bread.xml", tmp_path)
    shown = [each for each in sessions(PAGE) if each.comment == MARK]
    assert len(shown) == 5
    for each in shown:
        if each is shown[-1]:  # the drafts are reworded by then
            reworded = next(text for _, text in blocks(PAGE, "toml") if "gluten" in text)
            (tmp_path / "bread.toml").write_text(reworded, "utf-8")
        done = run(tmp_path / "bread", *shlex.split(each.command)[1:])
        assert done.exit_code == 0, done.output
        assert agrees(each.output, done.stdout.rstrip("\n")), done.stdout


@pytest.mark.slow
def test_nothing_that_ships_is_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = begin(tmp_path, monkeypatch)
    assert "5 episodes" in run(home, "build", "--offline").stdout
    assert run(home, "journeys").stdout.strip() == ""
    assert run(home, "concept", "AOTAutograd").exit_code == 1
    assert tomllib.loads((home / "sources.toml").read_text("utf-8"))["title"] == "Baking bread"
    shipped = (home / "sources.toml").read_text("utf-8").replace("shipped = false", "shipped = true")
    (home / "sources.toml").write_text(shipped, "utf-8")
    assert "88 episodes" in run(home, "build", "--offline").stdout


@pytest.mark.slow
def test_drafts_are_told_apart_and_nothing_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = begin(tmp_path, monkeypatch)
    assert run(home, "candidates", "--draft", "bread.toml", "--limit", "3", "--area", "Bread").exit_code == 0
    text = (tmp_path / "bread.toml").read_text("utf-8")
    drafted = tomllib.loads(text)
    assert drafted.pop("area") == "Bread"
    assert len(drafted) == 3 and all(draft["draft"] for draft in drafted.values())
    again = run(home, "candidates", "--draft", "bread.toml")
    assert again.exit_code == 1 and "is there already" in again.output
    assert (tmp_path / "bread.toml").read_text("utf-8") == text
    unusable = run(home, "candidates", "--draft", "a" * 300)
    assert unusable.exit_code == 1 and "cannot be written (File name too long); name another" in unusable.output
    assert run(home, "candidates", "--draft", "more.toml").exit_code == 0
    assert not drafted.keys() & tomllib.loads((tmp_path / "more.toml").read_text("utf-8")).keys()


SHIPPED = re.compile(r"pytorch|torch/|autograd|dispatcher|strides|functionalization|inductor|simplecast", re.I)


def shipped_names() -> re.Pattern[str]:
    """All names of the concepts that ship."""
    concepts = load_vocabulary(bundled("concepts", ".toml")).concepts
    names = {name for c in concepts for name in (c.id, c.name, *c.aliases)}
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w-])", re.I)


def test_help_speaks_of_what_the_map_is_of(tmp_path: Path) -> None:
    assert run(tmp_path, "new", str(tmp_path / "home"), "--title", "Baking bread").exit_code == 0
    own = {name: run(tmp_path / "home", name, "--help").stdout for name in COMMANDS}
    examples = {name: text.partition("Example: ")[2].partition("Options:")[0] for name, text in own.items()}
    names = shipped_names()
    assert not {name: found for name, text in examples.items() if (found := names.findall(text))}
    assert not [name for name, text in own.items() if SHIPPED.search(text)]
    for each in (run(home, name, "--help") for home in (tmp_path, tmp_path / "home") for name in COMMANDS):
        assert each.exit_code == 0 and not re.search(r"\{\w+\}", each.stdout), each.exception
    assert "A map of Baking bread" in run(tmp_path / "home", "--help").stdout
    assert not SHIPPED.search(run(tmp_path / "home", "--help").stdout)
    assert "plan AOTAutograd" in run(tmp_path, "plan", "--help").stdout
    (tmp_path / "home" / "sources.toml").write_text("shipped = 1", "utf-8")
    assert run(tmp_path / "home", "plan", "--help").exit_code == 0


@pytest.mark.slow
def test_examples_and_goals_are_those_of_the_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = begin(tmp_path, monkeypatch)
    assert "torchatlas plan 'Oven spring'" in run(home, "journeys").stderr
    assert not SHIPPED.search(run(home, "questions").stdout)
    assert run(home, "candidates", "--draft", "bread.toml").exit_code == 0
    asked = run(home, "questions").stdout
    assert run(home, "journeys").stderr.casefold().count("torchatlas plan 'oven spring'") == 1  # concept and episode
    assert "concept=bulk-fermentation" in asked and "area='Baking bread'" in asked and not SHIPPED.search(asked)
    assert "e.g. bulk-fermentation" in run(home, "ask", "before").output
    assert run(home, "ask", "where-explained", "--param", "concept=bulk-fermentation").exit_code == 0


@pytest.mark.slow
def test_a_feed_with_one_plain_episode_says_what_lacks(tmp_path: Path) -> None:
    home, feed = tmp_path / "home", tmp_path / "one.xml"
    items = "<item><title>Only one</title><description>It is about tea.</description></item>"
    feed.write_text(f'<rss version="2.0"><channel><title>One</title>{items}</channel></rss>', "utf-8")
    assert run(home, "new", str(home)).exit_code == run(home, "add", str(feed)).exit_code == 0
    assert "1 episode" in run(home, "plan", "Only one").stdout
    assert "torchatlas candidates --draft FILE" in " ".join(run(home, "next").stdout.split())
    assert run(home, "heard", "Only one").exit_code == 0
    assert "you have heard all" in run(home, "next").stdout
    asked = run(home, "candidates")
    assert (asked.exit_code, asked.stdout) == (0, "") and "no candidate" in asked.stderr


def test_a_folder_with_a_map_is_left_alone(tmp_path: Path) -> None:
    assert run(tmp_path, "new", str(tmp_path / "a b")).exit_code == 0
    listed = tmp_path / "a b" / "sources.toml"
    before = listed.read_text("utf-8")
    assert 'title = "a b"' in before
    done = run(tmp_path, "new", str(tmp_path / "a b"), "--title", "Other")
    assert done.exit_code == 1 and str(listed) in done.output and "another place" in done.output
    assert listed.read_text("utf-8") == before


@pytest.mark.parametrize("line", ["shipped = 1", 'shipped = "no"'])
def test_a_wrong_word_for_shipped_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "sources.toml").write_text(line, "utf-8")
    done = run(tmp_path, "concepts")
    assert done.exit_code == 1 and "shipped must be true or false" in done.output


def test_corrections_are_counted(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert run(tmp_path, "new", str(home)).exit_code == 0
    own = home / "corrections.toml"
    for text, counted in ("", "no corrections"), ("[topic.owl]\nname = 'Owl'\n", "1 correction"):
        own.write_text(text, "utf-8")
        assert run(home, "corrections").stderr.splitlines()[-1] == f"{own}: {counted}"


@pytest.mark.slow
def test_episodes_whose_subjects_are_unknown_are_not_said_to_be_heard(tmp_path: Path) -> None:
    """What notes name has an area, but no episode is about it."""
    home, feed = tmp_path / "home", tmp_path / "two.xml"
    said = ("owlQuilt is out. We like owlQuilt. And owlQuilt!", "Is owlQuilt old? An owlQuilt, or owlQuilt.")
    items = "".join(
        f"<item><title>News {n}</title><guid>{n}</guid><description>{text}</description></item>"
        for n, text in enumerate(said)
    )
    feed.write_text(f'<rss version="2.0"><channel><title>Two</title>{items}</channel></rss>', "utf-8")
    assert run(home, "new", str(home)).exit_code == run(home, "add", str(feed)).exit_code == 0
    assert run(home, "candidates", "--draft", str(tmp_path / "news.toml")).exit_code == 0
    assert "does not know the subjects" in " ".join(run(home, "next").stdout.split())


@pytest.mark.slow
def test_two_episodes_of_one_title_are_told_apart_wherever_they_are_named(tmp_path: Path) -> None:
    home = tmp_path / "owls"
    assert run(home, "new", str(home), "--title", "Owls").exit_code == 0
    told = "<itunes:episode>1</itunes:episode><description>How it began.</description>"
    items = (
        f"<item><title>Introduction</title><guid>{s}</guid><itunes:season>{s}</itunes:season>{told}</item>"
        for s in (1, 2)
    )
    space = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    feed = home / "owls.xml"
    feed.write_text(
        f'<rss version="2.0" {space}><channel><title>Owl TV</title>{"".join(items)}</channel></rss>', "utf-8"
    )
    assert run(home, "add", str(feed)).exit_code == 0
    assert run(home, "heard", "s2e1").stdout == "Remembered: S2 E1 Introduction\n"
    assert run(home, "heard").stdout == "S2 E1 Introduction\n"
    assert {"S1 E1 Introduction", "S2 E1 Introduction"} <= {
        line.split("  ")[1] for line in run(home, "search", "introduction").stdout.splitlines()
    }
    assert "S1 E1 or S2 E1" in run(home, "heard", "Introduction").output
