"""The quiz on the path page: a question at a time, answers in the URL, and a plan without what is known."""

from collections.abc import Sequence

import streamlit as st

from torchatlas.graph.answers import Plan, Quiz
from torchatlas.graph.formatting import counted, esc, length
from torchatlas.ui.web import cached, profile_state, url_state
from torchatlas.ui.web.limits import Limits

YES, NO = "can", "cannot"
"""The URL's lists of the episodes whose questions the person can and cannot answer."""


def plan_after(goals: tuple[str, ...], limits: Limits) -> Plan:
    """Draw the quiz where it is on; return the plan that is left after the answers so far."""
    atlas = cached.atlas()
    if not _on():
        return cached.plan_for(goals, limits, atlas.profile)
    answers = {key: [e for e in st.query_params.get_all(key) if e in atlas.graph.episode] for key in (YES, NO)}
    found = cached.quiz_for(goals, limits, answers=(tuple(answers[YES]), tuple(answers[NO])), profile=atlas.profile)
    with st.container(border=True, key="quiz"):
        if found.check:
            _ask(found, answers)
        else:
            _sum_up(found)
    return found.plan


def begin(plan: Plan) -> None:
    """Draw the button that begins the quiz, where there is something to skip."""
    if plan.steps and not _on():
        st.button("Skip what I know", icon=":material/quiz:", on_click=url_state.choose, args=("quiz", "on"))


def _on() -> bool:
    return st.query_params.get("quiz") == "on"


def _ask(found: Quiz, answers: dict[str, list[str]]) -> None:
    assert found.check
    st.markdown(f"**{esc(found.check.question)}**")
    said = f"The episode {esc(found.check.name)} answers this. Could you explain it to a colleague?"
    st.caption(f"{said} {_gain(found)}")
    with st.container(horizontal=True):
        for key, label in ((YES, "Yes, skip it"), (NO, "No, keep it")):
            more = [*answers[key], found.check.id]
            st.button(label, key=f"quiz_{key}", on_click=_answer, args=(key, more))
        st.button("Stop", key="quiz_stop", type="tertiary", on_click=_answer, args=("quiz", []))


def _sum_up(found: Quiz) -> None:
    st.markdown(_gain(found) or "Nothing to skip: the whole plan is new to you.")
    with st.container(horizontal=True):
        if found.skipped:
            st.button("Remember that I know this", key="quiz_keep", on_click=_keep, args=(found,))
        st.button("Ask again", key="quiz_again", type="tertiary", on_click=_clear)


def _gain(found: Quiz) -> str:
    if not found.skipped:
        return ""
    names = esc(", ".join(cached.atlas().graph.label_of(episode.id) for episode in found.skipped))
    saved = esc(length(max(0, found.saved), estimated=found.estimated))
    return f"You skip {counted(len(found.skipped), 'episode')} and save {saved}: {names}."


def _answer(key: str, value: str | Sequence[str]) -> None:
    st.query_params[key] = value


def _clear() -> None:
    for key in (YES, NO):
        st.query_params.pop(key, None)


def _keep(found: Quiz) -> None:
    profile_state.remember(lambda: cached.atlas().know_subjects(*(episode.id for episode in found.skipped)))
    _clear()
    url_state.choose("quiz", None)
