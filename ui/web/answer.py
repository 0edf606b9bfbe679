"""The answer of a Cypher statement: rows to open, to light and to plan from, and the picture of what matched."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from torchatlas.graph.formatting import counted, esc, is_web
from torchatlas.graph.markdown import Table, cell
from torchatlas.ui.pictures.answer_picture import answer_payload, relations_told
from torchatlas.ui.pictures.matched import Matched, matched
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.map_state import MapState

PICTURES = {"relations": "Relations", "map": "On the map", "none": "None"}
_OPENED = 4


class Answer(NamedTuple):
    """The nodes that the rows of an answer name, those of the chosen rows, the one asked about, and what matched."""

    ids: tuple[str, ...]
    chosen: tuple[str, ...]
    asked: str | None
    found: Matched


def show(text: str, values: Mapping[str, object]) -> Answer | None:
    """Draw the rows and what to do with those that are chosen; return what there is to draw. Raises QueryError."""
    table = cached.rows(text, values)
    if not table.rows:
        where = "Names are in the property name, ids in the property id; the schema lists the properties."
        st.info(f"No rows. {where}", icon=":material/info:")
        return None
    widgets.heading(counted(len(table.rows), "row"))
    if table.truncated:
        st.warning(
            f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH.", icon=":material/cut:"
        )
    by_row = cached.atlas().nodes_by_row(table)
    ids = tuple(dict.fromkeys(id_ for row in by_row for id_ in row))
    chosen = tuple(dict.fromkeys(id_ for place in _rows(table) for id_ in by_row[place]))
    if not ids:
        return None
    _ways_on(ids, chosen)
    found = matched(text, values, table, cached.atlas().graph)
    return Answer(ids, chosen, next((str(value) for value in values.values() if value in found.nodes), None), found)


def _rows(table: Table) -> Sequence[int]:
    """Draw the rows; return the places of those that are chosen."""
    names = [f"{name} ({n})" if name in table.columns[:n] else name for n, name in enumerate(table.columns)]
    columns = {name: [_cell(row[n]) for row in table.rows] for n, name in enumerate(names)}
    links = {
        name: st.column_config.LinkColumn() for name, column in columns.items()
        if column and all(isinstance(value, str) and is_web(value) for value in column)
    }  # fmt: skip
    event = st.dataframe(
        columns, hide_index=True, alt=f"Answer: {counted(len(table.rows), 'row')}", on_select="rerun",
        selection_mode="multi-row", key="rows", column_config=links,
    )  # fmt: skip
    return [place for place in event.selection.rows if place < len(table.rows)]


def _ways_on(ids: tuple[str, ...], chosen: tuple[str, ...]) -> None:
    """Draw where the chosen rows lead, or all of them where none is chosen."""
    graph = cached.atlas().graph
    with st.container(horizontal=True, vertical_alignment="center", key="ways_on"):
        if not chosen:
            st.caption("Choose rows to open, to show on the map or to plan for.", width="content")
        for id_ in chosen[:_OPENED]:
            page, name = (widgets.EPISODE, "episode") if id_ in graph.episode else (widgets.EXPLORE, "node")
            widgets.go(page, f"Open {esc(graph.label_of(id_))}", ":material/open_in_full:", **{name: id_})
        many = chosen or ids
        label = f"Plan a path to {'these' if chosen else 'all'} {len(many)}" if len(many) > 1 else "Plan a path to it"
        widgets.go(widgets.PATH, label, ":material/route:", goal=many)


def picture(answer: Answer) -> None:
    """Draw what matched: the relations in layers, or the nodes at their places on the map, the chosen ones lit."""
    graph, (ids, chosen, asked, found) = cached.atlas().graph, answer
    usual = "relations" if found.edges else "none"
    key, write = url_state.follow("picture", list(PICTURES), usual)
    which = st.segmented_control(
        "Picture", list(PICTURES), key=key, on_change=write, format_func=lambda name: PICTURES[name], required=True
    )
    leave = partial(widgets.leave_for, graph)
    if which == "relations":
        left_out = f"{len(found.nodes)} nodes are drawn, those with relations first; {found.hidden} are left out. "
        st.caption(esc((left_out if found.hidden else "") + (relations_told(found) if found.edges else "")))
        component.show_map(
            answer_payload(found, graph), MapState(selected=asked, lit=chosen), key="matched", on_pick=leave
        )
    elif which == "map":
        component.show_map(
            cached.map_payload(None, "all"), MapState(lit=chosen or ids), key="rows_on_map", on_pick=leave
        )


def _cell(value: object) -> object:
    plain = value is None or isinstance(value, str | int | float | bool)
    return value if plain else cell(value)
