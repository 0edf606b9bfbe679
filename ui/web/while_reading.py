"""The map of a very large graph while the graph is still being read: it can be looked at, and a choice waits."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from torchatlas.ui.web import cached, component


@contextmanager
def first_map(page: str) -> Iterator[None]:
    """Show the first map for as long as the context lasts, where the page begins with it and the graph is not read.

    `page`: its path.
    """
    drawn = None if page or st.query_params else cached.kept_map()
    if drawn is None:
        yield
        return
    place = st.empty()
    with place.container():
        st.caption("Reading the rest of the map …")
        component.show_map(drawn, key="first_map")
    try:
        yield
    finally:
        place.empty()
