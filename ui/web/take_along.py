"""The plan to take along: a button for each format in which a browser can save it."""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import partial

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Plan, plan_markdown
from torchatlas.graph.formatting import counted
from torchatlas.ui.plans import FORMATS, PlanFormat
from torchatlas.ui.web import cached


def take_along(plan: Plan) -> None:
    """Draw the button that opens all formats, those to hear with only where there is something to hear."""
    with st.popover("Take along", icon=":material/ios_share:"):
        _formats(plan)


@st.fragment
def _formats(plan: Plan) -> None:
    """Draw a button for each format, and the text to copy.

    Another day runs this part of the page alone: a run makes the buttons anew, and a click on one of before is lost.
    """
    if plan.steps:
        st.markdown("**To hear**")
        start = st.date_input("The calendar begins on", value="today", key="calendar_start")
        if start is not None:
            st.caption(_days(plan, start))
        _buttons(plan, (each for each in FORMATS.values() if each.to_hear), start)
    st.markdown("**To read**")
    _buttons(plan, (each for each in FORMATS.values() if not each.to_hear))
    st.caption("Or copy it:")
    with st.container(height=240, border=False):  # what scrolls has a button in it, so that keys reach it
        st.code(plan_markdown(plan), language=None, wrap_lines=True)


def _days(plan: Plan, start: date) -> str:
    """Return how many days the calendar takes, and the last of them."""
    count = len(plan.sessions or plan.steps)
    return f"{counted(count, 'session')}, one a day, until {start + timedelta(days=count - 1)}."


def _buttons(plan: Plan, formats: Iterable[PlanFormat], start: date | None = None) -> None:
    """Draw a button for each format; the file is made when somebody wants it."""
    with st.container(horizontal=True, gap="small"):
        for each in formats:
            st.download_button(
                each.label, partial(_content, cached.atlas(), plan, each.name, start), each.file_name, each.media_type,
                key=f"take:{each.name}", help=f"{each.about[:1].upper()}{each.about[1:]}.", on_click="ignore",
                icon=":material/download:", disabled=each.name == "ics" and start is None,
            )  # fmt: skip


def _content(atlas: Atlas, plan: Plan, style: str, start: date | None) -> bytes:
    return atlas.plan_text(plan, style, start).encode()
