"""One episode: what it teaches, what it assumes, what has changed; or all."""

from functools import partial

import streamlit as st

from torchatlas.graph.formatting import clock, counted, esc, is_web, link, verb
from torchatlas.graph.model import Episode
from torchatlas.graph.views import TEACHES, EpisodeCard, episode_rows
from torchatlas.ui.web import cache, parts, state


def _one_episode(episode: Episode) -> None:
    card, do = atlas.episode(episode.id), verb(episode.kind)
    heard = do == "hear"
    st.title(esc(episode.title), anchor=False)
    st.caption(esc(" · ".join(card.facts)))
    with parts.row():
        parts.go("Show on the map", "hub", node=episode.id)
        parts.go("Plan a path to this", "route", goal=episode.id)
        if is_web(episode.url):
            label = "Episode's page" if heard else do.capitalize()
            st.link_button(label, episode.url, icon=":material/open_in_new:", type="tertiary")
        parts.heard_button(episode.id, heard=episode.id in atlas.profile.heard)
        if heard and not is_web(episode.audio_url):
            parts.go("No audio here. Add the show's feed", "volume_off", parts.SOURCES)
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        _about(episode, card)
    with right:
        parts.related_episodes(card.id, parts.leave_for)
        for heading, rows in card.sections.items():
            if heading != TEACHES:
                parts.choices(heading, rows, parts.leave_for, card.id)
        for show in card.shows:  # its picture stays where it is: the page asks no other host for one
            if show.author or show.url or show.feed_url:
                parts.heading("Show")
                by = f", by {esc(show.author)}" if show.author else ""
                st.markdown(f"{link(show.title, show.url)}{by}")
                if show.feed_url:
                    st.caption(f"Feed: {esc(show.feed_url)}")


def _about(episode: Episode, card: EpisodeCard) -> None:
    if episode.summary:
        st.markdown(esc(episode.summary))
    if card.basis:
        parts.say(esc(card.basis))
    if is_web(episode.audio_url):
        parts.moment(episode, "Listen", 0, "Listen")
    if card.teaches:
        parts.heading(TEACHES)
        parts.wrong(TEACHES, episode.id, card.teaches)
        with st.container(gap=None, key="lessons"):
            for lesson in card.teaches:
                with parts.row(gap="small", key=f"lesson_{lesson.id}"):
                    name = esc(lesson.name)
                    parts.go(f"**{name}**" if lesson.main else name, node=lesson.id)
                    if lesson.at is not None:
                        parts.moment(episode, lesson.name, lesson.at, esc(clock(lesson.at)))
    parts.bullets("Questions it answers", [esc(q) for q in episode.questions])
    parts.bullets("What has changed since", [esc(d) for d in episode.dated])
    parts.bullets("Links", [f"{link(r.label, r.url)} ({esc(r.type.replace('_', ' '))})" for r in card.readings])


atlas = cache.atlas()
episodes = atlas.graph.episode
asked = parts.meanings("episode", episodes, "episode")
given = st.query_params.get("episode")
if given in asked:
    parts.say_understood(asked[given], partial(state.replace_one, "episode", given))
    given = asked[given].ids[0]
if given in episodes:
    parts.go("All episodes", "arrow_back", parts.EPISODE)
    _one_episode(episodes[given])
elif episodes:
    words, hint = st.query_params.get("words", ""), "In episodes, summaries, subjects"
    st.title("Episodes", anchor=False)
    with parts.row(vertical_alignment="bottom", key="filters"):
        with st.container(width=330):
            st.text_input("Words", placeholder=hint, max_chars=200, **state.follow("words", words))
        parts.fold("Filters", "episodes", ("area", "heard"))
        area = parts.select("area", "Area", {area: area for area in atlas.graph.areas}, "All areas", width=330)
        heard = parts.segments("heard", "Heard", {"": "All", "no": "Not heard", "yes": "Heard"})
    was_heard = set(atlas.profile.heard)
    rows = (row for row in episode_rows(atlas.graph, words) if heard != ("no" if row.id in was_heard else "yes"))
    found = [row for row in rows if area in (None, row.area)]
    with parts.row(horizontal_alignment="distribute"):
        st.header(counted(len(found), "episode"), anchor=False, width="content")
        parts.go(parts.ADD, "add", parts.SOURCES)
    if not found:
        parts.say("No episode passes these filters. Clear one of them.", "filter_alt_off")
    parts.episode_rows(found, was_heard)
else:
    parts.go(f"There are no episodes yet. {parts.ADD}", "add", parts.SOURCES)
