"""The limits of a plan on the path page: how much, how long, in which sessions, and how fast. The URL keeps them."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from torchatlas.graph.values.formatting import length
from torchatlas.graph.values.wording import PLAN_DEPTHS, PlanDepth
from torchatlas.ui.web import url_state


class Limits(NamedTuple):
    """The limits that `atlas.plan` takes: budget in minutes, depth, sessions such as "3x30m", and speed."""

    budget: int | None = None
    depth: PlanDepth = "usual"
    split: str | None = None
    speed: float = 1.0


class _Choice(NamedTuple):
    """A choice behind the button for time: `name` in the URL, `without`: what is shown where nothing is chosen."""

    name: str
    label: str
    values: list[str]
    without: str
    words: Callable[[str], str]


_TIMES = (
    _Choice("budget", "Minutes", [str(m) for m in range(15, 601, 15)], "No limit", lambda value: length(int(value))),
    _Choice(
        "split",
        "Sessions",
        [f"{count}x{minutes}m" for minutes in (20, 30, 45, 60) for count in (2, 3, 5)],
        "In one go",
        lambda value: value.replace("x", " × ").replace("m", " min"),
    ),
    _Choice("speed", "Speed", ["0.75", "1.25", "1.5", "1.75", "2", "2.5", "3"], "1x", lambda value: f"{value}x"),
)


def controls(how_much: DeltaGenerator, time: DeltaGenerator) -> Limits:
    """Draw the controls in two columns; return what they say."""
    key, write = url_state.follow("depth", list(PLAN_DEPTHS), "usual")
    deep = how_much.segmented_control(
        "How much", list(PLAN_DEPTHS), key=key, on_change=write, format_func=str.capitalize, required=True,
        help="  \n".join(f"**{name.capitalize()}**: {words}" for name, words in PLAN_DEPTHS.items()),
    )  # fmt: skip
    given = [(choice, url_state.chosen(choice.name, choice.values)) for choice in _TIMES]
    words = [choice.words(value) for choice, value in given if value]
    time.caption("Time I have")
    with time.popover(", ".join(words) or "No limit", width="stretch"):
        budget, split, speed = map(_draw, _TIMES)
    return Limits(int(budget) if budget else None, deep or "usual", split, float(speed or 1))


def _draw(choice: _Choice) -> str | None:
    key, write = url_state.follow(choice.name, choice.values)
    return st.selectbox(
        choice.label, choice.values, index=None, key=key, on_change=write, format_func=choice.words,
        placeholder=choice.without,
    )  # fmt: skip
