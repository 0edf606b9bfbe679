"""The embedded file: what it is when a build is killed, when two run at once, and when it is not ours."""

import random
import subprocess
import sys
import time
from pathlib import Path

import ladybug
import pytest

from graph.errors import StoreError
from graph.model import Concept, Snapshot
from graph.stores import open_store
from graph.stores.lock import exclusive
from tests.stores.graphs import SMALL

BUILD = """
import sys
from graph.model import Concept, Snapshot
from graph.stores import open_store
graph = Snapshot(concepts=tuple(Concept(f"c{i}", "n" * 50, "a") for i in range(3000)))
print("go", flush=True)
while True:
    open_store(sys.argv[1]).replace(graph, "new")
"""


def test_a_build_that_is_killed_leaves_a_whole_graph(tmp_path: Path) -> None:
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    store.replace(SMALL, "old")
    rng = random.Random(0)
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", BUILD, store.address], stdout=subprocess.PIPE) as build:
            assert build.stdout is not None
            build.stdout.readline()
            time.sleep(rng.uniform(0, 0.6))
            build.kill()
        if store.fingerprint() == "new":
            assert len(store.snapshot().concepts) == 3000
        else:
            assert store.fingerprint() == "old"
            assert store.snapshot() == SMALL
    store.replace(SMALL, "after")
    assert store.snapshot() == SMALL
    assert sorted(p.name for p in tmp_path.iterdir()) == ["g.lbug", "g.lbug.lock"]


def test_a_second_build_waits_and_then_says_why_not(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("graph.stores.ladybug.LOCK_WAIT", 0.2)
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    with exclusive(tmp_path / "g.lbug.lock", wait=0) as taken:
        assert taken
        with pytest.raises(StoreError, match="another torchatlas is building"):
            store.replace(SMALL, "one")
    store.replace(SMALL, "one")


def test_the_lock_is_free_when_its_holder_has_died(tmp_path: Path) -> None:
    hold = "import sys; from graph.stores.lock import exclusive; from pathlib import Path; import time\n"
    hold += "with exclusive(Path(sys.argv[1]), 0): print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", hold, tmp_path / "l"], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with exclusive(tmp_path / "l", wait=0) as taken:
            assert not taken
        holder.kill()
        holder.wait()
        with exclusive(tmp_path / "l", wait=5) as taken:
            assert taken


def damaged(name: str, whole: bytes) -> bytes:
    """A database file that has come to harm."""
    return {
        "cut": whole[: len(whole) // 3],
        "header only": whole[:100],
        "other version": whole[:4] + b"\x31\x00\x00\x00\x00\x00\x00\x00\x01" + whole[13:],
        "zeros": whole[:4096] + bytes(len(whole) - 4096),
    }[name]


@pytest.mark.parametrize("name", ["cut", "header only", "other version", "zeros"])
def test_a_damaged_file_is_named_kept_and_rebuilt(tmp_path: Path, name: str) -> None:
    path = tmp_path / "g.lbug"
    store = open_store(f"ladybug:{path}")
    store.replace(SMALL, "one")
    broken = damaged(name, path.read_bytes())
    path.write_bytes(broken)
    for use in (store.fingerprint, store.snapshot, lambda: store.query("RETURN 1 AS x")):
        with pytest.raises(StoreError, match="torchatlas build") as caught:
            use()
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert path.read_bytes() == broken
    store.replace(SMALL, "two")
    assert store.snapshot() == SMALL
    assert (tmp_path / "g.lbug.unreadable").read_bytes() == broken


def test_what_is_not_ours_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    notes, theirs = tmp_path / "notes.txt", tmp_path / "theirs.lbug"
    notes.write_text("my thesis")
    with ladybug.Database(theirs) as database, ladybug.Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Concept(id STRING PRIMARY KEY)")
    for path in (notes, theirs):
        before = path.read_bytes()
        store = open_store(f"ladybug:{path}")
        for use in (store.fingerprint, store.snapshot, lambda s=store: s.replace(SMALL, "one")):
            with pytest.raises(StoreError, match="torchatlas"):
                use()
        assert path.read_bytes() == before


def test_a_graph_of_another_schema_wants_a_build(tmp_path: Path, monkeypatch) -> None:
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    with monkeypatch.context() as older:
        older.setattr("graph.schema.VERSION", "older")
        store.replace(SMALL, "one")
    assert store.fingerprint() is None
    with pytest.raises(StoreError, match="torchatlas build"):
        store.snapshot()
    store.replace(SMALL, "two")
    assert store.snapshot() == SMALL


def test_a_folder_and_a_missing_graph_are_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot open"):
        open_store(f"ladybug:{tmp_path}").snapshot()
    with pytest.raises(StoreError, match="torchatlas build"):
        open_store(f"ladybug:{tmp_path / 'none'}").query("RETURN 1 AS x")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot"):
        open_store(f"ladybug:{tmp_path / 'file' / 'g.lbug'}").replace(Snapshot((Concept("a", "A", ""),)), "x")
