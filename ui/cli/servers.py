"""Commands that run servers: neo4j, mcp."""

import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.files import log
from torchatlas.graph.errors import AtlasError, without_extra
from torchatlas.graph.stores import neo4j_server
from torchatlas.ui.cli.program import Printed, command, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
_PORT = click.IntRange(1, 65535)


@click.group()
def neo4j() -> None:
    """Run a Neo4j server of your own, on this computer only.

    It needs no Java and no Docker, but an extra: .ci/install server in a clone. The first start downloads 145 MB.

    Example: torchatlas neo4j start
    """


@neo4j.add_command
@command("text", "json")
@click.option("--port", type=_PORT, help="Port for Bolt; 17687 or the next that is free.")
@click.option("--apoc", is_flag=True, help="With APOC core, for LangChain and others; of it, only what reads a schema.")
def start(atlas: "Atlas", port: int | None, apoc: bool) -> Printed:
    """Start the server and say how to connect to it.

    Example: torchatlas neo4j start
    """
    found = neo4j_server.start(atlas.settings.server, log, port=port or 0, stay=True, apoc=apoc)
    if port not in (None, found.port):
        tell(f"it runs already, on port {found.port}; torchatlas neo4j stop, then start it on {port}", err=True)
    if apoc and not found.apoc:
        tell("it runs already, without APOC; torchatlas neo4j stop, then start it with --apoc", err=True)
    yield from _facts(found)


@neo4j.add_command
@command("text", "json")
def status(atlas: "Atlas") -> Printed:
    """Say whether the server runs, and how to connect.

    Example: torchatlas neo4j status
    """
    home = atlas.settings.server
    if found := neo4j_server.status(home):
        yield from _facts(found)
    else:
        size = _size(home)
        yield {"running": False, "home": str(home), "bytes": size}
        yield f"no server runs; its files: {home} ({size / 1e6:.0f} MB); to start it: torchatlas neo4j start"


@neo4j.add_command
@command()
def stop(atlas: "Atlas") -> None:
    """End the server cleanly; the graph in it stays for the next start.

    Example: torchatlas neo4j stop
    """
    click.echo("stopped" if neo4j_server.stop(atlas.settings.server) else "no server runs")


def _facts(found: neo4j_server.Server) -> Printed:
    password, data = found.home / "password", neo4j_server.data_folder(found.home, found.version)
    size = _size(data)
    yield {
        "running": True,
        "uri": found.uri,
        "user": neo4j_server.USER,
        "password_file": str(password),
        "version": found.version,
        "pid": found.pid,
        "home": str(found.home),
        "data": str(data),
        "bytes": size,
        "stays": found.stays,
        "apoc": found.apoc,
    }
    idle = f"after {neo4j_server.IDLE / 60:.0f} minutes without a connection"
    yield f"address  {found.uri}"
    yield f"version  Neo4j {found.version}{' with APOC core' * found.apoc}, process {found.pid}"
    yield f"sign in  user {neo4j_server.USER}, password in {password}"
    yield f"data     {data} ({size / 1e6:.0f} MB)"
    yield f"ends     {'with torchatlas neo4j stop' if found.stays else idle}"
    yield f'use it   NEO4J_URI={found.uri} NEO4J_PASSWORD="$(cat {shlex.quote(str(password))})" torchatlas'


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # files come and go while a server runs
            total += path.stat().st_size
    return total


@command()
@click.option("--http", is_flag=True, help="Listen on http://127.0.0.1:PORT/mcp, not on standard input.")
@click.option("--port", default=8502, show_default=True, type=_PORT, help="Port of --http.")
@click.option("--map-port", default=8501, show_default=True, type=_PORT, help="Port of the map, for links to it.")
def mcp(atlas: "Atlas", http: bool, port: int, map_port: int) -> None:
    """Serve an assistant over the Model Context Protocol.

    An assistant starts this command and talks to it on standard input and output. It needs an extra:
    .ci/install mcp in a clone.

    Example: torchatlas mcp --http --port 8502
    """
    from torchatlas.ui.local_server import is_taken

    if http and is_taken(port):
        raise AtlasError(f"port {port} is taken; name another one, such as --port {port % 65535 + 1}")
    try:
        from torchatlas.ui.mcp import address, serve
    except ModuleNotFoundError as e:
        if str(e.name).partition(".")[0] != "mcp":
            raise
        raise AtlasError(without_extra("an assistant", "mcp")) from e
    if http:
        click.echo(f"An assistant finds the map at {address(port)} (Ctrl-C ends it)", err=True)
    elif sys.stdin.isatty():
        click.echo("An assistant starts this command itself; --http listens on a port (Ctrl-C ends it)", err=True)
    serve(atlas, http_port=port if http else None, map_port=map_port)
