"""The map, and beside it the chosen concept or episode, or what was searched for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from torchatlas.graph.values.answers import Hit, Plan
from torchatlas.graph.values.formatting import esc, length, link, listed
from torchatlas.presentation.cards import ConceptCard, EpisodeCard, Neighbour
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.draw import PLAY
from torchatlas.ui.web.limits import Limits
from torchatlas.ui.web.map_state import MapState, personal, route_state
from torchatlas.ui.web.view import MapFilter, lit, shown_around

SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}


def pick(node: str | None) -> None:
    """Choose a node, or none: the URL holds it, everything else follows."""
    url_state.choose("find", None)
    url_state.choose("node", node)


def leave_route() -> None:
    """Show the map without the route."""
    url_state.choose("path", None)


def controls(names: dict[str, str]) -> tuple[str | None, str | None, MapFilter, int]:
    """Draw the row above the map; return the chosen node, area, kind and radius."""
    find, area, shown, radius = st.columns([5, 3, 3.4, 3.6])
    typed, _ = url_state.follow("node", list(names))

    def look_up() -> None:
        asked = st.session_state[typed]
        if asked in names or asked is None:
            pick(asked)
        else:  # not a name: search for it
            pick(None)
            url_state.choose("find", asked)

    node = find.selectbox(
        "Find", list(names), index=None, key=typed, on_change=look_up, format_func=lambda i: names[i],
        placeholder="A concept, an episode, a question …", accept_new_options=True,
    )  # fmt: skip
    key, write = url_state.follow("area", areas := cached.atlas().areas())
    of = area.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas")
    key, write = url_state.follow("show", list(SHOWN), "met")
    kind = shown.segmented_control(
        "Show", list(SHOWN), key=key, on_change=write, format_func=lambda k: SHOWN[k], required=True
    )
    key, write = url_state.follow("radius", list(RADIUS), "0")
    steps = radius.segmented_control(
        "Around the choice", list(RADIUS), key=key, on_change=write, format_func=lambda k: RADIUS[k],
        disabled=node is None, required=True,
    )  # fmt: skip
    return node, of, cast(MapFilter, kind or "met"), int(steps or 0) if node else 0


def concept_panel(card: ConceptCard) -> None:
    """Draw what a concept is, needs and leads to, and where it is explained."""
    st.markdown(f":blue-badge[Concept] :small[{esc(card.area)}]")
    st.subheader(esc(card.name), anchor=False)
    if card.definition:
        st.markdown(esc(card.definition))
    if card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")
    widgets.go(widgets.PATH, "Plan a path to this", ":material/route:", goal=card.id)
    if card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    for heading, rows in card.sections.items():
        widgets.choices(heading, rows, pick)
    if card.source_paths:
        widgets.heading("In PyTorch's source")
        st.code("\n".join(card.source_paths), language=None)


def episode_panel(card: EpisodeCard, summary: str) -> None:
    """Draw an episode in short, and the episodes related to it with the reasons."""
    st.markdown(f":orange-badge[Episode] :small[{esc(' · '.join(card.facts))}]")
    st.subheader(esc(card.title), anchor=False)
    if summary:
        st.markdown(esc(summary))
    with st.container(horizontal=True):
        widgets.go(widgets.EPISODE, "Open", ":material/podcasts:", episode=card.id)
        widgets.go(widgets.PATH, "Plan a path to this", ":material/route:", goal=card.id)
    widgets.related_episodes(card.id, pick)
    for heading, rows in card.sections.items():
        widgets.choices(heading, rows, pick)


def found_panel(text: str, hits: Sequence[Hit]) -> None:
    """Draw the hits of a search."""
    st.subheader(f"Found for “{esc(text)}”", anchor=False)
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    rows = [Neighbour(h.id, (PLAY if h.kind == "episode" else "") + h.name, why=h.matched) for h in hits]
    widgets.choices("Concepts and episodes", rows, pick)
    st.button("Clear the search", on_click=pick, args=(None,), icon=":material/close:", type="tertiary")


def route_panel(plan: Plan) -> None:
    """Draw the steps of the route on the map; a row and its stop point at each other."""
    goals = st.query_params.get_all("path")
    st.subheader("Route on the map", anchor=False)
    st.markdown(esc(f"{plan.amount} to {listed(plan.goals)}"))
    for place, step in enumerate(plan.steps, 1):
        with st.container(key=f"step_{place}", gap=None):
            label = f"**{place}.** {esc(step.title)}"
            st.button(label, key=f"stop:{step.episode_id}", type="tertiary", on_click=pick, args=(step.episode_id,))
            st.caption(esc(f"{length(step.minutes, estimated=step.estimated)}. {step.why}"))
    with st.container(horizontal=True):
        widgets.go(widgets.PATH, "The whole plan", ":material/route:", goal=goals)
        st.button("Leave the route", on_click=leave_route, icon=":material/close:", type="tertiary")


def welcome() -> None:
    """Draw where to begin, for as long as nothing is chosen."""
    atlas = cached.atlas()
    st.subheader("Where to begin", anchor=False)
    st.markdown(
        f"{len(atlas.graph.concepts)} concepts of PyTorch's insides and the {len(atlas.graph.episodes)} episodes that "
        "explain them; those that no episode touches are behind “All”. Choose a dot to see what it needs, where it "
        "leads and when it is explained; choose a square to see which episodes are near it, and why."
    )
    st.markdown(":blue[●] concept  \n:orange[■] episode  \nLines run from what comes first to what builds on it.")
    widgets.choices("Most explained", atlas.most_explained(), pick)


atlas = cached.atlas()
st.title("Map of PyTorch internals", anchor=False)
if not (names := widgets.names()):
    st.info("The map is empty. Build it with: torchatlas build", icon=":material/info:")
    st.stop()
widgets.say_unknown("node", names)
widgets.say_unknown("path", names)
node, area, shown, radius = controls(names)
concept = atlas.concept(node) if node in atlas.graph.concept else None
episode = atlas.episode(node) if node in atlas.graph.episode else None
asked = st.query_params.get("find") if node is None else None
hits = cached.found_for(asked) if asked else ()
goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
plan = cached.plan_for(goals, Limits(), atlas.profile) if goals else None
if plan:
    state = replace(route_state(atlas.graph, plan, atlas.profile), selected=node)
else:
    related = cached.related_to(episode.id) if episode else ()
    bright = lit(concept or episode, related) or tuple(sorted(hit.id for hit in hits))
    state = personal(MapState(selected=node, lit=bright), atlas.graph, atlas.profile)
payload = cached.map_payload(area, shown_around(atlas.graph, shown, node, radius), node if radius else None, radius)
picture, panel = st.columns([2.35, 1], gap="medium")
with picture:
    component.show_map(payload, state, key="map", on_pick=pick)
with panel, st.container(key="panel"):
    if concept:
        concept_panel(concept)
    elif episode:
        episode_panel(episode, atlas.graph.episode[episode.id].summary)
    elif plan:
        route_panel(plan)
    elif asked:
        found_panel(asked, hits)
    else:
        welcome()
