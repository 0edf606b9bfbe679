"""The upper part of the path page: what a person wants to understand, knows and has heard, and where to begin."""

from functools import partial

import streamlit as st

from torchatlas.graph.cards import Neighbour
from torchatlas.graph.errors import AtlasError, UnknownName
from torchatlas.graph.findings import Journey
from torchatlas.graph.formatting import counted, esc
from torchatlas.profile import Fact
from torchatlas.ui.web import cached, limits, profile_state, url_state, widgets, word_box

_UNSURE = "unsure"
"""The key of (fact, text, suggestions) where a person typed words that name nothing."""


def controls() -> tuple[tuple[str, ...], limits.Limits]:
    """Draw what is wanted, known and heard; return the goals and the limits of the plan."""
    ids, offered = cached.names(), cached.subject_words()
    with st.container(horizontal=True, vertical_alignment="bottom", key="limits"):
        with st.container(width=330):
            word_box.ask(
                "I want to understand", offered, "add_goal", "A name or a question",
                add=partial(url_state.add_one, "goal"),
            )  # fmt: skip
        widgets.fold("Limits", "limits", sum(name in st.query_params for name in limits.NAMES))
        within = limits.controls()
    given = list(dict.fromkeys(st.query_params.get_all("goal")))
    with st.container(horizontal=True, vertical_alignment="center", key="wanted"):
        word_box.chips({value: ids.get(value) or offered.get(value, value) for value in given}, "goal", _drop_goal)
        _facts()
    understood = widgets.meanings("goal", ids, "goal")
    return tuple(value for value in given if value in ids or value in understood), within


def _drop_goal(value: str) -> None:
    url_state.replace_one("goal", value, [])


def _facts() -> None:
    """Draw what the person knows and has heard, each behind a button."""
    atlas = cached.atlas()
    profile = atlas.profile.within(atlas.graph)
    label = f"I know {counted(len(profile.known), 'concept')}" if profile.known else "I know already"
    with st.container(horizontal=True, width="content", key="facts"):
        with st.popover(label, icon=":material/school:"):
            _fact("known", "I know already", cached.concept_words(), "Knowing one means knowing what is below it")
        label = f"I have heard {counted(len(profile.heard), 'episode')}" if profile.heard else "I have heard"
        with st.popover(label, icon=":material/headphones:"):
            _fact("heard", "I have heard", cached.episode_names(), "An episode")


def _fact(fact: Fact, label: str, options: dict[str, str], hint: str) -> None:
    """Draw one list of the profile: a box that adds, and a chip for each entry."""
    atlas = cached.atlas()
    change = atlas.know if fact == "known" else atlas.heard
    word_box.ask(label, options, f"add_{fact}", hint, add=partial(_add, fact))
    of, text, suggestions = st.session_state.get(_UNSURE, ("", "", ()))
    if of == fact:
        widgets.say_nothing_found(text, suggestions, partial(_add, fact))
    ids = getattr(atlas.profile.within(atlas.graph), fact)
    names = atlas.concept_names() if fact == "known" else cached.episode_names()
    word_box.chips(
        {id_: names[id_] for id_ in ids}, fact,
        lambda id_: profile_state.remember(lambda: change(id_, forget=True)),
    )  # fmt: skip
    st.caption("Kept in your profile at once.")


def _add(fact: Fact, text: str) -> None:
    """Remember what a name means; where it means nothing, keep the suggestions for the next run."""
    atlas = cached.atlas()
    st.session_state.pop(_UNSURE, None)
    change = atlas.know if fact == "known" else atlas.heard
    try:
        profile_state.save(lambda: change(text))
    except UnknownName as e:
        st.session_state[_UNSURE] = fact, text, e.suggestions
    except AtlasError as e:
        profile_state.tell(str(e))


def beginnings() -> None:
    """Draw goals to begin with and the curated journeys as cards, each a link to its plan."""
    atlas = cached.atlas()
    widgets.heading("Goals to begin with")
    widgets.cards(cached.first_goals(atlas.profile), 3, _goal)
    if found := atlas.journeys():
        widgets.heading("Or take a journey")
        widgets.cards(found, 2, _journey)


def _goal(goal: Neighbour) -> None:
    widgets.go(widgets.PATH, f"**{esc(goal.name)}**", ":material/flag:", goal=goal.id)
    st.caption(esc(goal.why))


def _journey(journey: Journey) -> None:
    widgets.go(widgets.PATH, f"**{esc(journey.title)}**", ":material/route:", goal=journey.goals)
    st.caption(esc(journey.about))
