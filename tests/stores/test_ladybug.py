"""The embedded file and the copy beside it: builds that are killed or run at once, damage, limits of queries.

And the process in which the embedded engine answers: it ends with its store, its parent and an interrupt.
"""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ladybug
import pytest

from tests.application.test_own_files import full_disk
from tests.atlas import snapshot
from tests.cypher_texts import LONG
from tests.extract.cases import rows
from tests.kills import kill_at_random, kill_builds, large
from tests.stores.conftest import is_running, one_line
from tests.stores.graphs import SMALL
from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.worker import command

WINDOWS = sys.platform == "win32"
SIGNALS = pytest.mark.skipif(WINDOWS, reason="no such signals there")
FILES = ["g.lbug", "g.lbug.copy", "g.lbug.lock"]
LARGE = Snapshot(large(30_000).concepts)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def store(tmp_path: Path, told: list[str]) -> Store:
    return open_store(f"ladybug:{tmp_path / 'g.lbug'}", told.append)


@pytest.mark.slow
@SIGNALS
def test_a_build_that_is_killed_at_random_and_before_or_after_its_swap_leaves_a_whole_graph(tmp_path: Path) -> None:
    assert sum(kill_at_random(f"ladybug:{tmp_path / 'g.lbug'}", times=6, seed=0, longest=0.6).values()) == 6
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES
    found = kill_builds(tmp_path, times=1, stride=5)
    assert {(place, outcome) for place, _, outcome in found} >= {("seam", "old"), ("elsewhere", "new")}


def test_the_engine_has_the_graph_that_it_was_given_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / ("a [b] {c} 'e' $g" + ("" if WINDOWS else ' *? "d" \\f'))
    for graph in (SMALL, snapshot(), Snapshot(concepts=SMALL.concepts)):
        store = open_store(f"ladybug:{folder / 'g.lbug'}")
        store.check()
        store.replace(graph, "one")
        (folder / "g.lbug.copy").unlink()  # otherwise the copy is read, and not the engine
        assert store.snapshot() == graph


def test_a_second_build_waits_says_why_not_and_goes_on_when_the_holder_of_the_lock_died(tmp_path, monkeypatch) -> None:
    told: list[str] = []

    def tell(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            holder.kill()

    hold = "import sys; from filelock import FileLock\nwith FileLock(sys.argv[1]): print(flush=True); input()"
    run = [sys.executable, "-c", hold, tmp_path / "g.lbug.lock"]
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}", tell)
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline()
        with monkeypatch.context() as short, pytest.raises(StoreError, match="another torchatlas is building"):
            short.setattr("torchatlas.graph.stores.ladybug.LOCK_WAIT", 0.2)
            store.replace(SMALL, "one")
        store.replace(SMALL, "one")
    assert len(told) == 2 and all("waiting" in line for line in told)
    assert (tmp_path / "g.lbug.lock").exists()


DAMAGES = {
    "cut": lambda whole: whole[: len(whole) // 3],
    "header only": lambda whole: whole[:100],
    "other version": lambda whole: whole[:4] + b"\x31\x00\x00\x00\x00\x00\x00\x00\x01" + whole[13:],
    "zeros": lambda whole: whole[:4096] + bytes(len(whole) - 4096),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_is_named_kept_and_rebuilt(store: Store, tmp_path: Path, told: list[str], name: str) -> None:
    path = tmp_path / "g.lbug"
    store.replace(SMALL, "one")
    assert store.notices_damage and store.fingerprint() == "one"
    broken = DAMAGES[name](path.read_bytes())
    path.write_bytes(broken)
    assert store.fingerprint() is None
    for use in (store.snapshot, lambda: store.query("RETURN 1 AS x")):
        with pytest.raises(StoreError, match=rf"{path}.*torchatlas build", check=one_line):
            use()
    store.check()
    assert path.read_bytes() == broken and not told
    store.replace(SMALL, "two")
    assert len(told) == 1 and "g.lbug.unreadable" in told[0]
    assert store.snapshot() == SMALL
    assert (tmp_path / "g.lbug.unreadable").read_bytes() == broken


def test_a_file_of_others_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    notes, theirs = tmp_path / "notes.txt", tmp_path / "theirs.lbug"
    notes.write_text("my thesis")
    with ladybug.Database(theirs) as database, ladybug.Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Concept(id STRING PRIMARY KEY)")
    for path in (notes, theirs):
        before = path.read_bytes()
        store = open_store(f"ladybug:{path}")
        for use in (store.fingerprint, store.snapshot, store.check, lambda s=store: s.replace(SMALL, "one")):
            with pytest.raises(StoreError, match="torchatlas"):
                use()
        assert path.read_bytes() == before


@pytest.mark.slow
def test_a_graph_of_another_schema_wants_a_build(store: Store, told: list[str], monkeypatch) -> None:
    with monkeypatch.context() as older:
        older.setattr("torchatlas.graph.model.VERSION", "older")
        store.replace(SMALL, "one")
    assert not told and store.fingerprint() is None
    with pytest.raises(StoreError, match="torchatlas build"):
        store.snapshot()
    store.replace(SMALL, "two")
    assert store.snapshot() == SMALL
    assert len(told) == 1 and "another version" in told[0]


NOWHERE = """=> snapshot => cannot open | none => query => torchatlas build | file/g.lbug => replace => cannot
    file/g.lbug => check => cannot write the graph | /proc/graph/g.lbug => check => cannot write the graph"""


@pytest.mark.parametrize(("place", "use", "says"), rows(NOWHERE))
def test_a_place_without_a_graph_or_room_for_one_is_told(tmp_path: Path, place: str, use: str, says: str) -> None:
    (tmp_path / "file").write_text("")
    given: dict[str, tuple[Any, ...]] = {"query": ("RETURN 1 AS x",), "replace": (SMALL, "x")}
    with pytest.raises(StoreError, match=says):
        getattr(open_store(f"ladybug:{tmp_path / place}"), use)(*given.get(use, ()))


@pytest.mark.slow
@SIGNALS
@pytest.mark.parametrize("limit", [100_000, 2_000_000])
def test_a_full_disk_is_one_line_and_the_graph_of_before_stays(tmp_path: Path, limit: int, embedded: Store) -> None:
    with pytest.raises(StoreError, match="make room", check=one_line), full_disk(limit):
        embedded.replace(LARGE, "two")
    assert embedded.fingerprint() == "one" and embedded.snapshot() == SMALL
    assert sorted(p.name for p in tmp_path.iterdir()) == FILES


@pytest.mark.slow
def test_a_file_that_is_not_what_was_written_does_not_take_the_place(embedded: Store, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.ladybug.reading", lambda _name: "UNWIND range(1, 7) AS x RETURN x")
    with pytest.raises(StoreError, match=r"7 of .* nothing is changed"):
        embedded.replace(LARGE, "two")
    assert embedded.snapshot() == SMALL


MEMORY, WIDE = "more memory than it may take", "RETURN repeat('a', 2000000000)"
BEYOND = {LONG: r"more than 0[.]1 seconds"}
if sys.platform == "linux":  # no limit of memory elsewhere
    many = ("RETURN range(1, 1000000000) AS x", "UNWIND range(1, 20000000) AS a RETURN collect(a)", WIDE)
    BEYOND |= dict.fromkeys(many, MEMORY)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "says"), BEYOND.items())
def test_a_query_beyond_its_limits_is_ended_and_the_next_one_runs(embedded: Store, text: str, says: str) -> None:
    with pytest.raises(QueryError, match=says):
        embedded.query(text, seconds=0.1 if text == LONG else 60)
    assert embedded.query("MATCH (c:Concept) RETURN count(c) AS n").rows == ((4,),)


def test_a_file_that_goes_while_it_is_looked_at_has_no_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").touch()
    for place in (tmp_path / "g.lbug", tmp_path / "a file" / "g.lbug"):
        with open_store(f"ladybug:{place}") as store:
            assert store.stamp() == "none"
            with monkeypatch.context() as patched:
                patched.setattr(Path, "exists", lambda _path: True)
                assert store.stamp() == "none"


def test_a_graph_whose_copy_counts_is_read_and_replaced_without_its_engine(embedded: Store, monkeypatch) -> None:
    really = ladybug.Database
    monkeypatch.setattr(ladybug, "Database", lambda path, **given: path.name != "g.lbug" and really(path, **given))
    assert embedded.snapshot() == SMALL and embedded.fingerprint() == "one"
    embedded.check()
    embedded.replace(snapshot(), "two")
    assert embedded.snapshot() == snapshot()


def test_a_copy_that_does_not_fit_counts_for_nothing(store: Store, tmp_path: Path, monkeypatch) -> None:
    copy = tmp_path / "g.lbug.copy"
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


@pytest.mark.slow
@SIGNALS
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_query_whose_program_was_interrupted_or_killed_ends(embedded: Store, end: signal.Signals) -> None:
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's & ignores it
    code += "from torchatlas.graph.stores.base import open_store; store = open_store(sys.argv[1])\n"
    code += "print(store._start().pid, flush=True); store.query(sys.argv[2], seconds=int(sys.argv[3]))"
    run = [sys.executable, "-c", code, embedded.address, LONG, "90" if end == signal.SIGINT else "1"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        time.sleep(0.7)
        asking.send_signal(end)
        assert ("KeyboardInterrupt" in asking.communicate(timeout=60)[1]) is (end == signal.SIGINT)
    deadline = time.monotonic() + 30
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
@SIGNALS
def test_an_interrupt_ends_what_is_asked_alone_and_the_process_ends_with_its_store(embedded, monkeypatch) -> None:
    start = embedded._start

    def interrupted() -> object:
        process = start()
        embedded.interrupt()
        return process

    with monkeypatch.context() as starting, pytest.raises(QueryError, match="the query was interrupted"):
        starting.setattr(embedded, "_start", interrupted)
        embedded.query(LONG, seconds=3600)
    with embedded as store, ThreadPoolExecutor(1) as thread:
        store.interrupt()  # nothing is asked any more
        assert store.query("RETURN 1 AS x").rows == ((1,),)
        asked = thread.submit(store.query, LONG, seconds=3600)
        while not asked.done():
            time.sleep(0.1)
            store.interrupt()
        with pytest.raises(QueryError, match="the query was interrupted"):
            asked.result()
        assert store.query("RETURN 2 AS x").rows == ((2,),)
        process = store._start()
        assert process.poll() is None
    assert process.poll() == 0


@pytest.mark.usefixtures("embedded")
def test_a_helper_process_imports_what_its_parent_found_and_no_files_beside_the_user(tmp_path, monkeypatch) -> None:
    for name in ("graph", "data", "extract", "ui", "signal", "pickle", "tests"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name}.py of the user was imported')")
    code = "import sys; sys.path.append(sys.argv[1]); from torchatlas.graph.stores.base import open_store\n"
    code += "with open_store('ladybug:g.lbug') as store: print(store.query('RETURN 1 AS x').rows)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = [sys.executable, "-P", "-c", code, tmp_path]
    asked = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (asked.stdout, asked.stderr) == ("((1,),)\n", "")
    (tmp_path / "only_here.py").write_text("def main(): print(__name__, __file__)")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = subprocess.run(command("only_here"), cwd="/", capture_output=True, text=True, check=True).stdout
    assert found == f"only_here {tmp_path / 'only_here.py'}\n"


READY = "import os, sys; print('ready', flush=True); sys.stdin.buffer.read(1); "
ENDS = {"": "the process that asks the engine did not start"}
ENDS |= {READY + "raise ValueError": "the process that asks the engine broke; its error is above"}
ENDS |= dict.fromkeys((READY + "os.abort()", READY), "the query needs more memory than it may take")


@pytest.mark.parametrize(("code", "said"), ENDS.items())
def test_the_end_of_the_process_that_asks_says_why(code: str, said: str, embedded: Store, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.command", lambda *_: [sys.executable, "-c", code])
    with pytest.raises(AtlasError, match=said):
        embedded.query("RETURN 1 AS x")
