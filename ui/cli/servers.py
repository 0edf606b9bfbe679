"""Commands that run servers: neo4j, mcp; and doctor, which looks whether all is well."""

import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from torchatlas.extract.fetch import without_secrets
from torchatlas.files import log
from torchatlas.graph.errors import AtlasError, without_extra
from torchatlas.graph.stores import neo4j_server
from torchatlas.profile import load_profile
from torchatlas.ui.cli.program import MAP_PORT, Printed, command, tell

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
        yield {"running": False, "home": str(home)}
        yield f"no server runs; its files: {home}; to start it: torchatlas neo4j start"


@neo4j.add_command
@command()
def stop(atlas: "Atlas") -> None:
    """End the server cleanly; the graph in it stays for the next start.

    Example: torchatlas neo4j stop
    """
    click.echo("stopped" if neo4j_server.stop(atlas.settings.server) else "no server runs")


def _facts(found: neo4j_server.Server) -> Printed:
    password, data = found.home / "password", neo4j_server.data_folder(found.home, found.version)
    yield {
        "running": True,
        "uri": found.uri,
        "user": neo4j_server.USER,
        "password_file": str(password),
        "version": found.version,
        "pid": found.pid,
        "home": str(found.home),
        "data": str(data),
        "stays": found.stays,
        "apoc": found.apoc,
    }
    idle = f"after {neo4j_server.IDLE / 60:.0f} minutes without a connection"
    yield f"address  {found.uri}"
    yield f"version  Neo4j {found.version}{' with APOC core' * found.apoc}, process {found.pid}"
    yield f"sign in  user {neo4j_server.USER}, password in {password}"
    yield f"data     {data}"
    yield f"ends     {'with torchatlas neo4j stop' if found.stays else idle}"
    yield f'use it   NEO4J_URI={found.uri} NEO4J_PASSWORD="$(cat {shlex.quote(str(password))})" torchatlas'


@command()
@click.option("--http", is_flag=True, help="Listen on http://127.0.0.1:PORT/mcp, not on standard input.")
@click.option("--port", default=8502, show_default=True, type=_PORT, help="Port of --http.")
@click.option("--map-port", default=MAP_PORT, show_default=True, type=_PORT, help="Port of the map, for links to it.")
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


@command("text", "json")
def doctor(atlas: "Atlas") -> Printed:
    """Say what is installed, where files are, and what is wrong.

    It builds nothing. The exit code is 1 where something is broken.

    Example: torchatlas doctor
    """
    own, names = atlas.settings, ("torchatlas", "ladybug", "neo4j", "spacy", "streamlit")
    versions = {"Python": platform.python_version(), **{name: version(name) for name in names}}
    places = {"graph": without_secrets(own.store), "caches": own.home, "profile": own.profile}
    places |= {"sources": own.sources_list, "corrections": own.corrections}
    troubles = dict(_troubles(atlas))  # trouble -> whether it is broken
    told = [{"trouble": trouble, "broken": broken} for trouble, broken in troubles.items()]
    yield {"versions": versions, "places": places, "troubles": told}
    yield ", ".join(f"{name} {number}" for name, number in versions.items())
    yield from (f"{name}: {place}" for name, place in places.items())
    yield from (f"{'BROKEN' if broken else 'note'}: {trouble}" for trouble, broken in troubles.items())
    yield from () if troubles else ["nothing is wrong"]
    if any(troubles.values()):
        raise AtlasError(f"broken: {sum(troubles.values())}; see above what to do")


def _troubles(atlas: "Atlas") -> Iterator[tuple[str, bool]]:
    """Yield what is wrong with its remedy, and whether it is broken."""
    from torchatlas.build import parsed_corrections, read_inputs
    from torchatlas.sources import copy_path
    from torchatlas.ui.local_server import is_taken

    settings, seen = atlas.settings, dict[str, Any]()
    looks: dict[str, Callable[[], Any]] = {
        "profile": lambda: load_profile(settings),
        "corrections": lambda: parsed_corrections(read_inputs(settings)),
        "wanted": lambda: read_inputs(settings).fingerprint,
        "stored": lambda: atlas.store.fingerprint() or "",
        "sources": atlas.sources,
    }
    for name, look in looks.items():
        try:
            seen[name] = look()
        except AtlasError as e:
            yield str(e), True
    if "stored" in seen and seen["stored"] != seen.get("wanted"):
        why = "is older than your files or this version" if seen["stored"] else "is not built yet"
        yield f"the graph {why}; the next command builds it", False
    for source in seen.get("sources", ()):
        copy = copy_path(settings, source.address, source.kind)
        if source.trouble:
            yield f"{source.shown}: {source.trouble}; torchatlas build tries again", not copy.exists()
        elif source.kind == "feed" and (not copy.exists() or copy.stat().st_mtime < time.time() - 30 * 86_400):
            yield f"{source.shown} was not read in the last 30 days; torchatlas build reads it", False
    if is_taken(MAP_PORT):
        yield f"port {MAP_PORT} is taken, perhaps by the map; torchatlas --port {MAP_PORT + 1} takes another", False
