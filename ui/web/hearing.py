"""Hear an episode: from a second where its audio is known, else on its page, else after its show's feed came in."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from torchatlas.graph.formatting import clock, esc, is_web
from torchatlas.graph.model import Episode
from torchatlas.ui.web import cached, jobs, profile_state, url_state

SHOWN = 3
"""How many moments of an episode stand open; the rest waits behind "more"."""


class Moment(NamedTuple):
    """A concept, and the second at which an episode explains it."""

    name: str
    at: int


def play(episode_id: str, at: int, goals: Sequence[str] = ()) -> None:
    """Let the player begin there; on the way to `goals`, these are what the person hears now. For callbacks."""
    url_state.choose("play", episode_id)
    url_state.choose("at", str(at))
    if goals:
        profile_state.remember(lambda: cached.atlas().begin(*goals))


def moments(episode: Episode, found: Sequence[Moment], goals: Sequence[str] = ()) -> None:
    """Draw a button for each moment of an episode; the first button begins at the start."""
    audible = is_web(episode.audio_url)
    with st.container(horizontal=True, gap="small", key=f"moments_{episode.id}"):
        if audible:
            _button(episode, Moment("Play", 0), "Play", goals)
        for moment in found[:SHOWN]:
            _button(episode, moment, _label(moment), goals)
        if rest := found[SHOWN:]:
            with st.popover(f"{len(rest)} more", type="tertiary"):
                for moment in rest:
                    _button(episode, moment, _label(moment), goals)


def moment(episode: Episode, found: Moment) -> None:
    """Draw the button for one moment of an episode, labelled with the time."""
    _button(episode, found, esc(clock(found.at)))


def start(episode: Episode) -> None:
    """Draw the button that begins an episode at its start, where there is audio."""
    if is_web(episode.audio_url):
        _button(episode, Moment("Listen", 0), "Listen", ())


def _label(moment: Moment) -> str:
    return f"{esc(moment.name)} {esc(clock(moment.at))}"


def _button(episode: Episode, moment: Moment, label: str, goals: Sequence[str] = ()) -> None:
    key = f"play:{episode.id}:{moment.at}:{moment.name}"
    if is_web(episode.audio_url):
        st.button(
            label, key=key, type="tertiary", icon=":material/play_arrow:", on_click=play,
            args=(episode.id, moment.at, goals),
        )  # fmt: skip
    elif is_web(episode.url):
        st.link_button(
            label, str(episode.url), key=key, type="tertiary", icon=":material/open_in_new:",
            help="Opens the episode's page: move its player to this time.",
        )  # fmt: skip
    else:
        with st.popover(label, type="tertiary", key=key):
            no_audio(episode.show, key)


def player(episode: Episode) -> None:
    """Draw the audio where the address says that it plays. Until a click, nothing is fetched from the feed's host."""
    at = st.query_params.get("at", "0")
    if st.query_params.get("play") == episode.id and is_web(episode.audio_url) and at.isdecimal():
        start = int(at) if len(at) < 7 else 0
        st.caption(f"From {esc(clock(start))}")
        st.audio(str(episode.audio_url), start_time=start, autoplay=True, alt=f"Audio of {episode.title}")


def no_audio(show: str, key: str) -> None:
    """Draw how the audio of a show comes in: by its feed, which a button fetches."""
    feed = cached.atlas().feed_of(show)
    if feed is None:
        st.markdown(f"No audio is known here, and no feed of {esc(show)}. This command adds a feed:")
        st.code("torchatlas add FEED", language=None)
        return
    st.markdown("No audio is known here. The show's feed has it, and newer episodes too.")
    st.button(
        "Fetch the show's feed", key=f"fetch:{key}", icon=":material/cloud_download:", on_click=jobs.fetch_feed,
        args=(feed,),
    )  # fmt: skip
    st.code(f"torchatlas add {feed}", language=None)


def heard_button(episode_id: str, *, heard: bool, goals: Sequence[str] = ()) -> None:
    """Draw the button that marks an episode as heard, or takes that back."""

    def change() -> None:
        cached.atlas().heard(episode_id, forget=heard)
        if goals:
            cached.atlas().begin(*goals)

    st.button(
        "Heard" if heard else "Mark as heard", key=f"heard:{episode_id}", type="tertiary",
        icon=":material/check_circle:" if heard else ":material/circle:", on_click=profile_state.remember,
        args=(change,),
    )  # fmt: skip
