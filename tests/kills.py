"""Kill what writes, at random and before each of its steps, and see what is there: python -m tests.kills [TIMES]

Processes that replace the graph in a file or on a server over and over are killed 200 and 20 times at random, and 200
whole builds. What writes a file or changes the profile is killed before each of its steps, TIMES (5) each.

Steps are seen from outside of the program: Python's own audit events tell of files.
A step is at the seam where everything is written and the swap has not happened. After each kill the
old or the new must be there, whole, and the next writer must succeed and leave nothing of the one that was killed.
Seeded: the moments are the same ones every time, as far as a machine allows it.
"""

import multiprocessing
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count, cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.stores.conftest import address_of, rows_at
from tests.stores.graphs import OTHER, SMALL
from torchatlas.atlas import Atlas
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import open_store
from torchatlas.profile import change_profile, load_profile
from torchatlas.settings import Settings

OURS = {"Torchatlas", "TorchatlasMeta", "Concept", "Episode", "Show", "Link", "Resource"}
GRAPHS = {"one": SMALL, "two": OTHER}
FOUND = Counter[tuple[str, str, str]]
"""How often a process was killed (in what, before which step), and what was found."""
_APART = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
_APART.set_forkserver_preload(
    [__name__, "ladybug", "spacy", "torchatlas.extract.pipeline", "torchatlas.graph.stores.ladybug"]
)


def large(size: int) -> Snapshot:
    return Snapshot(
        concepts=tuple(Concept(f"c{i:05}", "n" * 50, area="a") for i in range(size)),
        requires=tuple(Requires(f"c{i + 1:05}", f"c{i:05}", need="hear", reason="next") for i in range(size - 1)),
    )


LARGE = {f"new {size}": large(size) for size in (3000, 4000)}


def whole(address: str, graphs: Mapping[str, Snapshot] = GRAPHS) -> str:
    """The fingerprint of the graph that is there. AssertionError where it is torn or lost."""
    with open_store(address) as store:
        mark, graph = store.fingerprint() or "", store.snapshot()
    assert graphs.get(mark) == graph, f"the graph is torn or lost: {mark}, {len(graph.concepts)} concepts"
    return mark


def labels(address: str) -> set[str]:
    return {label for (label,) in rows_at(address, "MATCH (n) UNWIND labels(n) AS l RETURN DISTINCT l")}


def write_graph(address: str, mark: str) -> None:
    with open_store(address) as store:
        store.replace(GRAPHS[mark], mark)


def write_profile(settings: Settings, concept: str) -> None:
    change_profile(settings, lambda profile: profile.having("known", [concept]))


def other(mark: str) -> str:
    return "two" if mark == "one" else "one"


def write_without_end(address: str, said: Connection) -> None:
    bolt.BATCH = 500
    with open_store(address) as store:
        said.send("begun")
        for mark, graph in cycle(LARGE.items()):
            store.replace(graph, mark)


def kill_at_random(address: str, times: int, seed: int, longest: float) -> Counter[str]:
    """How often each graph was found after a kill of a process that writes without end, within `longest` seconds.

    At the end one more graph is written, which must leave nothing of those that were killed.
    """
    rng, found = random.Random(seed), Counter[str]()
    write_graph(address, "one")
    for _ in range(times):
        process, said = apart(write_without_end, address)
        assert said.recv() == "begun"
        time.sleep(rng.uniform(0, longest))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        found[whole(address, GRAPHS | LARGE)] += 1
    write_graph(address, "one")
    assert whole(address) == "one"
    return found


def apart(work: Callable[..., None], *arguments: Any) -> tuple[Any, Connection]:
    """Start a work in a process of its own, and return that and what it says."""
    ours, theirs = _APART.Pipe(duplex=False)
    process = _APART.Process(target=work, args=(*arguments, theirs))
    process.start()
    theirs.close()
    return process, ours


def steps(work: Callable[[], None], folder: Path, at: int = 0) -> list[str]:
    """Do a work in a process of its own that is killed before step `at` (0: never); return the steps it came to."""
    process, ours = apart(_watched, work, str(folder), at)
    said = list[str]()
    with suppress(EOFError):
        while True:
            said.append(ours.recv())
    process.join()
    assert process.exitcode == (-signal.SIGKILL if at else 0), (process.exitcode, at, said)
    return said


def _watched(work: Callable[[], None], folder: str, at: int, said: Connection) -> None:
    numbers = count(1)

    def look(event: str, arguments: tuple[object, ...]) -> None:
        places = (os.fspath(place) for place in arguments if isinstance(place, str | os.PathLike))
        if "mkdir" not in event and (place := next((p for p in places if p.startswith(folder)), None)):
            said.send(f"{event} {os.path.relpath(place, folder)}")
            if next(numbers) == at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)
    work()


def killed(
    numbers: Iterable[int],
    kill: Callable[[int, Any], list[str]],
    there: Callable[[], Any],
    is_seam: Callable[[int, str, str], bool],
    after: Callable[[], None] = lambda: None,
) -> FOUND:
    """Kill a writer before each of these steps, and look at what is there and at what was there before.

    `kill` gets a step and what is there, and returns the steps that the writer came to.
    """
    found = FOUND()
    for at in numbers:
        old = there()
        said = kill(at, old)
        outcome = "old" if there() == old else "new"
        if said:
            found["seam" if is_seam(at, said[-1], outcome) else "elsewhere", said[-1], outcome] += 1
        after()
    return found


def kill_builds(folder: Path, times: int, stride: int = 1) -> FOUND:
    """Kill a build of a file before each of its steps (or each `stride`th), so many times."""
    address, ends = f"ladybug:{folder / 'g.lbug'}", ("", ".copy", ".lock")
    write_graph(address, "one")
    names = steps(partial(write_graph, address, "two"), folder)
    wrote, *_, swapped = (n for n, name in enumerate(names, 1) if re.match(r"(open|os\.rename) g\.lbug\.new/g", name))

    def kill(at: int, old: str) -> list[str]:
        said = steps(partial(write_graph, address, other(old)), folder, at)
        assert said == names[:at]
        assert {p.name for p in folder.iterdir()} <= {f"g.lbug{end}" for end in (*ends, ".new")}
        return said

    def after() -> None:
        write_graph(address, other(whole(address)))
        assert {p.name for p in folder.iterdir()} == {f"g.lbug{end}" for end in ends}

    numbers = sorted({*range(1, len(names) + 1, stride), len(names)})
    return killed(numbers * times, kill, lambda: whole(address), lambda at, *_: wrote <= at <= swapped, after)


def kill_whole_builds(home: Path, times: int, seed: int) -> Counter[str]:
    """Kill `torchatlas build` at random, from the reading of a feed that has changed to the graph that is swapped in.

    Afterwards the graph is the old one or the new one, whole, and what the person wrote is what it was. The last build
    goes through. Returns how often each was found.
    """
    feed, own = home / "feed.xml", ("profile.toml", "sources.toml")
    settings, rng, found = (
        Settings(f"ladybug:{home / 'g.lbug'}", home, home / own[0]),
        random.Random(seed),
        Counter[str](),
    )
    item = "<item><guid>urn:x:{0}</guid><title>Part {0}</title><description>Explains {1}.</description></item>"

    def write(version: str) -> None:
        items = "".join(item.format(n, {"old": "Dynamo", "new": "Inductor"}[version]) for n in range(3))
        feed.write_text(f"<rss version='2.0'><channel><title>Widgets</title>{items}</channel></rss>")

    write("old")
    Atlas(settings).add(str(feed))
    write_profile(settings, "dynamo")
    kept, versions = [(home / name).read_bytes() for name in own], {"old": Atlas(settings).whole_graph}
    write("new")
    begun = time.monotonic()
    process, _ = apart(build, settings)
    process.join()
    longest, versions["new"] = time.monotonic() - begun, Atlas(settings).whole_graph
    assert versions["old"] != versions["new"] and process.exitcode == 0, process.exitcode
    was = "new"
    for _ in range(times):
        write(next(name for name in versions if name != was))
        process, _ = apart(build, settings)
        time.sleep(rng.uniform(0, longest))
        process.kill()
        process.join()
        was = next(name for name, graph in versions.items() if graph == stored(settings))
        assert [(home / name).read_bytes() for name in own] == kept
        found[was] += 1
    write("old")
    assert Atlas(settings).build().graph == versions["old"] == stored(settings)
    return found


def build(settings: Settings, _said: Connection) -> None:
    Atlas(settings).build()


def stored(settings: Settings) -> Snapshot:
    with open_store(settings.store) as store:
        return store.snapshot()


def kill_profiles(folder: Path, times: int) -> FOUND:
    """Kill what changes the profile before each of its steps, so many times."""
    profile = Settings("memory:", folder, profile=folder / "profile.toml")
    write_profile(profile, "c0")
    count = len(steps(partial(write_profile, profile, "c1"), folder))

    def there() -> int:
        known = load_profile(profile).known
        assert known == tuple(f"c{n}" for n in range(len(known)))
        return len(known)

    def kill(at: int, old: int) -> list[str]:
        said = steps(partial(write_profile, profile, f"c{old}"), folder, at)
        return [re.sub(r"\.\w{8}\.new$", ".new", step) for step in said]

    found = killed([*range(1, count + 1)] * times, kill, there, lambda _, step, __: step.startswith("os.rename"))
    for left in (litter := list(folder.glob(".*.new"))):
        os.utime(left, (0, 0))
    write_profile(profile, f"c{there()}")
    assert litter and there() and not list(folder.glob(".*.new"))  # an hour later nothing is left
    return found


def show(what: str, found: Counter[Any]) -> None:
    """Print how often a process was killed, and for what is found where, how often that was."""
    print(f"{what}: {found.total()} kills, 0 torn, 0 lost")
    for case, number in found.items():
        print(f"    {number:4}  {case}", flush=True)


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        names = ("graph", "file", "profile", "build", "neo4j")
        graph, file, profile, build_home, home = (Path(folder, name) for name in names)
        for place in (graph, file, profile, build_home):
            place.mkdir()
        show("file, at random", kill_at_random(f"ladybug:{graph / 'g.lbug'}", 200, 0, 0.6))
        show("file", kill_builds(file, times))
        show("profile", kill_profiles(profile, times))
        show("whole builds, at random", kill_whole_builds(build_home, 200, 2))
        running = server.start(home, print)
        try:
            address = address_of(running)
            show("server, at random", kill_at_random(address, 20, 1, 3.0))
            assert labels(address) == OURS
        finally:
            server.stop(home)
