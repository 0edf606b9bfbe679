"""The atlas, its answers and pictures in Streamlit's cache, by the graph's stamp."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from torchatlas import queries
from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Table
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.views import other_names
from torchatlas.profile import Profile
from torchatlas.settings import load_settings
from torchatlas.ui import pictures
from torchatlas.ui.drawing import area_hues
from torchatlas.ui.pictures import Payload, Picture
from torchatlas.ui.web import state
from torchatlas.ui.web.server import allow_sound

P = ParamSpec("P")
R = TypeVar("R")
_Graph = tuple[str, str | None]
"""The stamp of a graph, and the id of the show whose episodes count, None for all."""
_PERSONAL: tuple[object, ...] = (Atlas.plan, Atlas.quiz, Atlas.checklist, Atlas.first_goals)
"""What answers otherwise for another profile."""


def look(*, whole: bool = False) -> None:
    """Note this run's graph, and its show unless `whole`. Raises AtlasError."""
    now, show = stamp(load_settings().store), st.query_params.get(state.SHOW)
    narrowed = show and not whole and show in _atlas(now, None).graph.show
    st.session_state["graph"] = now, show if narrowed else None


def _graph() -> _Graph:
    if "graph" not in st.session_state:
        look()
    found: _Graph = st.session_state["graph"]
    return found


def atlas() -> Atlas:
    """Return the atlas with its graph, built if missing. Raises AtlasError."""
    return _atlas(*_graph())


def whole() -> Atlas:
    """Return the same atlas with the episodes of all shows. Raises AtlasError."""
    return _atlas(_graph()[0], None)


def ask(method: Callable[Concatenate[Atlas, P], R], *arguments: P.args, **options: P.kwargs) -> R:
    """Return what a method of the atlas answers. Raises AtlasError."""
    profile = atlas().profile if method in _PERSONAL else None
    answer: R = _answer(_graph(), profile, method.__name__, arguments, options)
    return answer


def draw(make: Callable[..., Picture], *arguments: object, opened: Sequence[str] = (), **options: object) -> Payload:
    """Return a picture for the browser; `make` is a function of `pictures`.

    `opened`: nodes to draw, with the group of the first, where a large map has groups.
    """
    whole = _drawn(_graph(), (), make.__name__, arguments, options)
    return _drawn(_graph(), tuple(opened), make.__name__, arguments, options) if whole["hidden"] and opened else whole


def draw_map(
    area: str | None, shown: pictures.MapFilter, named: Collection[object], opened: Sequence[str] = ()
) -> Payload:
    """Return the map, with those resources that are `named`."""
    beside = tuple(sorted(atlas().graph.resource.keys() & set(named)))
    return draw(pictures.map_picture, area, shown, opened=opened, **({"beside": beside} if beside else {}))


def rows(cypher: str, values: Mapping[str, object]) -> Table:
    """Return the rows of a reading Cypher statement. Raises AtlasError."""
    return _rows(_graph()[0], cypher, values)


def names() -> dict[str, str]:
    """Return the names of all concepts, then of all episodes and resources, by id."""
    marks, graph = (pictures.PLAY, pictures.OPEN), atlas().graph
    titles = {id_: marks[id_ in graph.resource] + name for id_, name in graph.episode_names.items()}
    return graph.concept_names | titles


def subject_words() -> dict[str, str]:
    """Return what a box offers for a concept or an episode -> what a person reads."""
    return names() | other_names(atlas().graph)


def completions() -> Payload:
    """Return what the editor of the page Query may complete."""
    return _completions(_graph()[0])


def load_ahead() -> None:
    """Read the graph and draw the map before the first visit."""
    import numpy  # noqa: F401

    with suppress(AtlasError):
        _drawn((stamp(load_settings().store), None), (), "map_picture", (None, "met"), {})


@st.cache_data(max_entries=2, ttl=2, show_spinner=False)  # a server is asked once a rerun
def stamp(store: str) -> str:
    """Return the stamp of the graph that is stored now, with its address."""
    with Atlas(load_settings()) as opened:
        return f"{store}:{opened.store.stamp()}"


@st.cache_resource(max_entries=4, show_spinner="Reading the map … (the first visit builds it)")
def _atlas(now: str, show: str | None) -> Atlas:
    if show:
        return _atlas(now, None).of_shows(show)
    with Atlas(load_settings()) as opened:
        allow_sound(e.audio_url for e in opened.graph.episodes)  # the graph is loaded while the store is open
        return opened


@st.cache_resource(max_entries=512, show_spinner="Finding the shortest path …")
def _answer(
    graph: _Graph, profile: Profile | None, method: str, given: tuple[Any, ...], options: dict[str, Any]
) -> Any:
    return getattr(_atlas(*graph), method)(*given, **options)


@st.cache_resource(max_entries=64, show_spinner=False)
def _drawn(
    graph: _Graph, opened: tuple[str, ...], make: str, given: tuple[Any, ...], options: dict[str, Any]
) -> Payload:
    picture: Picture = getattr(pictures, make)(_atlas(*graph).graph, *given, **options)
    if graph[1] and picture.areas:  # the colours that the areas have on the whole map
        picture = replace(picture, areas=tuple(area_hues(_atlas(graph[0], None).graph).items()))
    return pictures.payload(pictures.clustered(picture, opened=opened))


@st.cache_resource(max_entries=2, show_spinner=False)
def _completions(now: str) -> Payload:
    return pictures.with_revision(queries.completions(_atlas(now, None).graph))


@st.cache_resource(max_entries=16, show_spinner="Asking …")
def _rows(now: str, cypher: str, values: Mapping[str, object]) -> Table:
    with Atlas(load_settings()) as opened:
        return opened.store.query(cypher, values)
