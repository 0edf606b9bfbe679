"""The map, and beside it the chosen concept or episode, a route, or what was searched for."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from torchatlas.graph.answers import Hit, Plan, Related
from torchatlas.graph.cards import ConceptCard, EpisodeCard
from torchatlas.graph.formatting import esc
from torchatlas.ui.pictures.draw import Payload
from torchatlas.ui.pictures.view import MapFilter, lit, shown_with
from torchatlas.ui.web import cached, component, map_controls, map_panels, site, url_state, widgets
from torchatlas.ui.web.limits import Limits
from torchatlas.ui.web.map_controls import Shown, pick
from torchatlas.ui.web.map_state import MapState, personal, route_state


class Choice(NamedTuple):
    """A node with its card, a route, or a search with its hits: whichever the URL asks for."""

    node: str | None
    radius: int
    card: ConceptCard | EpisodeCard | None
    related: tuple[Related, ...]
    asked: str | None
    hits: tuple[Hit, ...]
    goals: tuple[str, ...]
    plan: Plan | None


def picture_of(shown: Shown, node: str | None, radius: int) -> Payload:
    """Return the picture under these filters."""
    opened = url_state.chosen("behind", list(names))
    if shown.kind == "episodes":
        return cached.episodes_payload(shown.area, by_time=shown.by_time, opened=opened)
    kind = shown_with(cached.atlas().graph, shown.kind, node)
    return cached.map_payload(shown.area, kind, node if radius else None, radius, opened=opened)


def leave_route() -> None:
    """Show the map without the route."""
    url_state.choose("path", None)


def pick_on(payload: Payload, node: str | None) -> None:
    """Choose a node on the map; one that stands for others opens. For callbacks."""
    pick(node)
    if any(dot["id"] == node and dot.get("behind") for dot in payload["nodes"]):
        url_state.choose("behind", node)


def say_outside(node: str | None, payload: Payload) -> None:
    """Say where nodes, or the choice itself, are outside of what is shown, and how to see them."""
    missing = node is not None and all(node != dot["id"] for dot in payload["nodes"])
    if not (missing or payload["landmark"] or payload["hidden"]):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if payload["landmark"]:
            st.caption(f"{esc(payload['name'])}.", width="content")
            st.button("Show the whole map", type="tertiary", icon=":material/zoom_out_map:", on_click=close_cluster)
        if payload["hidden"]:
            st.caption(f"{payload['hidden']:,} more stand behind the names with a number. A click on one shows them.")
        if node and missing:
            st.caption(f"{esc(names[node])} is outside of what is shown.", width="content")
            if st.button("Show it", type="tertiary", icon=":material/filter_alt_off:"):
                map_controls.show_everywhere()
                url_state.choose("behind", node if payload["landmark"] or payload["hidden"] else None)
                st.rerun()  # the filters are drawn outside of the fragment


def close_cluster() -> None:
    """Show the whole map again. For callbacks."""
    url_state.choose("behind", None)


def state_of(choice: Choice) -> MapState:
    """Return what stands out: the route, or what is near the choice, or the hits."""
    atlas = cached.atlas()
    if choice.plan:
        return replace(route_state(atlas.graph, choice.plan, atlas.profile), selected=choice.node)
    if choice.radius:
        return personal(MapState(selected=choice.node), atlas.graph, atlas.profile)
    bright = lit(choice.card, choice.related) or tuple(sorted(hit.id for hit in choice.hits))
    return personal(MapState(selected=choice.node, lit=bright), atlas.graph, atlas.profile)


def choice_of(kind: MapFilter) -> Choice:
    """Return what the URL asks for."""
    atlas = cached.atlas()
    node = url_state.chosen("node", list(names))
    card = atlas.concept(node) if node in atlas.graph.concept else atlas.episode(node) if node else None
    asked = st.query_params.get("find") if node is None else None
    goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
    return Choice(
        node, map_controls.radius(node, kind), card,
        related=cached.related_to(card.id) if isinstance(card, EpisodeCard) else (),
        asked=asked, hits=cached.found_for(asked) if asked else (),
        goals=goals, plan=cached.plan_for(goals, Limits(), atlas.profile) if goals else None,
    )  # fmt: skip


def panel_of(choice: Choice, shown: Shown) -> None:
    """Draw the details beside the map."""
    graph = cached.atlas().graph
    if choice.node and "find" in st.query_params:
        map_panels.back_to_found(pick)
    if choice.node and shown.kind != "episodes":
        map_controls.around()
    if isinstance(choice.card, ConceptCard):
        map_panels.concept_panel(choice.card, pick)
    elif choice.card:
        map_panels.episode_panel(choice.card, graph.episode[choice.card.id].summary, pick)
    elif choice.plan:
        map_panels.route_panel(choice.plan, choice.goals, pick, leave_route)
    elif choice.asked:
        map_panels.found_panel(choice.asked, choice.hits, graph, pick)
    else:
        map_panels.welcome(pick, shown)


@st.fragment
def map_and_details(shown: Shown) -> None:
    """Draw the map and what stands beside it: a choice runs this part of the page alone."""
    site.note_state("")
    for parameter in ("node", "path"):
        widgets.say_unknown(parameter, names)
    choice = choice_of(shown.kind)
    apart = (hit.id for hit in choice.hits if shown_with(cached.atlas().graph, "met", hit.id) != "met")
    payload = picture_of(shown, choice.node or next(apart, None), choice.radius)
    say_outside(choice.node, payload)
    with st.container(key="explore"):
        picture, panel = st.columns([2.35, 1], gap="medium")
    with picture:
        if choice.radius:
            st.caption(f"{esc(payload['name'])}. What it needs lies below, what it leads to above, episodes beside.")
        component.show_map(
            payload, state_of(choice), key="map", on_pick=partial(pick_on, payload), on_area=map_controls.pick_area
        )
    with panel, st.container(key="details" if choice.node or choice.asked or choice.plan else "welcome"):
        panel_of(choice, shown)
    if choice.node or choice.asked or choice.plan:
        with panel:
            st.checkbox("All details", key="unfold")  # seen on a phone alone, where long details would hide the map


st.title(f"Map of {esc(cached.atlas().subject)}", anchor=False)
if names := cached.names():
    map_and_details(map_controls.controls())
else:
    st.info("The map is empty. Build it with: torchatlas build", icon=":material/info:")
