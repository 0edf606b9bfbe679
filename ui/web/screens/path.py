"""The listening path: goals in, an ordered list out, and beside it the picture of it."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import date, timedelta
from functools import partial
from mimetypes import guess_type
from typing import Any

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Checklist, Plan, Quiz, Step
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import PLAN_DEPTHS, clock, counted, esc, is_web, length, link, listed
from torchatlas.graph.names import numbered
from torchatlas.graph.views import other_names
from torchatlas.profile import Fact
from torchatlas.ui.pictures import MapState, map_picture, plan_picture, route_state
from torchatlas.ui.plans import FORMATS, TO_HEAR, plan_markdown
from torchatlas.ui.web import cache, parts, state

LONGEST, MOMENTS = 6000, 3  # minutes of a budget; the moments of an episode that stand open
SPLITS = {f"{n}x{minutes}m": f"{n} × {minutes} min" for minutes in (20, 30, 45, 60) for n in (2, 3, 5)}
SPEEDS = {speed: f"{speed}x" for speed in ("0.75", "1.25", "1.5", "1.75", "2", "2.5", "3")}
atlas = cache.atlas()
graph = atlas.graph
COLOURS = {"before": "gray", "goal": "orange", "nearest": "orange", "deepens": "blue"}


def _fact(name: Fact, kind: str, icon: str, hint: str) -> None:
    """Draw a list of the profile behind a button: a box that adds, and chips."""
    ids = getattr(atlas.profile.within(graph), name)
    if name == "known":
        begin, label, change, names = "I know", "I know already", atlas.know, cache.ask(Atlas.concept_names)
    else:
        begin, label, change, names = "I have heard", "I have heard", atlas.heard, cache.ask(Atlas.episode_names)
    options = names | (other_names(graph) if name == "known" else {})

    def add(text: str) -> None:
        st.session_state.pop("unsure", None)
        try:
            parts.remember(partial(change, text))
        except UnknownName as e:  # the next run offers what may have been meant
            st.session_state["unsure"] = name, text, e.suggestions

    with st.popover(f"{begin} {counted(len(ids), kind)}" if ids else label, icon=icon):
        parts.search_box(label, options, f"add_{name}", hint, add)
        of, text, suggestions = st.session_state.get("unsure", ("", "", ()))
        if of == name:
            parts.say_nothing_found(text, suggestions, add)
        forget = partial(change, forget=True)
        parts.chips({id_: names[id_] for id_ in ids}, name, lambda id_: parts.remember(partial(forget, id_)))
        st.caption("Kept in your profile at once.")


def _quiz(found: Quiz, answers: Mapping[str, Sequence[str]]) -> None:
    """Draw the next question, or what all the answers together have spared the person."""
    gain = ""
    if found.skipped:
        skipped = esc(", ".join(graph.label_of(episode.id) for episode in found.skipped))
        saved = esc(length(max(0, found.saved), estimated=found.estimated))
        gain = f"You skip {counted(len(found.skipped), 'episode')} and save {saved}: {skipped}."

    def clear() -> None:
        for key in answers:
            state.choose(key, None)

    def keep() -> None:
        parts.remember(lambda: atlas.know_subjects(*(episode.id for episode in found.skipped)))
        clear()
        state.choose("quiz", None)

    if check := found.check:
        st.markdown(f"**{esc(check.question)}**")
        st.caption(f"The episode {esc(check.name)} answers this. Could you explain it to a colleague? {gain}")
        with parts.row():
            for key, label in (("can", "Yes, skip it"), ("cannot", "No, keep it")):
                answer = partial(st.query_params.__setitem__, key, [*answers[key], check.id])
                st.button(label, key=f"quiz_{key}", on_click=answer)
            parts.button("Stop", key="quiz_stop", on_click=state.choose, args=("quiz", None))
        return
    st.markdown(gain or "Nothing to skip: the whole plan is new to you.")
    with parts.row():
        if found.skipped:
            st.button("Remember that I know this", key="quiz_keep", on_click=keep)
        parts.button("Ask again", key="quiz_again", on_click=clear)


def _show(plan: Plan, budget: int | None) -> None:
    goals = [id_ for meant in plan.understood for id_ in meant.ids]
    for meant in plan.understood:
        parts.say_understood(meant, partial(state.replace_one, "goal", meant.text))
    if not plan.steps and not plan.near:
        parts.say(esc(" ".join(plan.remarks)), "check_circle", st.success)
        _later(goals)
    drawn = len(plan.steps) > 1  # a picture of one step says nothing that the list does not
    left, right = st.columns([1.15, 1], gap="medium") if drawn else (st.container(), None)
    with left:
        if plan.steps or plan.near:
            _summary(plan, budget)
        checklist = cache.ask(Atlas.checklist, plan)
        if checklist.heard:
            share, words = checklist.progress
            st.progress(share, esc(words))
        for new in plan.successors:
            parts.say(esc(str(new)), "update")
            parts.go(f"Plan for {esc(new.name)}", "route", goal=new.id)
        _steps(checklist, goals)
        _rest(plan)
    if right:
        with right, st.container(key="route_picture"):
            options = {"map": "On the map", "layers": "In layers"}
            key, picture = "route", cache.draw(map_picture, None, "met")
            shown = route_state(plan, checklist).of(graph, atlas.profile)
            if parts.segments("picture", "Picture", options, label_visibility="collapsed") == "layers":
                key, picture = "plan", cache.draw(plan_picture, plan)
                shown = MapState(selected=plan.steps[0].episode_id)
            parts.show_map(picture, shown, key=key, on_pick=parts.leave_for)


def _later(goals: Sequence[str]) -> None:
    """Draw the first concepts with an episode that need the goals."""
    about = {t.source: t.target for t in reversed(graph.teaches) if t.depth == "main"}
    reached = {about.get(goal, goal) for goal in goals}
    taught = set(about.values()) - reached
    reasons = {r.source: r.reason for r in reversed(graph.requires) if r.target in reached and r.source in taught}
    if reasons:
        parts.heading("What this opens up")
    for id_ in sorted(reasons, key=lambda id_: (-len(graph.teachers[id_]), graph.name_of(id_)))[:6]:
        with st.container(gap=None):
            parts.told_link(graph.name_of(id_), reasons[id_], "route", goal=id_)


def _summary(plan: Plan, budget: int | None) -> None:
    with parts.row(horizontal_alignment="distribute", key="summary"):
        st.header(esc(plan.amount), anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            if plan.steps and st.query_params.get("quiz") != "on":
                st.button("Skip what I know", icon=":material/quiz:", on_click=state.choose, args=("quiz", "on"))
            with st.popover("Take along", icon=":material/ios_share:"):
                _take_along(plan)
    for remark in plan.remarks:
        parts.say(esc(remark))
    if not budget:
        return
    longer = [(goal.extra_minutes, goal.goal, goal.estimated) for goal in plan.unmet if goal.extra_minutes]
    if more := plan.more:
        longer.append((more.extra_minutes, listed([e.name for e in more.adds]), more.estimated))
    with st.container(horizontal=True):
        for minutes, adds, estimated in sorted(longer):
            label = f"+{length(minutes, estimated=estimated)}: {esc(adds)}"
            icon, raised = ":material/more_time:", min(LONGEST, budget + minutes)
            st.button(label, key=f"more:{minutes}", icon=icon, on_click=state.choose, args=("budget", raised))


@st.fragment
def _take_along(plan: Plan) -> None:
    start: date | None = None
    groups = {"To hear": TO_HEAR} if plan.steps else {}
    for words, names in (groups | {"To read": tuple(name for name in FORMATS if name not in TO_HEAR)}).items():
        st.markdown(f"**{words}**")
        if words == "To hear":
            start = st.date_input("The calendar begins on", value="today", key="calendar_start")
            days = len(plan.sessions or plan.steps)
            if start:
                st.caption(f"{counted(days, 'session')}, one a day, until {start + timedelta(days=days - 1)}.")
        with parts.row(gap="small"):
            for name in names:
                label, about = FORMATS[name].label, FORMATS[name].about
                file = f"listening-path{FORMATS[name].endings[0]}"
                text = partial(atlas.plan_text, plan, name, start)
                given: Any = {"help": f"{about[:1].upper()}{about[1:]}.", "disabled": name == "ics" and start is None}
                given |= {"on_click": "ignore", "icon": ":material/download:"}
                st.download_button(label, text, file, guess_type(file)[0], key=f"take:{name}", **given)
    st.caption("Or copy it:")
    with st.container(height=240, border=False):
        st.code(plan_markdown(plan), language=None, wrap_lines=True)


def _steps(checklist: Checklist, goals: Sequence[str]) -> None:
    place, silent = 0, set()
    for step in checklist.steps:
        id_, minutes = step.episode_id, esc(length(step.minutes, estimated=step.estimated, kind=step.kind))
        if id_ in checklist.heard:
            with parts.row(horizontal_alignment="distribute", key=f"heard_{id_}"):
                st.markdown(f":material/check: ~~{esc(step.title)}~~ :small[{minutes}]", width="content")
                parts.heard_button(id_, heard=True)
        else:
            place += 1
            with st.container(border=True, key=f"step_{place}"):
                _step(f"**{place}. {esc(step.title)}**", step, minutes, goals)
            if not is_web(step.audio_url) and step.kind == "episode":
                silent.add(graph.episode[id_].show)
    for show in sorted(silent - {""}):
        parts.no_audio(show, f"plan:{show}", "No audio here: how to get it")


def _step(title: str, step: Step, minutes: str, goals: Sequence[str]) -> None:
    episode, number = graph.episode[step.episode_id], numbered(step.number, step.season)
    with parts.row(horizontal_alignment="distribute"):
        parts.go(title, episode=step.episode_id)
        parts.heard_button(step.episode_id, heard=False, goals=goals)
    placed = f" :small[:gray[{esc(number)}]]" if number else ""
    sure = f" :gray-badge[{step.doubt}]" if step.doubt else ""
    st.markdown(f":{COLOURS[step.badge]}-badge[{step.badge}]{sure} {minutes} — {esc(step.why)}{placed}")
    found = [(taught.name, taught.at) for taught in step.teaches if taught.at is not None]
    with st.container(horizontal=True, gap="small", key=f"moments_{episode.id}"):
        if is_web(episode.audio_url):
            parts.moment(episode, "Play", 0, "Play", goals)
        more: Any = nullcontext()
        for place, (name, at) in enumerate(found):
            if place == MOMENTS:
                more = st.popover(f"{len(found) - place} more", type="tertiary")
            with more:
                parts.moment(episode, name, at, f"{esc(name)} {esc(clock(at))}", goals)
    parts.player(episode)
    if step.caveats:
        with st.expander(f"What to mind ({len(step.caveats)})", icon=":material/info:", type="compact"):
            st.markdown("\n".join(f"- {esc(caveat)}" for caveat in step.caveats))


def _rest(plan: Plan) -> None:
    parts.bullets("Sessions", [esc(line) for line in plan.schedule])
    for route in plan.routes:
        with st.expander(esc(route.heading)):
            st.markdown(esc(route.how))
            names = (esc(graph.label_of(step.episode_id)) for step in route.steps)
            st.markdown("\n".join(f"{place}. {name}" for place, name in enumerate(names, 1)))
    for title, near in plan.near.items():
        parts.heading(title)
        with st.container(gap="xsmall"):
            for n in near:
                if n.kind == "hear":
                    parts.told_link(n.name, n.why, episode=n.id)
                else:
                    st.markdown(f"**{esc(n.name)}** {esc(n.why)} {link('Read', n.link)}")
    for title, lines in plan.primers.items():
        parts.heading(title)
        for part in parts.with_more(lines, title):
            with st.container(gap="xsmall"):
                for line in part:
                    read = f" {link('Read', line.link)}" if line.link else ""
                    words, beside = st.columns([5, 1.2], vertical_alignment="center")
                    words.markdown(f"**{esc(line.name)}** {esc(line.told)}{read}")
                    know = partial(atlas.know, line.id)
                    with beside:
                        parts.button("I know this", key=f"{title}:{line.id}", on_click=parts.remember, args=(know,))


st.title("Plan", anchor=False)
ids, offered = cache.names(), cache.subject_words()
with parts.row(vertical_alignment="bottom", key="limits"):
    with st.container(width=330):
        add = partial(state.replace_one, "goal", "")
        parts.search_box("I want to understand", offered, "add_goal", "A name or a question", add)
    parts.fold("Limits", "limits", ("depth", "budget", "split", "speed"))
    told = "  \n".join(f"**{name.capitalize()}**: {words}" for name, words in PLAN_DEPTHS.items())
    depths = {str(name): name.capitalize() for name in PLAN_DEPTHS}
    depth = parts.segments("depth", "How much", depths, "usual", wrap=True, help=told)
    own = st.query_params.get("budget", "")
    valid = own.isdecimal() and len(own) <= len(str(LONGEST)) and 1 <= int(own) <= LONGEST
    budgets = sorted({"30", "45", "60", "90", *([own] if valid else [])}, key=int)
    words = {"any": "No limit", **{value: f"{value} min" for value in budgets}}
    chosen = parts.segments("budget", "Time I have", words, wrap=True)
    budget = None if chosen == "any" else int(chosen)
    times = [SPLITS.get(st.query_params.get("split", "")), SPEEDS.get(st.query_params.get("speed", ""))]
    with st.popover(", ".join(filter(None, times)) or "More", icon=":material/tune:"):
        split = parts.select("split", "Sessions", SPLITS, "In one go")
        speed = parts.select("speed", "Speed", SPEEDS, "1x")
        minutes = state.follow("budget", budget, key="own_minutes") | {"min_value": 1, "max_value": LONGEST}
        st.number_input("Minutes", value=None, placeholder="No limit", **minutes)
with parts.row(key="wanted"):
    given = {value: ids.get(value) or offered.get(value, value) for value in st.query_params.get_all("goal")}
    parts.chips(given, "goal", lambda value: state.replace_one("goal", value))
    with st.container(horizontal=True, width="content", key="facts"):
        _fact("known", "concept", ":material/school:", "Knowing one means knowing what is below it")
        _fact("heard", "episode", ":material/headphones:", "An episode")
understood = parts.meanings("goal", ids, "goal")
if wanted := [value for value in given if value in ids or value in understood]:
    limits: Any = {"budget": budget, "depth": depth, "split": split, "speed": float(speed or 1)}
    if st.query_params.get("quiz") == "on":
        said = {key: [e for e in st.query_params.get_all(key) if e in graph.episode] for key in ("can", "cannot")}
        quiz = cache.ask(Atlas.quiz, *wanted, yes=tuple(said["can"]), no=tuple(said["cannot"]), **limits)
        with st.container(border=True, key="quiz"):
            _quiz(quiz, said)
        _show(quiz.plan, budget)
    else:
        _show(cache.ask(Atlas.plan, *wanted, **limits), budget)
else:
    told = "Choose what you want to understand. You get what to hear first, its own episodes, and what deepens it."
    parts.say(told, "route")
    parts.heading("Goals to begin with")
    for goal in parts.cards(cache.ask(Atlas.first_goals), 3):
        parts.told_link(goal.name, goal.why, "flag", goal=goal.id)
    if journeys := atlas.journeys():
        parts.heading("Or take a journey")
    for journey in parts.cards(journeys, 2):
        parts.told_link(journey.title, journey.about, "route", goal=journey.goals)
