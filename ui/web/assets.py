"""Files that the browser fetches once: the scripts of the map, the vis-network that pyvis ships, and pictures."""

import json
from collections import OrderedDict
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from torchatlas.ui.pictures.draw import Payload
from torchatlas.ui.web.bundle import bundle

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

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
