"""Questions in Cypher: saved ones by job, a text of one's own, and the answer. They only read."""

import streamlit as st

from torchatlas.graph.cypher import Parameter, Question, parameter_names
from torchatlas.graph.errors import QueryError
from torchatlas.graph.formatting import esc
from torchatlas.queries import values_for
from torchatlas.shipped import by_job
from torchatlas.ui.web import answer, cached, query_address, statement, widgets

EXAMPLE = """MATCH (e:Episode)-[t:TEACHES {depth: 'main'}]->(c:Concept)
RETURN c.area AS area, count(DISTINCT c) AS concepts, count(DISTINCT e) AS episodes
ORDER BY episodes DESC, area"""


def fields(question: Question | None, text: str) -> dict[str, str]:
    """Draw a field for each value that the statement names; the address keeps them. Return what they say."""
    asked = question.parameters if question else tuple(
        Parameter(name, "string", example="", description=f"${name}") for name in sorted(parameter_names(text))
    )  # fmt: skip
    given = query_address.values()
    if not asked:
        return {}
    said: dict[str, str] = {}
    for parameter, column in zip(asked, st.columns(max(2, len(asked))), strict=False):
        with column:
            said[parameter.name] = field(parameter, given.get(parameter.name), question.name if question else "")
    return said


def field(parameter: Parameter, given: str | None, of: str) -> str:
    """Draw the field of one value: chosen by name where it is a concept, an episode or an area, typed otherwise."""
    key, names = f"value:{of}:{parameter.name}", cached.atlas().choices(parameter)
    usual = next(iter(names), parameter.example)
    value = given if given is not None and (not names or given in names) else usual
    if st.session_state.get(key) != value:
        st.session_state[key] = value

    def write() -> None:
        query_address.give(parameter.name, st.session_state[key])

    label = esc(parameter.description[:1].upper() + parameter.description[1:])
    if not names:
        return st.text_input(label, key=key, on_change=write)
    return st.selectbox(label, list(names), key=key, on_change=write, format_func=lambda i: names[i])


def cards() -> None:
    """Draw the saved questions as cards, by job."""
    for job, questions in by_job().items():
        widgets.heading(job)
        widgets.cards(questions, 3, card)


def card(question: Question) -> None:
    """Draw one saved question: a click asks it with its example."""
    widgets.go(widgets.CYPHER, f"**{esc(question.title)}**", ":material/help:", question=question.name)
    st.caption(esc(question.description))


def ask(text: str, question: Question | None) -> answer.Answer | None:
    """Draw the box, the fields of its values and below them the answer; return what there is to draw."""
    statement.box(text or EXAMPLE)
    above = st.container()
    statement.run_row(lambda typed: query_address.ask_text(typed, question, query_address.values()))
    statement.schema()
    try:
        with above:
            said = fields(question, text)
        values, missing = values_for(text, said, question)
        if missing:
            st.info(f"Give a value for {esc(', '.join(missing))}.", icon=":material/edit:")
        elif text:
            return answer.show(text, values)
    except QueryError as e:
        st.error(esc(str(e)), icon=":material/block:")
    return None


questions = {question.name: question for question in cached.atlas().questions()}
widgets.say_unknown("question", questions)
question = questions.get(st.query_params.get("question", ""))
text = question.cypher if question else st.query_params.get("text", "")
if question or text:
    widgets.go(widgets.CYPHER, "All questions", ":material/arrow_back:")
st.title(esc(question.title) if question else "Ask in Cypher", anchor=False)
if question:
    st.caption(esc(question.description))
found = ask(text, question)
if found:
    answer.picture(found)
elif not text:
    cards()
