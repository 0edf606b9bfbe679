"""The listening path: goals in, an ordered list out, and beside it the picture of it."""

from functools import partial

import streamlit as st

from torchatlas.graph.answers import Plan
from torchatlas.ui.web import cached, component, goals, plan_parts, quiz, steps, url_state, widgets
from torchatlas.ui.web.map_state import MapState, route_state

LEAST = 2  # a picture of fewer steps says nothing that the list does not
PICTURES = {"map": "On the map", "layers": "In layers"}


def picture(plan: Plan) -> None:
    """Draw the plan as a route on the map, or in layers; a click on a node opens its page."""
    atlas = cached.atlas()
    leave = partial(widgets.leave_for, atlas.graph)
    key, write = url_state.follow("picture", list(PICTURES), "map")
    with st.container(key="route_picture"):
        which = st.segmented_control(
            "Picture", list(PICTURES), key=key, on_change=write, format_func=lambda name: PICTURES[name],
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if which == "layers":
            first = MapState(selected=plan.steps[0].episode_id)
            component.show_map(cached.plan_payload(plan), first, key="plan", on_pick=leave)
        else:
            route = route_state(atlas.graph, plan, atlas.profile)
            component.show_map(cached.map_payload(None, "met", None, 0), route, key="route", on_pick=leave)


def show(plan: Plan, budget: int | None) -> None:
    """Draw a plan: the list on the left, its picture on the right where there is something to see."""
    for meant in plan.understood:
        widgets.say_understood(meant, partial(url_state.replace_one, "goal"))
    if not plan.steps and not plan.near:
        plan_parts.reached(plan)
    drawn = len(plan.steps) >= LEAST
    left, right = st.columns([1.15, 1], gap="medium") if drawn else (st.container(), None)
    with left:
        if plan.steps or plan.near:
            plan_parts.summary(plan, budget)
        checklist = cached.checklist(plan, cached.atlas().profile)
        steps.progress(checklist)
        plan_parts.successors(plan.successors)
        steps.steps(checklist, [id_ for meant in plan.understood for id_ in meant.ids])
        plan_parts.rest(plan)
    if right:
        with right:
            picture(plan)


st.title("Listening path", anchor=False)
wanted, within = goals.controls()
if wanted:
    show(quiz.plan_after(wanted, within), within.budget)
else:
    st.info(
        "Choose what you want to understand. You get what to hear first, its own episodes, and what deepens it.",
        icon=":material/route:",
    )
    goals.beginnings()
