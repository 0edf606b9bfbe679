"""The state of the pages: the URL is the one truth, and widgets follow it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from torchatlas.graph.model import Snapshot

SHOW = "podcast"
"""The show whose episodes are shown."""
CARRIED = (SHOW, "play", "at")
"""What goes along from page to page: that, the episode that plays, and from when."""
_TITLES = {"goal": "Path to {}", "episode": "{}", "question": "{}", "node": "{}", "path": "Route to {}"}
_TITLES |= {"find": "Search: {}", "area": "{}"}  # the first of them that the address has


def chosen(name: str, allowed: Collection[str], default: str | None = None) -> str | None:
    """Return the URL's parameter; `default` where it is missing or is not allowed."""
    value = st.query_params.get(name)
    return value if value in allowed else default


def choose(name: str, value: str | int | None, default: str | None = None) -> None:
    """Write one URL parameter, or drop it where it says nothing."""
    if value and value != default:
        st.query_params[name] = str(value)
    else:
        st.query_params.pop(name, None)


def replace_one(name: str, value: str, *others: str) -> None:
    """Replace one value of a URL's parameter with others, or add them for ""."""
    given = [*st.query_params.get_all(name), ""]
    st.query_params[name] = list(dict.fromkeys(v for g in given for v in (others if g == value else [g]) if v))


def carried() -> dict[str, str]:
    """Return the parameters that go along to other pages, {} without any."""
    return {name: st.query_params[name] for name in CARRIED if name in st.query_params}


def follow(name: str, value: object, default: str | None = None, *, key: str = "") -> dict[str, Any]:
    """Return the options that tie a widget to a value and a URL parameter.

    Each run says the value, else a missed one would become the default.
    """
    key = key or f"url_{name}"
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: choose(name, st.session_state[key], default)}


def leave(name: str, value: str) -> None:
    """Open the page of a URL parameter in the next run. For callbacks."""
    st.session_state["leaving"] = {name: value}


def page_title(
    page: str, query: Mapping[str, Sequence[str]], graph: Snapshot, questions: Mapping[str, str], subject: str = ""
) -> str:
    """Return a page's title. `questions`: name -> title; `subject`: of the map.

    >>> page_title("path", {"goal": ["how does backward work"]}, Snapshot(), {})
    'Path to how does backward work'
    >>> [page_title("", q, Snapshot(), {}) for q in ({"path": ["vmap"]}, {})]
    ['Route to vmap', 'Map']
    """
    known = {**{c.id: c.name for c in graph.concepts}, **{e.id: e.title for e in graph.episode.values()}, **questions}
    for name, title in _TITLES.items():
        values = query.get(name, ())
        if values and not (page and name == "area") and (name not in ("node", "question") or values[0] in known):
            return title.format(", ".join(known.get(value, value) for value in values))
    whole = {"path": "Plan", "episode": "Episodes", "cypher": "Query", "sources": "Your sources"}
    return whole.get(page, f"Map of {subject}" if subject else "Map")
