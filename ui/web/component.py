"""The picture on the page: a Streamlit component around the vis-network that pyvis ships."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from torchatlas.ui.web.draw import Payload

HTML = """
<div class="atlas-frame">
  <div class="atlas-canvas" tabindex="0" role="application"></div>
  <div class="atlas-tools">
    <button type="button" data-do="in" aria-label="Zoom in" title="Zoom in">+</button>
    <button type="button" data-do="out" aria-label="Zoom out" title="Zoom out">−</button>
    <button type="button" data-do="fit" aria-label="Show everything" title="Show everything">⤢</button>
  </div>
  <p class="atlas-status" aria-live="polite"></p>
</div>
"""


@cache
def _renderer() -> Callable[..., Any]:
    """Return the mount command. vis-network is read out of pyvis: nothing is copied into here, nothing is fetched."""
    vis = files("pyvis").joinpath("lib/vis-9.1.2/vis-network.min.js").read_text("utf-8")
    own = files("torchatlas.ui.web")
    labels, script, style = (own.joinpath(n).read_text("utf-8") for n in ("labels.js", "component.js", "component.css"))
    return st.components.v2.component("torchatlas_picture", html=HTML, css=style, js="\n".join((vis, labels, script)))


def show(
    payload: Payload, *, key: str, selected: str | None = None, lit: Sequence[str] = (),
    on_pick: Callable[[str | None], None],
) -> None:  # fmt: skip
    """Draw it. `lit` ids stand out, the others fade; `on_pick` gets the id clicked on, None for the empty ground."""
    _renderer()(
        data={**payload, "selected": selected, "lit": list(lit)},
        key=key,
        on_picked_change=lambda: on_pick(st.session_state[key].picked or None),
    )
