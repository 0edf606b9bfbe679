"""Changes of the person's profile made on a page: each is saved at once, told, and can be taken back."""

from collections.abc import Callable

import streamlit as st

from torchatlas.graph.errors import AtlasError
from torchatlas.graph.formatting import esc
from torchatlas.profile import ProfileChange
from torchatlas.ui.web import cached

_TROUBLE, _CHANGE = "trouble", "profile_change"


def save(change: Callable[[], object]) -> None:
    """Save a change and offer to take it back. Raises AtlasError."""
    atlas = cached.atlas()
    before = atlas.profile
    change()
    done = ProfileChange(before, atlas.profile)
    if done.told(atlas.graph):
        st.session_state[_CHANGE] = done


def remember(change: Callable[[], object]) -> None:
    """Do the same. For callbacks: a failure is told on the next run instead of raised."""
    try:
        save(change)
    except AtlasError as e:
        tell(str(e))


def tell(trouble: str) -> None:
    """Keep a failure for the next run. For callbacks."""
    st.session_state[_TROUBLE] = trouble


def trouble() -> str | None:
    """Return the failure of a callback, once."""
    wrong: str | None = st.session_state.pop(_TROUBLE, None)
    return wrong


def undo_bar() -> None:
    """Draw what the last change was, at the foot of the window, with the button that takes it back."""
    change: ProfileChange | None = st.session_state.get(_CHANGE)
    if not change:
        return
    said = change.told(cached.atlas().graph)
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar", width="content"):
        st.markdown(esc(said), width="content")
        st.button("Undo", key="undo", type="tertiary", icon=":material/undo:", on_click=_undo, args=(change,))
        st.button("Close", key="undo_close", type="tertiary", on_click=_forget)


def _undo(change: ProfileChange) -> None:
    remember(lambda: cached.atlas().undo(change))
    _forget()


def _forget() -> None:
    st.session_state.pop(_CHANGE, None)
