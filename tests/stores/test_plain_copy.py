"""The copy of a graph beside the file of the embedded engine: read without the engine, and only where it counts."""

from pathlib import Path

import ladybug
import pytest

from tests.atlas import snapshot
from tests.stores.graphs import SMALL
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.graph.stores.base import open_store


def test_a_graph_is_read_without_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    store.replace(SMALL, "one")
    monkeypatch.setattr("ladybug.Database", None)
    assert store.snapshot() == SMALL and store.fingerprint() == "one" and store.holds("one")


def test_a_graph_whose_copy_counts_is_replaced_without_the_engine_that_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    store.replace(SMALL, "one")
    really = ladybug.Database
    monkeypatch.setattr(ladybug, "Database", lambda path, **given: path.name != "g.lbug" and really(path, **given))
    store.check()
    store.replace(snapshot(), "two")
    assert store.snapshot() == snapshot()


def test_a_copy_that_does_not_fit_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, copy = open_store(f"ladybug:{tmp_path / 'g.lbug'}"), tmp_path / "g.lbug.copy"
    store.replace(Snapshot((Concept("other", "Other", area="a"),)), "other")
    of_another = copy.read_bytes()
    store.replace(SMALL, "one")
    whole = copy.read_bytes()
    for harmed in (of_another, whole[:-9], whole[: whole.rindex(b"\n", 0, -1) + 1], b"", b"\xff {}\n"):
        copy.write_bytes(harmed)
        assert store.snapshot() == SMALL and store.fingerprint() == "one"
    copy.write_bytes(whole)
    monkeypatch.setattr("torchatlas.graph.model.VERSION", "another")
    assert store.fingerprint() is None
