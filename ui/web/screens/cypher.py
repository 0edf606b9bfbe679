"""Questions in Cypher, which only read: saved ones by job, or own text."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Table
from torchatlas.graph.cypher import Parameter, written_parameters
from torchatlas.graph.errors import QueryError
from torchatlas.graph.formatting import counted, esc, is_web, listed
from torchatlas.graph.names import fold
from torchatlas.queries import nodes_by_row, values_for
from torchatlas.shipped import by_job
from torchatlas.ui.pictures import BACKWARDS, MapState, Matched, answer_picture, map_picture, matched, payload
from torchatlas.ui.plans import cell, csv_lines, dumps
from torchatlas.ui.web import cache, parts, server, state

EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""
atlas = cache.atlas()
graph = atlas.graph
VALUE = "v."  # begins a value in the address: ?question=before&v.concept=vmap


def _run() -> None:
    text = st.session_state["draft"]
    if question and text.strip() == question.cypher:
        return
    for name, value in given.items():  # a saved question that was changed is no longer one
        state.choose(VALUE + name, value)
    state.choose("question", None)
    state.choose("text", text)


def _typed(name: str) -> None:
    """Take what the editor sends when it is left ("text") or asked to run ("run")."""
    st.session_state["draft"] = st.session_state["editor"][name] or st.session_state["draft"]
    if name == "run":
        _run()


def _field(parameter: Parameter) -> str:
    """Draw the field of a value: a choice of the graph's names, else a text."""
    names, value = atlas.choices(parameter), given.get(parameter.name)
    if value is None or (names and value not in names):
        value = next(iter(names), parameter.example)
    label = esc(parameter.description[:1].upper() + parameter.description[1:])
    key = f"value:{question.name if question else ''}:{parameter.name}"
    given_by = state.follow(VALUE + parameter.name, value, key=key)
    if names:
        st.selectbox(label, list(names), format_func=lambda i: names[i], **given_by)
    else:
        st.text_input(label, **given_by)
    return str(st.session_state[key])


def _answer(values: Mapping[str, object]) -> None:
    """Draw what matched, the rows, or where they lie. Raises QueryError."""
    table = cache.rows(text, values)
    if not table.rows:
        where = "Names are in the property name, ids in the property id; the schema lists the properties."
        parts.say(f"No rows. {where}")
        return
    parts.heading(counted(len(table.rows), "row"))
    if table.truncated:
        cut = f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH."
        parts.say(cut, "cut", st.warning)
    by_row = nodes_by_row(table, graph)
    ids = tuple(dict.fromkeys(id_ for row in by_row for id_ in row))
    found = matched(text, values, table, graph)
    options = {"relations": "Relations", "none": "Rows", "map": "On the map"}
    with parts.row(horizontal_alignment="distribute", key="ways_on"):
        which = parts.segments("picture", "Answer", options, "relations" if found.edges else "none") if ids else "none"
        with parts.row(width="content"):
            more: Any = {"type": "tertiary", "icon": ":material/download:", "on_click": "ignore"}
            st.download_button("CSV", lambda: "".join(csv_lines(table, harmless=True)), "answer.csv", **more)
            st.download_button("JSON", lambda: dumps(table), "answer.json", **more)
    if which == "none":
        st.session_state["chosen"] = dict.fromkeys(id_ for place in _rows(table) for id_ in by_row[place])
    chosen = tuple(id_ for id_ in st.session_state.get("chosen", ()) if id_ in ids)
    if which != "none":
        _picture(which, values, found, chosen or (ids if which == "map" else ()))
    if not ids:
        return
    with parts.row(key="ways"):
        if which == "none" and not chosen:
            st.caption("Choose rows to open, to show on the map or to plan for.", width="content")
        for id_ in chosen[:4]:
            name = "episode" if id_ in graph.episode else "node"
            parts.go(f"Open {esc(graph.label_of(id_))}", "open_in_full", **{name: id_})
        many = chosen or ids
        label = f"Plan a path to {'these' if chosen else 'all'} {len(many)}" if len(many) > 1 else "Plan a path to it"
        parts.go(label, "route", goal=many)


def _rows(table: Table) -> Sequence[int]:
    """Draw the rows; return the places of those that are chosen."""

    columns: dict[str, list[Any]] = {}
    for n, name in enumerate(table.columns):
        column = [v if isinstance(v, str | int | float | None) else cell(v) for v in (row[n] for row in table.rows)]
        columns[f"{name} ({n})" if name in table.columns[:n] else name] = column
    links = {
        name: st.column_config.LinkColumn()
        for name, column in columns.items()
        if all(isinstance(value, str) and is_web(value) for value in column)
    }
    many: Any = {"on_select": "rerun", "selection_mode": "multi-row", "column_config": links}
    key = "many_rows" if len(table.rows) > 10 else "rows"  # app.css keeps room for as many as are in sight
    event = st.dataframe(columns, hide_index=True, alt=f"Answer: {counted(len(table.rows), 'row')}", key=key, **many)
    return [place for place in event.selection.rows if place < len(table.rows)]


def _picture(which: str, values: Mapping[str, object], found: Matched, lit: tuple[str, ...]) -> None:
    if which == "map":
        drawn = cache.draw(map_picture, None, "all")
        parts.show_map(drawn, MapState(lit=lit), key="rows_on_map", on_pick=parts.leave_for)
        return
    told, kinds = "", sorted({edge.kind for edge in found.edges})
    if found.hidden:
        told = f"{len(found.nodes)} nodes are drawn, those with relations first; {found.hidden} are left out. "
    if kinds:
        told += f"{counted(len(found.edges), 'relation')}: {listed(kinds)}."
    if against := [kind for kind in kinds if kind in BACKWARDS]:
        order = "Arrows run from what comes first to what comes after it, which is against"
        told += f" {order} {listed(against)}."
    st.caption(esc(told))
    selected = next((str(value) for value in values.values() if value in found.nodes), None)
    drawn = payload(answer_picture(graph, found))
    parts.show_map(drawn, MapState(selected=selected, lit=lit), key="matched", on_pick=parts.leave_for)


questions = {question.name: question for question in atlas.questions()}
parts.say_unknown("question", questions)
question = questions.get(st.query_params.get("question", ""))
text = question.cypher if question else st.query_params.get("text", "")
given = {name.removeprefix(VALUE): st.query_params[name] for name in st.query_params if name.startswith(VALUE)}
if question or text:
    parts.go("All questions", "arrow_back", parts.CYPHER)
st.title(esc(question.title) if question else "Query", anchor=False)
if question:
    st.caption(esc(question.description))

write = partial(st.session_state.__setitem__, "draft")
base = text or EXAMPLE
if "draft" not in st.session_state or st.session_state.get("draft_of") != base:
    st.session_state["draft"] = st.session_state["draft_of"] = base
lines = min(14, max(6, sum(1 + len(line) // 100 for line in base.splitlines()) + 1))
told = "Only clauses that read; writing, files and settings are refused."
with st.container(key="write"):
    draft = st.text_area("Cypher", key="draft", height=lines * 24, help=told)
    words = server.keep(cache.completions())
    taken = {f"on_{name}_change": partial(_typed, name) for name in ("text", "run")}
    ran = "" if question else text
    data = {"text": draft, "ran": ran, "words": words, "height": lines * 24}
    parts.component("editor")(data=data, key="editor", **taken)
above = st.container()
with parts.row(gap="xsmall", key="go_on"):
    icon = ":material/play_arrow:"
    st.button("Run", type="primary", icon=icon, shortcut="Ctrl+Enter", key="run", on_click=_run)

schema = cache.ask(Atlas.schema)
untouched = draft == base or not draft.strip()  # else a click puts a pattern below what is written
kinds = f"{len(schema.nodes)} kinds of nodes and {len(schema.relationships)} of relationships"
with st.expander(f"Schema: {kinds}"), st.container(gap=None, key="list_schema"):
    for kind in (*schema.nodes, *schema.relationships):
        told = esc(f"Insert. Properties: {', '.join(p.name for p in kind.properties)}")
        label, key = esc(f"{kind.pattern} {kind.count:,}"), f"insert:{kind.name}"
        clause = "MATCH " + kind.pattern.replace("(:", "(a:", 1).replace("(:", "(b:").replace("[:", "[r:")
        inserted = f"{clause}\nRETURN a LIMIT 20" if untouched else f"{draft.rstrip()}\n{clause}"
        parts.button(label, key=key, on_click=write, args=(inserted,), help=told)

try:
    names = sorted({*written_parameters(text).values()})
    asked = [Parameter(name, "string", example="", description=f"${name}") for name in names]
    said: dict[str, str] = {}
    with above:
        if asked := list(question.parameters) if question else asked:
            for parameter, column in zip(asked, st.columns(max(2, len(asked))), strict=False):
                with column:
                    said[parameter.name] = _field(parameter)
    values, missing = values_for(text, said, question)
    if missing:
        parts.say(f"Give a value for {esc(', '.join(missing))}.", "edit")
    elif text:
        _answer(values)
except QueryError as e:
    parts.say(esc(str(e)), "block", st.error)
if not text:
    hint: Any = {"placeholder": "Search the saved questions", "label_visibility": "collapsed", "width": 320}
    wanted = fold(st.text_input("Search the saved questions", key="wanted", icon=":material/search:", **hint))
    for job, every in by_job().items():
        if of_job := [each for each in every if wanted in fold(f"{each.title} {each.description}")]:
            parts.heading(job)
            for each in parts.cards(of_job, 3):
                parts.told_link(each.title, each.description, "help", question=each.name)
