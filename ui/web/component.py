"""The map on the page: a Streamlit component around the vis-network that pyvis ships."""

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from torchatlas.ui.pictures.draw import Payload
from torchatlas.ui.web.assets import BASE, keep
from torchatlas.ui.web.map_state import MapState

_SCRIPT = f"""
const {{ modules }} = await import(new URL("{BASE}/map.js", location.origin));
export default modules["mount.js"].mount;
"""


@cache
def _renderer() -> Callable[..., Any]:
    """Return the mount command. The scripts come from the server, once; nothing is fetched from elsewhere."""
    own = files("torchatlas.ui.web").joinpath("map")
    html, style = (own.joinpath(name).read_text("utf-8") for name in ("map.html", "map.css"))
    return st.components.v2.component("torchatlas_map", html=html, css=style, js=_SCRIPT)


def show_map(
    picture: Payload,
    state: MapState = MapState(),  # noqa: B008 (a frozen value)
    *,
    key: str,
    on_pick: Callable[[str | None], None] | None = None,
    on_area: Callable[[str], None] | None = None,
) -> None:
    """Draw a picture and what stands out on it, as high as the picture asks for, or as the window leaves room for.

    The browser fetches the picture once; after that only `state` travels. `on_pick` gets the id that was clicked on,
    None for the empty ground; `on_area` the name of an area, where the picture hides nodes. A row of the page whose key
    is `step_N` and the route's stop N point at each other.

    Example: `show_map(cached.map_payload(), route_state(graph, plan, profile), key="route", on_pick=print)`
    """
    data = {"picture": keep(picture), "height": picture["height"]}

    # A run of another page that ends late takes the state of this one along (Streamlit 1.67): that click is lost.
    def picked() -> None:
        if on_pick and (sent := st.session_state.get(key)):
            on_pick(sent.picked or None)

    def opened() -> None:
        if on_area and (sent := st.session_state.get(key)) and sent.area:
            on_area(sent.area)

    _renderer()(data=data | asdict(state), key=key, on_picked_change=picked, on_area_change=opened)
