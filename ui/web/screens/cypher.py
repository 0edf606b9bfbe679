"""Questions in Cypher: saved ones as forms, a text of one's own, and the rows. They only read."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from torchatlas.graph.cypher.questions import Parameter, Question
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.cells import cell
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.formatting import counted, esc
from torchatlas.queries.values import values_for
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.draw import payload
from torchatlas.ui.web.view import map_picture

ASKED = "asked"
EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""


def form(question: Question | None) -> None:
    """Draw the text and the values that it names; Run keeps them, so that the answer stays while one looks at it."""
    name = question.name if question else ""
    with st.form(f"ask:{name}", border=False):
        text = st.text_area(
            "Cypher", question.cypher if question else st.query_params.get("text", EXAMPLE), height=190,
            key=f"text:{name}", help="Reading clauses only; writing, files and settings are refused.",
        )  # fmt: skip
        values: dict[str, str] = {}
        if question and question.parameters:
            for column, parameter in zip(st.columns(len(question.parameters)), question.parameters, strict=True):
                with column:
                    values[parameter.name] = asked_for(parameter, f"value:{name}:{parameter.name}")
        pressed = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
    if pressed:
        st.session_state[ASKED] = name, text, values
        url_state.choose("text", None if question and text == question.cypher else text, EXAMPLE)


def asked_for(parameter: Parameter, key: str) -> str:
    """Draw the field of one value: chosen by name where it is a concept, an episode or an area, typed otherwise."""
    label, names = esc(parameter.description), cached.atlas().choices(parameter)
    if not names:
        return st.text_input(label, parameter.example, key=key)
    return st.selectbox(label, list(names), key=key, format_func=lambda i: names[i])


def own_values(names: Sequence[str]) -> dict[str, str]:
    """Draw fields for the values that only a text of one's own names; return what is typed there."""
    if not names:
        return {}
    with st.form("values", border=False):
        typed = {name: st.text_input(f"${esc(name)}", key=f"own:{name}") for name in names}
        st.form_submit_button("Run with these", icon=":material/play_arrow:")
    return typed


def answer(table: Table) -> None:
    """Draw the rows, or that there are none; where they hold nodes, also their picture and a way to a plan."""
    if not table.rows:
        where = "Names are in the property name, ids in the property id; see the schema below."
        st.info(f"No rows. {where}", icon=":material/info:")
        return
    if table.truncated:
        st.warning(
            f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH.", icon=":material/cut:"
        )
    names = [f"{name} ({n})" if name in table.columns[:n] else name for n, name in enumerate(table.columns)]
    columns = {name: [_cell(row[n]) for row in table.rows] for n, name in enumerate(names)}
    count, graph = counted(len(table.rows), "row"), cached.atlas().graph
    st.dataframe(columns, hide_index=True, alt=f"Answer: {count}")
    st.caption(count)
    if ids := cached.atlas().nodes_in(table):
        with st.container(horizontal=True, vertical_alignment="center"):
            drawn = st.toggle(f"Draw these {len(ids)}" if len(ids) > 1 else "Draw it", key="drawn")
            widgets.go(widgets.PATH, "Plan a path to them", ":material/route:", goal=ids)
        if drawn:
            component.show_map(
                payload(map_picture(graph, only=ids)), key="rows", on_pick=partial(widgets.leave_for, graph)
            )


def _cell(value: object) -> object:
    plain = value is None or isinstance(value, str | int | float | bool)
    return value if plain else cell(value)


st.title("Ask in Cypher", anchor=False)
questions = {question.name: question for question in cached.atlas().questions()}
key, write = url_state.follow("question", list(questions))
chosen = st.selectbox(
    "Saved questions", list(questions), index=None, key=key, on_change=write,
    format_func=lambda name: questions[name].title, placeholder="Choose one, or write your own below",
)  # fmt: skip
question = questions[chosen] if chosen else None
if question:
    st.caption(esc(question.description))
try:
    form(question)
    of, text, given = st.session_state.get(ASKED, ("", "", {}))
    if text and of == (chosen or ""):
        _, wanted = values_for(text, given, question)
        values, missing = values_for(text, given | own_values(wanted), question)
        if not missing:
            answer(cached.rows(text, values))
except QueryError as e:
    st.error(esc(str(e)), icon=":material/block:")
with st.expander("What there is to ask"):
    schema = cached.schema()
    st.dataframe(
        [
            {"pattern": k.pattern, "count": k.count, "properties": ", ".join(p.name for p in k.properties)}
            for k in (*schema.nodes, *schema.relationships)
        ],
        hide_index=True, alt="The schema",
    )  # fmt: skip
