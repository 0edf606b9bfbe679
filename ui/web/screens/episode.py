"""One episode: what it teaches and when, what it assumes and why, what has changed since, and what is near."""

from functools import partial

import streamlit as st

from torchatlas.graph.cards import TEACHES, EpisodeCard
from torchatlas.graph.formatting import esc, is_web, link
from torchatlas.graph.model import Episode, Show
from torchatlas.ui.web import cached, episode_list, hearing, url_state, widgets


def pick(episode_id: str) -> None:
    """Turn to another episode; nothing plays until it is asked for again."""
    for name in ("play", "at"):
        url_state.choose(name, None)
    url_state.choose("episode", episode_id)


def actions(episode: Episode) -> None:
    """Draw where to go from here, and whether the episode has been heard."""
    heard = episode.id in cached.atlas().profile.heard
    with st.container(horizontal=True, vertical_alignment="center"):
        widgets.go(widgets.EXPLORE, "Show on the map", ":material/hub:", node=episode.id)
        widgets.go(widgets.PATH, "Plan a path to this", ":material/route:", goal=episode.id)
        if is_web(episode.url):
            st.link_button("Episode's page", str(episode.url), icon=":material/open_in_new:", type="tertiary")
        hearing.heard_button(episode.id, heard=heard)
        if not is_web(episode.audio_url):
            with st.popover("No audio here", icon=":material/volume_off:", type="tertiary"):
                hearing.no_audio(episode.show, episode.id)


def lessons_list(episode: Episode, card: EpisodeCard) -> None:
    """Draw the lessons: each name leads to the map, each time to the player."""
    widgets.heading(TEACHES)
    with st.container(gap=None, key="lessons"):
        for lesson in card.teaches:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson_{lesson.id}"):
                label = f"**{esc(lesson.name)}**" if lesson.main else esc(lesson.name)
                st.page_link(widgets.EXPLORE, label=label, query_params=url_state.carried() | {"node": lesson.id})
                if lesson.at is not None:
                    hearing.moment(episode, hearing.Moment(lesson.name, lesson.at))


def show_facts(show: Show) -> None:
    """Draw who makes a show, and where it is. Its picture stays where it is: the page asks no other host for one."""
    widgets.heading("Show")
    by = f", by {esc(show.author)}" if show.author else ""
    st.markdown(f"{link(show.title, show.url)}{by}")
    if show.feed_url:
        st.caption(f"Feed: {esc(show.feed_url)}")


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
        hearing.start(episode)
        hearing.player(episode)
        if card.teaches:
            lessons_list(episode, card)
        widgets.bullets("Questions it answers", [esc(q) for q in episode.questions])
        widgets.bullets("What has changed since", [esc(d) for d in episode.dated])
        widgets.bullets("Links", [f"{link(r.label, r.url)} ({esc(r.type.replace('_', ' '))})" for r in card.readings])
    with right:
        widgets.related_episodes(card.id, pick)
        for heading, rows in card.sections.items():
            if heading != TEACHES:
                widgets.choices(heading, rows, partial(widgets.leave_for, cached.atlas().graph))
        for show in card.shows:
            if show.author or show.url or show.feed_url:
                show_facts(show)


atlas = cached.atlas()
titles = cached.episode_names()
asked = widgets.meanings("episode", titles, "episode")
given = st.query_params.get("episode")
if given in asked:
    widgets.say_understood(asked[given], partial(url_state.replace_one, "episode"))
    given = asked[given].ids[0]
if given in titles:
    widgets.go(widgets.EPISODE, "All episodes", ":material/arrow_back:")
    page(atlas.graph.episode[given], atlas.episode(given))
elif titles:
    episode_list.show()
else:
    st.info("There are no episodes yet. Add a feed with: torchatlas add FEED", icon=":material/info:")
