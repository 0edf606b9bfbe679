"""The row above the map: what is looked for, and what is shown. The URL keeps all of it."""

from typing import NamedTuple, cast

import streamlit as st

from torchatlas.ui.web import cached, url_state
from torchatlas.ui.web.view import MapFilter

SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}
ORDER = {"map": "On the map", "time": "By time"}


class Shown(NamedTuple):
    """What of the map is shown: an area, a kind, the steps around the choice (0: all of it), episodes by time."""

    area: str | None
    kind: MapFilter
    radius: int
    by_time: bool


def pick(node: str | None) -> None:
    """Choose a node, or none: the URL holds it, everything else follows."""
    url_state.choose("find", None)
    url_state.choose("node", node)


def show_everywhere() -> None:
    """Take back the filters, so that the choice is on the map."""
    for name in ("area", "show", "order"):
        url_state.choose(name, None)


def controls(names: dict[str, str]) -> tuple[str | None, Shown]:
    """Draw the row above the map; return the chosen node and what is shown."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="map_controls"):
        node = _find(names)
        kind = cast(MapFilter, _segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and _segments("order", "Order", ORDER) == "time"
        key, write = url_state.follow("area", areas := cached.atlas().areas())
        area = st.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas", width=190)
    radius = int(url_state.chosen("radius", list(RADIUS), "0") or 0) if node and kind != "episodes" else 0
    return node, Shown(area, kind, radius, by_time)


def around() -> None:
    """Draw how much of the surroundings of the choice is shown."""
    _segments("radius", "Show around it", RADIUS)


def _find(names: dict[str, str]) -> str | None:
    typed, _ = url_state.follow("node", list(names))
    asked = st.query_params.get("find") if st.session_state[typed] is None else None
    if asked:
        st.session_state[typed] = asked  # what was searched for stays, to be changed

    def look_up() -> None:
        text = st.session_state[typed]
        if text in names or text is None:
            pick(text)
        else:
            pick(None)
            url_state.choose("find", text)

    found = st.selectbox(
        "Find", [*names, *([asked] if asked else [])], index=None, key=typed, on_change=look_up,
        format_func=lambda i: names.get(i, i), placeholder="A concept, an episode, a question …",
        accept_new_options=True, width=330,
    )  # fmt: skip
    return found if found in names else None


def _segments(name: str, label: str, options: dict[str, str]) -> str:
    default = next(iter(options))
    key, write = url_state.follow(name, list(options), default)
    chosen = st.segmented_control(
        label, list(options), key=key, on_change=write, format_func=lambda value: options[value], required=True
    )
    return chosen or default
