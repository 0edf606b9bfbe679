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
    """A home of one's own with the built graph, which a build replaces and never changes; the profile is empty."""
    for file in built.glob("atlas.lbug*"):
        (tmp_path / file.name).hardlink_to(file)  # a copied file would be another one than its plain copy is of
    return tmp_path
