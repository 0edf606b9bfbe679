"""The frame of every page: the links to the others, each to its last state, and the search."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from torchatlas.ui.web import cached, page_titles, show_filter, url_state, widgets, word_box

_LAST = "last_queries"
SCREENS = Path(__file__).parent / "screens"
_OF_OTHERS = {"goal": widgets.PATH, "episode": widgets.EPISODE, "question": widgets.CYPHER, "text": widgets.CYPHER}
"""Parameters that the first page does not have, and the pages that do."""


def pages() -> list[StreamlitPage]:
    """Return the pages. The folder is not called "pages": Streamlit would run what is in it by itself."""
    return [
        st.Page(SCREENS / "explore.py", title="Explore", icon=":material/hub:", default=True),
        st.Page(SCREENS / "episode.py", title="Episode", icon=":material/podcasts:", url_path="episode"),
        st.Page(SCREENS / "path.py", title="Path", icon=":material/route:", url_path="path"),
        st.Page(SCREENS / "cypher.py", title="Cypher", icon=":material/terminal:", url_path="cypher"),
    ]


def astray(now: StreamlitPage) -> tuple[str, dict[str, list[str]]] | None:
    """Return the page whose query the first page got, with that query; None where the first page is meant.

    Where the connection breaks while a page is opened, the browser asks again for the first page, with the query of the
    page that a person wants (Streamlit 1.67).
    """
    page = next((page for name, page in _OF_OTHERS.items() if name in st.query_params), None)
    if now.url_path or page is None:
        return None
    return page, {name: st.query_params.get_all(name) for name in st.query_params}


def header(found: Sequence[StreamlitPage], now: StreamlitPage) -> None:
    """Draw the links to the pages and the search; a link leads to the state in which its page was left."""
    last = _last()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="site"):
        with st.container(horizontal=True, gap="small", width="content", key="site_pages"):
            for page in found:
                left = {} if page is now else last.get(page.url_path, {})
                query = {name: left[name] for name in left if name != url_state.SHOW} | url_state.carried()
                st.page_link(page, label=page.title, icon=page.icon, query_params=query)
        if now.url_path != "cypher":
            show_filter.control()
        if now.url_path:  # the map has this box among its controls
            with st.container(key="search", width=320):
                word_box.ask(
                    "Search", cached.subject_words(), "search_box", "Search: press /", add=_find, labelled=False
                )


def note_state(page: str) -> None:
    """Let the browser's tab name the state of a page, and its link lead back to that state. `page`: its path."""
    atlas = cached.atlas()
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    if _last().get(page, query) != query:
        url_state.tell(query)
    _last()[page] = query
    questions = {question.name: question.title for question in atlas.questions()}
    named = page_titles.page_title(
        page, query, atlas.graph, questions, subject=atlas.subject, own=atlas.title
    )  # fmt: skip
    st.set_page_config(page_title=named)


def _last() -> dict[str, Mapping[str, Sequence[str]]]:
    """Return the path of each page -> the parameters with which it was seen last."""
    last: dict[str, Mapping[str, Sequence[str]]] = st.session_state.setdefault(_LAST, {})
    return last


def _find(text: str) -> None:
    """Open what was chosen, or look for what was typed on the map."""
    graph, names = cached.atlas().graph, cached.subject_words()
    id_ = cached.meaning(text, "subject").ids[0] if text in names and text not in graph.episode else text
    if id_ in graph.concept or id_ in graph.episode:
        widgets.leave_for(graph, id_)
    else:
        url_state.leave(widgets.EXPLORE, "find", text)
