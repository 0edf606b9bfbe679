"""The memory of the pages: the URL is the one truth, and widgets follow it."""

from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

_LEAVING = "leaving"
SHOW = "podcast"
"""The parameter that goes along from page to page: the show whose episodes are shown."""


def chosen(name: str, allowed: Sequence[str], default: str | None = None) -> str | None:
    """Return the URL's parameter; `default` where it is missing or is not allowed."""
    value = st.query_params.get(name)
    return value if value in allowed else default


def carried() -> dict[str, str]:
    """Return the parameter that goes along to another page, {} where the URL does not have it."""
    return {SHOW: st.query_params[SHOW]} if SHOW in st.query_params else {}


def unknown(name: str, allowed: Collection[str]) -> str | None:
    """Return the first value of the URL's parameter that is not allowed: a page says so instead of showing nothing."""
    return next((value for value in st.query_params.get_all(name) if value not in allowed), None)


def choose(name: str, value: str | None, default: str | None = None) -> None:
    """Write one URL parameter (a new entry in the browser's history), or drop it where it says nothing."""
    if value and value != default:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def tell(query: Mapping[str, Sequence[str]]) -> None:
    """Let the browser show this query in its address, where it does not yet.

    After a click on a link to another state of the same page Streamlit (1.67) runs the page with the link's query, but
    the browser keeps the former address and sends it with the next click, which would bring the former state back.
    """
    st.query_params.from_dict(query)


def follow(name: str, allowed: Sequence[str], default: str | None = None) -> tuple[str, Callable[[], None]]:
    """Return key and `on_change` that make a widget show and write the URL's parameter `name`."""
    key = _showing(f"url_{name}", chosen(name, allowed, default))
    return key, lambda: choose(name, st.session_state[key], default)


def add_one(name: str, value: str) -> None:
    """Add a value to those of the URL's parameter, unless it is there. For callbacks."""
    st.query_params[name] = list(dict.fromkeys([*st.query_params.get_all(name), value]))


def replace_one(name: str, value: str, others: Sequence[str]) -> None:
    """Put other values in the place of one value of the URL's parameter. For callbacks."""
    given = st.query_params.get_all(name)
    st.query_params[name] = list(dict.fromkeys(v for g in given for v in (others if g == value else [g])))


def _showing(key: str, value: object) -> str:
    """Let the widget with this key show a value.

    It is written in every run: what one run said is lost where the connection breaks before the browser has drawn the
    widget, and then the browser would begin with the widget's default and send that with the next click.
    """
    st.session_state[key] = value
    return key


def leave(page: str, name: str, value: str) -> None:
    """Open another page, with one URL parameter, as soon as the script runs again. For callbacks."""
    st.session_state[_LEAVING] = (page, name, value)


def leaving() -> tuple[str, str, str] | None:
    """Return where a callback wants to go, once."""
    to: tuple[str, str, str] | None = st.session_state.pop(_LEAVING, None)
    return to
