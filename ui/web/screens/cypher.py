"""Questions in Cypher: saved ones by job, a text of one's own, and the answer. They only read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from torchatlas.graph.cypher import Parameter, Question, parameter_names
from torchatlas.graph.errors import QueryError
from torchatlas.graph.formatting import counted, esc, is_web
from torchatlas.graph.markdown import Table, cell
from torchatlas.queries import values_for
from torchatlas.shipped import by_job
from torchatlas.ui.matched import Matched, matched
from torchatlas.ui.pictures import MapState, answer_payload, relations_told
from torchatlas.ui.web import cache, parts, state

VALUE = "v."
"""What the name of a value begins with in the address: `?question=before&v.concept=vmap`."""


def given_values() -> dict[str, str]:
    """Return the values in the address."""
    return {name.removeprefix(VALUE): st.query_params[name] for name in st.query_params if name.startswith(VALUE)}


def give(name: str, value: str) -> None:
    """Write a value. For callbacks."""
    state.choose(VALUE + name, value)


def ask_text(text: str, question: Question | None, given: Mapping[str, str]) -> None:
    """Ask a text; a saved question that was changed by hand is a text of one's own from now on. For callbacks."""
    if question and text.strip() == question.cypher:
        return
    for name, value in given.items():
        give(name, value)
    state.choose("question", None)
    state.choose("text", text)


DRAFT, _BASE = "draft", "draft_of"
OFFERED = 8
"""How many ways to go on are offered."""


def box(base: str) -> None:
    """Draw the text, which begins as `base`."""
    if DRAFT not in st.session_state or st.session_state.get(_BASE) != base:
        st.session_state[DRAFT] = st.session_state[_BASE] = base
    lines = min(14, max(5, sum(1 + len(line) // 100 for line in base.splitlines()) + 1))
    st.text_area(
        "Cypher", key=DRAFT, height=lines * 24,
        help="Only clauses that read; writing, files and settings are refused.",
    )  # fmt: skip


def run_row(run: Callable[[str], None]) -> None:
    """Draw the button that runs the text, and what may come next in it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="go_on"):
        st.button(
            "Run", type="primary", icon=":material/play_arrow:", shortcut="Ctrl+Enter", key="run",
            on_click=lambda: run(st.session_state[DRAFT]),
        )  # fmt: skip
        draft = st.session_state[DRAFT]
        for found in cache.atlas().complete(draft)[:OFFERED]:
            words = f"{found.text} ({found.about})" if found.about and found.about != found.text else found.text
            whole = draft[: len(draft) - found.replaces] + found.text
            st.button(esc(words), key=f"go_on:{found.text}", type="tertiary", on_click=_write, args=(whole,))


def schema() -> None:
    """Draw, folded, what there is to ask: a click on a pattern inserts it."""
    found = cache.schema()
    kinds = f"{len(found.nodes)} kinds of nodes and {len(found.relationships)} of relationships"
    with (
        st.expander(f"Schema: {kinds}"),
        st.container(gap=None, key="list_schema"),
    ):
        for kind in (*found.nodes, *found.relationships):
            st.button(
                esc(f"{kind.pattern} {kind.count:,}"), key=f"insert:{kind.name}", type="tertiary", on_click=_insert,
                args=(kind.clause,), help=esc(f"Insert. Properties: {', '.join(p.name for p in kind.properties)}"),
            )  # fmt: skip


def _write(text: str) -> None:
    st.session_state[DRAFT] = text


def _insert(clause: str) -> None:
    """Put a pattern below what is written; a box that holds the untouched beginning is emptied first."""
    draft = st.session_state[DRAFT].rstrip()
    untouched = st.session_state[DRAFT] == st.session_state[_BASE]
    _write(f"{clause}\nRETURN a LIMIT 20" if untouched or not draft else f"{draft}\n{clause}")


PICTURES = {"relations": "Relations", "map": "On the map", "none": "None"}
_OPENED = 4


class Answer(NamedTuple):
    """The nodes that the rows of an answer name, those of the chosen rows, the one asked about, and what matched."""

    ids: tuple[str, ...]
    chosen: tuple[str, ...]
    asked: str | None
    found: Matched


def show_answer(text: str, values: Mapping[str, object]) -> Answer | None:
    """Draw the rows and what to do with those that are chosen; return what there is to draw. Raises QueryError."""
    table = cache.rows(text, values)
    if not table.rows:
        where = "Names are in the property name, ids in the property id; the schema lists the properties."
        st.info(f"No rows. {where}", icon=":material/info:")
        return None
    parts.heading(counted(len(table.rows), "row"))
    if table.truncated:
        st.warning(
            f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH.", icon=":material/cut:"
        )
    by_row = cache.atlas().nodes_by_row(table)
    ids = tuple(dict.fromkeys(id_ for row in by_row for id_ in row))
    chosen = tuple(dict.fromkeys(id_ for place in _rows(table) for id_ in by_row[place]))
    if not ids:
        return None
    _ways_on(ids, chosen)
    found = matched(text, values, table, cache.atlas().graph)
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
    graph = cache.atlas().graph
    with st.container(horizontal=True, vertical_alignment="center", key="ways_on"):
        if not chosen:
            st.caption("Choose rows to open, to show on the map or to plan for.", width="content")
        for id_ in chosen[:_OPENED]:
            page, name = (parts.EPISODE, "episode") if id_ in graph.episode else (parts.EXPLORE, "node")
            parts.go(page, f"Open {esc(graph.label_of(id_))}", ":material/open_in_full:", **{name: id_})
        many = chosen or ids
        label = f"Plan a path to {'these' if chosen else 'all'} {len(many)}" if len(many) > 1 else "Plan a path to it"
        parts.go(parts.PATH, label, ":material/route:", goal=many)


def picture(answer: Answer) -> None:
    """Draw what matched: the relations in layers, or the nodes at their places on the map, the chosen ones lit."""
    graph, (ids, chosen, asked, found) = cache.atlas().graph, answer
    usual = "relations" if found.edges else "none"
    key, write = state.follow("picture", list(PICTURES), usual)
    which = st.segmented_control(
        "Picture", list(PICTURES), key=key, on_change=write, format_func=lambda name: PICTURES[name], required=True
    )
    leave = partial(parts.leave_for, graph)
    if which == "relations":
        left_out = f"{len(found.nodes)} nodes are drawn, those with relations first; {found.hidden} are left out. "
        st.caption(esc((left_out if found.hidden else "") + (relations_told(found) if found.edges else "")))
        parts.show_map(answer_payload(found, graph), MapState(selected=asked, lit=chosen), key="matched", on_pick=leave)
    elif which == "map":
        parts.show_map(cache.map_payload(None, "all"), MapState(lit=chosen or ids), key="rows_on_map", on_pick=leave)


def _cell(value: object) -> object:
    plain = value is None or isinstance(value, str | int | float | bool)
    return value if plain else cell(value)


EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""


def fields(question: Question | None, text: str) -> dict[str, str]:
    """Draw a field for each value that the statement names; the address keeps them. Return what they say."""
    asked = question.parameters if question else tuple(
        Parameter(name, "string", example="", description=f"${name}") for name in sorted(parameter_names(text))
    )  # fmt: skip
    given = given_values()
    if not asked:
        return {}
    said: dict[str, str] = {}
    for parameter, column in zip(asked, st.columns(max(2, len(asked))), strict=False):
        with column:
            said[parameter.name] = field(parameter, given.get(parameter.name), question.name if question else "")
    return said


def field(parameter: Parameter, given: str | None, of: str) -> str:
    """Draw the field of one value: chosen by name where it is a concept, an episode or an area, typed otherwise."""
    key, names = f"value:{of}:{parameter.name}", cache.atlas().choices(parameter)
    usual = next(iter(names), parameter.example)
    value = given if given is not None and (not names or given in names) else usual
    if st.session_state.get(key) != value:
        st.session_state[key] = value

    def write() -> None:
        give(parameter.name, st.session_state[key])

    label = esc(parameter.description[:1].upper() + parameter.description[1:])
    if not names:
        return st.text_input(label, key=key, on_change=write)
    return st.selectbox(label, list(names), key=key, on_change=write, format_func=lambda i: names[i])


def cards() -> None:
    """Draw the saved questions as cards, by job."""
    for job, questions in by_job().items():
        parts.heading(job)
        parts.cards(questions, 3, card)


def card(question: Question) -> None:
    """Draw one saved question: a click asks it with its example."""
    parts.go(parts.CYPHER, f"**{esc(question.title)}**", ":material/help:", question=question.name)
    st.caption(esc(question.description))


def ask(text: str, question: Question | None) -> Answer | None:
    """Draw the box, the fields of its values and below them the answer; return what there is to draw."""
    box(text or EXAMPLE)
    above = st.container()
    run_row(lambda typed: ask_text(typed, question, given_values()))
    schema()
    try:
        with above:
            said = fields(question, text)
        values, missing = values_for(text, said, question)
        if missing:
            st.info(f"Give a value for {esc(', '.join(missing))}.", icon=":material/edit:")
        elif text:
            return show_answer(text, values)
    except QueryError as e:
        st.error(esc(str(e)), icon=":material/block:")
    return None


questions = {question.name: question for question in cache.atlas().questions()}
parts.say_unknown("question", questions)
question = questions.get(st.query_params.get("question", ""))
text = question.cypher if question else st.query_params.get("text", "")
if question or text:
    parts.go(parts.CYPHER, "All questions", ":material/arrow_back:")
st.title(esc(question.title) if question else "Ask in Cypher", anchor=False)
if question:
    st.caption(esc(question.description))
found = ask(text, question)
if found:
    picture(found)
elif not text:
    cards()
