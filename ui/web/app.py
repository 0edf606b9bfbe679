"""The screen: links and search on top, one page below; what fails on purpose is told in one line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from torchatlas.graph.errors import AtlasError
from torchatlas.graph.formatting import esc, listed
from torchatlas.ui.web import cache, parts, state


def show_filter() -> None:
    """Draw the choice of a show; nothing where the map has a single one."""
    titles = {row.id: row.title for row in cache.whole().shows()}
    if len(titles) < 2:
        return
    parts.say_unknown(state.SHOW, titles)
    key, write = state.follow(state.SHOW, list(titles))
    st.selectbox(
        "Podcast", list(titles), index=None, key=key, on_change=write, format_func=lambda id_: titles[id_],
        placeholder="All podcasts", label_visibility="collapsed", width=230,
    )  # fmt: skip


def say_outside() -> bool:
    """Say which episodes of the URL are of another show than the chosen one, and how to see them, if there are any."""
    shown, whole = cache.atlas().graph.episode, cache.whole().graph.episode
    named = [id_ for name in ("node", "episode", "goal", "path") for id_ in st.query_params.get_all(name)]
    outside = [whole[id_].title for id_ in named if id_ in whole and id_ not in shown]
    if outside:
        st.info(f"{esc(listed(outside))}: not in the podcast that you chose.", icon=":material/filter_alt:")
        st.button(
            "Show all podcasts", on_click=state.choose, args=(state.SHOW, None),
            icon=":material/filter_alt_off:",
        )  # fmt: skip
    return bool(outside)


_LAST = "last_queries"
SCREENS = Path(__file__).parent / "screens"
_OF_OTHERS = {"goal": parts.PATH, "episode": parts.EPISODE, "question": parts.CYPHER, "text": parts.CYPHER}
"""Parameters that the first page does not have, and the pages that do."""


def all_pages() -> list[StreamlitPage]:
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
                query = {name: left[name] for name in left if name != state.SHOW} | state.carried()
                st.page_link(page, label=page.title, icon=page.icon, query_params=query)
        if now.url_path != "cypher":
            show_filter()
        if now.url_path:  # the map has this box among its controls
            with st.container(key="search", width=320):
                parts.word_box(
                    "Search", cache.subject_words(), "search_box", "Search: press /", add=_find, labelled=False
                )


def note_state(page: str) -> None:
    """Let the browser's tab name the state of a page, and its link lead back to that state. `page`: its path."""
    atlas = cache.atlas()
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    if _last().get(page, query) != query:
        state.tell(query)
    _last()[page] = query
    questions = {question.name: question.title for question in atlas.questions()}
    named = state.page_title(
        page, query, atlas.graph, questions, subject=atlas.subject, own=atlas.title
    )  # fmt: skip
    st.set_page_config(page_title=named)


def _last() -> dict[str, Mapping[str, Sequence[str]]]:
    """Return the path of each page -> the parameters with which it was seen last."""
    last: dict[str, Mapping[str, Sequence[str]]] = st.session_state.setdefault(_LAST, {})
    return last


def _find(text: str) -> None:
    """Open what was chosen, or look for what was typed on the map."""
    graph, names = cache.atlas().graph, cache.subject_words()
    id_ = cache.meaning(text, "subject").ids[0] if text in names and text not in graph.episode else text
    if id_ in graph.concept or id_ in graph.episode:
        parts.leave_for(graph, id_)
    else:
        state.leave(parts.EXPLORE, "find", text)


HERE = Path(__file__).parent

st.set_page_config(page_title="torchatlas", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "app.css")
st.logo(str(HERE / "logo.svg"), size="large")
pages = all_pages()
page = st.navigation(pages, position="hidden")
if to := state.leaving():
    st.switch_page(to[0], query_params=state.carried() | {to[1]: to[2]})
if meant := astray(page):
    st.switch_page(meant[0], query_params=meant[1])
try:
    cache.look(whole=page.url_path == "cypher")
    note_state(page.url_path)
    header(pages, page)
    if wrong := parts.trouble():
        st.error(esc(wrong), icon=":material/error:")
    parts.show_job()
    if not say_outside():
        page.run()
    parts.undo_bar()
except AtlasError as e:
    st.error(esc(str(e)), icon=":material/error:")
parts.mount_keys()
