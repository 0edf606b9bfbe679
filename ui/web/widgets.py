"""Pieces that several pages are made of."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from torchatlas.graph.answers import Understood
from torchatlas.graph.cards import Lesson, Neighbour
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import clock, esc, listed
from torchatlas.graph.model import Snapshot
from torchatlas.graph.questions import Wanted
from torchatlas.ui.web import cached, url_state

SHOWN = 6
"""How many of a list stand open; the rest waits behind "more"."""

EXPLORE, EPISODE, PATH, CYPHER = (f"screens/{name}.py" for name in ("explore", "episode", "path", "cypher"))
T = TypeVar("T")


def heading(words: str) -> None:
    """Draw a heading inside a page or panel: the second level, so that the outline has no gap."""
    st.header(esc(words), anchor=False)


def go(page: str, label: str, icon: str, **parameters: str | Sequence[str]) -> None:
    """Draw a link to another page, with its URL parameters."""
    st.page_link(page, label=label, icon=icon, query_params={**url_state.carried(), **parameters})


def fold(label: str, key: str, changed: int = 0) -> None:
    """Draw the box that unfolds, on a phone, what follows it in its row; a wider window shows all of it without a box.

    `changed`: how many of the folded controls say something else than usual; the label tells.
    """
    st.checkbox(f"{label} ({changed})" if changed else label, key=f"fold_{key}")


def continue_listening() -> None:
    """Draw the way back to the path that the person hears now, with the next episode and how far they are.

    Nothing where no path is under way.
    """
    now = cached.under_way(cached.atlas().profile)
    if now is None:
        return
    with st.container(border=True, key="continue"):
        label = cached.atlas().graph.label_of(now.next.episode_id)
        start = next((f" at {clock(taught.at)}" for taught in now.next.teaches if taught.at), "")
        go(PATH, f"**Continue: {esc(label + start)}**", ":material/resume:", goal=now.goals)
        st.progress(now.checklist.share, f"{esc(now.checklist.told)} on the way to {esc(listed(now.plan.goals))}")


def say_unknown(name: str, allowed: Collection[str]) -> None:
    """Warn where the page's address names something that this graph does not have."""
    if value := url_state.unknown(name, allowed):
        st.warning(f"There is no “{esc(value)}” in this graph; choose from the list.", icon=":material/link_off:")


def meanings(name: str, names: Collection[str], wanted: Wanted) -> dict[str, Understood]:
    """Return the words in the page's address that are no id, with their meaning; warn of those that have none."""
    found: dict[str, Understood] = {}
    for text in st.query_params.get_all(name):
        if text not in names:
            try:
                found[text] = cached.meaning(text, wanted)
            except UnknownName as e:
                say_nothing_found(text, e.suggestions, partial(_instead, name, text))
    return found


def _instead(name: str, text: str, other: str) -> None:
    url_state.replace_one(name, text, [other])


def say_nothing_found(text: str, suggestions: Sequence[str], take: Callable[[str], None]) -> None:
    """Warn that words mean nothing here, and draw a button for each name that may have been meant."""
    remedy = "Did you mean:" if suggestions else "Choose from the list."
    st.warning(f"There is no “{esc(text)}” in this graph. {remedy}", icon=":material/link_off:")
    if suggestions:
        with st.container(horizontal=True):
            for place, name in enumerate(suggestions):
                st.button(esc(name), key=f"meant:{text}:{place}", on_click=take, args=(name,))


def say_understood(meant: Understood, instead: Callable[[str, Sequence[str]], None]) -> None:
    """Draw how words were understood, and a button for each other reading; `instead` gets the words and the ids."""
    if not meant.sentence:
        return
    st.info(esc(meant.taken), icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if meant.alternatives:
            st.markdown("Other readings:", width="content")
        for place, reading in enumerate(meant.alternatives):
            st.button(
                esc(reading.described), key=f"instead:{meant.text}:{place}", on_click=instead,
                args=(meant.text, reading.ids),
            )  # fmt: skip


def leave_for(graph: Snapshot, id_: str | None) -> None:
    """Open the page of a node that was picked in a picture. For callbacks."""
    if id_ in graph.episode:
        url_state.leave(EPISODE, "episode", id_)
    elif id_ in graph.concept:
        url_state.leave(EXPLORE, "node", id_)


def cards(items: Sequence[T], across: int, draw: Callable[[T], None]) -> None:
    """Draw items as cards, so many beside one another."""
    for start in range(0, len(items), across):
        row = items[start : start + across]
        for column, item in zip(st.columns(across), row, strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                draw(item)


def bullets(title: str, lines: Sequence[str]) -> None:
    """Draw a list of lines that are Markdown already, nothing where there are none."""
    if lines:
        heading(title)
        st.markdown("\n".join(f"- {line}" for line in lines))


def related_episodes(id_: str, pick: Callable[[str], None]) -> None:
    """Draw the list of the episodes nearest to an episode, with the reasons."""
    names = cached.episode_names()
    near = [Neighbour(r.episode_id, names[r.episode_id], why=r.why) for r in cached.related_to(id_)]
    choices("Related episodes", near, pick)


def choices(title: str, items: Sequence[Neighbour | Lesson], pick: Callable[[str], None]) -> None:
    """Draw a list under a heading: a click on a name picks it; below the name stands why. Nothing for no items."""

    def rows(part: Sequence[tuple[int, Neighbour | Lesson]]) -> None:
        with st.container(gap=None, key=f"list_{title}_{part[0][0]}"):
            for number, row in part:
                key = f"{title}:{row.id}:{number}"
                st.button(esc(row.name), key=key, type="tertiary", on_click=pick, args=(row.id,))
                if row.why:
                    st.caption(esc(row.why))

    if items:
        heading(title)
        with_more(list(enumerate(items)), rows, f"{title}:{items[0].id}")


def with_more(items: Sequence[T], draw: Callable[[Sequence[T]], None], key: str) -> None:
    """Draw the first items, and the others behind "more", where they are drawn only once somebody asks for them."""
    draw(items[:SHOWN])
    if rest := items[SHOWN:]:
        more = st.expander(f"{len(rest)} more", key=f"more:{key}", on_change="rerun")
        if more.open:
            with more:
                draw(rest)
