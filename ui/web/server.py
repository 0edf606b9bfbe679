"""Start the pages: one process, this machine only, nothing sent anywhere; and the files that a browser fetches once."""

import json
import os
import re
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from graphlib import TopologicalSorter
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


_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const) (\w+)", re.MULTILINE)


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return one script that runs the module `entry` and all that it imports, each in a scope of its own.

    `modules`: name -> text. Imports are `import { a, b } from "./name.js";` and exports stand before `function` or
    `const`. What lies outside of the folder, such as vis-network, is there before. Raises CycleError where modules
    import one another in a circle, KeyError for one that is missing.

    >>> print(bundle({"a.js": "export const A = 1;", "b.js": 'import { A } from "./a.js";\\nalert(A);'}, "b.js"))
    const modules = {};
    modules["a.js"] = (() => {
    const A = 1;
    return { A };
    })();
    modules["b.js"] = (() => {
    const { A } = modules["a.js"];
    alert(A);
    return {  };
    })();
    """
    needs: dict[str, list[str]] = {}
    todo = [entry]
    while todo:
        name = todo.pop()
        if name not in needs:
            needs[name] = [path[2:] for _, path in _IMPORT.findall(modules[name]) if path.startswith("./")]
            todo += needs[name]
    order = TopologicalSorter({name: sorted(of) for name, of in sorted(needs.items())}).static_order()
    return "\n".join(("const modules = {};", *(_scoped(name, modules[name]) for name in order)))


def _scoped(name: str, text: str) -> str:
    exported = ", ".join(found for _, found in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(_taken, text)).strip("\n")
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();'


def _taken(found: re.Match[str]) -> str:
    names, path = found.groups()
    return f'const {names} = modules["{path[2:]}"];\n' if names else ""


BASE = "/atlas"
"""Where the server has them."""

_KEPT = 128  # the newest pictures; a browser fetches one right after a page has named it
_pictures: OrderedDict[str, Payload] = OrderedDict()
_lock = Lock()


def keep(picture: Payload) -> str:
    """Keep a picture for the browser to fetch; return its revision, by which the browser asks for it."""
    revision: str = picture["rev"]
    with _lock:
        _pictures[revision] = picture
        _pictures.move_to_end(revision)
        while len(_pictures) > _KEPT:
            _pictures.popitem(last=False)
    return revision


def kept(revision: str) -> Payload | None:
    """Return the picture with this revision, None where there is none any more."""
    return _pictures.get(revision)


def vis_network() -> Path:
    """Return the folder of the vis-network that pyvis ships; pyvis itself, which takes long, is not imported."""
    spec = find_spec("pyvis")
    assert spec and spec.origin
    return Path(spec.origin).with_name("lib") / "vis-9.1.2"


@cache
def map_script() -> str:
    """Return the scripts of the map as one, for which the browser asks once; `modules` holds what each exports."""
    own = files("torchatlas.ui.web").joinpath("map")
    modules = {file.name: file.read_text("utf-8") for file in own.iterdir() if file.name.endswith(".js")}
    return f'import "{BASE}/vis/vis-network.min.js";\n{bundle(modules, "mount.js")}\nexport {{ modules }};\n'


def routes() -> "list[BaseRoute]":
    """Return the server's routes to all of it. A script is asked for anew by each page, a picture never changes."""
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    return [
        Route(f"{BASE}/pictures/{{revision}}.json", _picture),
        Route(f"{BASE}/map.js", _map_script),
        Mount(f"{BASE}/vis", StaticFiles(directory=vis_network())),
    ]


async def _map_script(_: "Request") -> "Response":
    from starlette.responses import Response

    return Response(map_script(), headers={"cache-control": "no-cache"}, media_type="text/javascript")


async def _picture(request: "Request") -> "Response":
    from starlette.responses import Response

    picture = kept(request.path_params["revision"])
    if picture is None:
        return Response("There is no such picture any more; reload the page.\n", status_code=404)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(json.dumps(picture, separators=(",", ":")), headers=headers, media_type="application/json")


LIGHT = {
    "primaryColor": "#0072B2", "blueColor": "#0072B2", "orangeColor": "#D55E00", "linkColor": "#005A8D",
    "blueTextColor": "#0072B2", "orangeTextColor": "#B04A00",
    "backgroundColor": "#FFFFFF", "secondaryBackgroundColor": "#F3F5F8", "textColor": "#0A0F17",
    "grayColor": "#6B7280", "borderColor": "#D9DEE5",
}  # fmt: skip
DARK = {
    "primaryColor": "#63B8EC", "blueColor": "#56B4E9", "orangeColor": "#E69F00", "linkColor": "#7CC4EF",
    "blueTextColor": "#56B4E9", "orangeTextColor": "#E69F00",
    "backgroundColor": "#14171C", "secondaryBackgroundColor": "#1E232B", "textColor": "#E8EAEE",
    "grayColor": "#9AA3B0", "borderColor": "#323945",
}  # fmt: skip
"""Blue and orange of Okabe and Ito (2008), which stay apart under every colour blindness."""


def configuration(port: int, *, browser: bool) -> dict[str, object]:
    """Return Streamlit's settings: bound to the loopback, refusing foreign names, without statistics."""
    shared: dict[str, object] = {
        "server.address": "127.0.0.1", "server.port": port, "server.headless": not browser,
        "server.allowedHosts": ["127.0.0.1", "localhost"], "server.showEmailPrompt": False,
        "server.fileWatcherType": "none", "browser.gatherUsageStats": False, "browser.serverAddress": "127.0.0.1",
        "logger.hideWelcomeMessage": True, "client.toolbarMode": "viewer", "client.showErrorLinks": False,
        "client.allowedOrigins": [], "runner.magicEnabled": False,
        "theme.baseRadius": "8px",
        "theme.headingFontSizes": ["1.6rem", "1.2rem", "1.1rem", "1rem", "0.95rem", "0.9rem"],
    }  # fmt: skip
    light = {f"theme.light.{name}": colour for name, colour in LIGHT.items()}
    return shared | light | {f"theme.dark.{name}": colour for name, colour in DARK.items()}


def display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether there is a screen for a browser: on Linux and the BSDs two variables say so.

    >>> display({}, "linux"), display({"DISPLAY": ":0"}, "linux")
    (False, True)
    """
    return platform in {"darwin", "win32"} or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


@asynccontextmanager
async def _warmed(_: object) -> AsyncIterator[None]:
    """Load the graph while the browser still loads the frame of the page."""
    from torchatlas.ui.web.cache import load_ahead

    Thread(target=load_ahead, daemon=True).start()
    yield


def launch(store: str, port: int = 8501, *, open_browser: bool = True) -> None:
    """Serve the pages until Ctrl-C."""
    os.environ["TORCHATLAS_STORE"] = store
    sys.argv = sys.argv[:1]  # Streamlit would read our arguments as its own

    import streamlit as st
    from starlette.middleware import Middleware

    from torchatlas.ui.local_server import Doors, policy

    page = files("streamlit").joinpath("static", "index.html").read_text("utf-8")
    layers = [Middleware(Doors, policy=policy(page))]
    try:
        st.App(Path(__file__).with_name("app.py"), routes=routes(), lifespan=_warmed, middleware=layers).run(
            config=configuration(port, browser=open_browser)
        )
    except KeyboardInterrupt:
        return
