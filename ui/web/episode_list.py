"""All episodes as a list, with filters by words, area, and whether they are heard. The URL keeps them."""

import streamlit as st

from torchatlas.graph.cards import EpisodeRow
from torchatlas.graph.formatting import counted, esc
from torchatlas.ui.web import cached, url_state, widgets

HEARD = {"": "All", "no": "Not heard", "yes": "Heard"}
_WORDS = "words"
MOST = 500
"""Rows of the list: a browser takes seconds for more."""


def show() -> None:
    """Draw the filters and the episodes that pass them."""
    atlas = cached.atlas()
    st.title("Episodes", anchor=False)
    words, area, heard = _filters()
    found = atlas.find_episodes(words, area, None if heard == "" else heard == "yes")
    widgets.heading(counted(len(found), "episode"))
    if not found:
        st.info("No episode passes these filters. Clear one of them.", icon=":material/filter_alt_off:")
    has_heard = set(atlas.profile.heard)
    for row in found[:MOST]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"episode_row_{row.id}"):
            icon = ":material/check_circle:" if row.id in has_heard else ":material/podcasts:"
            st.page_link(
                widgets.EPISODE,
                label=f"**{esc(row.name)}**",
                icon=icon,
                query_params=url_state.carried() | {"episode": row.id},
            )
            st.caption(facts(row), width="content")
    if len(found) > MOST:
        st.caption(f"These are the first {MOST}. Words or an area above narrow the list down.")


def facts(row: EpisodeRow) -> str:
    """Return length, area and day, each emphasized: app.css sets them in columns.

    >>> facts(EpisodeRow("e", "E", area="", length="9 min", day="5 Dec 2018"))
    '*9 min* *–* *5 Dec 2018*'
    """
    return " ".join(f"*{esc(fact)}*" for fact in (row.length or "–", row.area or "–", row.day) if fact)


def _filters() -> tuple[str, str | None, str]:
    key = "url_words"
    if st.session_state.get(key) != (given := st.query_params.get(_WORDS, "")):
        st.session_state[key] = given
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        with st.container(width=330):
            typed = st.text_input(
                "Words", key=key, placeholder="In titles, summaries, subjects",
                on_change=lambda: url_state.choose(_WORDS, st.session_state[key]),
            )  # fmt: skip
        widgets.fold("Filters", "episodes", sum(name in st.query_params for name in ("area", "heard")))
        key_area, write = url_state.follow("area", areas := cached.atlas().areas())
        of = st.selectbox("Area", areas, index=None, key=key_area, on_change=write, placeholder="All areas", width=330)
        key_heard, write = url_state.follow("heard", list(HEARD), "")
        which = st.segmented_control(
            "Heard", list(HEARD), key=key_heard, on_change=write, format_func=lambda k: HEARD[k], required=True
        )
    return typed or "", of, which or ""
