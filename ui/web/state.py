"""The state of the pages: the URL is the one truth, and widgets follow it."""

from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from torchatlas.graph.model import Snapshot

SHOW = "podcast"
"""The parameter that goes along from page to page: the show whose episodes are shown."""


def chosen(name: str, allowed: Collection[str], default: str | None = None) -> str | None:
    """Return the URL's parameter; `default` where it is missing or is not allowed."""
    value = st.query_params.get(name)
    return value if value in allowed else default


def choose(name: str, value: str | None, default: str | None = None) -> None:
    """Write one URL parameter (a new entry in the browser's history), or drop it where it says nothing."""
    if value and value != default:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def replace_one(name: str, value: str, *others: str) -> None:
    """Put other values in the place of one value of the URL's parameter. For callbacks."""
    given = st.query_params.get_all(name)
    st.query_params[name] = list(dict.fromkeys(v for g in given for v in (others if g == value else [g])))


def carried() -> dict[str, str]:
    """Return the parameter that goes along to another page, {} where the URL does not have it."""
    return {SHOW: st.query_params[SHOW]} if SHOW in st.query_params else {}


def follow(name: str, allowed: Collection[str], default: str | None = None) -> tuple[str, Callable[[], None]]:
    """Return key and `on_change` that make a widget show and write the URL's parameter `name`.

    The widget's value is written in every run: what one run said is lost where the connection breaks before the browser
    has drawn the widget, and then the browser would begin with the widget's default and send that with the next click.
    """
    key = f"url_{name}"
    st.session_state[key] = chosen(name, allowed, default)
    return key, lambda: choose(name, st.session_state[key], default)


def leave(page: str, name: str, value: str) -> None:
    """Open another page, with one URL parameter, as soon as the script runs again. For callbacks."""
    st.session_state["leaving"] = (page, name, value)


def last_queries() -> dict[str, Mapping[str, Sequence[str]]]:
    """Return the path of each page -> the parameters with which it was seen last."""
    last: dict[str, Mapping[str, Sequence[str]]] = st.session_state.setdefault("last_queries", {})
    return last


def page_title(
    page: str, query: Mapping[str, Sequence[str]], graph: Snapshot, questions: Mapping[str, str], subject: str = ""
) -> str:
    """Return what a page shows whose address has these parameters. `questions`: name -> title; `subject`: of the map.

    >>> page_title("path", {"goal": ["how does backward work"]}, Snapshot(), {})
    'Path to how does backward work'
    >>> page_title("", {"path": ["autograd"], "find": ["backward"]}, Snapshot(), {}), page_title("", {}, Snapshot(), {})
    ('Route to autograd', 'Map')
    """
    first = {name: values[0] for name, values in query.items() if values}
    known = {c.id: c.name for c in graph.concepts} | {e.id: e.title for e in graph.episodes}

    def named(parameter: str) -> str:
        return ", ".join(known.get(value, value) for value in query[parameter])

    if page == "path":
        return f"Path to {named('goal')}" if "goal" in first else "Path"
    if page == "episode":
        return named("episode") if "episode" in first else "Episodes"
    if page == "cypher":
        return questions.get(first.get("question", ""), "Cypher")
    if "node" not in first and "path" in first:
        return f"Route to {named('path')}"
    if "node" not in first and "find" in first:
        return f"Search: {first['find']}"
    return named("node") if first.get("node") in known else first.get("area", f"Map of {subject}" if subject else "Map")
