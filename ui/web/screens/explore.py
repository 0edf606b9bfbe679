"""The map, and beside it a concept, an episode, a route, or search results."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import cast

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Hit, Plan
from torchatlas.graph.formatting import clock, counted, esc, length, link, listed
from torchatlas.graph.views import ConceptCard, EpisodeCard, Neighbour
from torchatlas.ui import pictures
from torchatlas.ui.web import cache, parts, state

atlas = cache.atlas()
graph = atlas.graph
SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
ORDERS = {"map": "On the map", "time": "By time"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}
PICK = partial(state.choose, "node")
FILTERS = ("area", "show", "order")  # the URL's parameters of what is shown


def _look_up(text: str) -> None:
    meant = parts.named(text)
    state.choose("node", meant)
    state.choose("find", None if meant else text)


def _pick_on(payload: pictures.Payload, node: str) -> None:
    state.choose("node", node)
    if any(dot["id"] == node and dot.get("behind") for dot in payload["nodes"]):
        state.choose("behind", node)


def _pick_area(area: str) -> None:
    state.choose("behind", None)
    state.choose("area", area)


@st.fragment
def _map_and_details(kind: pictures.MapFilter, by_time: bool, area: str | None) -> None:
    """Draw the map and what is beside it; a choice runs this part alone."""
    parts.note_state("")
    for parameter in ("node", "path"):
        parts.say_unknown(parameter, names)
    node, asked = state.chosen("node", names), st.query_params.get("find")
    hits = cache.ask(Atlas.search, asked, 8) if asked and not node else ()
    goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
    plan = cache.ask(Atlas.plan, *goals) if goals else None
    opened = state.chosen("behind", names)
    card = atlas.concept(node) if node in graph.concept else atlas.episode(node) if node else None
    radius = int(state.chosen("radius", RADIUS, "0") or 0) if node and kind != "episodes" else 0
    if kind == "episodes":
        payload = cache.draw(opened, pictures.episodes_picture, area, by_time=by_time)
    elif node and radius:
        payload = cache.draw(None, pictures.neighbourhood_picture, node, radius)
    else:
        apart = (hit.id for hit in hits if pictures.shown_with(graph, "met", hit.id) != "met")
        extent = pictures.shown_with(graph, kind, node or next(apart, None))
        payload = cache.draw(opened, pictures.map_picture, area, extent)
    related = cache.ask(Atlas.related, card.id, 6) if isinstance(card, EpisodeCard) else ()
    near = () if radius else pictures.lit(card, related) or tuple(sorted(hit.id for hit in hits))
    shown = pictures.route_state(plan) if plan else pictures.MapState(lit=near)
    shown = replace(shown, selected=node).of(graph, atlas.profile)
    _say_outside(node, payload)
    with st.container(key="explore"):
        picture, panel = st.columns([2.35, 1], gap="medium")
    with picture:
        if radius:
            st.caption(f"{esc(payload['name'])}. What it needs lies below, what it leads to above, episodes beside.")
        parts.show_map(payload, shown, key="map", on_pick=partial(_pick_on, payload), on_area=_pick_area)
    with panel, st.container(key="details" if card or plan or asked else "welcome"):
        if card:
            _card_panel(card, kind)
        elif plan:
            _route_panel(plan, goals)
        elif asked:
            _found_panel(asked, hits)
        else:
            _welcome(kind, by_time)
            return
    with panel:
        st.checkbox("All details", key="unfold")  # on a phone alone


def _say_outside(node: str | None, payload: pictures.Payload) -> None:
    landmark, hidden = payload["landmark"], payload["hidden"]
    missing = node is not None and all(node != dot["id"] for dot in payload["nodes"])
    with parts.row() if missing or landmark or hidden else nullcontext():
        if landmark:
            st.caption(f"{esc(payload['name'])}.", width="content")
            parts.button("Show the whole map", "zoom_out_map", on_click=state.choose, args=("behind", None))
        if hidden:
            st.caption(f"{hidden:,} more stand behind the names with a number. A click on one shows them.")
        if node and missing:
            st.caption(f"{esc(names[node])} is outside of what is shown.", width="content")
            if parts.button("Show it", "filter_alt_off"):
                for name in FILTERS:
                    state.choose(name, None)
                state.choose("behind", node if landmark or hidden else None)
                st.rerun()  # the filters are drawn outside of the fragment


def _card_panel(card: ConceptCard | EpisodeCard, kind: pictures.MapFilter) -> None:
    if "find" in st.query_params:
        parts.button("Back to what was found", "arrow_back", on_click=PICK, args=(None,))
    if kind != "episodes":
        parts.segments("radius", "Show around it", RADIUS)
    if isinstance(card, ConceptCard):
        badge, about, name, text = "blue-badge[Concept]", card.area, card.name, card.definition
    else:
        badge, about, name = "orange-badge[Episode]", " · ".join(card.facts), card.title
        text = graph.episode[card.id].summary
    st.markdown(f":{badge} :small[{esc(about)}]")
    parts.heading(name)
    if text:
        st.markdown(esc(text))
    if isinstance(card, ConceptCard) and card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")

    def draw() -> None:
        PICK(None)
        state.choose("path", card.id)

    with parts.row():
        if isinstance(card, EpisodeCard):
            parts.go("Open", "podcasts", episode=card.id)
        parts.go("Plan a path to this", "route", goal=card.id)
        parts.button("Draw the route", "conversion_path", key=f"route:{card.id}", on_click=draw)
    if isinstance(card, EpisodeCard):
        parts.related_episodes(card.id, PICK)
    elif card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    for heading, rows in card.sections.items():
        parts.choices(heading, rows, PICK)
    if isinstance(card, ConceptCard):  # as text: code would load 1.5 MB of scripts
        parts.bullets("In the source", [esc(path) for path in card.source_paths])


def _route_panel(plan: Plan, goals: Sequence[str]) -> None:
    parts.heading(f"Route to {listed(plan.goals)}")
    st.markdown(esc(f"{plan.amount}." if plan.steps else "Nothing is left to hear for this."))
    for place, step in enumerate(plan.steps, 1):
        with st.container(key=f"step_{place}", gap=None):
            label = f"**{place}.** {esc(graph.label_of(step.episode_id))}"
            parts.button(label, key=f"stop:{step.episode_id}", on_click=PICK, args=(step.episode_id,))
            st.caption(esc(f"{length(step.minutes, estimated=step.estimated)}. {step.why}"))
    with parts.row():
        parts.go("The whole plan", "route", goal=goals)
        parts.button("Leave the route", "close", on_click=state.choose, args=("path", None))


def _found_panel(text: str, hits: Sequence[Hit]) -> None:
    rows = []
    parts.heading(f"Found for “{text}”")
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    for hit in hits:
        told = graph.concept[hit.id].definition if hit.id in graph.concept else graph.episode[hit.id].summary
        told = told if len(told) <= 110 else told[:110].rsplit(" ", 1)[0] + " …"
        rows.append(Neighbour(hit.id, names[hit.id], why=told))
    parts.choices("Concepts and episodes", rows, PICK)
    if parts.button("Clear the search", "close"):
        state.choose("find", None)
        st.rerun()  # the box is drawn outside of the fragment


def _welcome(kind: pictures.MapFilter, by_time: bool) -> None:
    goals = atlas.profile.within(graph).goals
    plan = cache.ask(Atlas.plan, *goals) if goals else None
    if plan and plan.steps:
        checklist = cache.ask(Atlas.checklist, plan)
        with st.container(border=True, key="continue"):
            label = graph.label_of(plan.steps[0].episode_id)
            start = next((f" at {clock(taught.at)}" for taught in plan.steps[0].teaches if taught.at), "")
            parts.go(f"**Continue: {esc(label + start)}**", "resume", goal=goals)
            share, words = checklist.progress
            st.progress(share, f"{esc(words)} on the way to {esc(listed(plan.goals))}")
    parts.heading("Where to begin")
    subject, episodes = esc(atlas.subject), counted(len(graph.episodes), "episode")
    square = "Choose a square to see which episodes are near it, and why."
    if not graph.concepts:
        st.markdown(f"{episodes} of {subject}, and no concepts yet. {square}")
        st.markdown("This command drafts a vocabulary of concepts from what the episodes say, for you to reword:")
        st.code("torchatlas candidates --draft vocabulary.toml", language=None, wrap_lines=True)
    elif kind == "episodes":
        order = "From left to right they stand as they came out, each area in a row of its own. " if by_time else ""
        ties = "Dotted lines join related ones, and arrows lead from one to what to hear after it."
        st.markdown(f"{episodes} of {subject}. {ties} {order}{square}")
    else:
        st.markdown(f"{counted(len(graph.concepts), 'concept')} of {subject} and {episodes}.")
        touched = "The map begins with the concepts that an episode touches; the filter “All” shows the others too."
        st.markdown(f"{touched} Choose a dot to see what it needs and when it is explained. {square}")
    parts.choices("Most explained", atlas.most_explained(), PICK)


st.title(f"Map of {esc(atlas.subject)}", anchor=False)
if names := cache.names():
    with parts.row(vertical_alignment="bottom", key="map_controls"):
        with st.container(key="search", width=330):
            held, hint = st.query_params.get("find"), "A name or a question: press /"
            parts.search_box("Find", cache.subject_words(), "search_box", hint, _look_up, held)
        parts.fold("Filters", "map", FILTERS)
        kind = cast(pictures.MapFilter, parts.segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and parts.segments("order", "Order", ORDERS) == "time"
        areas = {area: area for area in graph.areas}
        area = parts.select("area", "Area", areas, "All areas", width=190)
    _map_and_details(kind, by_time, area)
else:
    parts.say("The map is empty. Build it with: torchatlas build")
