"""The listening path: goals in, an ordered list out, then the picture of it."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from torchatlas.graph.values.answers import Nearby, Plan, Primer, Route, Step, Successor
from torchatlas.graph.values.formatting import esc, length, link
from torchatlas.graph.values.markdown import plan_markdown
from torchatlas.ui.web import cached, component, limits, quiz, url_state, widgets
from torchatlas.ui.web.draw import payload
from torchatlas.ui.web.view import plan_picture

ROLES = {"before": ("gray", "before"), "goal": ("orange", "goal"), "deepens": ("blue", "deepens")}


def controls() -> tuple[tuple[str, ...], limits.Limits]:
    """Draw what is wanted, known and heard; return the goals and the limits of the plan."""
    names = widgets.names()
    names |= {text: text for text in widgets.meanings("goal", names, "goal")}
    goal, depth, time = st.columns([4, 2, 1])
    followed, hint = url_state.follow_many("goal", names), "A concept, an episode, a question …"
    goals = several(goal, "I want to understand", names, followed, hint, any_words=True)
    within = limits.controls(depth, time)
    atlas = cached.atlas()
    known, heard = st.columns(2)
    hint = "Concepts; knowing one means knowing what is below it"
    several(known, "I know already", atlas.concept_names(), url_state.follow_profile("known", atlas), hint)
    several(heard, "I have heard", atlas.episode_names(), url_state.follow_profile("heard", atlas), "Episodes")
    return tuple(goals), within


def journeys() -> None:
    """Draw the curated journeys as cards, each a link to its plan."""
    found = cached.atlas().journeys()
    if found:
        widgets.heading("Or take a journey")
    for left, right in zip_longest(found[::2], found[1::2]):
        for column, journey in zip(st.columns(2), filter(None, (left, right)), strict=False):
            with column.container(border=True, key=f"journey_{journey.name}"):
                widgets.go(widgets.PATH, f"**{esc(journey.title)}**", ":material/route:", goal=journey.goals)
                st.caption(esc(journey.about))


def several(
    column: DeltaGenerator, label: str, names: dict[str, str], followed: tuple[str, Callable[[], None]], hint: str,
    *, any_words: bool = False,
) -> list[str]:  # fmt: skip
    """Draw a choice of several names in a column, or of any words; return the ids of those that are chosen."""
    key, write = followed
    return column.multiselect(
        label, list(names), key=key, on_change=write, select_all=False, format_func=lambda i: names.get(i, i),
        placeholder=hint, accept_new_options=any_words,
    )  # fmt: skip


def row(place: int, step: Step, title: str) -> None:
    """Draw a step: place, title and facts, why, when things are explained, what to mind, and the button for heard."""
    with st.container(border=True, key=f"step_{place}"):
        number, words, button = st.columns([0.3, 7, 1.2], vertical_alignment="top")
        number.markdown(f"### {place}")
        with words, st.container(gap="xsmall"):
            st.page_link(widgets.EPISODE, label=f"**{esc(title)}**", query_params={"episode": step.episode_id})
            colour, role = ROLES[step.role]
            st.markdown(
                f":{colour}-badge[{role}] {esc(length(step.minutes, estimated=step.estimated))} — {esc(step.why)}"
            )
            notes = [f"Explained: {esc(' · '.join(step.moments))}"] if step.moments else []
            notes += [f":material/history: {esc(caveat)}" for caveat in step.caveats]
            st.caption("  \n".join(notes))
        with button:
            widgets.heard_button(step.episode_id, heard=False)


def primer(title: str, lines: Sequence[Primer]) -> None:
    """Draw concepts worth a sentence: the definition, something to read, and the button to say that one knows it."""
    with st.container(gap="xsmall"):
        for line in lines:
            words, button = st.columns([7, 1.2], vertical_alignment="center")
            read = f" {link('Read', line.link)}" if line.link else ""
            words.markdown(f"**{esc(line.name)}** {esc(line.definition)}{read}")
            button.button(
                "I know this", key=f"{title}:{line.id}", type="tertiary", on_click=url_state.remember,
                args=(partial(cached.atlas().know, line.id),),
            )  # fmt: skip


def summary(plan: Plan) -> None:
    """Draw how much there is to hear, what is left out, and the file to take along."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"#### {esc(plan.amount)}", anchors=False, width="content")
        st.download_button(
            "Markdown", plan_markdown(plan), "listening-path.md", "text/markdown", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
    for remark in plan.remarks:
        st.info(esc(remark), icon=":material/info:")


def nearby(lines: Sequence[Nearby]) -> None:
    """Draw what comes near a goal that no episode explains: episodes to open, and pages to read."""
    with st.container(gap="xsmall"):
        for n in lines:
            if n.kind == "hear":
                st.page_link(widgets.EPISODE, label=f"**{esc(n.name)}**", query_params={"episode": n.id})
                st.caption(esc(n.why))
            else:
                st.markdown(f"**{esc(n.name)}** {esc(n.why)} {link('Read', n.link)}")


def other_routes(routes: Sequence[Route]) -> None:
    """Draw the other ways to the goals, each with what is different."""
    for route in routes:
        with st.expander(esc(route.heading)):
            st.markdown(esc(route.how))
            st.markdown("\n".join(f"{n}. {esc(step.title)}" for n, step in enumerate(route.steps, 1)))


def successors(found: Sequence[Successor]) -> None:
    """Draw what took the place of the goals, each with a link to its plan."""
    for new in found:
        st.info(esc(str(new)), icon=":material/update:")
        widgets.go(widgets.PATH, f"Plan for {esc(new.name)}", ":material/route:", goal=new.id)


def picture(plan: Plan) -> None:
    """Draw the plan from top to bottom; a click on a node opens its page."""
    graph = cached.atlas().graph
    widgets.heading("How the steps hang together")
    st.caption("From top to bottom: episodes (square), and the concepts (round) that carry over to the next.")
    goals = (id_ for meant in plan.understood for id_ in meant.ids)
    wanted = [(g, graph.concept[g].name) for g in goals if g in graph.concept]
    component.show_map(payload(plan_picture(plan, wanted)), key="plan", on_pick=partial(widgets.leave_for, graph))


st.title("Listening path", anchor=False)
goals, within = controls()
if not goals:
    st.info(
        "Choose what you want to understand: what to hear before it, its own episodes, and what deepens it follow.",
        icon=":material/route:",
    )
    journeys()
    st.stop()
atlas = cached.atlas()
plan = quiz.plan_after(goals, within)
for meant in plan.understood:
    widgets.say_understood(meant, partial(url_state.replace_one, "goal"))
summary(plan)
successors(plan.successors)
titles = atlas.episode_names()
for place, step in enumerate(plan.steps, 1):
    row(place, step, titles[step.episode_id])
widgets.bullets("Sessions", [esc(line) for line in plan.schedule])
other_routes(plan.routes)
for title, near in plan.near.items():
    widgets.heading(title)
    nearby(near)
for title, lines in plan.primers.items():
    widgets.heading(title)
    widgets.with_more(lines, partial(primer, title))
if plan.steps:
    picture(plan)
