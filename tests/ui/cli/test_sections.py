"""The table of commands against the commands themselves, and what former versions had."""

import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from tests.ui.cli.commands import COMMANDS, run
from torchatlas.ui.cli.program import PLACES, REMOVED, main


def test_the_list_says_of_a_command_what_its_own_help_says_first(tmp_path: Path) -> None:
    listed = dict(re.findall(r"^  (\w+) {2,}(\S.*)$", run(tmp_path, "--help").stdout.partition("Options:")[2], re.M))
    assert listed == {name: command.get_short_help_str(64) for name, command in COMMANDS.items()}
    assert all(command.name == name for name, command in COMMANDS.items())


def test_every_command_is_in_the_table() -> None:
    modules = [import_module(f"torchatlas.ui.cli.{place.partition(':')[0]}") for place in PLACES.values()]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, click.Command)}
    inner = {each for group in found if isinstance(group, click.Group) for each in group.commands.values()}
    assert found - inner == {*COMMANDS.values()}


def test_a_shell_completes_every_command() -> None:
    completed = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions([], "")
    assert [each.value for each in completed] == sorted(COMMANDS)


@pytest.mark.parametrize("words", REMOVED, ids=" ".join)
def test_a_removed_option_or_command_is_one_line_of_wrong_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(tmp_path, *words)
    assert done.exit_code == 2 and not done.stdout
    assert done.stderr == f"Error: {REMOVED[words]}\n" and len(done.stderr) < 240
