"""The screen: links and search on top, a page below, one line for a failure."""

from pathlib import Path

import streamlit as st

from torchatlas.graph.errors import AtlasError
from torchatlas.graph.formatting import esc, listed
from torchatlas.profile import ProfileChange, change_profile
from torchatlas.ui.web import cache, parts, state

HERE = Path(__file__).parent


def _find(text: str) -> None:
    if id_ := parts.named(text):
        parts.leave_for(id_)
    else:
        state.leave("find", text)


def _undo(change: ProfileChange) -> None:
    parts.remember(lambda: change_profile(cache.atlas().settings, change.undone))
    st.session_state.pop("profile_change", None)


st.set_page_config(page_title="torchatlas", page_icon=str(HERE / "icon.svg"), layout="wide")
st.logo(str(HERE / "logo.svg"), size="large")
pages = [  # the folder is not called "pages", which Streamlit would run by itself
    st.Page(HERE / parts.EXPLORE, title="Map", icon=":material/hub:", default=True),
    st.Page(HERE / parts.EPISODE, title="Episodes", icon=":material/podcasts:", url_path="episode"),
    st.Page(HERE / parts.PATH, title="Plan", icon=":material/route:", url_path="path"),
    st.Page(HERE / parts.CYPHER, title="Query", icon=":material/terminal:", url_path="cypher"),
]
page = st.navigation([*pages, st.Page(HERE / parts.SOURCES, title="Your sources")], position="hidden")
foot = parts.row(key="foot", gap="small")
if to := st.session_state.pop("leaving", None):
    st.switch_page(parts.PAGES[next(iter(to))], query_params=state.carried() | to)
if not page.url_path:  # after a lost connection, Streamlit (1.67) asks the first page for another
    for name, other in parts.PAGES.items():
        if name in st.query_params and other != parts.EXPLORE:
            st.switch_page(other, query_params={name: st.query_params.get_all(name) for name in st.query_params})
try:
    cache.look(whole=page.url_path == "cypher")
    with foot:
        parts.player()
    parts.note_state(page.url_path)
    with parts.row(horizontal_alignment="distribute", key="site"):
        with st.container(horizontal=True, gap="small", width="content", key="site_pages"):
            for each in pages:
                left = {} if each is page else st.session_state["last_queries"].get(each.url_path, {})
                query = {name: left[name] for name in left if name not in state.CARRIED} | state.carried()
                st.page_link(each, label=each.title, icon=each.icon, query_params=query)
        titles = {show.id: show.title for show in cache.whole().shows()}
        if page.url_path not in ("cypher", "sources") and len(titles) > 1:
            parts.say_unknown(state.SHOW, titles)
            parts.select(state.SHOW, "Podcast", titles, "All podcasts", label_visibility="collapsed", width=230)
        if page.url_path not in ("", "path"):  # these have a box of their own
            with st.container(key="search", width=320):
                parts.search_box("Search", cache.subject_words(), "search_box", "Search: press /", _find, visible=False)
    if wrong := st.session_state.pop("trouble", None):
        parts.say(esc(wrong), "error", st.error)
    parts.show_job()
    if page.url_path in ("episode", "path"):
        parts.offer_audio(cache.atlas().graph.episode)
    whole, shown = cache.whole().graph.episode, cache.atlas().graph.episode
    named = [id_ for name in ("node", "episode", "goal", "path") for id_ in st.query_params.get_all(name)]
    if outside := [whole[id_].title for id_ in named if id_ in whole and id_ not in shown]:
        parts.say(f"{esc(listed(outside))}: not in the podcast that you chose.", "filter_alt")
        icon = ":material/filter_alt_off:"
        st.button("Show all podcasts", on_click=state.choose, args=(state.SHOW, None), icon=icon)
    else:
        page.run()
    if change := st.session_state.pop("profile_change", None):  # the next action takes its place
        with parts.row(key="undo_bar", width="content"):
            st.markdown(esc(change.told(cache.atlas().graph)), width="content")
            parts.button("Undo", "undo", key="undo", on_click=_undo, args=(change,))
            parts.button("Close", key="undo_close")
except AtlasError as e:
    parts.say(esc(str(e)), "error", st.error)
with st.container(key="keys", height=1, border=False):  # the key / puts the cursor into the search
    parts.component("keys")(key="keys_listener", height=1, on_back_change=lambda: None)
