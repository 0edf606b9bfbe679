"""A built graph of the shipped data for the tests of commands, built once."""

from pathlib import Path

import pytest

from tests.ui.cli.commands import run


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the graph has been built once."""
    home = tmp_path_factory.mktemp("home")
    done = run(home, "build", "--offline")
    # All that ships has evidence, and nothing contradicts.
    assert done.exit_code == 0 and "set aside" not in done.stderr
    return home


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    """A home of one's own: the built graph is copied, the profile is empty."""
    for file in built.glob("atlas.lbug*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path
