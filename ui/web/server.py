"""Start the pages, on this machine only and in one process; the map's files, whose audio plays."""

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from torchatlas.graph.errors import SourceError
from torchatlas.graph.whole_files import write_whole
from torchatlas.settings import load_settings
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
_HOSTS = "audio-hosts.json"
_ORIGIN = re.compile(r"(https?://)(?:[^/?#@]*@)?((?:[a-z0-9_.-]+|\[[0-9a-f:]+\])(?::\d+)?)(?=[/?#]|\Z)", re.I)
_KEPT = 128  # the newest; a browser fetches one right after a page has named it
_lock = Lock()
pictures: dict[str, Payload] = {}
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
        "server.disconnectedSessionTTL": 10,  # seconds that a closed page keeps three file handles; macOS has 256
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
    """Serve the pages until Ctrl-C: `launch("ladybug:atlas.lbug", open_browser=False)`."""
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

    layers = [Middleware(SecurityMiddleware, policy=policy(index_page()), sound=sound_policy)]
    app = st.App(Path(__file__).with_name("app.py"), routes=routes(), lifespan=lifespan, middleware=layers)
    with suppress(KeyboardInterrupt):
        app.run(config=configuration(port, browser=open_browser))


def index_page() -> str:
    """Return Streamlit's page with our style in it: one that came later would move what stands already.

    >>> "</style>\\n</body>" in index_page()
    True
    """
    page = files("streamlit").joinpath("static", "index.html").read_text("utf-8")
    style = files("torchatlas.ui.web").joinpath("app.css").read_text("utf-8")
    script = "window.__streamlit = { BACKEND_BASE_URL: location.origin }"  # else it asks below the page's address first
    ours = f"<script>{script}</script>\n<style>\n{style}</style>\n"
    return page.replace("</body>", f"{ours}</body>")  # behind Streamlit's own style, which it outdoes


def routes() -> "list[BaseRoute]":
    """Return the routes to the pages and to the map's files: `Starlette(routes=routes())`."""
    from starlette.responses import Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    text = joined(*MAP_SCRIPTS)
    functions = ", ".join(re.findall(r"^function (\w+)", text, re.MULTILINE))
    module = f'import "{BASE}/vis/vis-network.min.js";\n{text}\nexport {{ {functions} }};\n'

    def fresh(text: str, kind: str) -> "Callable[[Request], Response]":  # a new one, as compression changes headers
        return lambda _: Response(text, headers={"cache-control": "no-cache"}, media_type=kind)

    page = fresh(index_page(), "text/html")  # by any name, for Streamlit's script reads the address

    def trouble(request: "Request") -> "Response":  # in a thread, since it asks another host
        return Response(sound_trouble(request.query_params.get("of", "")), media_type="text/plain")

    return [
        Route("/", page),
        Route("/{name}", page),
        Route(f"{BASE}/pictures/{{revision}}.json", picture),
        Route(f"{BASE}/sounds", trouble),
        Route(f"{BASE}/map.js", fresh(module, "text/javascript")),
        Mount(f"{BASE}/vendor", StaticFiles(directory=Path(__file__).parent / "vendor")),
        Mount(f"{BASE}/vis", StaticFiles(directory=vis_network())),
    ]


async def picture(request: "Request") -> "Response":
    """Answer with a picture that `keep` has kept, or with 404: `Route("/{revision}", picture)`."""
    from starlette.responses import Response

    found = pictures.get(request.path_params["revision"])
    if found is None:
        return Response("There is no such picture any more; reload the page.\n", status_code=404)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(json.dumps(found, separators=(",", ":")), headers=headers, media_type="application/json")


@cache
def _hosts() -> dict[str, list[str]]:
    """Return origin of audio -> those where its redirects led, first as the last start knew them."""
    with suppress(OSError, ValueError):
        return dict(json.loads((load_settings().home / _HOSTS).read_bytes()))
    return {}


def origin(address: str | None) -> str:
    """Return an address's origin as a security policy names it, "" for none.

    >>> origin("https://me:pw@Example.org:8080/1.mp3"), origin("https://a;b/")
    ('https://example.org:8080', '')
    """
    found = _ORIGIN.match(address or "")
    return f"{found[1]}{found[2]}".lower() if found else ""


def sound_policy() -> str:
    """Return the part of the security policy that names the hosts: `sound_policy()`."""
    known = {host for first, led in _hosts().items() for host in (first, *led)}
    return " ".join(("media-src 'self'", *sorted(known)))


def allow_sound(addresses: Iterable[str | None]) -> None:
    """Allow the hosts of audio, and no others: `allow_sound([episode.audio_url])`."""
    _keep({host: _hosts().get(host, []) for host in sorted(set(map(origin, addresses)) - {""})})


def sound_trouble(address: str) -> str:
    """Allow where audio leads, too; return what its host says is wrong, or ""."""
    from torchatlas.extract.fetch import way_of

    if (first := origin(address)) not in _hosts():
        return "It is not the audio of an episode"
    try:
        led = {*map(origin, way_of(address)), *_hosts()[first]} - {"", first}
    except SourceError as e:
        return str(e)
    _keep(_hosts() | {first: sorted(led)})
    return ""


def _keep(found: dict[str, list[str]]) -> None:
    if found != _hosts():
        _hosts().clear()
        _hosts().update(found)
        with suppress(OSError):  # then the page learns them again
            write_whole(load_settings().home / _HOSTS, json.dumps(found).encode())


def joined(*names: str) -> str:
    """Return scripts of the map as one: a page that lies in a file can load no modules.

    >>> "function viewOf(" in joined("view", "draw")
    True
    """
    return "\n".join(asset(f"{name}.js") for name in names)


def asset(name: str) -> str:
    """Return the text of a script, a style or a page of the map: `asset("map.css")`."""
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
