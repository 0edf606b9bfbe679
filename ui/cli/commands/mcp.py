"""The command that serves an assistant: mcp."""

import sys
from typing import TYPE_CHECKING

import click

from torchatlas.graph.errors import AtlasError
from torchatlas.ui.cli.options import atlas_option

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas

_PORT = click.IntRange(1, 65535)


@click.command()
@click.option("--http", is_flag=True, help="Listen on http://127.0.0.1:PORT/mcp, not on standard input.")
@click.option("--port", default=8502, show_default=True, type=_PORT, help="Port of --http.")
@click.option("--map-port", default=8501, show_default=True, type=_PORT, help="Port of the map, for links to it.")
@atlas_option
def mcp(atlas: "Atlas", http: bool, port: int, map_port: int) -> None:
    """Serve an assistant over the Model Context Protocol.

    An assistant starts this command and talks to it on standard input and output. It needs an extra:
    pip install "torchatlas[mcp]".

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
        raise AtlasError('an assistant needs an extra; remedy: pip install "torchatlas[mcp]"') from e
    if http:
        click.echo(f"An assistant finds the map at {address(port)} (Ctrl-C ends it)", err=True)
    elif sys.stdin.isatty():
        click.echo("An assistant starts this command itself; --http listens on a port (Ctrl-C ends it)", err=True)
    serve(atlas, http_port=port if http else None, map_port=map_port)
