"""The listening path: goals in, an ordered list out, then the picture of it."""

from functools import partial

import streamlit as st

from torchatlas.cards import called
from torchatlas.graph.values.answers import Plan, Primer, Step
from torchatlas.graph.values.formatting import clock, esc, length, link
from torchatlas.graph.values.markdown import plan_markdown
from torchatlas.graph.values.model import Snapshot
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.draw import payload
from torchatlas.ui.web.view import plan_picture

ROLES = {"before": ("gray", "before"), "goal": ("orange", "goal"), "deepens": ("blue", "deepens")}


def controls(snapshot: Snapshot) -> tuple[tuple[str, ...], int | None]:
    """Goals and budget from the URL; what is known and heard from the profile."""
    concepts = {c.id: c.name for c in sorted(snapshot.concepts, key=lambda c: c.name.casefold())}
    title = called(snapshot)
    episodes = {e.id: f"▶ {title[e.id]}" for e in sorted(snapshot.episodes, key=lambda e: (e.show, e.number or 0))}
    names, atlas = concepts | episodes, cached.atlas()
    widgets.say_unknown("goal", names)
    goal, budget = st.columns([4, 1])
    key, write = url_state.follow_many("goal", list(names))
    goals = goal.multiselect(
        "I want to understand", list(names), key=key, on_change=write, select_all=False, format_func=lambda i: names[i],
        placeholder="Concepts or episodes …",
    )  # fmt: skip
    limits = [str(minutes) for minutes in range(15, 601, 15)]
    key, write = url_state.follow("budget", limits)
    limit = budget.selectbox(
        "Time I have", limits, index=None, key=key, on_change=write, format_func=lambda m: length(int(m)),
        placeholder="No limit",
    )  # fmt: skip
    known, heard = st.columns(2)
    key, write = url_state.follow_profile("known", atlas, list(concepts))
    known.multiselect(
        "I know already", list(concepts), key=key, on_change=write, select_all=False, format_func=lambda i: concepts[i],
        placeholder="Concepts; knowing one means knowing what is below it",
    )  # fmt: skip
    key, write = url_state.follow_profile("heard", atlas, list(episodes))
    heard.multiselect(
        "I have heard", list(episodes), key=key, on_change=write, select_all=False, format_func=lambda i: episodes[i],
        placeholder="Episodes",
    )  # fmt: skip
    return tuple(goals), int(limit) if limit else None


def row(place: int, step: Step, title: str) -> None:
    """One step: place, title and facts, why, when things are explained, what to mind, and the button to tick it off."""
    with st.container(border=True, key=f"step_{place}"):
        number, words, button = st.columns([0.3, 7, 1.2], vertical_alignment="top")
        number.markdown(f"### {place}")
        with words, st.container(gap="xsmall"):
            st.page_link(widgets.EPISODE, label=f"**{esc(title)}**", query_params={"episode": step.episode_id})
            colour, role = ROLES[step.role]
            st.markdown(
                f":{colour}-badge[{role}] {esc(length(step.minutes, estimated=step.estimated))} — {esc(step.why)}"
            )
            told = " · ".join(f"{esc(t.name)} at {esc(clock(t.at))}" for t in step.teaches if t.at is not None)
            notes = [f"Explained: {told}"] if told else []
            notes += [f":material/history: {esc(caveat)}" for caveat in step.caveats]
            st.caption("  \n".join(notes))
        with button:
            widgets.heard_button(step.episode_id, False)


def primer(title: str, lines: tuple[Primer, ...], key: str) -> None:
    """Concepts worth a sentence: the definition, something to read, and the button to say that one knows it."""
    if not lines:
        return
    widgets.heading(title)
    _primer_rows(lines[: widgets.SHOWN], key)
    if rest := lines[widgets.SHOWN :]:
        with st.expander(f"{len(rest)} more"):
            _primer_rows(rest, key)


def _primer_rows(lines: tuple[Primer, ...], key: str) -> None:
    with st.container(gap="xsmall"):
        for line in lines:
            words, button = st.columns([7, 1.2], vertical_alignment="center")
            read = f" {link('Read', line.link)}" if line.link else ""
            words.markdown(f"**{esc(line.name)}** {esc(line.definition)}{read}")
            button.button(
                "I know this", key=f"{key}:{line.id}", type="tertiary", on_click=url_state.remember,
                args=(partial(cached.atlas().know, line.id),),
            )  # fmt: skip


def summary(plan: Plan) -> None:
    """How much it is, what it leaves out, and the file to take along."""
    total = length(plan.minutes, estimated=any(step.estimated for step in plan.steps))
    count = f"{len(plan.steps)} episode{'' if len(plan.steps) == 1 else 's'}"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"#### {count}, {esc(total)}", anchors=False, width="content")
        st.download_button(
            "Markdown", plan_markdown(plan), "listening-path.md", "text/markdown", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
    for unmet in plan.unmet:
        more = esc(length(unmet.extra_minutes))
        st.warning(f"{esc(unmet.goal)} does not fit: it would take {more} more.", icon=":material/timer_off:")
    for note in plan.notes:
        st.caption(esc(note))


def other_routes(routes: tuple[tuple[Step, ...], ...]) -> None:
    """Paths with other episodes that are as good."""
    for route in routes:
        total = length(sum(step.minutes for step in route), estimated=any(step.estimated for step in route))
        with st.expander(f"As good: {len(route)} episodes, {esc(total)}"):
            st.markdown("\n".join(f"{n}. {esc(step.title)}" for n, step in enumerate(route, 1)))


def picture(plan: Plan, goals: tuple[str, ...], snapshot: Snapshot) -> None:
    """The plan drawn from top to bottom; a click opens what it shows."""
    widgets.heading("How the steps hang together")
    st.caption("From top to bottom: episodes (square), and the concepts (round) that carry over to the next.")
    wanted = [(g, snapshot.concept[g].name) for g in goals if g in snapshot.concept]
    component.show(payload(plan_picture(plan, wanted)), key="plan", on_pick=partial(widgets.leave_for, snapshot))


snapshot = cached.snapshot()
st.title("Listening path", anchor=False)
goals, budget = controls(snapshot)
if not goals:
    st.info(
        "Choose what you want to understand: what to hear before it, its own episodes, and what deepens it follow.",
        icon=":material/route:",
    )
    st.stop()
plan = cached.plan_for(goals, budget)
summary(plan)
if not plan.steps:
    st.info("Nothing is left to hear for this.", icon=":material/check:")
titles = called(snapshot)
for place, step in enumerate(plan.steps, 1):
    row(place, step, titles[step.episode_id])
other_routes(plan.routes)
primer("A sentence is enough", plan.primer, "primer")
primer("No episode teaches these", plan.gaps, "gap")
if plan.steps:
    picture(plan, goals, snapshot)
