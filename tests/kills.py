"""Kill what writes, at random and before each of its steps, and see what is there: python -m tests.kills [TIMES]

    embedded   a process that replaces the graph in a file over and over, killed 200 times at random
    file       the same once, killed before each thing that it asks of the file system, TIMES (5) each
    profile    a process that changes the profile, killed in the same way
    server     a process that stages a graph on a Neo4j server, killed 20 times at random, then before each thing
               that it says

Steps are seen from outside of the program: Python's own audit events tell of files, and a line to the server shows
what a client says. A step is at the seam where everything is written and the swap has not happened. After each kill the
old or the new must be there, whole, and the next writer must succeed and leave nothing of the one that was killed.
Seeded: the moments are the same ones every time, as far as a machine allows it.
"""

import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import neo4j

from tests.bolt_line import BoltLine, ignore
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import open_store
from torchatlas.graph.stores.neo4j import _located
from torchatlas.profile import Profile, change_profile, load_profile
from torchatlas.settings import Settings

OURS = {"Torchatlas", "TorchatlasMeta", "Concept", "Episode", "Show", "Link"}
GRAPHS = {"one": SMALL, "two": OTHER}
FOUND = Counter[tuple[str, str, str]]
"""How often a process was killed (in what, before which step), and what was found."""
SIZES = (3000, 4000)
LOOP = """
import sys
bolt.AT_ONCE, bolt.BATCH = 100, 500
graphs = {f"new {size}": large(size) for size in SIZES}
with open_store(sys.argv[1]) as store:
    print("go", flush=True)
    while True:
        for mark, graph in graphs.items():
            store.replace(graph, mark)
"""
_APART = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
_APART.set_forkserver_preload([__name__, "ladybug", "pyarrow", "torchatlas.graph.stores.ladybug"])


def large(size: int) -> Snapshot:
    return Snapshot(
        concepts=tuple(Concept(f"c{i:05}", "n" * 50, area="a") for i in range(size)),
        requires=tuple(Requires(f"c{i + 1:05}", f"c{i:05}", need="hear", reason="next") for i in range(size - 1)),
    )


def whole(address: str, graphs: Mapping[str, Snapshot] = GRAPHS) -> str:
    """The fingerprint of the graph that is there. AssertionError where it is torn or lost."""
    with open_store(address) as store:
        mark, graph = store.fingerprint() or "", store.snapshot()
    assert mark in graphs and graph == graphs[mark], (
        f"the graph is torn or lost: {mark}, {len(graph.concepts)} concepts"
    )
    return mark


def kill_at_random(address: str, times: int, seed: int, longest: float) -> Counter[str]:
    """How often each graph was found after a kill of a process that writes without end, within `longest` seconds.

    At the end one more graph is written, which must leave nothing of those that were killed.
    """
    rng, found = random.Random(seed), Counter[str]()
    graphs = {"one": SMALL} | {f"new {size}": large(size) for size in SIZES}
    write_graph(address, "one")
    for _ in range(times):
        with subprocess.Popen(
            [sys.executable, "-c", LOOP, address], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as writing:
            assert writing.stdout is not None
            writing.stdout.readline()
            time.sleep(rng.uniform(0, longest))
            writing.kill()
        found[whole(address, graphs)] += 1
    write_graph(address, "one")
    assert whole(address) == "one"
    return found


def labels(address: str) -> set[str]:
    uri, auth, database = _located(address, {})
    with neo4j.GraphDatabase.driver(uri, auth=auth) as driver:
        records, _, _ = driver.execute_query("MATCH (n) UNWIND labels(n) AS l RETURN DISTINCT l", database_=database)
    return {record["l"] for record in records}


def write_graph(address: str, mark: str, staged: bool = False) -> None:
    """Replace the graph; on a server by staging it, which is for a process of its own."""
    if staged:
        bolt.AT_ONCE, bolt.BATCH = 0, 20
    with open_store(address) as store:
        store.replace(GRAPHS[mark], mark)


def write_profile(home: str, concept: str) -> None:
    folder = Path(home)
    change_profile(Settings("memory:", folder, profile=folder / "profile.toml"), lambda p: p.having("known", [concept]))


def watched(work: Callable[[], None], folder: str, at: int, said: Connection) -> None:
    """Do a work, tell each step that concerns the folder, and end by SIGKILL before step `at` (0: never)."""
    count = 0

    def look(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        for place in arguments:
            if isinstance(place, str | os.PathLike) and os.fspath(place).startswith(folder) and "mkdir" not in event:
                count += 1
                said.send(f"{event} {os.path.relpath(os.fspath(place), folder)}")
                if count == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                return

    sys.addaudithook(look)
    work()


def steps(work: Callable[[], None], folder: Path, at: int = 0) -> list[str]:
    """Do a work in a process of its own that is killed before step `at` (0: never); return the steps it came to."""
    ours, theirs = _APART.Pipe(duplex=False)
    process = _APART.Process(target=watched, args=(work, str(folder), at, theirs))
    process.start()
    theirs.close()
    said = list[str]()
    with suppress(EOFError):
        while True:
            said.append(ours.recv())
    process.join()
    assert process.exitcode == (-signal.SIGKILL if at else 0), (process.exitcode, at, said)
    return said


def kill_builds(folder: Path, times: int, stride: int = 1) -> FOUND:
    """Kill a build of a file before each of its steps (or each `stride`th), so many times."""
    path, found = folder / "g.lbug", FOUND()
    address = f"ladybug:{path}"
    write_graph(address, "one")
    names = steps(partial(write_graph, address, "two"), folder)
    wrote, *_, swapped = (
        n for n, name in enumerate(names, 1) if re.match(r"(open|os\.rename) g\.lbug\.new/graph", name)
    )
    for at in [number for number in sorted({*range(1, len(names) + 1, stride), len(names)}) for _ in range(times)]:
        old = whole(address)
        said = steps(partial(write_graph, address, other(old)), folder, at)
        assert said == names[:at]
        place, outcome = "seam" if wrote <= at <= swapped else "elsewhere", "old" if whole(address) == old else "new"
        found[place, said[-1], outcome] += 1
        assert {p.name for p in folder.iterdir()} <= {path.name + end for end in ("", ".copy", ".lock", ".new")}
        write_graph(address, other(whole(address)))
        assert {p.name for p in folder.iterdir()} == {path.name + end for end in ("", ".copy", ".lock")}
    return found


def kill_profiles(folder: Path, times: int) -> FOUND:
    """Kill what changes the profile before each of its steps, so many times."""
    found, profile = FOUND(), Settings("memory:", folder, profile=folder / "profile.toml")
    write_profile(str(folder), "first")
    count = len(steps(partial(write_profile, str(folder), "second"), folder))
    for at in [number for number in range(1, count + 1) for _ in range(times)]:
        old, new = load_profile(profile).known, f"c{sum(found.values())}"
        said = steps(partial(write_profile, str(folder), new), folder, at)
        known = load_profile(profile).known
        assert known in (old, (*old, new)), known
        step = re.sub(r"\.\w{8}\.new$", ".new", said[-1])
        found["seam" if step.startswith("os.rename") else "elsewhere", step, "old" if known == old else "new"] += 1
    for left in (litter := list(folder.glob(".*.new"))):
        os.utime(left, (0, 0))
    write_profile(str(folder), "last")
    assert litter and not list(folder.glob(".*.new"))  # an hour later nothing is left
    assert load_profile(profile) == Profile((*known, "last"))
    return found


def kill_stagings(direct: str, times: int, stride: int = 1) -> FOUND:
    """Kill what stages a graph on a server before each thing (or each `stride`th) that it says after its last row."""
    head, _, port = direct.rpartition(":")
    line, found = BoltLine(int(port)), FOUND()
    address = f"{head}:{line.port}"
    try:
        write_graph(direct, "one")
        said = {mark: spoken(line, address, mark) for mark in ("two", "one")}
        rows_of = {mark: rows_in(every) for mark, every in said.items()}
        after = next(i for i, words in enumerate(reversed(said["two"])) if words.startswith("UNWIND"))
        for at in [number for number in range(1, after + 1, stride) for _ in range(times)]:
            old = whole(direct)
            came_to = spoken(line, address, other(old), rows_of[other(old)], at)
            outcome = "old" if whole(direct) == old else "new"
            if came_to:
                found["seam" if outcome == "old" else "elsewhere", came_to[-1], outcome] += 1
            write_graph(direct, other(whole(direct)))
            assert labels(direct) == OURS
    finally:
        line.close()
    return found


def rows_in(said: Sequence[str]) -> int:
    return sum(words.startswith("UNWIND") for words in said)


def spoken(line: BoltLine, address: str, mark: str, staged: int = 0, at: int = 0) -> list[str]:
    """Write a graph through a line in a process of its own, killed before the thing `at` after its rows (0: never).

    Returns what it came to say, and nothing where it was faster: a driver does not always say as much.
    """
    process, said, left = _APART.Process(target=write_graph, args=(address, mark, True)), list[str](), at

    def look(words: bytes) -> None:
        nonlocal left
        left -= rows_in(said) == staged
        said.append(message(words))
        if left == 0 and at:
            line.hold()
            process.kill()

    line.look = look
    process.start()
    process.join()
    line.look = ignore
    line.cut()
    assert process.exitcode in {0, -signal.SIGKILL if at else 0}, (process.exitcode, at, said)
    return said if process.exitcode or not at else []


def message(words: bytes) -> str:
    """What a client says, in a few words: the begin of its Cypher, or the kind of its message."""
    if cypher := re.search(rb"(MATCH|CREATE|MERGE|UNWIND|DROP|RETURN) [\x20-\x7e]{0,40}", words):
        return cypher[0].decode("ascii")
    kinds = {b"\xb0\x12": "COMMIT", b"\xb1\x11": "BEGIN", b"\xb0\x0f": "RESET", b"\xb0\x02": "GOODBYE"}
    return next((name for tag, name in kinds.items() if tag in words), "greeting")


def other(mark: str) -> str:
    return "two" if mark == "one" else "one"


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name in ("graph", "file", "profile", "neo4j"):
            (home / name).mkdir()
        print("embedded", dict(kill_at_random(f"ladybug:{home / 'graph' / 'g.lbug'}", 200, 0, 0.6)), flush=True)
        show("file", kill_builds(home / "file", times))
        show("profile", kill_profiles(home / "profile", times))
        running = server.start(home / "neo4j", lambda line: print(line, file=sys.stderr))
        try:
            address = f"bolt://{server.USER}:{running.password}@127.0.0.1:{running.port}"
            print("server", dict(kill_at_random(address, 20, 1, 3.0)), labels(address) == OURS, flush=True)
            show("server", kill_stagings(address, times))
        finally:
            server.stop(home / "neo4j")


def show(what: str, found: FOUND) -> None:
    """Print how often a process was killed before each step, and which graph or file was found."""
    at_seam = sum(count for (place, *_), count in found.items() if place == "seam")
    print(f"{what}: {sum(found.values())} kills, {at_seam} of them between writing and the swap, 0 torn, 0 lost")
    for (place, step, outcome), count in found.items():
        print(f"    {count:4}  {place:9}  {outcome}  before {step}", flush=True)


if __name__ == "__main__":
    main()
