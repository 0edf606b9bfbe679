"""Ask the graph in Cypher: saved questions as forms, one's own text, and the rows. It only reads."""

from functools import partial

import streamlit as st

from torchatlas.cards import called
from torchatlas.graph.cypher.guard import parameters as named_in
from torchatlas.graph.cypher.questions import Parameter, Question
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.formatting import esc
from torchatlas.graph.values.model import Snapshot
from torchatlas.nodes_in_rows import nodes_in
from torchatlas.row_text import cell
from torchatlas.saved_questions import load_questions
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.draw import payload
from torchatlas.ui.web.view import map_picture

ROWS = 500
GOALS = 12  # a path to more of them is most of the show
ASKED = "asked"
EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""


def form(question: Question | None, snapshot: Snapshot) -> None:
    """The text and the values that it names; Run keeps them, so that the answer stays while one looks at it."""
    name = question.name if question else ""
    with st.form(f"ask:{name}", border=False):
        text = st.text_area(
            "Cypher", question.cypher if question else st.query_params.get("text", EXAMPLE), height=190,
            key=f"text:{name}", help="Reading clauses only; writing, files and settings are refused.",
        )  # fmt: skip
        values: dict[str, object] = {}
        if question and question.parameters:
            for column, parameter in zip(st.columns(len(question.parameters)), question.parameters, strict=True):
                with column:
                    values[parameter.name] = asked_for(parameter, snapshot, f"value:{name}:{parameter.name}")
        pressed = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
    if pressed:
        used = named_in(text)  # the text may have been changed
        bound = question.bind(values) if question and used else {}
        st.session_state[ASKED] = name, text, {name: value for name, value in bound.items() if name in used}
        url_state.choose("text", None if question and text == question.cypher else text, EXAMPLE)


def missing(text: str, given: dict[str, object]) -> dict[str, object] | None:
    """The values of the parameters that a person's own text names, asked for one by one; None until all are there."""
    wanted = sorted(named_in(text) - given.keys())
    if not wanted:
        return given
    with st.form("values", border=False):
        typed = {name: st.text_input(f"${esc(name)}", key=f"own:{name}") for name in wanted}
        st.form_submit_button("Run with these", icon=":material/play_arrow:")
    return given | {n: _number(v) for n, v in typed.items()} if all(typed.values()) else None


def _number(text: str) -> object:
    return int(text) if text.strip().removeprefix("-").isdecimal() else text


def asked_for(parameter: Parameter, snapshot: Snapshot, key: str) -> str:
    """One value: chosen by name where it is a concept or an area, typed otherwise."""
    label, of = esc(parameter.description), _choices(parameter, snapshot)
    if not of:
        return st.text_input(label, parameter.example, key=key)
    ids = list(of)
    example = next((e.id for e in snapshot.episodes if str(e.number) == parameter.example), parameter.example)
    first = ids.index(example) if example in of else 0
    return st.selectbox(label, ids, index=first, key=key, format_func=lambda i: of[i])


def _choices(parameter: Parameter, snapshot: Snapshot) -> dict[str, str]:
    """Value -> what people call it, in the order of a list to choose from; {} for what is typed."""
    if parameter.type == "concept":
        return {c.id: c.name for c in sorted(snapshot.concepts, key=lambda c: c.name.casefold())}
    if parameter.type == "episode":
        title = called(snapshot)
        return {e.id: title[e.id] for e in sorted(snapshot.episodes, key=lambda e: (e.number or 0, e.title))}
    areas = sorted({c.area for c in snapshot.concepts}) if parameter.type == "area" else ()
    return dict(zip(areas, areas, strict=True))


def answer(table: Table, snapshot: Snapshot) -> None:
    """The rows, what was cut, or that there are none; and, where they hold nodes, their picture and a way to a plan."""
    if not table.rows:
        st.info("No rows. Names are in the property name, slugs in id; see the schema below.", icon=":material/info:")
        return
    if table.truncated:
        st.warning(
            f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH.", icon=":material/cut:"
        )
    names = [f"{name} ({n})" if name in table.columns[:n] else name for n, name in enumerate(table.columns)]
    columns = {name: [_cell(row[n]) for row in table.rows] for n, name in enumerate(names)}
    count = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
    st.dataframe(columns, hide_index=True, alt=f"Answer: {count}")
    st.caption(count)
    if ids := nodes_in(table, snapshot):
        with st.container(horizontal=True, vertical_alignment="center"):
            drawn = st.toggle(f"Draw these {len(ids)}" if len(ids) > 1 else "Draw it", key="drawn")
            widgets.go(widgets.PATH, "Plan a path to them", ":material/route:", goal=ids[:GOALS])
        if drawn:
            component.show(
                payload(map_picture(snapshot, only=ids)), key="rows", on_pick=partial(widgets.leave_for, snapshot)
            )


def _cell(value: object) -> object:
    plain = value is None or isinstance(value, str | int | float | bool)
    return value if plain else cell(value)


snapshot = cached.snapshot()
st.title("Ask in Cypher", anchor=False)
questions = {question.name: question for question in load_questions()}
key, write = url_state.follow("question", list(questions))
chosen = st.selectbox(
    "Saved questions", list(questions), index=None, key=key, on_change=write,
    format_func=lambda name: questions[name].title, placeholder="Choose one, or write your own below",
)  # fmt: skip
question = questions[chosen] if chosen else None
if question:
    st.caption(esc(question.description))
try:
    form(question, snapshot)
    of, text, given = st.session_state.get(ASKED, ("", "", {}))
    if text and of == (chosen or "") and (values := missing(text, given)) is not None:
        answer(cached.rows(text, values, ROWS), snapshot)
except QueryError as e:
    st.error(esc(str(e)), icon=":material/block:")
with st.expander("What there is to ask"):
    counted = cached.counted()
    st.dataframe(
        [
            {"pattern": k.pattern, "count": k.count, "properties": ", ".join(p.name for p in k.properties)}
            for k in (*counted.nodes, *counted.relationships)
        ],
        hide_index=True, alt="The schema",
    )  # fmt: skip
