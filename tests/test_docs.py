"""The README and the help texts say what the program does."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest

from tests.readme import README, ROOT, Shown, agrees, replay, sessions
from torchatlas.inputs import inputs
from torchatlas.pipeline import assemble
from torchatlas.settings import load_settings
from torchatlas.ui.cli.program import main

TEXT = README.read_text("utf-8")
SHOWN = list(sessions(TEXT))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("shown", [s for s in SHOWN if s.output and not s.comment], ids=lambda s: s.command)
def test_the_readme_shows_what_is_printed(shown: Shown, home: Path) -> None:
    printed = replay(shown.command, home)
    assert agrees(shown.output, printed), printed


@pytest.mark.parametrize("shown", SHOWN, ids=lambda s: s.command)
def test_every_option_that_the_readme_shows_exists(shown: Shown) -> None:
    words = shown.command.split()
    command = main.commands.get(words[1], main) if len(words) > 1 else main
    known = {option for each in (main, command) for p in each.params for option in p.opts}
    assert set(re.findall(r"(?<=\s)--[\w-]+", shown.command)) <= known


@pytest.mark.parametrize("shown", SHOWN, ids=lambda s: s.command)
def test_every_command_that_the_readme_shows_exists(shown: Shown) -> None:
    name = next((word for word in shown.command.split()[1:] if not word.startswith("-")), None)
    assert name is None or name in main.commands


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_in_the_readme_and_has_help_with_an_example(name: str) -> None:
    command = main.commands[name]
    assert any(s.command.startswith(f"torchatlas {name}") for s in SHOWN)
    example = re.search(r"Example: (torchatlas .*)", str(command.help))
    assert example and example[1].split()[1] == name
    documented = [p for p in command.params if isinstance(p, click.Option)]
    assert all(p.help or p.is_eager for p in documented)


def test_every_make_target_has_a_line_of_help_and_the_readme_begins_with_the_two_commands() -> None:
    shown = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert set(targets) == set(re.findall(r"make (\w+)", shown))
    assert "make run" in TEXT and "make test" in TEXT


def test_the_files_that_the_readme_points_to_exist() -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_the_corrections_that_the_readme_shows_apply() -> None:
    given = replace(
        inputs(load_settings()), feeds=(), corrections=("README.md", re.findall(r"```toml\n(.*?)```", TEXT, re.S)[0])
    )
    assert assemble(given).problems == {}


def test_packages_load_without_a_warning() -> None:
    subprocess.run(
        [sys.executable, "-W", "error", "-c", "import torchatlas, torchatlas.ui.cli.program"],
        cwd=ROOT,
        check=True,
    )
