"""The graph and what is drawn of it, kept between reruns until the stored graph changes."""

import os
from collections.abc import Mapping

import streamlit as st

from torchatlas import stored_graph
from torchatlas.graph.answers.census import Census, census
from torchatlas.graph.values.answers import Hit, Plan, Related, Table
from torchatlas.graph.values.model import Snapshot
from torchatlas.profile import Profile, load_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.ui.web.draw import Payload, payload
from torchatlas.ui.web.view import Shown, map_picture


def settings() -> Settings:
    """The settings of this process; the launcher hands the store's address on in TORCHATLAS_STORE."""
    return load_settings(os.environ.get("TORCHATLAS_STORE"))


def snapshot() -> Snapshot:
    """The whole graph, built on the first visit where there is none. Raises AtlasError."""
    return _snapshot(_stamp(settings().store))


def profile() -> Profile:
    """What the user knows and has heard, as the file says now. Raises DataError."""
    return load_profile(settings().profile)


def map_payload(area: str | None, shown: Shown, around: str | None, radius: int) -> Payload:
    """The map under these filters, as the browser gets it."""
    return _map(_stamp(settings().store), area, shown, around if radius else None, radius)


def related_to(episode_id: str, limit: int = 6) -> tuple[Related, ...]:
    """The nearest episodes, best first."""
    return _related(_stamp(settings().store), episode_id, limit)


def found_for(text: str, limit: int = 8) -> tuple[Hit, ...]:
    """Concepts and episodes that a text means, best first."""
    return _found(_stamp(settings().store), text, limit)


def plan_for(goals: tuple[str, ...], known: tuple[str, ...], heard: tuple[str, ...], budget: int | None) -> Plan:
    """The listening path. Raises UnknownName."""
    return _plan(_stamp(settings().store), goals, known, heard, budget)


def counted() -> Census:
    """The schema with counts."""
    return _counted(_stamp(settings().store))


def rows(cypher: str, values: Mapping[str, object], limit: int) -> Table:
    """The rows of a reading Cypher statement. Raises QueryError, StoreError."""
    return _rows(_stamp(settings().store), cypher, tuple(sorted(values.items())), limit)


@st.cache_data(max_entries=2, ttl=2, show_spinner=False)  # a server is asked once a rerun, not once a question
def _stamp(store: str) -> str:
    return stored_graph.stamp(settings())


@st.cache_resource(max_entries=2, show_spinner="Reading the map … (the first visit builds it)")
def _snapshot(stamp: str) -> Snapshot:
    return stored_graph.read(settings())


@st.cache_data(max_entries=64, show_spinner=False)
def _map(stamp: str, area: str | None, shown: Shown, around: str | None, radius: int) -> Payload:
    return payload(map_picture(_snapshot(stamp), area, shown, around, radius))


@st.cache_data(max_entries=256, show_spinner=False)
def _related(stamp: str, episode_id: str, limit: int) -> tuple[Related, ...]:
    from torchatlas.graph.answers.related import related

    return related(_snapshot(stamp), episode_id, limit)


@st.cache_data(max_entries=64, show_spinner=False)
def _found(stamp: str, text: str, limit: int) -> tuple[Hit, ...]:
    from torchatlas.graph.answers.search import search

    return search(_snapshot(stamp), text, limit)


@st.cache_data(max_entries=64, show_spinner="Finding the shortest path …")
def _plan(
    stamp: str, goals: tuple[str, ...], known: tuple[str, ...], heard: tuple[str, ...], budget: int | None
) -> Plan:
    from torchatlas.graph.planning.plan import make_plan

    return make_plan(_snapshot(stamp), goals, known=known, heard=heard, budget=budget)


@st.cache_data(max_entries=16, show_spinner="Asking …")
def _rows(stamp: str, cypher: str, values: tuple[tuple[str, object], ...], limit: int) -> Table:
    return stored_graph.query(settings(), cypher, dict(values), rows=limit)


@st.cache_data(max_entries=2, show_spinner=False)
def _counted(stamp: str) -> Census:
    return census(_snapshot(stamp))
