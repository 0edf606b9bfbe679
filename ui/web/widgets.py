"""Pieces that several pages are made of."""

from collections.abc import Callable, Collection, Iterable, Sequence

import streamlit as st

from torchatlas.cards import Lesson, Neighbour
from torchatlas.graph.values.formatting import esc
from torchatlas.graph.values.model import Snapshot
from torchatlas.ui.web import cached, url_state

SHOWN = 6
"""How many of a list stand open; the rest waits behind "more"."""

EPISODE, PATH, EXPLORE = "screens/episode.py", "screens/path.py", "screens/explore.py"


def heading(words: str) -> None:
    """A small heading inside a page or panel."""
    st.markdown(f"##### {esc(words)}", anchors=False)


def go(page: str, label: str, icon: str, **parameters: str | Sequence[str]) -> None:
    """A link to another page, with its URL parameters."""
    st.page_link(page, label=label, icon=icon, query_params=parameters)


def say_unknown(name: str, allowed: Collection[str]) -> None:
    """A line where the page's address names something that this graph does not have."""
    if value := url_state.unknown(name, allowed):
        st.warning(f"There is no {esc(value)} in this graph; choose from the list.", icon=":material/link_off:")


def leave_for(snapshot: Snapshot, id_: str | None) -> None:
    """From a callback: open the page of a node that was picked in a picture."""
    if id_ in snapshot.episode:
        url_state.leave(EPISODE, "episode", id_)
    elif id_ in snapshot.concept:
        url_state.leave(EXPLORE, "node", id_)


def bullets(title: str, lines: Sequence[str]) -> None:
    """A list of lines that are Markdown already. Draws nothing where there is none."""
    if lines:
        heading(title)
        st.markdown("\n".join(f"- {line}" for line in lines))


def heard_button(episode_id: str, heard: bool) -> None:
    """Mark an episode as heard, or take that back."""
    st.button(
        "Heard" if heard else "Mark as heard", key=f"heard:{episode_id}", type="tertiary",
        icon=":material/check_circle:" if heard else ":material/circle:", on_click=url_state.remember,
        args=(lambda: cached.atlas().heard(episode_id, forget=heard),),
    )  # fmt: skip


def choices(title: str, items: Iterable[Neighbour | Lesson], key: str, pick: Callable[[str], None]) -> None:
    """A list under a heading: a click on a name picks it; below it stands why. Draws nothing where there is none."""
    rows = list(items)
    if not rows:
        return
    heading(title)
    _rows(rows[:SHOWN], key, pick, 0)
    if rest := rows[SHOWN:]:
        with st.expander(f"{len(rest)} more"):
            _rows(rest, key, pick, 1)


def _rows(rows: Iterable[Neighbour | Lesson], key: str, pick: Callable[[str], None], place: int) -> None:
    with st.container(gap=None, key=f"list_{key}_{place}"):
        for number, row in enumerate(rows):
            st.button(esc(row.name), key=f"{key}:{row.id}:{number}", type="tertiary", on_click=pick, args=(row.id,))
            if said := row.note if isinstance(row, Lesson) else row.why:
                st.caption(esc(said))
