"""The parts around the steps of a plan: its length, what more time brings, other routes, and what to read."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from torchatlas.graph.answers import Nearby, Plan, Primer, Route, Successor
from torchatlas.graph.formatting import esc, length, link, listed
from torchatlas.ui.web import cached, limits, profile_state, quiz, url_state, widgets
from torchatlas.ui.web.take_along import take_along


def summary(plan: Plan, budget: int | None) -> None:
    """Draw how much there is to hear, the quiz that makes it less, the plan to take along, and what is left out."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="summary"):
        st.header(esc(plan.amount), anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            quiz.begin(plan)
            take_along(plan)
    for remark in plan.remarks:
        st.info(esc(remark), icon=":material/info:")
    if budget:
        _more_time(plan, budget)


def _more_time(plan: Plan, budget: int) -> None:
    """Draw a button for each number of minutes that would bring in more."""
    longer = [(goal.extra_minutes, goal.goal, goal.estimated) for goal in plan.unmet if goal.extra_minutes]
    if more := plan.more:
        longer.append((more.extra_minutes, listed([e.name for e in more.adds]), more.estimated))
    with st.container(horizontal=True):
        for minutes, adds, estimated in sorted(longer):
            st.button(
                f"+{length(minutes, estimated=estimated)}: {esc(adds)}", key=f"more:{minutes}",
                icon=":material/more_time:", on_click=limits.raise_budget, args=(budget + minutes,),
            )  # fmt: skip


def reached(plan: Plan) -> None:
    """Draw that all is heard, and what the goals open up."""
    said = " ".join(plan.remarks)
    st.success(esc(said), icon=":material/check_circle:")
    ids = [id_ for meant in plan.understood for id_ in meant.ids]
    if found := cached.atlas().opens(*ids):
        widgets.heading("What this opens up")
        for row in found:
            with st.container(gap=None):
                widgets.go(widgets.PATH, f"**{esc(row.name)}**", ":material/route:", goal=row.id)
                st.caption(esc(row.why))


def primer(title: str, lines: Sequence[Primer]) -> None:
    """Draw concepts worth a sentence: the definition, something to read, and the button to say that one knows it."""
    with st.container(gap="xsmall"):
        for line in lines:
            read = f" {link('Read', line.link)}" if line.link else ""
            words, button = st.columns([5, 1.2], vertical_alignment="center")
            words.markdown(f"**{esc(line.name)}** {esc(line.told)}{read}")
            button.button(
                "I know this", key=f"{title}:{line.id}", type="tertiary", on_click=profile_state.remember,
                args=(partial(cached.atlas().know, line.id),),
            )  # fmt: skip


def nearby(lines: Sequence[Nearby]) -> None:
    """Draw what comes near a goal that no episode explains: episodes to open, and pages to read."""
    with st.container(gap="xsmall"):
        for n in lines:
            if n.kind == "hear":
                st.page_link(
                    widgets.EPISODE, label=f"**{esc(n.name)}**", query_params=url_state.carried() | {"episode": n.id}
                )
                st.caption(esc(n.why))
            else:
                st.markdown(f"**{esc(n.name)}** {esc(n.why)} {link('Read', n.link)}")


def other_routes(routes: Sequence[Route]) -> None:
    """Draw the other ways to the goals, each with what is different."""
    graph = cached.atlas().graph
    for route in routes:
        with st.expander(esc(route.heading)):
            st.markdown(esc(route.how))
            names = (graph.label_of(step.episode_id) for step in route.steps)
            st.markdown("\n".join(f"{n}. {esc(name)}" for n, name in enumerate(names, 1)))


def successors(found: Sequence[Successor]) -> None:
    """Draw what took the place of the goals, each with a link to its plan."""
    for new in found:
        st.info(esc(str(new)), icon=":material/update:")
        widgets.go(widgets.PATH, f"Plan for {esc(new.name)}", ":material/route:", goal=new.id)


def rest(plan: Plan) -> None:
    """Draw all that stands below the steps."""
    widgets.bullets("Sessions", [esc(line) for line in plan.schedule])
    other_routes(plan.routes)
    for title, near in plan.near.items():
        widgets.heading(title)
        nearby(near)
    for title, lines in plan.primers.items():
        widgets.heading(title)
        widgets.with_more(lines, partial(primer, title), title)
