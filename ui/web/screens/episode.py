"""One episode: what it teaches and when, what it assumes and why, what has changed since, and what is near; or all."""

from functools import partial

import streamlit as st

from torchatlas.graph.formatting import clock, counted, esc, is_web, link
from torchatlas.graph.model import Episode
from torchatlas.graph.views import TEACHES, EpisodeCard, episode_rows
from torchatlas.ui.web import cache, parts, state


def _all_episodes() -> None:
    """Draw the filters by words, area, and whether episodes are heard, and the episodes that pass them."""
    atlas = cache.atlas()
    areas = {area: area for area in atlas.graph.areas}
    st.title("Episodes", anchor=False)
    with parts.row(vertical_alignment="bottom", key="filters"):
        with st.container(width=330):
            words = st.query_params.get("words", "")
            key, hint = parts.show_value("url_words", words), "In titles, summaries, subjects"
            st.text_input(
                "Words", key=key, placeholder=hint, on_change=lambda: state.choose("words", st.session_state[key])
            )
        parts.fold("Filters", "episodes", ("area", "heard"))
        area = parts.select("area", "Area", areas, "All areas", width=330)
        heard = parts.segments("heard", "Heard", {"": "All", "no": "Not heard", "yes": "Heard"})
    was_heard, shown = set(atlas.profile.heard), {"": (True, False), "no": (False,), "yes": (True,)}[heard]
    rows = (row for row in episode_rows(atlas.graph, words) if (row.id in was_heard) in shown)
    found = [row for row in rows if area in (None, row.area)]
    parts.heading(counted(len(found), "episode"))
    if not found:
        st.info("No episode passes these filters. Clear one of them.", icon=":material/filter_alt_off:")
    parts.episode_rows(found, was_heard)


def _one_episode(episode: Episode, card: EpisodeCard) -> None:
    st.title(esc(episode.title), anchor=False)
    st.caption(esc(" · ".join(card.facts)))
    with parts.row():
        parts.go(parts.EXPLORE, "Show on the map", ":material/hub:", node=episode.id)
        parts.go(parts.PATH, "Plan a path to this", ":material/route:", goal=episode.id)
        if is_web(episode.url):
            st.link_button("Episode's page", episode.url, icon=":material/open_in_new:", type="tertiary")
        parts.heard_button(episode.id, heard=episode.id in cache.atlas().profile.heard)
        if not is_web(episode.audio_url):
            parts.no_audio(episode.show, episode.id, "No audio here")
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        _about(episode, card)
    with right:
        leave = partial(parts.leave_for, cache.atlas().graph)
        parts.related_episodes(card.id, leave)
        for heading, rows in card.sections.items():
            if heading != TEACHES:
                parts.choices(heading, rows, leave)
        for show in card.shows:  # its picture stays where it is: the page asks no other host for one
            if show.author or show.url or show.feed_url:
                parts.heading("Show")
                by = f", by {esc(show.author)}" if show.author else ""
                st.markdown(f"{link(show.title, show.url)}{by}")
                if show.feed_url:
                    st.caption(f"Feed: {esc(show.feed_url)}")


def _about(episode: Episode, card: EpisodeCard) -> None:
    """Draw the summary, the player, and the lessons: each name leads to the map, each time to the player."""
    if episode.summary:
        st.markdown(esc(episode.summary))
    if card.basis:
        st.info(esc(card.basis), icon=":material/info:")
    if is_web(episode.audio_url):
        parts.moment(episode, "Listen", 0, "Listen")
    parts.player(episode)
    if card.teaches:
        parts.heading(TEACHES)
        with st.container(gap=None, key="lessons"):
            for lesson in card.teaches:
                with parts.row(gap="small", key=f"lesson_{lesson.id}"):
                    name = esc(lesson.name)
                    parts.go(parts.EXPLORE, f"**{name}**" if lesson.main else name, node=lesson.id)
                    if lesson.at is not None:
                        parts.moment(episode, lesson.name, lesson.at, esc(clock(lesson.at)))
    parts.bullets("Questions it answers", [esc(q) for q in episode.questions])
    parts.bullets("What has changed since", [esc(d) for d in episode.dated])
    parts.bullets("Links", [f"{link(r.label, r.url)} ({esc(r.type.replace('_', ' '))})" for r in card.readings])


atlas = cache.atlas()
titles = cache.episode_names()
asked = parts.meanings("episode", titles, "episode")
given = st.query_params.get("episode")
if given in asked:
    parts.say_understood(asked[given], "episode")
    given = asked[given].ids[0]
if given in titles:
    parts.go(parts.EPISODE, "All episodes", ":material/arrow_back:")
    _one_episode(atlas.graph.episode[given], atlas.episode(given))
elif titles:
    _all_episodes()
else:
    st.info("There are no episodes yet. Add a feed with: torchatlas add FEED", icon=":material/info:")
