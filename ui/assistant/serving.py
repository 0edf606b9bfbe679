"""The two ways to reach the server: standard input and output, or HTTP on this computer only."""

import signal
from contextlib import closing, suppress

import anyio
import uvicorn

from torchatlas.open_map import Progressing
from torchatlas.settings import Settings
from torchatlas.ui.assistant.current_atlas import CurrentAtlas
from torchatlas.ui.assistant.links import Links
from torchatlas.ui.assistant.server import AssistantServer
from torchatlas.ui.doors import Doors, policy

_HOST, _PATH = "127.0.0.1", "/mcp"


def address(port: int) -> str:
    """Return where an assistant finds the server.

    >>> address(8502)
    'http://127.0.0.1:8502/mcp'
    """
    return f"http://{_HOST}:{port}{_PATH}"


def serve(settings: Settings, progressing: Progressing, *, http_port: int | None, map_port: int) -> None:
    """Answer an assistant until it goes, or until Ctrl-C; over HTTP where a port is given.

    Example: serve(settings, progress, http_port=None, map_port=8501)
    """
    if http_port is None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread waits for input, and nothing but the end ends it
    with closing(CurrentAtlas(settings, progressing)) as current, suppress(KeyboardInterrupt):
        anyio.run(_serve, AssistantServer(current, Links(map_port)), http_port)


async def _serve(server: AssistantServer, http_port: int | None) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(server.load_ahead)
        if http_port is None:
            await server.run_stdio_async()
        else:
            await _serve_http(server, http_port)
        group.cancel_scope.cancel()


async def _serve_http(server: AssistantServer, port: int) -> None:
    """Serve streamable HTTP behind the doors of the map's pages: no other page and no foreign name gets in.

    Answers may be streams of events: plain JSON goes on with a call after its client has closed the connection.
    """
    application = server.streamable_http_app(streamable_http_path=_PATH, stateless_http=True)
    config = uvicorn.Config(
        Doors(application, policy=policy("")), host=_HOST, port=port, log_level="error", access_log=False
    )
    await uvicorn.Server(config).serve()
