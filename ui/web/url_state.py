"""What the pages remember: the URL is the one truth, widgets follow it, and the user's own facts go to the profile."""

from collections.abc import Callable, Collection, Sequence

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.values.errors import AtlasError
from torchatlas.profile import Fact

_TROUBLE, _LEAVING = "trouble", "leaving"


def chosen(name: str, allowed: Sequence[str], default: str | None = None) -> str | None:
    """The URL's parameter; `default` where it is missing or names nothing we know."""
    value = st.query_params.get(name)
    return value if value in allowed else default


def unknown(name: str, allowed: Collection[str]) -> str | None:
    """What the URL's parameter says where it names nothing we know: a page says so instead of showing nothing."""
    return next((value for value in st.query_params.get_all(name) if value not in allowed), None)


def choose(name: str, value: str | None, default: str | None = None) -> None:
    """Write one URL parameter (a new entry in the browser's history), or drop it where it says nothing."""
    if value and value != default:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def follow(name: str, allowed: Sequence[str], default: str | None = None) -> tuple[str, Callable[[], None]]:
    """Key and `on_change` that make a widget show and write the URL's parameter `name`."""
    key, want = f"url_{name}", chosen(name, allowed, default)
    if key not in st.session_state or st.session_state[key] != want:
        st.session_state[key] = want
    return key, lambda: choose(name, st.session_state[key], default)


def follow_many(name: str, allowed: Sequence[str]) -> tuple[str, Callable[[], None]]:
    """The same for a widget that holds several values: `?goal=a&goal=b`."""
    key, known = f"url_{name}", set(allowed)
    want = [value for value in dict.fromkeys(st.query_params.get_all(name)) if value in known]
    if key not in st.session_state or st.session_state[key] != want:
        st.session_state[key] = want

    def write() -> None:
        st.query_params[name] = st.session_state[key]

    return key, write


def follow_profile(fact: Fact, atlas: Atlas, allowed: Sequence[str]) -> tuple[str, Callable[[], None]]:
    """Return key and `on_change` of a widget that shows and saves one list of the profile."""
    key, known = f"profile_{fact}", set(allowed)
    want = [value for value in getattr(atlas.profile, fact) if value in known]
    if key not in st.session_state or st.session_state[key] != want:
        st.session_state[key] = want
    return key, lambda: remember(lambda: atlas.set_profile(fact, st.session_state[key]))


def leave(page: str, name: str, value: str) -> None:
    """From a callback: open another page, with one URL parameter, as soon as the script runs again."""
    st.session_state[_LEAVING] = (page, name, value)


def leaving() -> tuple[str, str, str] | None:
    """Where a callback wants to go, once."""
    to: tuple[str, str, str] | None = st.session_state.pop(_LEAVING, None)
    return to


def remember(change: Callable[[], object]) -> None:
    """Save a change; for callbacks, so a failure is told on the next run instead of raised."""
    try:
        change()
    except AtlasError as e:
        st.session_state[_TROUBLE] = str(e)


def trouble() -> str | None:
    """What went wrong in a callback, once."""
    wrong: str | None = st.session_state.pop(_TROUBLE, None)
    return wrong
