"""A build of what is built already: it tells the same, writes nothing, and notices whatever has changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from torchatlas.atlas import Atlas
from torchatlas.graph.errors import DataError
from torchatlas.graph.model import Snapshot
from torchatlas.settings import load_settings

CONCEPTS = """
area = "Owls"

[owl-cache]
name = "owl cache"
definition = "A cache that sleeps by day."
"""
NOT_APPLIED = """
[[drop]]
from = "owl-cache"
type = "USES"
to = "lantern-pass"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = Atlas.new(tmp_path / "owls").parent
    (home / "owls.toml").write_text(CONCEPTS, "utf-8")
    listed = (home / "sources.toml").read_text("utf-8")
    (home / "sources.toml").write_text(listed.replace("ies = []", f"ies = ['{home / 'owls.toml'}']"), "utf-8")
    (home / "corrections.toml").write_text(NOT_APPLIED, "utf-8")
    return home


def built(home: Path, caplog: pytest.LogCaptureFixture) -> tuple[Snapshot, str, list[str]]:
    """The graph after a build, the stamp of its store, and what was told."""
    caplog.clear()
    with Atlas(load_settings(environment={"TORCHATLAS_HOME": str(home)})) as atlas:
        graph = atlas.build(offline=True).graph
        assert atlas.graph == graph == atlas.store.snapshot()
        return graph, atlas.store.stamp(), caplog.messages


def test_it_writes_nothing_and_tells_the_same(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = built(home, caplog)
    assert "does not apply" in "".join(first[2])
    assert built(home, caplog) == first
    (home / "owls.toml").write_text(CONCEPTS.replace("sleeps", "wakes"), "utf-8")
    graph, stamp, _ = built(home, caplog)
    assert graph != first[0] and stamp != first[1]


@pytest.mark.parametrize("lost", ["atlas.lbug", "extractions.sqlite3"])
def test_a_damaged_file_is_made_anew(home: Path, caplog: pytest.LogCaptureFixture, lost: str) -> None:
    graph, stamp, told = built(home, caplog)
    (home / lost).write_bytes((home / lost).read_bytes()[:-1000] + b"?" * 1000)
    again, anew, notes = built(home, caplog)
    assert again == graph and anew != stamp
    assert [line for line in notes if "kept as" not in line] == told


def test_a_build_waits_for_another(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.atlas._PATIENCE", 0)
    with (
        Atlas(load_settings(environment={"TORCHATLAS_HOME": str(home)})) as atlas,
        FileLock(home / "build.lock"),
        pytest.raises(DataError, match="another torchatlas is building the map"),
    ):
        atlas.build(offline=True)


def test_what_changes_while_a_program_waits_is_built(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def waiting(*_: object) -> Iterator[None]:
        (home / "owls.toml").write_text(CONCEPTS.replace("sleeps", "wakes"), "utf-8")
        yield

    monkeypatch.setattr("torchatlas.atlas.alone", waiting)
    with Atlas(load_settings(environment={"TORCHATLAS_HOME": str(home)})) as atlas:
        assert "wakes" in atlas.graph.concept["owl-cache"].definition
