"""The filter by show: the podcast or blog whose episodes the pages show. The URL keeps it from page to page."""

import streamlit as st

from torchatlas.graph.formatting import esc, listed
from torchatlas.ui.web import cached, url_state, widgets


def control() -> None:
    """Draw the choice of a show; nothing where the map has a single one."""
    titles = {row.id: row.title for row in cached.whole().shows()}
    if len(titles) < 2:
        return
    widgets.say_unknown(url_state.SHOW, titles)
    key, write = url_state.follow(url_state.SHOW, list(titles))
    st.selectbox(
        "Podcast", list(titles), index=None, key=key, on_change=write, format_func=lambda id_: titles[id_],
        placeholder="All podcasts", label_visibility="collapsed", width=230,
    )  # fmt: skip


def say_outside() -> bool:
    """Say which episodes of the URL are of another show than the chosen one, and how to see them, if there are any."""
    shown, whole = cached.atlas().graph.episode, cached.whole().graph.episode
    named = [id_ for name in ("node", "episode", "goal", "path") for id_ in st.query_params.get_all(name)]
    outside = [whole[id_].title for id_ in named if id_ in whole and id_ not in shown]
    if outside:
        st.info(f"{esc(listed(outside))}: not in the podcast that you chose.", icon=":material/filter_alt:")
        st.button(
            "Show all podcasts", on_click=url_state.choose, args=(url_state.SHOW, None),
            icon=":material/filter_alt_off:",
        )  # fmt: skip
    return bool(outside)
