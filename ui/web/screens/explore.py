"""The map, and beside it the chosen concept or episode, a route, or what was searched for."""

from dataclasses import replace

import streamlit as st

from torchatlas.graph.values.answers import Hit, Plan, Related
from torchatlas.graph.values.formatting import esc
from torchatlas.presentation.cards import ConceptCard, EpisodeCard
from torchatlas.ui.web import cached, component, map_controls, map_panels, url_state, widgets
from torchatlas.ui.web.draw import Payload
from torchatlas.ui.web.limits import Limits
from torchatlas.ui.web.map_controls import Shown, pick
from torchatlas.ui.web.map_state import MapState, personal, route_state
from torchatlas.ui.web.view import lit, shown_with


def picture_of(shown: Shown, node: str | None) -> Payload:
    """Return the picture under these filters."""
    if shown.kind == "episodes":
        return cached.episodes_payload(shown.area, by_time=shown.by_time)
    kind = shown_with(cached.atlas().graph, shown.kind, node)
    return cached.map_payload(shown.area, kind, node if shown.radius else None, shown.radius)


def leave_route() -> None:
    """Show the map without the route."""
    url_state.choose("path", None)


def say_outside(node: str | None, payload: Payload) -> None:
    """Say where nodes, or the choice itself, are outside of what is shown, and how to see them."""
    if payload["hidden"]:
        st.caption(f"{payload['hidden']:,} more stand behind those with a number. Choose an area, or steps around one.")
    elif node and all(node != dot["id"] for dot in payload["nodes"]):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{esc(names[node])} is outside of what is shown.", width="content")
            st.button(
                "Show it", on_click=map_controls.show_everywhere, type="tertiary", icon=":material/filter_alt_off:"
            )


def state_of(
    node: str | None, card: ConceptCard | EpisodeCard | None, related: tuple[Related, ...], hits: tuple[Hit, ...],
    plan: Plan | None,
) -> MapState:  # fmt: skip
    """Return what stands out: the route, or what is near the choice, or the hits."""
    if plan:
        return replace(route_state(atlas.graph, plan, atlas.profile), selected=node)
    if shown.radius:
        return personal(MapState(selected=node), atlas.graph, atlas.profile)
    bright = lit(card, related) or tuple(sorted(hit.id for hit in hits))
    return personal(MapState(selected=node, lit=bright), atlas.graph, atlas.profile)


atlas = cached.atlas()
st.title(f"Map of {esc(atlas.subject)}", anchor=False)
if not (names := widgets.names()):
    st.info("The map is empty. Build it with: torchatlas build", icon=":material/info:")
    st.stop()
for parameter in ("node", "path"):
    widgets.say_unknown(parameter, names)
node, shown = map_controls.controls(names)
concept = atlas.concept(node) if node in atlas.graph.concept else None
episode = atlas.episode(node) if node in atlas.graph.episode else None
related = cached.related_to(episode.id) if episode else ()
asked = st.query_params.get("find") if node is None else None
hits = cached.found_for(asked) if asked else ()
goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
plan = cached.plan_for(goals, Limits(), atlas.profile) if goals else None
apart = (hit.id for hit in hits if shown_with(atlas.graph, "met", hit.id) != "met")
payload = picture_of(shown, node or next(apart, None))
say_outside(node, payload)
with st.container(key="explore"):
    picture, panel = st.columns([2.35, 1], gap="medium")
with picture:
    if shown.radius:
        st.caption(f"{esc(payload['name'])}. What it needs lies below, what builds on it above, episodes beside.")
    component.show_map(payload, state_of(node, concept or episode, related, hits, plan), key="map", on_pick=pick)
with panel, st.container(key="details" if node or asked or plan else "welcome"):
    if node and shown.kind != "episodes":
        map_controls.around()
    if concept:
        map_panels.concept_panel(concept, pick)
    elif episode:
        map_panels.episode_panel(episode, atlas.graph.episode[episode.id].summary, pick)
    elif plan:
        map_panels.route_panel(plan, goals, pick, leave_route)
    elif asked:
        map_panels.found_panel(asked, hits, atlas.graph, pick)
    else:
        map_panels.welcome(pick)
