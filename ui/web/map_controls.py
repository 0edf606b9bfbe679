"""The row above the map: what is looked for, and what is shown. The URL keeps all of it."""

from typing import NamedTuple, cast

import streamlit as st

from torchatlas.ui.pictures.view import MapFilter
from torchatlas.ui.web import cached, url_state, widgets, word_box

SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}
ORDER = {"map": "On the map", "time": "By time"}
FILTERS = ("area", "show", "order")
"""The URL's parameters of what is shown."""


class Shown(NamedTuple):
    """The part of the map that is shown: an area, a kind, and whether episodes stand in the order of time."""

    area: str | None
    kind: MapFilter
    by_time: bool


def pick(node: str | None) -> None:
    """Choose a node, or none: the URL holds it, everything else follows. What was searched for stays."""
    url_state.choose("node", node)


def pick_area(area: str) -> None:
    """Show one area of a map that is too large to show all nodes. For callbacks."""
    url_state.choose("behind", None)
    url_state.choose("area", area)


def show_everywhere() -> None:
    """Take back the filters, so that the choice is on the map."""
    for name in (*FILTERS, "behind"):
        url_state.choose(name, None)


def controls() -> Shown:
    """Draw the row above the map; return what is shown."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="map_controls"):
        with st.container(key="search", width=330):
            word_box.ask(
                "Find", cached.subject_words(), "search_box", "A name or a question: press /", add=_look_up,
                held=st.query_params.get("find"),
            )  # fmt: skip
        widgets.fold("Filters", "map", sum(name in st.query_params for name in FILTERS))
        kind = cast(MapFilter, _segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and _segments("order", "Order", ORDER) == "time"
        key, write = url_state.follow("area", areas := cached.atlas().areas())
        area = st.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas", width=190)
    return Shown(area, kind, by_time)


def radius(node: str | None, kind: MapFilter) -> int:
    """Return how many steps around the choice are shown, 0 for all of the map."""
    return int(url_state.chosen("radius", list(RADIUS), "0") or 0) if node and kind != "episodes" else 0


def around() -> None:
    """Draw how much of the surroundings of the choice is shown."""
    _segments("radius", "Show around it", RADIUS)


def _look_up(text: str) -> None:
    """Choose what a name means, or search for other words; no words end the search. For callbacks."""
    graph = cached.atlas().graph
    named = text in graph.concept or text in graph.episode
    meant = text if named else cached.meaning(text, "subject").ids[0] if text in cached.subject_words() else None
    pick(meant)
    url_state.choose("find", None if meant else text)


def _segments(name: str, label: str, options: dict[str, str]) -> str:
    default = next(iter(options))
    key, write = url_state.follow(name, list(options), default)
    chosen = st.segmented_control(
        label, list(options), key=key, on_change=write, format_func=lambda value: options[value], required=True
    )
    return chosen or default
