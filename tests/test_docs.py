"""README, docs/, CONTRIBUTING and the help texts say what the program does."""

import doctest
import inspect
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import torchatlas
from tests import doc_sessions
from tests.doc_sessions import PAGES, ROOT, TOUR, Shown, agrees, blocks, replay, run, sessions, tour_rewritten
from tests.ui.cli.commands import COMMANDS
from torchatlas.atlas import Atlas
from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
from torchatlas.graph.cypher import parse
from torchatlas.graph.model import PROPERTIES, TABLES
from torchatlas.settings import load_settings
from torchatlas.shipped import SHOW, bundled, bundled_file
from torchatlas.ui.cli.program import main

TEXTS = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
README = TEXTS["README.md"]
SHOWN = [shown for text in TEXTS.values() for shown in sessions(text)]
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))


def pages_with(language: str) -> list[str]:
    return [name for name, text in TEXTS.items() if any(blocks(text, language))]


def toml_blocks(kind: str) -> Iterator[tuple[str, str]]:
    """The TOML blocks of a kind, as (page, text) pairs: ```toml vocabulary."""
    for name, text in TEXTS.items():
        yield from ((name, block) for what, block in blocks(text, "toml") if what == kind)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a graph in it: what a session would build first."""
    replay("torchatlas build --offline", home := tmp_path_factory.mktemp("built"))
    return home


@pytest.fixture
def home(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a person who works in an empty folder."""
    for name in ("TORCHATLAS_STORE", "NEO4J_URI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TORCHATLAS_HOME", str(home := Path(shutil.copytree(built, tmp_path / "home"))))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    return home


@pytest.mark.slow
@pytest.mark.parametrize("page", [n for n, text in TEXTS.items() if any(s.replayable for s in sessions(text))])
def test_a_page_shows_what_is_printed(page: str, home: Path) -> None:
    printed = {s: replay(s.command, home) for s in sessions(TEXTS[page]) if s.replayable}
    wrong = {s.command: now for s, now in printed.items() if not agrees(s.output, now)}
    assert not wrong, "`make docs` writes the pages anew"


@pytest.mark.slow
def test_every_cypher_block_has_an_answer(home: Path) -> None:
    for name in pages_with("cypher"):
        for what, statement in blocks(TEXTS[name], "cypher"):
            wanted = parse(statement, "mine").parameters if what == "question" else ()
            given = [option for p in wanted for option in ("--param", f"{p.name}={p.example}")]
            answer = json.loads(run(home, "query", statement, *given, "--format", "json").stdout)
            assert answer["rows"], f"{name}: {statement}"


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("python"))
@pytest.mark.usefixtures("home")
def test_the_python_of_a_page_runs(page: str) -> None:
    """All blocks of a page are one session, run as a doctest from an empty folder; `no-run` ones are only compiled."""
    examples = ""
    for what, block in blocks(TEXTS[page], "python"):
        if ">>>" not in block:
            compile(block, page, "exec")
        elif what != "no-run":
            examples += block + "\n"
    test = doctest.DocTestParser().get_doctest(examples, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


@pytest.mark.slow
@pytest.mark.usefixtures("home")
def test_the_notebook_shows_what_its_cells_compute() -> None:
    shown = TOUR.read_text("utf-8")
    assert json.loads(tour_rewritten(shown)) == json.loads(shown), "`make docs` writes it anew"


@pytest.mark.slow
@pytest.mark.usefixtures("home")
def test_the_example_of_every_method_of_the_library_runs() -> None:
    methods = {name: str(m.__doc__) for name, m in inspect.getmembers(Atlas, callable) if name[0] != "_"}
    examples = {name: re.findall(r"(?:Example)?: `(.+)`\.?$", text, re.M) for name, text in methods.items()}
    assert [name for name, found in examples.items() if len(found) != 1] == []
    need_a_feed_or_a_page = {"add", "import_pages", "remove_source", "extract"}
    with torchatlas.Atlas(load_settings()) as atlas:
        for name in sorted(examples.keys() - need_a_feed_or_a_page):
            eval(examples[name][0], {"atlas": atlas, "plan": atlas.plan("vmap")})


@pytest.mark.parametrize("shown", SHOWN, ids=lambda s: s.command)
def test_every_command_and_option_that_the_pages_show_exists(shown: Shown) -> None:
    name = next((word for word in shown.command.split()[1:] if not word.startswith("-")), None)
    assert name is None or name in COMMANDS
    command = COMMANDS.get(str(name), main)
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    known = {option for each in (main, command, *inner) for p in each.params for option in p.opts}
    assert set(re.findall(r"(?<=\s)--[\w-]+", shown.command)) <= known


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_shown_and_has_help_with_an_example(name: str) -> None:
    command = COMMANDS[name]
    assert any(s.command.startswith(f"torchatlas {name}") for s in SHOWN)
    assert re.search(rf"Example: torchatlas {name}\b", str(command.help))
    assert all(p.help or p.is_eager for p in command.params if isinstance(p, click.Option))


def test_the_list_of_commands_says_in_a_whole_sentence_what_each_does() -> None:
    for group in (["--help"], ["neo4j", "--help"]):
        shown = CliRunner().invoke(main, group).output
        listed = re.findall(r"^  ([a-z0-9]+)  +(\S.*)$", shown.partition("Options:")[2], re.M)
        assert len(listed) > 2 and all(sentence[-1] in ".)" and "..." not in sentence for _, sentence in listed)


def test_every_make_target_is_listed_once_and_those_that_the_pages_name_exist() -> None:
    def listed(by: str) -> list[str]:
        shown = subprocess.run(["make", "-s", by], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return re.findall(r"^  make ([a-z-]+)  ", shown, re.M)

    assert sorted([*listed("help"), *listed("slow"), "help"]) == sorted(TARGETS) and len(listed("help")) == 7
    named = {t for text in TEXTS.values() for t in re.findall(r"(?:^|`)make ([a-z-]+)", text, re.M)}
    assert {"run", "test", "check", "docs"} <= named <= TARGETS


def test_the_readme_is_short_links_every_page_and_lines_fit_a_screen() -> None:
    assert len(README.splitlines()) <= 200
    assert set(TEXTS) - {"README.md"} <= set(re.findall(r"\]\(([\w/.-]+\.md)", README))
    for name, text in TEXTS.items():
        prose = FENCED.sub("", text)
        assert not [line for line in prose.splitlines() if len(line) > 140 and "|" not in line], name


def test_every_test_and_target_that_the_threat_model_names_exists() -> None:
    page = TEXTS["docs/threat-model.md"]
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    assert len(named) >= 20 and [name for name in named if not (ROOT / "tests" / name).exists()] == []
    rows = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert all("`" in row.split("|")[3] for row in rows)


def test_the_reference_is_what_the_program_says(tmp_path: Path) -> None:
    pages = doc_sessions.reference(tmp_path)
    assert {page: page.read_text("utf-8") for page in pages} == pages, "`make docs` writes it anew"


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", sorted(TEXTS))
def test_the_places_that_a_page_points_to_exist(page: str) -> None:
    for name, _, heading in (t.partition("#") for t in re.findall(r"\]\((?!https?://)([^)\s]+)\)", TEXTS[page])):
        there = (ROOT / page).parent / name if name else ROOT / page
        assert there.exists(), there
        assert not heading or heading in anchors(there.read_text("utf-8")), (there, heading)


def test_every_label_type_and_property_of_the_graph_is_explained() -> None:
    tables = re.findall(r"^\|.*", TEXTS["docs/cypher.md"], re.M)
    assert TABLES.keys() | PROPERTIES <= set(re.findall(r"`(\w+)`", "\n".join(tables)))


@pytest.mark.slow
def test_the_corrections_the_vocabularies_and_the_episodes_that_the_pages_show_are_read(home: Path) -> None:
    ((_, block),) = toml_blocks("corrections")
    (home / "corrections.toml").write_text(block, "utf-8")
    assert "does not apply" not in run(home, "build", "--offline").stderr
    for page, block in toml_blocks("vocabulary"):
        (home / "mine.toml").write_text(block, "utf-8")
        assert run(home, "extract", "data/sample.xml", "--vocabulary", str(home / "mine.toml")).stdout, page
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    given = tuple(toml_blocks("episode"))
    assert given and load_catalogue((*bundled("episodes", ".toml"), *given), vocabulary, SHOW)


def test_packages_load_without_a_warning() -> None:
    code = "import torchatlas, torchatlas.ui.cli.program"
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)
