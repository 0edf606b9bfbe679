"""The memory of the pages: the URL is the one truth, and widgets follow it."""

from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from torchatlas.graph.model import Snapshot

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


Query = Mapping[str, Sequence[str]]


def page_title(
    page: str,
    query: Query,
    graph: Snapshot,
    questions: Mapping[str, str] | None = None,
    *,
    subject: str = "",
    own: str = "",
) -> str:
    """Return the title of a page whose address has these parameters. `questions`: name -> title of the saved ones.

    `subject`: what the map is of; `own`: the title that a person gave the map, which stands for the program's name.

    >>> page_title("path", {"goal": ["how does backward work"]}, Snapshot())
    'Path to how does backward work · torchatlas'
    >>> page_title("", {"path": ["autograd"], "find": ["backward"]}, Snapshot())
    'Route to autograd · torchatlas'
    >>> page_title("", {}, Snapshot(), subject="Baking bread"), page_title("path", {}, Snapshot(), own="Baking bread")
    ('Map of Baking bread · torchatlas', 'Path · Baking bread')
    """
    known = {**{c.id: c.name for c in graph.concepts}, **{e.id: e.title for e in graph.episodes}}
    first = {name: values[0] for name, values in query.items() if values}
    if page == "path":
        goals = [known.get(goal, goal) for goal in query.get("goal", ())]
        state = f"Path to {', '.join(goals)}" if goals else "Path"
    elif page == "episode":
        state = known.get(first.get("episode", ""), first.get("episode", "Episodes"))
    elif page == "cypher":
        state = (questions or {}).get(first.get("question", ""), "Cypher")
    elif "path" in first and "node" not in first:
        state = f"Route to {', '.join(known.get(goal, goal) for goal in query['path'])}"
    elif "find" in first and "node" not in first:
        state = f"Search: {first['find']}"
    else:
        state = known.get(first.get("node", ""), first.get("area", f"Map of {subject}" if subject else "Map"))
    return f"{state[:120]} · {own or 'torchatlas'}"
