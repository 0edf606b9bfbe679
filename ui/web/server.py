"""Start the pages, on this machine only and in one process; the map's files."""

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from torchatlas.ui.pictures import Payload

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_COLOURS = (
    ("primaryColor", "#0072B2", "#63B8EC"),
    ("blueColor", "#0072B2", "#56B4E9"),
    ("orangeColor", "#D55E00", "#E69F00"),
    ("linkColor", "#005A8D", "#7CC4EF"),
    ("blueTextColor", "#0072B2", "#56B4E9"),
    ("orangeTextColor", "#B04A00", "#E69F00"),
    ("backgroundColor", "#FFFFFF", "#14171C"),
    ("secondaryBackgroundColor", "#F3F5F8", "#1E232B"),
    ("textColor", "#0A0F17", "#E8EAEE"),
    ("grayColor", "#6B7280", "#9AA3B0"),
    ("borderColor", "#D9DEE5", "#323945"),
)
LIGHT = {name: light for name, light, _ in _COLOURS}
DARK = {name: dark for name, _, dark in _COLOURS}
"""Blue and orange of Okabe and Ito (2008), which stay apart under every colour blindness."""

BASE = "/atlas"
"""Where the server has the map's files."""

MAP_SCRIPTS = ("view", "draw", "labels", "controls", "panels", "map")
_KEPT = 128  # the newest pictures; a browser fetches one right after a page has named it
pictures: dict[str, Payload] = {}
_lock = Lock()
"""Revision -> picture, for the browser to fetch."""


def configuration(port: int, *, browser: bool) -> dict[str, object]:
    """Return Streamlit's settings: on the loopback, no foreign names, no statistics.

    >>> configuration(8501, browser=False)["server.address"]
    '127.0.0.1'
    """
    settings: dict[str, object] = {
        "server.address": "127.0.0.1",
        "server.port": port,
        "server.headless": not browser,
        "server.disconnectedSessionTTL": 2,  # seconds that a closed page keeps three file handles; macOS has 256
        "server.allowedHosts": ["127.0.0.1", "localhost"],
        "server.showEmailPrompt": False,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "browser.serverAddress": "127.0.0.1",
        "logger.hideWelcomeMessage": True,
        "client.toolbarMode": "viewer",
        "client.showErrorLinks": False,
        "client.allowedOrigins": [],
        "runner.magicEnabled": False,
        "theme.baseRadius": "8px",
        "theme.paddingTop": "0rem",  # as in app.css, which comes later
        "theme.headingFontSizes": ["1.6rem", "1.2rem", "1.1rem", "1rem", "0.95rem", "0.9rem"],
    }
    for name, light, dark in _COLOURS:
        settings |= {f"theme.light.{name}": light, f"theme.dark.{name}": dark}
    return settings


def display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether there is a screen; on Linux and the BSDs, variables say so.

    >>> display({}, "linux"), display({"DISPLAY": ":0"}, "linux")
    (False, True)
    """
    return platform in {"darwin", "win32"} or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def launch(store: str, port: int = 8501, *, open_browser: bool = True) -> None:
    """Serve the pages until Ctrl-C.

    Example: launch("ladybug:atlas.lbug", open_browser=False)
    """
    os.environ["TORCHATLAS_STORE"] = store
    sys.argv = sys.argv[:1]  # Streamlit would read our arguments as its own

    import streamlit as st
    from starlette.middleware import Middleware

    from torchatlas.ui.local_server import SecurityMiddleware, policy

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        from torchatlas.ui.web.cache import load_ahead

        Thread(target=load_ahead, daemon=True).start()  # while the browser loads
        yield

    page = files("streamlit").joinpath("static", "index.html").read_text("utf-8")
    layers = [Middleware(SecurityMiddleware, policy=policy(page))]
    app = st.App(Path(__file__).with_name("app.py"), routes=routes(), lifespan=lifespan, middleware=layers)
    with suppress(KeyboardInterrupt):
        app.run(config=configuration(port, browser=open_browser))


def routes() -> "list[BaseRoute]":
    """Return the server's routes to the map's files.

    Example: `Starlette(routes=routes())`
    """
    from starlette.responses import FileResponse, Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    text = joined(*MAP_SCRIPTS)
    functions = ", ".join(re.findall(r"^function (\w+)", text, re.MULTILINE))
    module = f'import "{BASE}/vis/vis-network.min.js";\n{text}\nexport {{ {functions} }};\n'

    async def map_script(_: "Request") -> "Response":  # one response each, for compression changes its headers
        return Response(module, headers={"cache-control": "no-cache"}, media_type="text/javascript")

    async def codemirror(_: "Request") -> "Response":
        return FileResponse(Path(__file__).parent / "vendor" / "codemirror.js", media_type="text/javascript")

    async def picture(request: "Request") -> "Response":
        found = pictures.get(request.path_params["revision"])
        if found is None:
            return Response("There is no such picture any more; reload the page.\n", status_code=404)
        headers = {"cache-control": "private, max-age=31536000, immutable"}
        return Response(json.dumps(found, separators=(",", ":")), headers=headers, media_type="application/json")

    return [
        Route(f"{BASE}/pictures/{{revision}}.json", picture),
        Route(f"{BASE}/map.js", map_script),
        Route(f"{BASE}/codemirror.js", codemirror),
        Mount(f"{BASE}/vis", StaticFiles(directory=vis_network())),
    ]


def joined(*names: str) -> str:
    """Return scripts of the map as one: a page that lies in a file can load no modules.

    >>> "function viewOf(" in joined("view", "draw")
    True
    """
    return "\n".join(asset(f"{name}.js") for name in names)


def asset(name: str) -> str:
    """Return the text of a script, a style or a page of the map.

    Example: `asset("map.css")`
    """
    return files("torchatlas.ui.web").joinpath("map", name).read_text("utf-8")


def vis_network() -> Path:
    """Return the folder of the vis-network that pyvis ships, without importing pyvis.

    >>> vis_network().name
    'vis-9.1.2'
    """
    spec = find_spec("pyvis")
    assert spec and spec.origin
    return Path(spec.origin).with_name("lib") / "vis-9.1.2"


def keep(picture: Payload) -> str:
    """Keep a picture for the browser to fetch; return its revision.

    >>> keep({"rev": "1a"})
    '1a'
    """
    revision: str = picture["rev"]
    with _lock:
        pictures.pop(revision, None)
        pictures[revision] = picture
        for oldest in list(pictures)[:-_KEPT]:
            del pictures[oldest]
    return revision
