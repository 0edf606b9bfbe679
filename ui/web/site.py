"""The frame of every page: the links to the others, each to its last state, and the search."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from torchatlas.ui.web import cached, page_titles, url_state, widgets, word_box

_LAST = "last_queries"
SCREENS = Path(__file__).parent / "screens"


def pages() -> list[StreamlitPage]:
    """Return the pages. The folder is not called "pages": Streamlit would run what is in it by itself."""
    return [
        st.Page(SCREENS / "explore.py", title="Explore", icon=":material/hub:", default=True),
        st.Page(SCREENS / "episode.py", title="Episode", icon=":material/podcasts:", url_path="episode"),
        st.Page(SCREENS / "path.py", title="Path", icon=":material/route:", url_path="path"),
        st.Page(SCREENS / "cypher.py", title="Cypher", icon=":material/terminal:", url_path="cypher"),
    ]


def header(found: Sequence[StreamlitPage], now: StreamlitPage) -> None:
    """Draw the links to the pages and the search; a link leads to the state in which its page was left."""
    last: dict[str, Mapping[str, Sequence[str]]] = st.session_state.setdefault(_LAST, {})
    last[now.url_path] = {name: st.query_params.get_all(name) for name in st.query_params}
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="site"):
        with st.container(horizontal=True, gap="small", width="content", key="site_pages"):
            for page in found:
                query = {} if page is now else last.get(page.url_path, {})
                st.page_link(page, label=page.title, icon=page.icon, query_params=query)
        if now.url_path:  # the map has this box among its controls
            with st.container(key="search", width=320):
                word_box.ask("Search", word_box.subjects(), "search_box", "Search: press /", add=_find, labelled=False)


def title(now: StreamlitPage) -> None:
    """Let the browser's tab name the state."""
    atlas = cached.atlas()
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    questions = {question.name: question.title for question in atlas.questions()}
    st.set_page_config(page_title=page_titles.page_title(now.url_path, query, atlas.graph, questions))


def _find(text: str) -> None:
    """Open what was chosen, or look for what was typed on the map."""
    graph, names = cached.atlas().graph, word_box.subjects()
    id_ = cached.meaning(text, "subject").ids[0] if text in names and text not in graph.episode else text
    if id_ in graph.concept or id_ in graph.episode:
        widgets.leave_for(graph, id_)
    else:
        url_state.leave(widgets.EXPLORE, "find", text)
