"""Files that the browser fetches once: the scripts of the map, the vis-network that pyvis ships, and pictures."""

import json
from collections import OrderedDict
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING

from torchatlas.ui.web.draw import Payload

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


def routes() -> "list[BaseRoute]":
    """Return the server's routes to all of it. A script is asked for anew by each page, a picture never changes."""
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    vis, own = files("pyvis").joinpath("lib", "vis-9.1.2"), files("torchatlas.ui.web").joinpath("map")
    return [
        Route(f"{BASE}/pictures/{{revision}}.json", _picture),
        Mount(f"{BASE}/vis", StaticFiles(directory=str(vis))),
        Mount(f"{BASE}/map", StaticFiles(directory=str(own))),
    ]


async def _picture(request: "Request") -> "Response":
    from starlette.responses import Response

    picture = kept(request.path_params["revision"])
    if picture is None:
        return Response("There is no such picture any more; reload the page.\n", status_code=404)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(json.dumps(picture, separators=(",", ":")), headers=headers, media_type="application/json")
