"""Pieces that several pages are made of."""

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import streamlit as st

from torchatlas.graph.answers.resolution import Wanted
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.formatting import esc
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import hint
from torchatlas.graph.values.readings import Understood
from torchatlas.presentation.cards import Lesson, Neighbour
from torchatlas.ui.web import cached, url_state
from torchatlas.ui.web.draw import PLAY

SHOWN = 6
"""How many of a list stand open; the rest waits behind "more"."""

EPISODE, PATH, EXPLORE = "screens/episode.py", "screens/path.py", "screens/explore.py"
T = TypeVar("T")


def heading(words: str) -> None:
    """Draw a small heading inside a page or panel."""
    st.markdown(f"##### {esc(words)}", anchors=False)


def go(page: str, label: str, icon: str, **parameters: str | Sequence[str]) -> None:
    """Draw a link to another page, with its URL parameters."""
    st.page_link(page, label=label, icon=icon, query_params=parameters)


def names() -> dict[str, str]:
    """Return the names of all concepts and then of all episodes, by id, with a mark before those of episodes."""
    atlas = cached.atlas()
    return atlas.concept_names() | {id_: PLAY + name for id_, name in atlas.episode_names().items()}


def say_unknown(name: str, allowed: Collection[str]) -> None:
    """Warn where the page's address names something that this graph does not have."""
    if value := url_state.unknown(name, allowed):
        st.warning(f"There is no {esc(value)} in this graph; choose from the list.", icon=":material/link_off:")


def meanings(name: str, names: Collection[str], wanted: Wanted) -> dict[str, Understood]:
    """Return the words in the page's address that are no id, with their meaning; warn of those that have none."""
    found: dict[str, Understood] = {}
    for text in st.query_params.get_all(name):
        if text not in names:
            try:
                found[text] = cached.meaning(text, wanted)
            except UnknownName as e:
                remedy = hint(e.suggestions) or "; choose from the list."
                st.warning(esc(f"There is no {text} in this graph{remedy}"), icon=":material/link_off:")
    return found


def say_understood(meant: Understood, instead: Callable[[str, Sequence[str]], None]) -> None:
    """Draw how words were understood, and a button for each other reading; `instead` gets the words and the ids."""
    if not meant.sentence:
        return
    st.info(esc(meant.sentence), icon=":material/info:")
    with st.container(horizontal=True):
        for place, reading in enumerate(meant.alternatives):
            st.button(
                esc(reading.described), key=f"instead:{meant.text}:{place}", type="tertiary", on_click=instead,
                args=(meant.text, reading.ids),
            )  # fmt: skip


def leave_for(graph: Snapshot, id_: str | None) -> None:
    """Open the page of a node that was picked in a picture. For callbacks."""
    if id_ in graph.episode:
        url_state.leave(EPISODE, "episode", id_)
    elif id_ in graph.concept:
        url_state.leave(EXPLORE, "node", id_)


def bullets(title: str, lines: Sequence[str]) -> None:
    """Draw a list of lines that are Markdown already, nothing where there are none."""
    if lines:
        heading(title)
        st.markdown("\n".join(f"- {line}" for line in lines))


def heard_button(episode_id: str, *, heard: bool) -> None:
    """Draw the button that marks an episode as heard, or takes that back."""
    st.button(
        "Heard" if heard else "Mark as heard", key=f"heard:{episode_id}", type="tertiary",
        icon=":material/check_circle:" if heard else ":material/circle:", on_click=url_state.remember,
        args=(lambda: cached.atlas().heard(episode_id, forget=heard),),
    )  # fmt: skip


def related_episodes(id_: str, pick: Callable[[str], None]) -> None:
    """Draw the list of the episodes nearest to an episode, with the reasons."""
    near = [Neighbour(r.episode_id, r.title, why=r.why) for r in cached.related_to(id_)]
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
        with_more(list(enumerate(items)), rows)


def with_more(items: Sequence[T], draw: Callable[[Sequence[T]], None]) -> None:
    """Draw the first items, and the others behind "more"."""
    draw(items[:SHOWN])
    if rest := items[SHOWN:]:
        with st.expander(f"{len(rest)} more"):
            draw(rest)
