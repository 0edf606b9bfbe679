"""Graphs for the tests of commands, each built once: the shipped data, and a small one."""

from pathlib import Path

import pytest

from tests.ui.cli.commands import done


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Call what needs the shipped data slow."""
    for item in items:
        if "built" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the graph has been built once."""
    home = tmp_path_factory.mktemp("home")
    # All that ships has evidence, and nothing contradicts.
    assert "set aside" not in done(home, "build", "--offline").stderr
    return home


def _own(built: Path, home: Path) -> Path:
    for file in built.glob("atlas.lbug*"):
        (home / file.name).hardlink_to(file)  # a copied file would be another one than its plain copy is of
    return home


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    """A home of one's own with the built graph, which a build replaces and never changes; the profile is empty."""
    return _own(built, tmp_path)


@pytest.fixture
def small(environment: dict[str, str], tmp_path: Path) -> Path:
    """A home of one's own with the small graph; the profile is empty."""
    return _own(Path(environment["TORCHATLAS_HOME"]), tmp_path)
