"""The listening path: goals in, a road of episodes out, with what each needs of the former."""

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
from torchatlas.graph.formatting import PLAN_DEPTHS, clock, counted, esc, is_web, length, link, listed, verb
from torchatlas.graph.views import other_names
from torchatlas.profile import Fact
from torchatlas.ui.pictures import route_state
from torchatlas.ui.plans import FORMATS
from torchatlas.ui.web import cache, parts, state

LONGEST, MOMENTS = 6000, 3  # minutes of a budget; the moments of an episode that stand open
SPLITS = {f"{n}x{minutes}m": f"{n} × {minutes} min" for minutes in (20, 30, 45, 60) for n in (2, 3, 5)}
SPEEDS = {speed: f"{speed}x" for speed in ("0.75", "1.25", "1.5", "1.75", "2", "2.5", "3")}
atlas = cache.atlas()
graph = atlas.graph
ROLES = {"before": "Before", "goal": "Your goal", "nearest": "Nearest to your goal", "deepens": "Further"}


def _fact(name: Fact, hint: str) -> None:
    """Draw a list of the profile: a box that adds, and chips."""
    ids = getattr(atlas.profile.within(graph), name)
    if name == "known":
        label, change, names = "I know already", atlas.know, graph.concept_names
    else:
        label, change, names = "I have heard", atlas.heard, graph.episode_names
    options = names | (other_names(graph) if name == "known" else {})

    def add(text: str) -> None:
        st.session_state.pop("unsure", None)
        try:
            parts.remember(partial(change, text))
        except UnknownName as e:  # the next run offers what may have been meant
            st.session_state["unsure"] = name, text, e.suggestions

    parts.search_box(label, options, f"add_{name}", hint, add)
    of, text, suggestions = st.session_state.get("unsure", ("", "", ()))
    if of == name:
        parts.say_nothing_found(text, suggestions, add)
    forget = partial(change, forget=True)
    parts.chips({id_: names[id_] for id_ in ids}, name, lambda id_: parts.remember(partial(forget, id_)))


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
    _remarks(plan, goals, budget)
    for new in plan.successors:
        parts.say(esc(str(new)), "update")
        parts.go(f"Plan for {esc(new.name)}", "route", goal=new.id)
    checklist = cache.ask(Atlas.checklist, plan)
    if checklist.heard:
        st.progress(checklist.progress[0], esc(checklist.progress[1]))
    if _views(plan) == "map":
        shown = route_state(plan, checklist).of(graph, atlas.profile)
        drawn = cache.draw_map(None, "met", [step.episode_id for step in plan.steps])
        parts.show_map(drawn, shown, key="route", on_pick=parts.leave_for)
        return
    left, right = st.columns([1.9, 1], gap="large") if checklist.steps else [st.container()] * 2
    with left.container(key="road", gap=None):
        _road(checklist, goals)
    with right.container(key="beside_road"):
        _rest(plan)


def _remarks(plan: Plan, goals: Sequence[str], budget: int | None) -> None:
    """Draw what is left out or done, and a button for each longer plan."""
    if not (plan.steps or plan.near or plan.unmet):
        parts.say(esc(" ".join(plan.remarks)), "check_circle", st.success)
        _later(goals)
        return
    for remark in plan.remarks:
        parts.say(esc(remark), draw=st.info if plan.steps else st.warning)
    longer = {goal.extra_minutes: (goal.goal, goal.estimated) for goal in plan.unmet if goal.extra_minutes}
    if more := plan.more:
        longer.setdefault(more.extra_minutes, (listed([e.name for e in more.adds]), more.estimated))
    with parts.row() if budget and longer else nullcontext():
        for minutes, (adds, estimated) in sorted(longer.items()):
            label = f"+{length(minutes, estimated=estimated)}: {esc(adds)}"
            icon, raised = ":material/more_time:", min(LONGEST, (budget or 0) + minutes)
            st.button(label, key=f"more:{minutes}", icon=icon, on_click=state.choose, args=("budget", raised))


def _views(plan: Plan) -> str:
    """Draw what a plan can be seen as, and what to do with it; return which view is chosen."""
    if not plan.steps and not plan.near:
        return "steps"
    with parts.row(horizontal_alignment="distribute", key="views"):
        views, shown = {"steps": "Steps", "map": "Map"}, "steps"
        if len(plan.steps) > 1:  # a picture of one step says nothing that the list does not
            shown = parts.segments("picture", "View", views, label_visibility="collapsed", width="content")
        with st.container(horizontal=True, width="content"):
            if plan.steps and st.query_params.get("quiz") != "on":
                quiz: Any = {"help": "What can I skip?", "on_click": state.choose, "args": ("quiz", "on")}
                st.button("Quiz me", icon=":material/quiz:", key="quiz_me", **quiz)
            with st.popover("Export", icon=":material/ios_share:"):
                parts.share(plan, nullcontext())
                _take_along(plan)
    return shown


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


@st.fragment
def _take_along(plan: Plan) -> None:
    start: date | None = None
    silent = parts.offer_audio([step.episode_id for step in plan.steps], some=True) if plan.steps else True
    if plan.steps:
        start = st.date_input("The calendar begins on", value="today", key="calendar_start")
        days = len(plan.sessions or plan.steps)
        if start:
            st.caption(f"{counted(days, 'session')}, one a day, until {start + timedelta(days=days - 1)}.")
    with parts.row(gap="small"):
        for name, kind in FORMATS.items():
            file = f"listening-path{kind.endings[0]}"
            text, is_off = partial(atlas.plan_text, plan, name, start), {"rss": silent, "ics": start is None}
            given: Any = {"help": f"{kind.about[:1].upper()}{kind.about[1:]}.", "disabled": is_off.get(name, False)}
            given |= {"on_click": "ignore", "icon": ":material/download:"}
            st.download_button(kind.label, text, file, guess_type(file)[0], key=f"take:{name}", **given)


def _road(checklist: Checklist, goals: Sequence[str]) -> None:
    """Draw the steps on a line, and between them what one carries over to the next."""
    place = 0
    for step in checklist.steps:
        if step.episode_id in checklist.heard:
            minutes = esc(step.lasts)
            with parts.row(horizontal_alignment="distribute", key=f"heard_{step.episode_id}"):
                st.markdown(f"*✓* ~~{esc(step.title)}~~ :small[{minutes}]", width="content")
                parts.heard_button(step.episode_id, heard=True)
            continue
        place += 1
        if needs := [need for need in step.needs if need.source in graph.episode]:
            with parts.row(gap="xsmall", key=f"needs_{place}"):
                st.markdown("needs", width="content")
                for need in needs:
                    know: Any = {"on_click": parts.remember, "args": (partial(atlas.know, need.id),)}
                    parts.button(f"**{esc(need.name)}** :blue[I know this]", key=f"know:{place}:{need.id}", **know)
        with st.container(border=True, key=f"step_{place}"):
            _step(place, step, goals)


def _step(place: int, step: Step, goals: Sequence[str]) -> None:
    episode, minutes = graph.episode[step.episode_id], step.lasts
    with parts.row(horizontal_alignment="distribute", key=f"{step.badge}_{place}"):
        parts.go(f"*{place}* **{esc(step.title)}**", episode=step.episode_id)
        parts.heard_button(step.episode_id, heard=False, goals=goals)
    facts = " · ".join(filter(None, (ROLES[step.badge], minutes, step.doubt)))
    st.markdown(f":small[:gray[{esc(facts)}]]  \n{esc(step.why)}")
    found = [(taught.name, taught.at) for taught in step.teaches if taught.at is not None]
    with st.container(horizontal=True, gap="small", key=f"moments_{episode.id}"):
        if is_web(episode.audio_url):
            parts.moment(episode, "Play", 0, "Play", goals)
        elif is_web(step.url) and (do := verb(step.kind)) != "hear":
            st.link_button(do.capitalize(), step.url, type="tertiary", icon=":material/open_in_new:")
        more: Any = nullcontext()
        for place, (name, at) in enumerate(found):
            if place == MOMENTS:
                more = st.popover(f"{len(found) - place} more", type="tertiary")
            with more:
                parts.moment(episode, name, at, f"{esc(name)} {esc(clock(at))}", goals)
    if step.caveats:
        with st.expander(f"Keep in mind ({len(step.caveats)})", icon=":material/info:", type="compact"):
            st.markdown("\n".join(f"- {esc(caveat)}" for caveat in step.caveats))


def _rest(plan: Plan) -> None:
    parts.minutes(plan)
    parts.bullets("Sessions", [esc(line) for line in plan.schedule])
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
            for line in part:
                with st.container(gap=None, key=f"primer_{line.id}"):
                    with parts.row(horizontal_alignment="distribute"):
                        st.markdown(f"**{esc(line.name)}**", width="content")
                        know = partial(atlas.know, line.id)
                        parts.button("I know this", key=f"{title}:{line.id}", on_click=parts.remember, args=(know,))
                    read = f" {link('Read', line.link)}" if line.link else ""
                    st.markdown(f"{esc(line.told)}{read}")
    if plan.routes:
        parts.heading("Other ways there")
    for route in plan.routes:
        with st.expander(esc(route.heading)):
            st.markdown(esc(route.how))
            names = (esc(graph.label_of(step.episode_id)) for step in route.steps)
            st.markdown("\n".join(f"{place}. {name}" for place, name in enumerate(names, 1)))


def _limits() -> dict[str, Any]:
    """Draw how much, how long and how fast to hear behind a button that tells them; return them."""
    own = st.query_params.get("budget", "")
    valid = own.isdecimal() and len(own) <= len(str(LONGEST)) and 1 <= int(own) <= LONGEST
    budgets = sorted({"30", "45", "60", "90", *([own] if valid else [])}, key=int)
    words = {"any": "No limit", **{value: f"{value} min" for value in budgets}}
    depths = {str(name): name.capitalize() for name in PLAN_DEPTHS}
    told = [depths[state.chosen("depth", depths) or "usual"], words[own if valid else "any"].lower()]
    told += [SPLITS.get(st.query_params.get("split", ""), ""), SPEEDS.get(st.query_params.get("speed", ""), "")]
    with st.popover(", ".join(filter(None, told)), icon=":material/tune:", key="limits"):
        about = "  \n".join(f"**{name.capitalize()}**: {words}" for name, words in PLAN_DEPTHS.items())
        depth = parts.segments("depth", "How much", depths, "usual", wrap=True, help=about)
        chosen = parts.segments("budget", "Time I have", words, wrap=True)
        budget = None if chosen == "any" else int(chosen)
        minutes = state.follow("budget", budget, key="own_minutes") | {"min_value": 1, "max_value": LONGEST}
        st.number_input("Minutes", value=None, placeholder="No limit", **minutes)
        split = parts.select("split", "Sessions", SPLITS, "In one go")
        speed = parts.select("speed", "Speed", SPEEDS, "1x")
    return {"budget": budget, "depth": depth, "split": split, "speed": float(speed or 1)}


ids, offered = cache.names(), cache.subject_words()
given = {value: ids.get(value) or offered.get(value, value) for value in st.query_params.get_all("goal")}
head = st.container(key="head")  # says what the plan is for, once that is known
with parts.row(key="wanted"):
    with st.container(key="search", width=330):
        hint, add = "Another goal" if given else "A name or a question: press /", partial(state.replace_one, "goal", "")
        parts.search_box("I want to understand", offered, "add_goal", hint, add, visible=False)
    parts.chips(given, "goal", lambda value: state.replace_one("goal", value))
    with st.container(horizontal=True, width="content", key="facts"):
        limits = _limits()
        profile = atlas.profile.within(graph)
        facts = (("I know", profile.known), ("heard", profile.heard))
        label = ", ".join(f"{words} {len(ids_)}" for words, ids_ in facts if ids_)
        with st.popover(label or "I know already", icon=":material/school:", key="profile"):
            _fact("known", "A concept")
            _fact("heard", "An episode")
            st.caption("Kept in your profile at once. Knowing a concept means knowing what it requires, too.")
understood = parts.meanings("goal", ids, "goal")
if wanted := [value for value in given if value in ids or value in understood]:
    quiz = None
    if st.query_params.get("quiz") == "on":
        said = {key: [e for e in st.query_params.get_all(key) if e in graph.episode] for key in ("can", "cannot")}
        quiz = cache.ask(Atlas.quiz, *wanted, yes=tuple(said["can"]), no=tuple(said["cannot"]), **limits)
    plan = quiz.plan if quiz else cache.ask(Atlas.plan, *wanted, **limits)
    with head:
        st.title(esc(parts.goals_title(wanted, plan)), anchor=False)
        if plan.steps or plan.near:
            st.header(esc(plan.amount), anchor=False)
    if quiz:
        with st.container(border=True, key="quiz"):
            _quiz(quiz, said)
    _show(plan, limits["budget"])
else:
    head.title("Plan", anchor=False)
    about = "the episodes about it, what to hear before them, and where to go next."
    st.markdown(f"What do you want to understand? You get {about}")
    parts.heading("Goals to begin with")
    for goal in parts.cards([g for g in cache.ask(Atlas.first_goals) if g.id not in profile.known], 3):
        parts.told_link(goal.name, goal.why, "flag", goal=goal.id)
    if journeys := atlas.journeys():
        parts.heading("Or take a journey")
    for journey in parts.cards(journeys, 2):
        parts.told_link(journey.title, journey.about, "route", goal=journey.goals)
