"""The screen: links and search on top, one page below; what fails on purpose is told in one line."""

from pathlib import Path

import streamlit as st

from torchatlas.graph.errors import AtlasError
from torchatlas.graph.formatting import esc
from torchatlas.ui.web import cached, jobs, keys, profile_state, show_filter, site, url_state

HERE = Path(__file__).parent

st.set_page_config(page_title="torchatlas", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "app.css")
st.logo(str(HERE / "logo.svg"), size="large")
pages = site.pages()
page = st.navigation(pages, position="hidden")
if to := url_state.leaving():
    st.switch_page(to[0], query_params=url_state.carried() | {to[1]: to[2]})
if meant := site.astray(page):
    st.switch_page(meant[0], query_params=meant[1])
try:
    cached.look(whole=page.url_path == "cypher")
    site.note_state(page.url_path)
    site.header(pages, page)
    if wrong := profile_state.trouble():
        st.error(esc(wrong), icon=":material/error:")
    jobs.show()
    if not show_filter.say_outside():
        page.run()
    profile_state.undo_bar()
except AtlasError as e:
    st.error(esc(str(e)), icon=":material/error:")
keys.mount()
