"""One episode: what it teaches and when, what it assumes and why, what has changed since, and what is near."""

from functools import partial

import streamlit as st

from torchatlas.graph.values.formatting import clock, esc, is_web, link
from torchatlas.graph.values.model import Episode
from torchatlas.presentation.cards import TEACHES, EpisodeCard, Lesson
from torchatlas.ui.web import cached, url_state, widgets


def pick(episode_id: str) -> None:
    """Turn to another episode; the player begins at its start again."""
    url_state.choose("at", None)
    url_state.choose("episode", episode_id)


def play(at: int) -> None:
    """Let the player begin at that second."""
    url_state.choose("at", str(at))


def actions(episode: Episode) -> None:
    """Draw where to go from here, and whether the episode has been heard."""
    heard = episode.id in cached.atlas().profile.heard
    with st.container(horizontal=True, vertical_alignment="center"):
        widgets.go(widgets.EXPLORE, "Show on the map", ":material/hub:", node=episode.id)
        widgets.go(widgets.PATH, "Plan a path to this", ":material/route:", goal=episode.id)
        if is_web(episode.url):
            st.link_button("Episode's page", str(episode.url), icon=":material/open_in_new:", type="tertiary")
        widgets.heard_button(episode.id, heard=heard)


def player(episode: Episode, lessons: tuple[Lesson, ...]) -> None:
    """Draw the audio, from the chosen second. Until a click, nothing is fetched from the feed's host."""
    if not is_web(episode.audio_url):
        return
    moments = {str(lesson.at): lesson.name for lesson in lessons if lesson.at is not None}
    at = url_state.chosen("at", ["0", *moments])
    if at is None:
        st.button("Listen", icon=":material/play_arrow:", on_click=play, args=(0,))
        return
    if at in moments:
        st.caption(f"From {esc(clock(int(at)))}: {esc(moments[at])}")
    st.audio(str(episode.audio_url), start_time=int(at), autoplay=True, alt=f"Audio of {episode.title}")


def lessons_list(card: EpisodeCard, *, audible: bool) -> None:
    """Draw the lessons: each name leads to the map, each time to the player."""
    if not card.teaches:
        return
    widgets.heading(TEACHES)
    for lesson in card.teaches:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            label = f"**{esc(lesson.name)}**" if lesson.main else esc(lesson.name)
            st.page_link(widgets.EXPLORE, label=label, query_params={"node": lesson.id})
            if lesson.at is None:
                continue
            moment = esc(f"explained at {clock(lesson.at)}")
            if audible:
                st.button(
                    moment, key=f"play:{lesson.id}", type="tertiary", icon=":material/play_arrow:", on_click=play,
                    args=(lesson.at,),
                )  # fmt: skip
            else:
                st.caption(moment, width="content")


def page(episode: Episode, card: EpisodeCard) -> None:
    """Draw everything about one episode."""
    st.title(esc(episode.title), anchor=False)
    st.caption(esc(" · ".join(card.facts)))
    actions(episode)
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        if episode.summary:
            st.markdown(esc(episode.summary))
        if card.basis:
            st.info(esc(card.basis), icon=":material/info:")
        player(episode, card.teaches)
        lessons_list(card, audible=is_web(episode.audio_url))
        widgets.bullets("Questions it answers", [esc(q) for q in episode.questions])
        widgets.bullets("What has changed since", [esc(d) for d in episode.dated])
        widgets.bullets("Links", [f"{link(r.label, r.url)} ({esc(r.type.replace('_', ' '))})" for r in card.readings])
    with right:
        widgets.related_episodes(card.id, pick)
        for heading, rows in card.sections.items():
            if heading != TEACHES:
                widgets.choices(heading, rows, partial(widgets.leave_for, cached.atlas().graph))


atlas = cached.atlas()
titles = atlas.episode_names()
asked = widgets.meanings("episode", titles, "episode")
names = titles | {text: text for text in asked}
key, write = url_state.follow("episode", list(names))
chosen = st.selectbox(
    "Episode", list(names), index=None, key=key, on_change=write, format_func=lambda i: names.get(i, i),
    placeholder="An episode, or what it is about …", accept_new_options=True,
)  # fmt: skip
if chosen in asked:
    widgets.say_understood(asked[chosen], partial(url_state.replace_one, "episode"))
    chosen = asked[chosen].ids[0]
if chosen in titles:
    page(atlas.graph.episode[chosen], atlas.episode(chosen))
elif titles:
    st.info("Choose an episode above, or a square on the map.", icon=":material/podcasts:")
else:
    st.info("There are no episodes yet. Add a feed with: torchatlas add FEED", icon=":material/info:")
