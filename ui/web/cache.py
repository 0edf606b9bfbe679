"""The atlas, its answers and what is drawn of it, kept between reruns until the stored graph changes.

A run of the page shows one graph from its beginning to its end, also where a build replaces the stored one meanwhile.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import streamlit as st

from torchatlas.atlas import Atlas, UnderWay
from torchatlas.graph.answers import Checklist, Hit, Plan, Quiz, Related, Understood
from torchatlas.graph.cards import Neighbour
from torchatlas.graph.drawing import area_hues
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import PlanDepth
from torchatlas.graph.questions import Wanted
from torchatlas.graph.views import Census
from torchatlas.profile import Profile
from torchatlas.settings import load_settings
from torchatlas.ui.pictures import (
    PLAY,
    MapFilter,
    Payload,
    Picture,
    clustered,
    clustered_map,
    episodes_picture,
    neighbourhood_picture,
    payload,
    plan_picture,
)
from torchatlas.ui.web import state

P = ParamSpec("P")
R = TypeVar("R")
_SHOWN = "stamp of the graph"
_OF = "\nof "
"""What stands in a stamp before the show whose episodes are shown."""


class Limits(NamedTuple):
    """The limits that `atlas.plan` takes: budget in minutes, depth, sessions such as "3x30m", and speed."""

    budget: int | None = None
    depth: PlanDepth = "usual"
    split: str | None = None
    speed: float = 1.0


def look(*, whole: bool = False) -> None:
    """Note which graph is stored now; all that is asked until the next run of the page is answered from it.

    Where the URL names a show of the graph, only that show's episodes count, unless the page is of the `whole` graph.
    Raises AtlasError.
    """
    stamp, show = _stamp(load_settings().store), st.query_params.get(state.SHOW)
    narrowed = show and not whole and show in _atlas(stamp).graph.show
    st.session_state[_SHOWN] = f"{stamp}{_OF}{show}" if narrowed else stamp


def look_anew() -> None:
    """Let the next run of a page look which graph is stored: this program has just stored one."""
    _stamp.clear()


def atlas() -> Atlas:
    """Return the atlas with its graph loaded, built on the first visit where there is none. Raises AtlasError."""
    return _atlas(_shown())


def whole() -> Atlas:
    """Return the same atlas with the episodes of all shows. Raises AtlasError."""
    return _atlas(_shown().partition(_OF)[0])


def _kept(entries: int, spinner: str | bool = False) -> Callable[[Callable[Concatenate[str, P], R]], Callable[P, R]]:
    """Keep the last answers of a function, whose first argument is the stamp of the graph; callers leave that out.

    All sessions share an answer and none changes it: a copy of the map takes longer than the rest of a page.
    """

    def decorate(function: Callable[Concatenate[str, P], R]) -> Callable[P, R]:
        cached = st.cache_resource(max_entries=entries, show_spinner=spinner)(function)

        @wraps(function)
        def answer(*arguments: P.args, **options: P.kwargs) -> R:
            return cached(_shown(), *arguments, **options)

        return answer

    return decorate


def _shown() -> str:
    if _SHOWN not in st.session_state:
        look()
    return str(st.session_state[_SHOWN])


@st.cache_data(max_entries=2, ttl=2, show_spinner=False)  # a server is asked once a rerun, not once a question
def _stamp(store: str) -> str:
    """Return the stamp of the graph that is stored now, with its address; `store` is what the answer is kept under."""
    with Atlas(load_settings()) as opened:
        return f"{opened.settings.store}:{opened.stamp()}"


@st.cache_resource(max_entries=4, show_spinner="Reading the map … (the first visit builds it)")
def _atlas(stamp: str) -> Atlas:
    stored, _, show = stamp.partition(_OF)
    if show:
        return _atlas(stored).of_shows(show)
    with Atlas(load_settings()) as opened:
        opened.graph  # noqa: B018 (loads it while the store is open)
        return opened


def load_ahead() -> None:
    """Read the graph and draw the map before somebody asks for it, and import what Streamlit draws a logo with.

    What is wrong is told to whoever asks.
    """
    import numpy  # noqa: F401

    with suppress(AtlasError):
        _map_payload(_stamp(load_settings().store), None, "met", None, 0, opened=None)


def map_payload(
    area: str | None, shown: MapFilter, around: str | None = None, radius: int = 0, *, opened: str | None = None
) -> Payload:
    """Return the map under these filters, or what is `radius` steps `around` a node, as the browser gets it.

    `opened`: a node whose cluster is shown alone, where the map has too many nodes to draw them all.
    """
    return _map_payload(_shown(), area, shown, around, radius, opened=opened)


@st.cache_resource(max_entries=64, show_spinner=False)
def _map_payload(
    stamp: str, area: str | None, shown: MapFilter, around: str | None, radius: int, *, opened: str | None
) -> Payload:
    graph = _atlas(stamp).graph
    if around and radius:
        return payload(neighbourhood_picture(graph, around, radius))
    return payload(_coloured(stamp, clustered_map(graph, area, shown, opened=opened)))


@_kept(16)
def episodes_payload(stamp: str, area: str | None, *, by_time: bool, opened: str | None = None) -> Payload:
    """Return the episodes of an area, or all, as the browser gets them; `opened` as for `map_payload`."""
    picture = episodes_picture(_atlas(stamp).graph, area, by_time=by_time)
    return payload(clustered(_coloured(stamp, picture), opened=opened))


def _coloured(stamp: str, picture: Picture) -> Picture:
    """Return a picture of the episodes of a show with the colours that the areas have on the whole map."""
    stored, _, show = stamp.partition(_OF)
    return replace(picture, areas=tuple(area_hues(_atlas(stored).graph).items())) if picture.areas and show else picture


@_kept(16)
def plan_payload(stamp: str, plan: Plan) -> Payload:
    """Return a plan in layers, as the browser gets it."""
    graph = _atlas(stamp).graph
    goals = (id_ for meant in plan.understood for id_ in meant.ids)
    return payload(plan_picture(plan, [(id_, graph.concept[id_].name) for id_ in goals if id_ in graph.concept]))


@_kept(256)
def related_to(stamp: str, episode_id: str) -> tuple[Related, ...]:
    """Return the six nearest episodes, best first."""
    return tuple(_atlas(stamp).related(episode_id, 6))


@_kept(64)
def found_for(stamp: str, text: str) -> tuple[Hit, ...]:
    """Return the eight concepts and episodes that a text most likely means, best first."""
    return tuple(_atlas(stamp).search(text, 8))


@_kept(256)
def meaning(stamp: str, text: str, wanted: Wanted) -> Understood:
    """Return what words are taken to mean. Raises UnknownName."""
    return _atlas(stamp).meaning(text, wanted)


@_kept(1)
def concept_words(stamp: str) -> dict[str, str]:
    """Return what stands for a concept -> what a person reads: its id, and each other name that means it alone."""
    return _atlas(stamp).concept_names() | _atlas(stamp).other_names()


@_kept(1)
def episode_names(stamp: str) -> dict[str, str]:
    """Return the number and title of each episode by its id."""
    return _atlas(stamp).episode_names()


@_kept(1)
def names(stamp: str) -> dict[str, str]:
    """Return the names of all concepts and then of all episodes, by id; those of episodes bear a mark."""
    return _atlas(stamp).concept_names() | _marked(episode_names())


@_kept(1)
def subject_words(stamp: str) -> dict[str, str]:
    """Return what a box offers for a concept or an episode -> what a person reads; other names mean one alone."""
    return _atlas(stamp).concept_names() | _marked(episode_names()) | _atlas(stamp).other_names()


def _marked(episodes: Mapping[str, str]) -> dict[str, str]:
    return {id_: PLAY + name for id_, name in episodes.items()}


@_kept(4, "Adding up the minutes …")
def first_goals(stamp: str, profile: Profile) -> tuple[Neighbour, ...]:
    """Return goals to begin with, and how much there is to hear for a person's `profile`."""
    return tuple(_atlas(stamp).first_goals())


@_kept(64)
def checklist(stamp: str, plan: Plan, profile: Profile) -> Checklist:
    """Return the steps of a plan with those that a person's `profile` holds as heard."""
    return _atlas(stamp).checklist(plan)


@_kept(4)
def under_way(stamp: str, profile: Profile) -> UnderWay | None:
    """Return the path that a person's `profile` says they hear now."""
    return _atlas(stamp).under_way()


@_kept(64, "Finding the shortest path …")
def plan_for(stamp: str, goals: tuple[str, ...], limits: Limits, profile: Profile) -> Plan:
    """Return the plan for the person's `profile`, which is an argument so that another one makes another plan."""
    return _atlas(stamp).plan(*goals, **limits._asdict())


@_kept(64, "Choosing a question …")
def quiz_for(
    stamp: str,
    goals: tuple[str, ...],
    limits: Limits,
    *,
    answers: tuple[tuple[str, ...], tuple[str, ...]],
    profile: Profile,
) -> Quiz:
    """Return the quiz after `answers`: episodes whose questions the person could and could not answer."""
    yes, no = answers
    return _atlas(stamp).quiz(*goals, yes=yes, no=no, **limits._asdict())


@_kept(16, "Asking …")
def rows(stamp: str, cypher: str, values: Mapping[str, object]) -> Table:
    """Return the rows of a reading Cypher statement. Raises AtlasError."""
    with Atlas(load_settings()) as opened:
        return opened.store.query(cypher, values)  # as it is: a build now would answer from another graph than is shown


@_kept(2)
def schema(stamp: str) -> Census:
    """Return the schema with counts."""
    return _atlas(stamp).schema()
