"""The screen: navigation on top, one page below; what fails on purpose is told in one line."""

from pathlib import Path

import streamlit as st

from torchatlas.graph.values.errors import AtlasError
from torchatlas.graph.values.formatting import esc
from torchatlas.ui.web import cached, url_state

HERE = Path(__file__).parent

st.set_page_config(page_title="torchatlas", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "app.css")
st.logo(str(HERE / "logo.svg"), size="large")
# The folder is not called "pages": Streamlit would run what is in it by itself, without this script.
page = st.navigation(
    [
        st.Page(HERE / "screens" / "explore.py", title="Explore", icon=":material/hub:", default=True),
        st.Page(HERE / "screens" / "episode.py", title="Episode", icon=":material/podcasts:", url_path="episode"),
        st.Page(HERE / "screens" / "path.py", title="Path", icon=":material/route:", url_path="path"),
        st.Page(HERE / "screens" / "cypher.py", title="Cypher", icon=":material/terminal:", url_path="cypher"),
    ],
    position="top",
)
if to := url_state.leaving():
    st.switch_page(to[0], query_params={to[1]: to[2]})
if wrong := url_state.trouble():
    st.error(esc(wrong), icon=":material/error:")
try:
    cached.look()
    page.run()
except AtlasError as e:
    st.error(esc(str(e)), icon=":material/error:")
