"""The process in which the embedded engine answers: it ends with its store, its parent and an interrupt."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.cypher_texts import LONG
from tests.stores.graphs import SMALL
from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.worker import command


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_query_whose_program_was_killed_ends_by_itself(tmp_path: Path) -> None:
    open_store(f"ladybug:{tmp_path / 'g.lbug'}").replace(SMALL, "one")
    code = "import sys; from torchatlas.graph.stores.base import open_store; store = open_store(sys.argv[1])\n"
    code += "print(store._start().pid, flush=True); store.query(sys.argv[2], seconds=1)"
    run = [sys.executable, "-c", code, f"ladybug:{tmp_path / 'g.lbug'}", LONG]
    with subprocess.Popen(run, stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        time.sleep(0.7)
        asking.kill()
        deadline = time.monotonic() + 30
        while is_running(pid):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def is_running(pid: int) -> bool:
    """Whether a process lives: one that has ended and that nobody has asked for yet does not."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.slow
def test_a_query_that_is_interrupted_from_another_thread_ends_and_the_next_one_is_answered(tmp_path: Path) -> None:
    with open_store(f"ladybug:{tmp_path / 'g.lbug'}") as store, ThreadPoolExecutor(1) as thread:
        store.replace(SMALL, "one")
        store.interrupt()  # nothing is asked yet
        assert store.query("RETURN 1 AS x").rows == ((1,),)
        store.interrupt()  # nothing is asked any more
        asked = thread.submit(store.query, LONG, seconds=3600)
        while not asked.done():
            time.sleep(0.1)
            store.interrupt()
        with pytest.raises(QueryError, match="the query was interrupted"):
            asked.result()
        assert store.query("RETURN 2 AS x").rows == ((2,),)


def test_the_process_that_asks_ends_with_the_store(embedded: Store) -> None:
    with embedded as store:
        store.query("RETURN 1 AS x")
        process = store._start()
        assert process.poll() is None
    assert process.poll() == 0


def test_files_beside_the_user_are_not_taken_for_modules(tmp_path: Path) -> None:
    store = open_store(f"ladybug:{tmp_path / 'g.lbug'}")
    store.replace(SMALL, "one")
    for name in ("graph", "data", "extract", "ui", "signal", "pickle", "tests"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name}.py of the user was imported')")
    code = "import sys; sys.path.append(sys.argv[1]); from torchatlas.graph.stores.base import open_store\n"
    code += "with open_store('ladybug:g.lbug') as store: print(store.query('RETURN 1 AS x').rows)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = [sys.executable, "-P", "-c", code, tmp_path]
    asked = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (asked.stdout, asked.stderr) == ("((1,),)\n", "")


def test_a_helper_process_imports_what_its_parent_found(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "only_here.py").write_text("def main(): print(__name__, __file__)")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = subprocess.run(command("only_here"), cwd="/", capture_output=True, text=True, check=True).stdout
    assert found == f"only_here {tmp_path / 'only_here.py'}\n"


def test_a_process_that_does_not_start_is_told(embedded: Store, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.command", lambda *_: [sys.executable, "-c", ""])
    with pytest.raises(StoreError, match="did not start"):
        embedded.query("RETURN 1 AS x")


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("raise ValueError", "the process that asks the engine broke; its error is above"),
        ("import os; os.abort()", "the query needs more memory than it may take"),
        ("", "the query needs more memory than it may take"),
    ],
)
def test_the_end_of_the_process_that_asks_says_why(end: str, said: str, embedded: Store, monkeypatch) -> None:
    run = [sys.executable, "-c", f"import sys; print('ready', flush=True); sys.stdin.buffer.read(1); {end}"]
    monkeypatch.setattr("torchatlas.graph.stores.worker.command", lambda *_: run)
    with pytest.raises(AtlasError, match=said):
        embedded.query("RETURN 1 AS x")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_an_interrupt_ends_a_query_whose_process_only_starts(embedded: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    start = embedded._start

    def interrupted() -> object:
        process = start()
        embedded.interrupt()
        return process

    monkeypatch.setattr(embedded, "_start", interrupted)
    with pytest.raises(QueryError, match="the query was interrupted"):
        embedded.query(LONG, seconds=3600)
    monkeypatch.undo()
    assert embedded.query("RETURN 2 AS x").rows == ((2,),)


def test_an_interrupt_ends_a_query_at_once(tmp_path: Path) -> None:
    open_store(f"ladybug:{tmp_path / 'g.lbug'}").replace(SMALL, "one")
    code = "import sys; from torchatlas.graph.stores.base import open_store; store = open_store(sys.argv[1])\n"
    code += "store.query('RETURN 1 AS x'); print('go', flush=True)\n"
    code += "store.query('UNWIND range(1, 10000000) AS a UNWIND range(1, 10000) AS b RETURN sum(a*b)', seconds=3600)"
    run = [sys.executable, "-c", code, f"ladybug:{tmp_path / 'g.lbug'}"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        asking.stdout.readline()
        time.sleep(0.3)
        asking.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in asking.communicate(timeout=60)[1]
