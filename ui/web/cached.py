"""The atlas, its answers and what is drawn of it, kept between reruns until the stored graph changes.

A run of the page shows one graph from its beginning to its end, also where a build replaces the stored one meanwhile.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers.census import Census
from torchatlas.graph.answers.resolution import Wanted
from torchatlas.graph.values.answers import Hit, Plan, Related, Table
from torchatlas.graph.values.errors import AtlasError
from torchatlas.graph.values.listening import Checklist, Quiz
from torchatlas.graph.values.readings import Understood
from torchatlas.listening import UnderWay
from torchatlas.presentation.cards import Neighbour
from torchatlas.settings import load_settings
from torchatlas.ui.web.clustered import clustered
from torchatlas.ui.web.draw import PLAY, Payload, payload
from torchatlas.ui.web.episodes_picture import episodes_picture
from torchatlas.ui.web.limits import Limits
from torchatlas.ui.web.neighbourhood_picture import neighbourhood_picture
from torchatlas.ui.web.view import MapFilter, map_picture, plan_picture
from torchatlas.user_files.profile import Profile

P = ParamSpec("P")
R = TypeVar("R")
_SHOWN = "stamp of the graph"


def look() -> None:
    """Note which graph is stored now; all that is asked until the next run of the page is answered from it.

    Raises AtlasError.
    """
    st.session_state[_SHOWN] = _stamp(load_settings().store)


def atlas() -> Atlas:
    """Return the atlas with its graph loaded, built on the first visit where there is none. Raises AtlasError."""
    return _atlas(_shown())


def _kept(entries: int, spinner: str | bool = False) -> Callable[[Callable[Concatenate[str, P], R]], Callable[P, R]]:
    """Keep the last answers of a function, whose first argument is the stamp of the graph; callers leave that out."""

    def decorate(function: Callable[Concatenate[str, P], R]) -> Callable[P, R]:
        cached = st.cache_data(max_entries=entries, show_spinner=spinner)(function)

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
    with Atlas(load_settings()) as opened:
        return f"{store}:{opened.stamp()}"


@st.cache_resource(max_entries=2, show_spinner="Reading the map … (the first visit builds it)")
def _atlas(stamp: str) -> Atlas:
    with _one_loads:
        return _loaded(stamp)


_one_loads = Lock()


@lru_cache(maxsize=2)
def _loaded(stamp: str) -> Atlas:
    with Atlas(load_settings()) as opened:
        opened.graph  # noqa: B018 (loads it while the store is open)
        return opened


def load_ahead() -> None:
    """Load the graph and what draws it before somebody asks; what is wrong with them is told to whoever asks."""
    import pyvis.network  # noqa: F401 (takes a quarter of a second)

    with suppress(AtlasError):
        with Atlas(load_settings()) as opened:
            stamp = f"{load_settings().store}:{opened.stamp()}"
        with _one_loads:
            _loaded(stamp)


@_kept(64)
def map_payload(stamp: str, area: str | None, shown: MapFilter, around: str | None = None, radius: int = 0) -> Payload:
    """Return the map under these filters, or what is `radius` steps `around` a node, as the browser gets it."""
    graph = _atlas(stamp).graph
    if around and radius:
        return payload(neighbourhood_picture(graph, around, radius))
    return payload(clustered(map_picture(graph, area, shown)))


@_kept(16)
def episodes_payload(stamp: str, area: str | None, *, by_time: bool) -> Payload:
    """Return the episodes of an area, or all, as the browser gets them."""
    return payload(episodes_picture(_atlas(stamp).graph, area, by_time=by_time))


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
def subject_words(stamp: str) -> dict[str, str]:
    """Return the same for concepts and episodes; the names of episodes bear a mark."""
    atlas = _atlas(stamp)
    episodes = {id_: PLAY + name for id_, name in atlas.episode_names().items()}
    return atlas.concept_names() | episodes | atlas.other_names()


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
