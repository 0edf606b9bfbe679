"""The row above the map: what is looked for, and what is shown. The URL keeps all of it."""

from typing import NamedTuple, cast

import streamlit as st

from torchatlas.ui.web import cached, url_state, word_box
from torchatlas.ui.web.view import MapFilter

SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}
ORDER = {"map": "On the map", "time": "By time"}


class Shown(NamedTuple):
    """The part of the map that is shown: an area, a kind, steps around the choice (0: all of it), episodes by time."""

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
        with st.container(key="search", width=330):
            word_box.ask("Find", word_box.subjects(), "search_box", "A name or a question: press /", add=_look_up)
        kind = cast(MapFilter, _segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and _segments("order", "Order", ORDER) == "time"
        key, write = url_state.follow("area", areas := cached.atlas().areas())
        area = st.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas", width=190)
    node = url_state.chosen("node", list(names))
    radius = int(url_state.chosen("radius", list(RADIUS), "0") or 0) if node and kind != "episodes" else 0
    return node, Shown(area, kind, radius, by_time)


def around() -> None:
    """Draw how much of the surroundings of the choice is shown."""
    _segments("radius", "Show around it", RADIUS)


def _look_up(text: str) -> None:
    """Choose what a name means, or search for other words. For callbacks."""
    graph = cached.atlas().graph
    if text in graph.concept or text in graph.episode:
        pick(text)
    elif text in word_box.subjects():
        pick(cached.meaning(text, "subject").ids[0])
    else:
        pick(None)
        url_state.choose("find", text)


def _segments(name: str, label: str, options: dict[str, str]) -> str:
    default = next(iter(options))
    key, write = url_state.follow(name, list(options), default)
    chosen = st.segmented_control(
        label, list(options), key=key, on_change=write, format_func=lambda value: options[value], required=True
    )
    return chosen or default
