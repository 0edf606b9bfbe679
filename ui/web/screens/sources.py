"""A person's own feeds and pages: a box to add one, what each gave, and how to remove it."""

from functools import partial
from hashlib import sha256
from pathlib import Path

import streamlit as st

from torchatlas.files import write_file
from torchatlas.graph.formatting import esc
from torchatlas.ui.web import cache, parts

CHANNEL = "https://www.youtube.com/feeds/videos.xml?channel_id=ID"
atlas, busy = cache.whole(), parts.busy()
known, uploads = atlas.sources(), atlas.settings.home / "uploads"
st.title("Your sources", anchor=False)
with st.form("add_source", clear_on_submit=True):
    about = f"The address that a podcast app or a feed reader takes. A YouTube channel has {CHANNEL}."
    address = st.text_input(parts.ADD, key="add", placeholder="Its feed: https://…", help=about).strip()
    file = st.file_uploader("Or a file: a feed, or an OPML list of feeds", key="file", max_upload_size=50)  # MB
    if st.form_submit_button("Add", icon=":material/add:", disabled=busy) and (address or file):
        if file and not address:
            name = f"{sha256(file.getvalue()).hexdigest()[:8]}-{Path(file.name).name}"
            address = str(write_file(uploads / name, file.getvalue()))
        parts.fetch_feed(address)
        st.rerun()  # the progress stands above
for path in set() if busy else {*uploads.glob("*")} - {Path(source.address) for source in known}:
    path.unlink(missing_ok=True)  # it was refused, or is a list that was read
parts.heading("What you have added" if known else "Nothing is added yet")
for place, source in enumerate(known):
    with st.container(border=True):
        with parts.row(horizontal_alignment="distribute"):
            st.markdown(f"**{esc(source.title or source.shown)}**: {esc(source.holds)}", width="content")
            with st.popover("Remove", type="tertiary", icon=":material/delete:", key=f"ask_{place}"):
                gone = f" {source.left} more have left the feed and cannot be fetched again." * bool(source.left)
                st.markdown(f"Its episodes leave the map.{gone}")
                remove = partial(parts.fetch_feed, source.address, adds=False)
                st.button("Remove it", key=f"remove_{place}", disabled=busy, on_click=remove)
        (st.warning if source.trouble else st.markdown)(esc(source.trouble or source.shown))
