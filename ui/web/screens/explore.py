"""The map, and beside it a concept, an episode, a route, or search results."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, cast

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Checklist, Hit, Plan
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import clock, counted, day, esc, link, listed, verb
from torchatlas.graph.names import excerpt
from torchatlas.graph.views import ConceptCard, EpisodeCard, Neighbour
from torchatlas.ui import pictures
from torchatlas.ui.pictures import MapFilter, MapState, Payload
from torchatlas.ui.web import cache, parts, state

atlas = cache.atlas()
graph = atlas.graph
SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
SHOWN |= {do: f"To {do}" for do in sorted({verb(r.kind) for r in graph.resources}, reverse=True)}
ORDERS = {"map": "On the map", "time": "By time"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}
PICK = partial(state.choose, "node")
FILTERS = ("area", "show", "order")  # the URL's parameters of what is shown
QUESTION = "What do you want to understand?"
View = tuple[MapFilter, bool, str | None]
"""What the map shows, whether in the order of time, and of which area."""
TRAIL = 5  # choices that stand above the details


def _draw_route(*goals: str) -> None:
    for parameter in ("node", "find"):
        state.choose(parameter, None)
    st.query_params["path"] = list(goals)


def _understand(text: str) -> None:
    """Draw the route to what a text means, show an episode that needs none; no text gets into the address."""
    st.session_state.pop("unclear", None)
    if text in graph.episode and len(cache.ask(Atlas.plan, text).steps) < 2:
        return _look_up(text)
    try:
        st.session_state["meant"] = meant = None if text in names else cache.ask(Atlas.meaning, text, "goal")
        _draw_route(*(meant.ids if meant else (text,)))
    except UnknownName as e:
        st.session_state["unclear"] = text, e.suggestions


def _look_up(text: str) -> None:
    meant = parts.named(text)
    state.choose("node", meant)
    state.choose("find", None if meant else text)


@st.fragment
def _map_and_details(view: View, title: Any) -> None:
    """Draw the map and what is beside it, and fill the page's `title`; a choice runs this part alone."""
    kind, by_time, _ = view
    parts.note_state("")
    parts.say_unknown("node", names)
    parts.say_unknown("path", names)
    node, asked = state.chosen("node", names), st.query_params.get("find")
    hits = cache.ask(Atlas.search, asked, 8) if asked and not node else ()
    goals = tuple(goal for goal in st.query_params.get_all("path") if goal in names)
    plan = cache.ask(Atlas.plan, *goals) if goals else None
    card = atlas.concept(node) if node in graph.concept else atlas.episode(node) if node else None
    radius = int(state.chosen("radius", RADIUS, "0") or 0) if node and kind != "episodes" else 0
    related = cache.ask(Atlas.related, card.id, 6) if isinstance(card, EpisodeCard) else ()
    near = pictures.lit(card, related) or tuple(sorted(hit.id for hit in hits))
    checklist = cache.ask(Atlas.checklist, plan) if plan else None
    if title:
        title.title(esc(parts.goals_title(goals, plan) if plan else f"Map of {atlas.subject}"), anchor=False)
    shown = pictures.route_state(plan, checklist) if plan else MapState(lit=() if radius else near)
    shown = replace(shown, selected=node).of(graph, atlas.profile)
    payload = _picture(view, hits, shown, radius)
    _say_outside(node, payload)
    with st.container(key="explore"):
        picture, panel = st.columns([2.35, 1], gap="medium")
    with panel, st.container(key="details" if card or plan or asked else "welcome"):
        if card:
            _say_way(card.id)
            if plan:
                _stop_bar(plan, card.id)
            _card_panel(card, kind)
        elif plan and checklist:
            _route_panel(plan, checklist, goals)
        elif asked:
            _found_panel(asked, hits)
        else:
            _welcome(by_time)
    if card or plan or asked:
        panel.checkbox("All details", key="unfold")  # on a phone alone
    with picture:
        parts.show_map(payload, shown, key="map", on_pick=PICK, on_area=partial(state.choose, "area"))


def _picture(view: View, hits: Sequence[Hit], shown: MapState, radius: int) -> Payload:
    kind, by_time, area = view
    node, opened = shown.selected, tuple(filter(None, (shown.selected, *shown.lit)))
    if kind == "episodes":
        return cache.draw(pictures.episodes_picture, area, by_time=by_time, opened=opened)
    if node and radius:
        return cache.draw(pictures.neighbourhood_picture, node, radius)
    apart = (hit.id for hit in hits if pictures.shown_with(graph, "met", hit.id) != "met")
    extent = pictures.shown_with(graph, kind, node or next(apart, None))
    return cache.draw_map(area, extent, [node or "", *(stop["id"] for stop in shown.route)], opened)


def _say_outside(node: str | None, payload: Payload) -> None:
    missing = node is not None and all(node != dot["id"] for dot in payload["nodes"])
    if payload["centre"]:
        st.caption(f"{esc(payload['name'])}. What it needs lies below, what it leads to above, episodes beside.")
    with parts.row() if missing or payload["hidden"] else nullcontext():
        if payload["hidden"]:
            st.caption(f"{payload['hidden']:,} more are grouped: click a name with a +number to open its group.")
        if node and missing:
            st.caption(f"{esc(names[node])} is outside of what is shown.", width="content")
            if parts.button("Show it", "filter_alt_off"):
                for name in FILTERS:
                    state.choose(name, None)
                st.rerun()  # the filters are drawn outside of the fragment


def _say_way(node: str) -> None:
    """Draw the last choices as links, the newest at the end."""
    trail = [id_ for id_ in st.session_state.get("trail", ()) if id_ != node and id_ in names]
    st.session_state["trail"] = [*trail, node][-TRAIL:]
    if former := st.session_state["trail"][:-1]:
        with parts.row(gap="xsmall", key="trail"):
            for id_ in former:
                parts.button(f"{esc(names[id_])} ›", key=f"trail:{id_}", on_click=PICK, args=(id_,))


def _stop_bar(plan: Plan, node: str) -> None:
    """Draw which stop of the route this is, and the ways to its list and to the stops beside it."""
    ids, route = [step.episode_id for step in plan.steps], f"Route to {listed(plan.goals)}"
    at = ids.index(node) if node in ids else None
    with parts.row(gap="small", key="stop"):
        label = route if at is None else f"{route}, stop {at + 1} of {len(ids)}"
        parts.button(f"**{esc(label)}**", "route", key="route_list", on_click=PICK, args=(None,))
        if at is not None:
            for words, to in (("‹ Previous", at - 1), ("Next ›", at + 1)):
                beside = ids[to] if 0 <= to < len(ids) else None
                parts.button(words, key=f"stop:{words}", on_click=PICK, args=(beside,), disabled=beside is None)


def _card_panel(card: ConceptCard | EpisodeCard, kind: MapFilter) -> None:
    if "find" in st.query_params:
        parts.button("Back to what was found", "arrow_back", on_click=PICK, args=(None,))
    if kind != "episodes":
        parts.segments("radius", "Show around it", RADIUS)
    if isinstance(card, ConceptCard):
        badge, about, name, text = "blue-badge[Concept]", card.area, card.name, card.definition
    else:
        about, name = " · ".join(card.facts), card.title
        badge = "violet-badge[Resource]" if card.id in graph.resource else "orange-badge[Episode]"
        text = graph.episode[card.id].summary
    st.markdown(f":{badge} :small[{esc(about)}]")
    parts.heading(name)
    if text:
        st.markdown(esc(text))
    if isinstance(card, ConceptCard) and card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")
    with parts.row():
        if isinstance(card, EpisodeCard):
            parts.go("Open", "podcasts", episode=card.id)
        parts.go("Plan a path to this", "route", goal=card.id)
        parts.button("Draw the route", "conversion_path", key=f"route:{card.id}", on_click=_draw_route, args=(card.id,))
        parts.share()
    if isinstance(card, EpisodeCard):
        parts.related_episodes(card.id, PICK)
    elif card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    for heading, rows in card.sections.items():
        parts.choices(heading, rows, PICK, card.id)
    if isinstance(card, ConceptCard):  # as text: code would load 1.5 MB of scripts
        parts.bullets("In the source", [esc(path) for path in card.source_paths])


def _route_panel(plan: Plan, checklist: Checklist, goals: Sequence[str]) -> None:
    parts.heading(plan.amount if plan.steps else "Nothing is left to hear for this")
    meant = st.session_state.get("meant")
    if meant and meant.ids == goals and meant.sentence:
        parts.say_understood(meant, _draw_route)
    places = count(1)
    for step in checklist.steps:
        place = None if step.episode_id in checklist.heard else next(places)
        with st.container(key=place and f"step_{place}", gap=None):
            sign = f"**{place}.**" if place else ":material/check:"
            label = f"{sign} {esc(graph.label_of(step.episode_id))}"
            parts.button(label, key=f"stop:{step.episode_id}", on_click=PICK, args=(step.episode_id,))
            st.caption(esc(f"{step.lasts.capitalize()}. {step.why}"))
    with parts.row():
        parts.go("The whole plan", "route", goal=goals)
        parts.share(plan)
        if parts.button("Leave the route", "close"):
            state.choose("path", None)
            st.rerun()  # the question is drawn outside of the fragment


def _found_panel(text: str, hits: Sequence[Hit]) -> None:
    rows = []
    parts.heading(f"Found for “{text}”")
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    for hit in hits:
        told = graph.concept[hit.id].definition if hit.id in graph.concept else graph.episode[hit.id].summary
        rows.append(Neighbour(hit.id, names[hit.id], why=excerpt(told, 110)))
    parts.choices("Concepts and episodes", rows, PICK)
    if parts.button("Clear the search", "close"):
        state.choose("find", None)
        st.rerun()  # the box is drawn outside of the fragment


def _welcome(by_time: bool) -> None:
    episodes, square = counted(len(graph.episodes), "episode"), "click a square to see related episodes."
    parts.heading("How to read the map")
    if not graph.concepts:
        st.markdown(f"{episodes} of {esc(atlas.subject)}, and no concepts yet: {square}")
        st.markdown("This command drafts a vocabulary of concepts from what the episodes say, for you to reword:")
        st.code("torchatlas candidates --draft vocabulary.toml", language=None, wrap_lines=True)
    elif by_time:
        st.markdown(f"{episodes}, from left to right as they came out, each area in a row of its own: {square}")
    else:
        st.markdown(
            "Blue dots are concepts, orange squares are episodes. Click a dot to see what you need to know first "
            f"and where it is explained; {square} “All” adds the concepts that no episode touches."
        )
    if journeys := atlas.journeys():
        parts.heading("Or take a journey")
    for journey in journeys[:6]:
        parts.go(esc(journey.title), "route", parts.EXPLORE, path=journey.goals)
    parts.go(parts.ADD, "add", parts.SOURCES)
    parts.share()


def _news() -> None:
    """Draw what the last build found in the person's feeds, until they have seen it."""
    since, new = cache.whole().news()
    if new:
        with st.expander(f"{len(new)} new since {day(since) or 'your last build'}"):
            for episode in new[:20]:
                parts.go(f"{esc(episode.title)} · {episode.kind}", None, episode=episode.id)
            if new[20:]:
                st.caption(f"and {len(new) - 20} more")
            parts.button("Seen", "done", key="news_seen", on_click=cache.whole().news, kwargs={"seen": True})


def _door() -> None:
    """Draw the question that a visit begins with: a path begun, a box for a goal, and goals to begin with."""
    st.title(QUESTION, anchor=False)
    beside = f" and {len(graph.resources):,} talks, posts and pages" if graph.resources else ""
    drawn = f"A map of {esc(atlas.subject)}, drawn from {counted(len(graph.episodes), 'podcast episode')}{beside}."
    st.markdown(f"{drawn} Name a goal to get a plan: what to hear, in which order.")
    _news()
    goals = atlas.profile.within(graph).goals
    plan = cache.ask(Atlas.plan, *goals) if goals else None
    if plan and plan.steps:
        with st.container(border=True, key="continue"):
            label = graph.label_of(plan.steps[0].episode_id)
            start = next((f" at {clock(taught.at)}" for taught in plan.steps[0].teaches if taught.at), "")
            parts.go(f"**Continue: {esc(label + start)}**", "resume", goal=goals)
            share, words = cache.ask(Atlas.checklist, plan).progress
            st.progress(share, f"{esc(words)} on the way to {esc(listed(plan.goals))}")
    parts.search_box(
        QUESTION, cache.subject_words(), "goal_box", "A name or a question: press /", _understand, visible=False
    )
    if "unclear" in st.session_state:
        text, suggestions = st.session_state["unclear"]
        parts.say_nothing_found(text, suggestions, _understand)
    with parts.row(gap="small", key="goals"):
        for goal in (g for g in cache.ask(Atlas.first_goals) if g.id not in atlas.profile.known):
            minutes = goal.why.partition(", ")[2]
            parts.go(f"{esc(goal.name)} · {minutes}" if minutes else esc(goal.name), None, parts.EXPLORE, path=goal.id)


names = cache.names()
with st.container(key="door"):  # one part in either state, so that the map below it stays the same
    if names and not {"node", "path", "find", *FILTERS} & set(st.query_params):
        _door()
        title = None
    else:
        title = st.empty()
if names:
    with parts.row(vertical_alignment="bottom", key="map_controls"):
        with st.container(key="search", width=330):
            held, hint = st.query_params.get("find"), "A concept or an episode"
            parts.search_box("Find", cache.subject_words(), "search_box", hint, _look_up, held)
        parts.fold("Filters", "map", FILTERS)
        kind = cast(MapFilter, parts.segments("show", "Show", SHOWN))
        by_time = kind == "episodes" and parts.segments("order", "Order", ORDERS) == "time"
        area = parts.select("area", "Area", {area: area for area in graph.areas}, "All areas", width=190)
    _map_and_details((kind, by_time, area), title)
else:
    parts.say("The map is empty. Build it with: torchatlas build")
