"""The limits of a plan on the path page: how much, how long, in which sessions, and how fast. The URL keeps them."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from torchatlas.graph.formatting import PLAN_DEPTHS
from torchatlas.graph.model import PlanDepth
from torchatlas.ui.web import url_state

MINUTES = ("30", "45", "60", "90")
NAMES = ("depth", "budget", "split", "speed")
"""The URL's parameters of the limits."""
MOST = 6000
"""The longest budget in minutes."""
_ANY = "any"


class Limits(NamedTuple):
    """The limits that `atlas.plan` takes: budget in minutes, depth, sessions such as "3x30m", and speed."""

    budget: int | None = None
    depth: PlanDepth = "usual"
    split: str | None = None
    speed: float = 1.0


class _Choice(NamedTuple):
    """A choice behind the button for more: `name` in the URL, `without`: what is shown where nothing is chosen."""

    name: str
    label: str
    values: list[str]
    without: str
    words: Callable[[str], str]


_TIMES = (
    _Choice(
        "split",
        "Sessions",
        [f"{count}x{minutes}m" for minutes in (20, 30, 45, 60) for count in (2, 3, 5)],
        "In one go",
        lambda value: value.replace("x", " × ").replace("m", " min"),
    ),
    _Choice("speed", "Speed", ["0.75", "1.25", "1.5", "1.75", "2", "2.5", "3"], "1x", lambda value: f"{value}x"),
)


def controls() -> Limits:
    """Draw the controls; return what they say."""
    key, write = url_state.follow("depth", list(PLAN_DEPTHS), "usual")
    deep = st.segmented_control(
        "How much", list(PLAN_DEPTHS), key=key, on_change=write, format_func=str.capitalize, required=True, wrap=True,
        help="  \n".join(f"**{name.capitalize()}**: {words}" for name, words in PLAN_DEPTHS.items()),
    )  # fmt: skip
    budget = _budget()
    given = [(choice, url_state.chosen(choice.name, choice.values)) for choice in _TIMES]
    words = [choice.words(value) for choice, value in given if value]
    with st.popover(", ".join(words) or "More", icon=":material/tune:"):
        split, speed = map(_draw, _TIMES)
        _own_minutes(budget)
    return Limits(budget, deep or "usual", split, float(speed or 1))


def raise_budget(minutes: int) -> None:
    """Let a plan be so long. For callbacks."""
    url_state.choose("budget", str(min(MOST, minutes)))


def _budget() -> int | None:
    """Draw the usual budgets, and the one in the address where it is another."""
    given = st.query_params.get("budget", "")
    own = given.isdecimal() and len(given) <= len(str(MOST)) and 1 <= int(given) <= MOST
    values = sorted({*MINUTES, *([given] if own else [])}, key=int)
    key, write = url_state.follow("budget", [_ANY, *values], _ANY)
    chosen = st.segmented_control(
        "Time I have", [_ANY, *values], key=key, on_change=write, required=True, wrap=True,
        format_func=lambda value: "No limit" if value == _ANY else f"{value} min",
    )  # fmt: skip
    return None if chosen in (None, _ANY) else int(str(chosen))


def _own_minutes(budget: int | None) -> None:
    key = "own_minutes"
    if st.session_state.get(key) != budget:
        st.session_state[key] = budget
    st.number_input(
        "Minutes", min_value=1, max_value=MOST, value=None, key=key, placeholder="No limit",
        on_change=lambda: url_state.choose("budget", str(st.session_state[key] or "")),
    )  # fmt: skip


def _draw(choice: _Choice) -> str | None:
    key, write = url_state.follow(choice.name, choice.values)
    return st.selectbox(
        choice.label, choice.values, index=None, key=key, on_change=write, format_func=choice.words,
        placeholder=choice.without,
    )  # fmt: skip
