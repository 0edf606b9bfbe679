"""The map, and beside it the chosen concept or episode, a route, or what was searched for."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

import streamlit as st

from torchatlas.graph.answers import Hit, Plan, Related
from torchatlas.graph.cards import ConceptCard, EpisodeCard, Neighbour
from torchatlas.graph.formatting import counted, esc, length, link, listed
from torchatlas.graph.model import Snapshot
from torchatlas.ui.pictures import PLAY, MapFilter, MapState, Payload, lit, personal, route_state, shown_with
from torchatlas.ui.web import app, cache, parts, state

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
    state.choose("node", node)


def pick_area(area: str) -> None:
    """Show one area of a map that is too large to show all nodes. For callbacks."""
    state.choose("behind", None)
    state.choose("area", area)


def show_everywhere() -> None:
    """Take back the filters, so that the choice is on the map."""
    for name in (*FILTERS, "behind"):
        state.choose(name, None)


def controls() -> Shown:
    """Draw the row above the map; return what is shown."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="map_controls"):
        with st.container(key="search", width=330):
            parts.word_box(
                "Find", cache.subject_words(), "search_box", "A name or a question: press /", add=_look_up,
                held=st.query_params.get("find"),
            )  # fmt: skip
        parts.fold("Filters", "map", sum(name in st.query_params for name in FILTERS))
        kind = cast(MapFilter, _segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and _segments("order", "Order", ORDER) == "time"
        key, write = state.follow("area", areas := cache.atlas().areas())
        area = st.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas", width=190)
    return Shown(area, kind, by_time)


def radius(node: str | None, kind: MapFilter) -> int:
    """Return how many steps around the choice are shown, 0 for all of the map."""
    return int(state.chosen("radius", list(RADIUS), "0") or 0) if node and kind != "episodes" else 0


def around() -> None:
    """Draw how much of the surroundings of the choice is shown."""
    _segments("radius", "Show around it", RADIUS)


def _look_up(text: str) -> None:
    """Choose what a name means, or search for other words; no words end the search. For callbacks."""
    graph = cache.atlas().graph
    named = text in graph.concept or text in graph.episode
    meant = text if named else cache.meaning(text, "subject").ids[0] if text in cache.subject_words() else None
    pick(meant)
    state.choose("find", None if meant else text)


def _segments(name: str, label: str, options: dict[str, str]) -> str:
    default = next(iter(options))
    key, write = state.follow(name, list(options), default)
    chosen = st.segmented_control(
        label, list(options), key=key, on_change=write, format_func=lambda value: options[value], required=True
    )
    return chosen or default


Pick = Callable[[str | None], None]


def concept_panel(card: ConceptCard, pick: Pick) -> None:
    """Draw what a concept is, needs and leads to, and where it is explained."""
    st.markdown(f":blue-badge[Concept] :small[{esc(card.area)}]")
    st.header(esc(card.name), anchor=False)
    if card.definition:
        st.markdown(esc(card.definition))
    if card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")
    ways(card.id)
    if card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    for heading, rows in card.sections.items():
        parts.choices(heading, rows, pick)
    parts.bullets("In the source", [esc(path) for path in card.source_paths])  # code would load 1.5 MB of scripts


def episode_panel(card: EpisodeCard, summary: str, pick: Pick) -> None:
    """Draw an episode in short, and the episodes related to it with the reasons."""
    st.markdown(f":orange-badge[Episode] :small[{esc(' · '.join(card.facts))}]")
    st.header(esc(card.title), anchor=False)
    if summary:
        st.markdown(esc(summary))
    ways(card.id, episode=card.id)
    parts.related_episodes(card.id, pick)
    for heading, rows in card.sections.items():
        parts.choices(heading, rows, pick)


def ways(goal: str, episode: str | None = None) -> None:
    """Draw the links to an episode's page, to a plan for something, and to its route on the map."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if episode:
            parts.go(parts.EPISODE, "Open", ":material/podcasts:", episode=episode)
        parts.go(parts.PATH, "Plan a path to this", ":material/route:", goal=goal)
        st.button(
            "Draw the route", key=f"route:{goal}", type="tertiary", icon=":material/conversion_path:",
            on_click=draw_route, args=(goal,),
        )  # fmt: skip


def draw_route(goal: str) -> None:
    """Show the route to something on the map. For callbacks."""
    state.choose("node", None)
    state.choose("path", goal)


def route_panel(plan: Plan, goals: Sequence[str], pick: Pick, leave: Callable[[], None]) -> None:
    """Draw the steps of the route on the map; a row and its stop point at each other."""
    st.header(f"Route to {esc(listed(plan.goals))}", anchor=False)
    st.markdown(esc(f"{plan.amount}." if plan.steps else "Nothing is left to hear for this."))
    graph = cache.atlas().graph
    for place, step in enumerate(plan.steps, 1):
        with st.container(key=f"step_{place}", gap=None):
            label = f"**{place}.** {esc(graph.label_of(step.episode_id))}"
            st.button(label, key=f"stop:{step.episode_id}", type="tertiary", on_click=pick, args=(step.episode_id,))
            st.caption(esc(f"{length(step.minutes, estimated=step.estimated)}. {step.why}"))
    with st.container(horizontal=True, vertical_alignment="center"):
        parts.go(parts.PATH, "The whole plan", ":material/route:", goal=goals)
        st.button("Leave the route", on_click=leave, icon=":material/close:", type="tertiary")


def found_panel(text: str, hits: Sequence[Hit], graph: Snapshot, pick: Pick) -> None:
    """Draw the hits of a search, each with what it is."""
    st.header(f"Found for “{esc(text)}”", anchor=False)
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    rows = [
        Neighbour(h.id, (PLAY if h.kind == "episode" else "") + graph.label_of(h.id), why=_told(graph, h)) for h in hits
    ]
    parts.choices("Concepts and episodes", rows, pick)
    if st.button("Clear the search", icon=":material/close:", type="tertiary"):
        state.choose("find", None)
        st.rerun()  # the box is drawn outside of the fragment


def back_to_found(pick: Pick) -> None:
    """Draw the way from one hit back to the others."""
    st.button("Back to what was found", on_click=pick, args=(None,), icon=":material/arrow_back:", type="tertiary")


def _told(graph: Snapshot, hit: Hit) -> str:
    """Return the first words about a hit: its definition or its summary."""
    text = graph.concept[hit.id].definition if hit.id in graph.concept else graph.episode[hit.id].summary
    return text if len(text) <= 110 else text[:110].rsplit(" ", 1)[0] + " …"


def welcome(pick: Pick, shown: Shown) -> None:
    """Draw where to begin, for as long as nothing is chosen, in words of what is shown."""
    atlas = cache.atlas()
    parts.continue_listening()
    st.header("Where to begin", anchor=False)
    subject, episodes = esc(atlas.subject), counted(len(atlas.graph.episodes), "episode")
    square = "Choose a square to see which episodes are near it, and why."
    if shown.kind == "episodes" and atlas.graph.concepts:
        order = (
            " From left to right they stand as they came out, each area in a row of its own." if shown.by_time else ""
        )
        st.markdown(
            f"{episodes} of {subject}. Dotted lines join related ones, and arrows lead from one to what to hear after "
            f"it.{order} {square}"
        )
    elif atlas.graph.concepts:
        st.markdown(
            f"{counted(len(atlas.graph.concepts), 'concept')} of {subject} and {episodes}. The map begins with the "
            "concepts that an episode touches; the filter “All” shows the others too. Choose a dot to see what it "
            f"needs, where it leads and when it is explained. {square}"
        )
    else:
        st.markdown(f"{episodes} of {subject}, and no concepts yet. {square}")
        st.markdown("This command drafts a vocabulary of concepts from what the episodes say, for you to reword:")
        st.code("torchatlas candidates --draft vocabulary.toml", language=None, wrap_lines=True)
    parts.choices("Most explained", atlas.most_explained(), pick)


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
    opened = state.chosen("behind", list(names))
    if shown.kind == "episodes":
        return cache.episodes_payload(shown.area, by_time=shown.by_time, opened=opened)
    kind = shown_with(cache.atlas().graph, shown.kind, node)
    return cache.map_payload(shown.area, kind, node if radius else None, radius, opened=opened)


def leave_route() -> None:
    """Show the map without the route."""
    state.choose("path", None)


def pick_on(payload: Payload, node: str | None) -> None:
    """Choose a node on the map; one that stands for others opens. For callbacks."""
    pick(node)
    if any(dot["id"] == node and dot.get("behind") for dot in payload["nodes"]):
        state.choose("behind", node)


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
                show_everywhere()
                state.choose("behind", node if payload["landmark"] or payload["hidden"] else None)
                st.rerun()  # the filters are drawn outside of the fragment


def close_cluster() -> None:
    """Show the whole map again. For callbacks."""
    state.choose("behind", None)


def state_of(choice: Choice) -> MapState:
    """Return what stands out: the route, or what is near the choice, or the hits."""
    atlas = cache.atlas()
    if choice.plan:
        return replace(route_state(atlas.graph, choice.plan, atlas.profile), selected=choice.node)
    if choice.radius:
        return personal(MapState(selected=choice.node), atlas.graph, atlas.profile)
    bright = lit(choice.card, choice.related) or tuple(sorted(hit.id for hit in choice.hits))
    return personal(MapState(selected=choice.node, lit=bright), atlas.graph, atlas.profile)


def choice_of(kind: MapFilter) -> Choice:
    """Return what the URL asks for."""
    atlas = cache.atlas()
    node = state.chosen("node", list(names))
    card = atlas.concept(node) if node in atlas.graph.concept else atlas.episode(node) if node else None
    asked = st.query_params.get("find") if node is None else None
    goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
    return Choice(
        node, radius(node, kind), card,
        related=cache.related_to(card.id) if isinstance(card, EpisodeCard) else (),
        asked=asked, hits=cache.found_for(asked) if asked else (),
        goals=goals, plan=cache.plan_for(goals, cache.Limits(), atlas.profile) if goals else None,
    )  # fmt: skip


def panel_of(choice: Choice, shown: Shown) -> None:
    """Draw the details beside the map."""
    graph = cache.atlas().graph
    if choice.node and "find" in st.query_params:
        back_to_found(pick)
    if choice.node and shown.kind != "episodes":
        around()
    if isinstance(choice.card, ConceptCard):
        concept_panel(choice.card, pick)
    elif choice.card:
        episode_panel(choice.card, graph.episode[choice.card.id].summary, pick)
    elif choice.plan:
        route_panel(choice.plan, choice.goals, pick, leave_route)
    elif choice.asked:
        found_panel(choice.asked, choice.hits, graph, pick)
    else:
        welcome(pick, shown)


@st.fragment
def map_and_details(shown: Shown) -> None:
    """Draw the map and what stands beside it: a choice runs this part of the page alone."""
    app.note_state("")
    for parameter in ("node", "path"):
        parts.say_unknown(parameter, names)
    choice = choice_of(shown.kind)
    apart = (hit.id for hit in choice.hits if shown_with(cache.atlas().graph, "met", hit.id) != "met")
    payload = picture_of(shown, choice.node or next(apart, None), choice.radius)
    say_outside(choice.node, payload)
    with st.container(key="explore"):
        picture, panel = st.columns([2.35, 1], gap="medium")
    with picture:
        if choice.radius:
            st.caption(f"{esc(payload['name'])}. What it needs lies below, what it leads to above, episodes beside.")
        parts.show_map(payload, state_of(choice), key="map", on_pick=partial(pick_on, payload), on_area=pick_area)
    with panel, st.container(key="details" if choice.node or choice.asked or choice.plan else "welcome"):
        panel_of(choice, shown)
    if choice.node or choice.asked or choice.plan:
        with panel:
            st.checkbox("All details", key="unfold")  # seen on a phone alone, where long details would hide the map


st.title(f"Map of {esc(cache.atlas().subject)}", anchor=False)
if names := cache.names():
    map_and_details(controls())
else:
    st.info("The map is empty. Build it with: torchatlas build", icon=":material/info:")
