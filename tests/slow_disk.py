"""A disk made slow for one program by a library, and what others see meanwhile: python -m tests.slow_disk

store    a graph is written slowly; a reader asks all the time, and a second program wants to write as well
profile  the profile is changed slowly by several programs at once
server   a Neo4j server whose folder is slow is loaded, read and asked
build    a whole build by the command line, while another program asks the graph of before
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.kills import large
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.stores.neo4j import server

SOURCE = Path(__file__).with_name("slow_disk.c")
WRITE = """
import sys
from torchatlas.graph.stores.engines import open_store
from tests.stores.graphs import OTHER
print("ready", flush=True)
input()
with open_store(sys.argv[1], lambda said: print(said, flush=True)) as store:
    store.check()
    store.replace(OTHER, sys.argv[2])
"""


def compiler() -> str | None:
    """The C compiler, None where there is none or this is not Linux."""
    return shutil.which("cc") if sys.platform == "linux" else None


def slow(folder: Path, milliseconds: float, build: Path) -> dict[str, str]:
    """The environment of a program for which everything below `folder` is slow; the library is put into `build`."""
    library = build / "slow_disk.so"
    if not library.exists():
        subprocess.run([compiler() or "cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    wanted = {"LD_PRELOAD": str(library), "SLOW_FOLDER": str(folder), "SLOW_MICROSECONDS": f"{milliseconds * 1000:.0f}"}
    return {**os.environ, **wanted}


def started(environment: dict[str, str], *words: object) -> "subprocess.Popen[str]":
    """Start Python with these arguments, in the checkout."""
    run = [sys.executable, *map(str, words)]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(run, env=environment, cwd=SOURCE.parents[1], text=True, **streams)


def line(program: "subprocess.Popen[str]") -> str:
    """The next line that a program says."""
    assert program.stdout is not None
    return program.stdout.readline()


def go(program: "subprocess.Popen[str]") -> None:
    """Say a line to a program that waits for one."""
    assert program.stdin is not None
    print(file=program.stdin, flush=True)


def write_slowly(folder: Path, environment: dict[str, str]) -> tuple[list[str], list[str | None], float]:
    """Let two programs replace a graph on a slow disk at once, and read it meanwhile.

    Returns what the two said, the fingerprints that were read, and the seconds of the longest reading.
    """
    address, seen, longest = f"ladybug:{folder / 'g.lbug'}", list[str | None](), 0.0
    graphs = {"old": SMALL, "first": OTHER, "second": OTHER}
    with open_store(address) as store:
        store.replace(SMALL, "old")
        writers = [started(environment, "-c", WRITE, address, mark) for mark in ("first", "second")]
        assert [line(writer) for writer in writers] == ["ready\n"] * 2
        go(writers[0])
        while not (folder / "g.lbug.new").exists():
            assert writers[0].poll() is None, writers[0].communicate()
            time.sleep(0.01)
        go(writers[1])
        while any(writer.poll() is None for writer in writers):
            begun = time.monotonic()
            mark, graph = store.fingerprint(), store.snapshot()
            longest = max(longest, time.monotonic() - begun)
            assert graph == graphs[str(mark)] or store.fingerprint() != mark, f"the graph is torn: {mark}"
            seen.append(mark)
        assert store.query("MATCH (c:Concept) RETURN count(c)").rows == ((len(OTHER.concepts),),)
        assert store.fingerprint() == "second"
    said = [writer.communicate() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    return ["".join(texts) for texts in said], seen, longest


def know_slowly(home: Path, environment: dict[str, str], ids: tuple[str, ...]) -> list[str]:
    """Let programs add a concept each to the profile on a slow disk at once; return what they said."""
    code = "import sys; from torchatlas.settings import load_settings as settings\n"
    code += "from torchatlas.user_files.profile import change_profile\n"
    code += "change_profile(settings(), lambda profile: profile.having('known', [sys.argv[1]]))"
    own = {**environment, "TORCHATLAS_HOME": str(home)}
    changing = [started(own, "-c", code, concept) for concept in ids]
    said = [each.communicate() for each in changing]
    assert not any(each.returncode for each in changing), said
    return ["".join(texts) for texts in said]


def serve_slowly(home: Path, environment: dict[str, str], size: int) -> Iterator[tuple[str, float]]:
    """Load, read and ask a Neo4j server on a slow disk; yield each call with its seconds."""
    former = dict(os.environ)
    os.environ.update(environment)
    try:
        begun = time.monotonic()
        server.start(home, lambda line: print(line, file=sys.stderr))
    finally:
        os.environ.clear()
        os.environ.update(former)
    yield "start", time.monotonic() - begun
    told: list[str] = []
    try:
        with open_store(f"neo4j+local:{home}", told.append) as store:
            for name, call in {
                "check": store.check,
                "load": lambda: store.replace(large(size), "one"),
                "snapshot": lambda: store.snapshot() == large(size) or sys.exit("the graph is torn"),
                "query": lambda: store.query("MATCH (c:Concept) RETURN count(c)"),
                "replace": lambda: store.replace(SMALL, "two"),
            }.items():
                begun = time.monotonic()
                call()
                yield f"{name} {' '.join(told)}".strip(), time.monotonic() - begun
                told.clear()
    finally:
        begun = time.monotonic()
        assert server.stop(home)
        yield "stop", time.monotonic() - begun


def build_slowly(home: Path, environment: dict[str, str]) -> tuple[float, list[float]]:
    """Build by the command line on a slow disk, while another program asks; the seconds of it, and of each answer."""
    own = {**os.environ, "TORCHATLAS_HOME": str(home)}
    assert started(own, "-m", "torchatlas", "build", "--offline").wait() == 0
    begun, answers = time.monotonic(), list[float]()
    building = started({**environment, "TORCHATLAS_HOME": str(home)}, "-m", "torchatlas", "build", "--offline")
    while building.poll() is None:
        asked = time.monotonic()
        plan = started(own, "-m", "torchatlas", "plan", "AOTAutograd", "--format", "json")
        out, err = plan.communicate()
        assert plan.returncode == 0 and '"steps"' in out, err
        answers.append(time.monotonic() - asked)
    assert building.returncode == 0, building.communicate()
    return time.monotonic() - begun, answers


def main() -> None:
    """All of it, with what was seen and how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name in ("store", "profile", "server", "build"):
            (home / name).mkdir()
        said, seen, longest = write_slowly(home / "store", slow(home / "store", 10, home))
        print(f"store: {len(seen)} readings, the longest {longest:.1f} s, all whole: {sorted(map(str, {*seen}))}")
        print(f"store: the two writers said {said}", flush=True)
        ids = tuple(f"c{i}" for i in range(5))
        print(f"profile: {know_slowly(home / 'profile', slow(home / 'profile', 500, home), ids)}", flush=True)
        took, answers = build_slowly(home / "build", slow(home / "build", 5, home))
        print(f"build: {took:.0f} s; {len(answers)} plans meanwhile, the slowest {max(answers):.1f} s", flush=True)
        for call, seconds in serve_slowly(home / "server", slow(home / "server", 2, home), 5000):
            print(f"server: {call} {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
