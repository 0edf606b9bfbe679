"""The atlas, its answers and what is drawn of it, kept between reruns until the stored graph changes."""

import os
from collections.abc import Mapping

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers.census import Census
from torchatlas.graph.values.answers import Hit, Plan, Related, Table
from torchatlas.graph.values.model import Snapshot
from torchatlas.profile import Profile
from torchatlas.settings import Settings, load_settings
from torchatlas.ui.web.draw import Payload, payload
from torchatlas.ui.web.view import Shown, map_picture


def settings() -> Settings:
    """Return the settings of this process; the launcher hands the store's address on in TORCHATLAS_STORE."""
    return load_settings(os.environ.get("TORCHATLAS_STORE"))


def atlas() -> Atlas:
    """Return the atlas with its graph loaded, built on the first visit where there is none. Raises AtlasError."""
    return _atlas(_stamp(settings().store))


def snapshot() -> Snapshot:
    """Return the whole graph. Raises AtlasError."""
    return atlas().graph


def profile() -> Profile:
    """Return what the user knows and has heard, as the file says now. Raises DataError."""
    return Atlas(settings()).profile


def map_payload(area: str | None, shown: Shown, around: str | None, radius: int) -> Payload:
    """Return the map under these filters, as the browser gets it."""
    return _map(_stamp(settings().store), area, shown, around if radius else None, radius)


def related_to(episode_id: str, limit: int = 6) -> tuple[Related, ...]:
    """Return the nearest episodes, best first."""
    return _related(_stamp(settings().store), episode_id, limit)


def found_for(text: str, limit: int = 8) -> tuple[Hit, ...]:
    """Return concepts and episodes that a text means, best first."""
    return _found(_stamp(settings().store), text, limit)


def plan_for(goals: tuple[str, ...], budget: int | None) -> Plan:
    """Return the listening path for the profile as it is now. Raises UnknownName."""
    now = profile()
    return _plan(_stamp(settings().store), goals, now.known, now.heard, budget)


def counted() -> Census:
    """Return the schema with counts."""
    return _counted(_stamp(settings().store))


def rows(cypher: str, values: Mapping[str, object], limit: int) -> Table:
    """Return the rows of a reading Cypher statement. Raises QueryError, StoreError."""
    return _rows(_stamp(settings().store), cypher, tuple(sorted(values.items())), limit)


@st.cache_data(max_entries=2, ttl=2, show_spinner=False)  # a server is asked once a rerun, not once a question
def _stamp(store: str) -> str:
    with Atlas(settings()) as opened:
        return f"{store}:{opened.stamp()}"


@st.cache_resource(max_entries=2, show_spinner="Reading the map … (the first visit builds it)")
def _atlas(stamp: str) -> Atlas:
    with Atlas(settings()) as opened:
        opened.graph  # noqa: B018 (loads it while the store is open)
        return opened


@st.cache_data(max_entries=64, show_spinner=False)
def _map(stamp: str, area: str | None, shown: Shown, around: str | None, radius: int) -> Payload:
    return payload(map_picture(_atlas(stamp).graph, area, shown, around, radius))


@st.cache_data(max_entries=256, show_spinner=False)
def _related(stamp: str, episode_id: str, limit: int) -> tuple[Related, ...]:
    return tuple(_atlas(stamp).related(episode_id, limit))


@st.cache_data(max_entries=64, show_spinner=False)
def _found(stamp: str, text: str, limit: int) -> tuple[Hit, ...]:
    return tuple(_atlas(stamp).search(text, limit))


@st.cache_data(max_entries=64, show_spinner="Finding the shortest path …")
def _plan(
    stamp: str, goals: tuple[str, ...], known: tuple[str, ...], heard: tuple[str, ...], budget: int | None
) -> Plan:
    """`known` and `heard` are the profile's, so that a change of it is another entry of the cache."""
    return _atlas(stamp).plan(*goals, budget=budget)


@st.cache_data(max_entries=16, show_spinner="Asking …")
def _rows(stamp: str, cypher: str, values: tuple[tuple[str, object], ...], limit: int) -> Table:
    with Atlas(settings()) as opened:
        return opened.store.query(cypher, dict(values), rows=limit)


@st.cache_data(max_entries=2, show_spinner=False)
def _counted(stamp: str) -> Census:
    return _atlas(stamp).schema()
