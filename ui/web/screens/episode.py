"""One episode: what it teaches and when, what it assumes and why, what has changed since, and what is near; or all."""

from functools import partial

import streamlit as st

from torchatlas.graph.cards import TEACHES, EpisodeCard
from torchatlas.graph.formatting import counted, esc, is_web, link
from torchatlas.graph.model import Episode, Show
from torchatlas.ui.web import cache, parts, state

HEARD = {"": "All", "no": "Not heard", "yes": "Heard"}
_WORDS = "words"


def show_list() -> None:
    """Draw the filters and the episodes that pass them."""
    atlas = cache.atlas()
    st.title("Episodes", anchor=False)
    words, area, heard = _filters()
    found = atlas.find_episodes(words, area, None if heard == "" else heard == "yes")
    parts.heading(counted(len(found), "episode"))
    if not found:
        st.info("No episode passes these filters. Clear one of them.", icon=":material/filter_alt_off:")
    has_heard = set(atlas.profile.heard)
    for row in found[: parts.MOST_ROWS]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"episode_row_{row.id}"):
            icon = ":material/check_circle:" if row.id in has_heard else ":material/podcasts:"
            st.page_link(
                parts.EPISODE,
                label=f"**{esc(row.name)}**",
                icon=icon,
                query_params=state.carried() | {"episode": row.id},
            )
            st.caption(parts.episode_facts(row), width="content")
    if len(found) > parts.MOST_ROWS:
        st.caption(f"These are the first {parts.MOST_ROWS}. Words or an area above narrow the list down.")


def _filters() -> tuple[str, str | None, str]:
    key = "url_words"
    if st.session_state.get(key) != (given := st.query_params.get(_WORDS, "")):
        st.session_state[key] = given
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        with st.container(width=330):
            typed = st.text_input(
                "Words", key=key, placeholder="In titles, summaries, subjects",
                on_change=lambda: state.choose(_WORDS, st.session_state[key]),
            )  # fmt: skip
        parts.fold("Filters", "episodes", sum(name in st.query_params for name in ("area", "heard")))
        key_area, write = state.follow("area", areas := cache.atlas().areas())
        of = st.selectbox("Area", areas, index=None, key=key_area, on_change=write, placeholder="All areas", width=330)
        key_heard, write = state.follow("heard", list(HEARD), "")
        which = st.segmented_control(
            "Heard", list(HEARD), key=key_heard, on_change=write, format_func=lambda k: HEARD[k], required=True
        )
    return typed or "", of, which or ""


def pick(episode_id: str) -> None:
    """Turn to another episode; nothing plays until it is asked for again."""
    for name in ("play", "at"):
        state.choose(name, None)
    state.choose("episode", episode_id)


def actions(episode: Episode) -> None:
    """Draw where to go from here, and whether the episode has been heard."""
    heard = episode.id in cache.atlas().profile.heard
    with st.container(horizontal=True, vertical_alignment="center"):
        parts.go(parts.EXPLORE, "Show on the map", ":material/hub:", node=episode.id)
        parts.go(parts.PATH, "Plan a path to this", ":material/route:", goal=episode.id)
        if is_web(episode.url):
            st.link_button("Episode's page", str(episode.url), icon=":material/open_in_new:", type="tertiary")
        parts.heard_button(episode.id, heard=heard)
        if not is_web(episode.audio_url):
            with st.popover("No audio here", icon=":material/volume_off:", type="tertiary"):
                parts.no_audio(episode.show, episode.id)


def lessons_list(episode: Episode, card: EpisodeCard) -> None:
    """Draw the lessons: each name leads to the map, each time to the player."""
    parts.heading(TEACHES)
    with st.container(gap=None, key="lessons"):
        for lesson in card.teaches:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson_{lesson.id}"):
                label = f"**{esc(lesson.name)}**" if lesson.main else esc(lesson.name)
                st.page_link(parts.EXPLORE, label=label, query_params=state.carried() | {"node": lesson.id})
                if lesson.at is not None:
                    parts.moment(episode, parts.Moment(lesson.name, lesson.at))


def show_facts(show: Show) -> None:
    """Draw who makes a show, and where it is. Its picture stays where it is: the page asks no other host for one."""
    parts.heading("Show")
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
        parts.start(episode)
        parts.player(episode)
        if card.teaches:
            lessons_list(episode, card)
        parts.bullets("Questions it answers", [esc(q) for q in episode.questions])
        parts.bullets("What has changed since", [esc(d) for d in episode.dated])
        parts.bullets("Links", [f"{link(r.label, r.url)} ({esc(r.type.replace('_', ' '))})" for r in card.readings])
    with right:
        parts.related_episodes(card.id, pick)
        for heading, rows in card.sections.items():
            if heading != TEACHES:
                parts.choices(heading, rows, partial(parts.leave_for, cache.atlas().graph))
        for show in card.shows:
            if show.author or show.url or show.feed_url:
                show_facts(show)


atlas = cache.atlas()
titles = cache.episode_names()
asked = parts.meanings("episode", titles, "episode")
given = st.query_params.get("episode")
if given in asked:
    parts.say_understood(asked[given], partial(state.replace_one, "episode"))
    given = asked[given].ids[0]
if given in titles:
    parts.go(parts.EPISODE, "All episodes", ":material/arrow_back:")
    page(atlas.graph.episode[given], atlas.episode(given))
elif titles:
    show_list()
else:
    st.info("There are no episodes yet. Add a feed with: torchatlas add FEED", icon=":material/info:")
