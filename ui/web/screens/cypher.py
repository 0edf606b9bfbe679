"""Questions in Cypher, which only read: saved ones by job, or own text."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.files import read_text, write_file
from torchatlas.graph.answers import Table
from torchatlas.graph.cypher import Parameter, explained, written_parameters
from torchatlas.graph.errors import QueryError
from torchatlas.graph.formatting import counted, esc, is_web, listed
from torchatlas.graph.names import fold
from torchatlas.queries import nodes_by_row, values_for
from torchatlas.shipped import by_job
from torchatlas.ui.pictures import BACKWARDS, MapState, Matched, answer_picture, expanded, map_picture, matched, payload
from torchatlas.ui.plans import cell, csv_lines, dumps
from torchatlas.ui.web import cache, parts, server, state

EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""
atlas = cache.atlas()
graph = atlas.graph
OWN = atlas.settings.home / "questions"
VALUE = "v."  # begins a value in the address: ?question=before&v.concept=vmap


def _run() -> None:
    text = st.session_state["draft"]
    if question and text.strip() == question.cypher:
        return
    for name, value in given.items():  # a saved question that was changed is no longer one
        state.choose(VALUE + name, value)
    for name in ("question", "open"):
        state.choose(name, None)
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
    if explained(text) is not None:
        st.code("\n".join(str(line) for (line,) in table.rows), language=None)
        return
    if not table.rows:
        parts.say("No rows. Names are in the property name, ids in the property id; the schema lists the properties.")
        return
    parts.heading(counted(len(table.rows), "row"))
    if table.truncated:
        parts.say(f"Only the first {len(table.rows)} rows are shown; add LIMIT or a narrower MATCH.", "cut", st.warning)
    by_row = nodes_by_row(table, graph)
    ids = tuple(dict.fromkeys(id_ for row in by_row for id_ in row))
    opened = [id_ for id_ in st.query_params.get_all("open") if id_ in cache.names()]
    found = expanded(graph, matched(text, values, table, graph), opened)
    options = {"relations": "Relations", "none": "Rows", "map": "On the map"}
    with parts.row(horizontal_alignment="distribute", key="ways_on"):
        which = parts.segments("picture", "Answer", options, "relations" if found.edges else "none") if ids else "none"
        with parts.row(width="content"):
            more: Any = {"type": "tertiary", "icon": ":material/download:", "on_click": "ignore"}
            st.download_button("CSV", lambda: "".join(csv_lines(table, harmless=True)), "answer.csv", **more)
            st.download_button("JSON", lambda: dumps(table), "answer.json", **more)
    if which == "none":
        st.session_state["chosen"] = dict.fromkeys(id_ for place in _rows(table) for id_ in by_row[place])
    chosen = tuple(id_ for id_ in (*reversed(opened), *st.session_state.get("chosen", ())) if id_ in found.nodes)
    if which != "none":
        _picture(which, values, found, chosen or (ids if which == "map" else ()))
    if not ids:
        return
    with parts.row(key="ways"):
        if which == "none" and not chosen:
            st.caption("Select rows to open them, show them on the map, or plan a path to them.", width="content")
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
    links = [name for name, column in columns.items() if all(isinstance(v, str) and is_web(v) for v in column)]
    many: Any = {"on_select": "rerun", "selection_mode": "multi-row"}
    many["column_config"] = dict.fromkeys(links, st.column_config.LinkColumn())
    key = "many_rows" if len(table.rows) > 10 else "rows"  # app.css keeps room for as many as are in sight
    event = st.dataframe(columns, hide_index=True, alt=f"Answer: {counted(len(table.rows), 'row')}", key=key, **many)
    return [place for place in event.selection.rows if place < len(table.rows)]


def _picture(which: str, values: Mapping[str, object], found: Matched, lit: tuple[str, ...]) -> None:
    if which == "map":
        drawn = cache.draw(map_picture, None, "all")
        parts.show_map(drawn, MapState(lit=lit), key="rows_on_map", on_pick=parts.leave_for)
        return
    kinds = sorted({edge.kind for edge in found.edges})
    against = [kind for kind in kinds if kind in BACKWARDS]
    which = f" {listed(against)}" if against and against != kinds else ""
    told = f"{counted(len(found.edges), f'{listed(kinds)} relationship')}" if kinds else ""
    told += f",{which} drawn from prerequisite to dependent" if against else ""
    told += ". " if kinds else ""
    told += f"{found.hidden} more nodes are left out. " if found.hidden else ""
    st.caption(esc(f"{told}A click on a node adds its neighbours, or takes them away again."))
    selected = next((str(value) for value in values.values() if value in found.nodes), None)
    drawn = payload(answer_picture(graph, found))
    parts.show_map(drawn, MapState(selected=selected, lit=lit), key="matched", on_pick=_open)


def _open(id_: str) -> None:
    """Add the neighbours of a node to the picture, or take them away. For callbacks."""
    is_open = id_ in st.query_params.get_all("open")
    state.replace_one("open", *([id_] if is_open else ["", id_]))


def _save() -> None:
    """Keep the text in the box under the name that was given."""
    if name := " ".join(re.findall(r"[\w'()+,-]+", st.session_state["name"])):
        write_file(OWN / f"{name}.cypher", st.session_state["draft"].encode())
        st.toast(esc(f"{name} is saved; “All questions” lists it under “Yours”."))
    st.session_state["name"] = ""


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
    with st.popover("Save this question", type="tertiary", icon=":material/bookmark_add:", key="save"):
        st.text_input("Its name", key="name", max_chars=80)
        st.button("Save", key="save_it", on_click=_save)
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
    own = {path: read_text(path, "remove it") for path in sorted(OWN.glob("*.cypher"))}
    if kept := [path for path in own if wanted in fold(f"{path.stem} {own[path]}")]:
        parts.heading("Yours")
    for path in parts.cards(kept, 3):
        parts.told_link(path.stem, own[path], "bookmark", text=own[path])
        parts.button("Remove", "delete", key=f"remove:{path.stem}", on_click=path.unlink)
    for job, every in by_job().items():
        if of_job := [each for each in every if wanted in fold(f"{each.title} {each.description}")]:
            parts.heading(job)
            for each in parts.cards(of_job, 3):
                parts.told_link(each.title, each.description, "help", question=each.name)
