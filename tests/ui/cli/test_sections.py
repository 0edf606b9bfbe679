"""The table of commands against the commands themselves."""

import pkgutil
from importlib import import_module

import click
import pytest
from click.shell_completion import BashComplete

from torchatlas.ui.cli import commands
from torchatlas.ui.cli.program import main
from torchatlas.ui.cli.sections import SECTIONS

SENTENCES = {name: place.sentence for group in SECTIONS.values() for name, place in group.items()}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_list_says_of_a_command_what_its_own_help_says_first(name: str) -> None:
    command = main.commands[name]
    assert (command.name, command.get_short_help_str(64)) == (name, SENTENCES[name])


def test_every_command_is_in_the_table() -> None:
    modules = [
        import_module(f"{commands.__name__}.{module.name}") for module in pkgutil.iter_modules(commands.__path__)
    ]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, click.Command)]
    inner = [each for group in found if isinstance(group, click.Group) for each in group.commands.values()]
    assert {id(command) for command in found if command not in inner} == {id(c) for c in main.commands.values()}


def test_a_shell_completes_every_command() -> None:
    completed = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions([], "")
    assert [each.value for each in completed] == sorted(SENTENCES)
