"""The steps of a plan as a list: what is heard is struck through, and what is left can be heard from here."""

from collections.abc import Mapping, Sequence

import streamlit as st

from torchatlas.graph.answers import Checklist, Step
from torchatlas.graph.formatting import esc, is_web, length
from torchatlas.graph.names import numbered
from torchatlas.ui.web import cached, hearing, url_state, widgets

_COLOURS: Mapping[str, str] = {"before": "gray", "goal": "orange", "nearest": "orange", "deepens": "blue"}


def progress(checklist: Checklist) -> None:
    """Draw how much of the path is heard, once something is."""
    if checklist.heard:
        st.progress(checklist.share, esc(checklist.told))


def steps(checklist: Checklist, goals: Sequence[str]) -> None:
    """Draw all rows, those left with the numbers that they have on the map.

    The way to `goals` is what a person hears who plays or marks one.
    """
    missing = sorted({show for row in checklist.rows if not row.heard and (show := _mute(row.step))})
    place = 0
    for row in checklist.rows:
        place += not row.heard
        with st.container(border=not row.heard, key=f"heard_{row.step.episode_id}" if row.heard else f"step_{place}"):
            if row.heard:
                _heard(row.step)
            else:
                _step(place, row.step, goals)
    for show in missing:
        with st.popover("No audio here: how to get it", icon=":material/volume_off:", type="tertiary"):
            hearing.no_audio(show, f"plan:{show}")


def _mute(step: Step) -> str:
    """Return the show of a step without audio, "" for a step with it."""
    return "" if is_web(step.audio_url) else cached.atlas().graph.episode[step.episode_id].show


def _heard(step: Step) -> None:
    minutes = esc(length(step.minutes, estimated=step.estimated))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/check: ~~{esc(step.title)}~~ :small[{minutes}]", width="content")
        hearing.heard_button(step.episode_id, heard=True)


def _step(place: int, step: Step, goals: Sequence[str]) -> None:
    """Draw place, title and facts, why, when things are explained, what to mind, and the button for heard."""
    episode = cached.atlas().graph.episode[step.episode_id]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.page_link(
            widgets.EPISODE,
            label=f"**{place}. {esc(step.title)}**",
            query_params=url_state.carried() | {"episode": step.episode_id},
        )
        hearing.heard_button(step.episode_id, heard=False, goals=goals)
    number = numbered(step.number, step.season)
    placed = f" :small[:gray[{esc(number)}]]" if number else ""
    minutes = esc(length(step.minutes, estimated=step.estimated))
    sure = f" :gray-badge[{step.doubt}]" if step.doubt else ""
    st.markdown(f":{_COLOURS[step.badge]}-badge[{step.badge}]{sure} {minutes} — {esc(step.why)}{placed}")
    hearing.moments(episode, [hearing.Moment(t.name, t.at) for t in step.teaches if t.at is not None], goals)
    hearing.player(episode)
    if step.caveats:
        with st.expander(f"What to mind ({len(step.caveats)})", icon=":material/info:", type="compact"):
            st.markdown("\n".join(f"- {esc(caveat)}" for caveat in step.caveats))
