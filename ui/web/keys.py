"""The key / puts the cursor into the search, wherever one is on the page, and selects what stands in it."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


@cache
def _listener() -> Callable[..., Any]:
    script = files("torchatlas.ui.web").joinpath("keys.js").read_text("utf-8")
    return st.components.v2.component("torchatlas_keys", html="<span hidden></span>", js=script)


def mount() -> None:
    """Listen for as long as the page is there."""
    with st.container(key="keys", height=1, border=False):
        _listener()(key="keys_listener", height=1)
