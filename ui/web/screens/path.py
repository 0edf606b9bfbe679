"""The listening path: goals in, an ordered list out, and beside it the picture of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Checklist, Nearby, Plan, Primer, Quiz, Route, Step, Successor, plan_markdown
from torchatlas.graph.cards import Neighbour
from torchatlas.graph.errors import AtlasError, UnknownName
from torchatlas.graph.findings import Journey
from torchatlas.graph.formatting import PLAN_DEPTHS, counted, esc, is_web, length, link, listed
from torchatlas.graph.names import numbered
from torchatlas.profile import Fact
from torchatlas.ui.pictures import MapState, route_state
from torchatlas.ui.plans import FORMATS, PlanFormat
from torchatlas.ui.web import cache, parts, state


def take_along(plan: Plan) -> None:
    """Draw the button that opens all formats, those to hear with only where there is something to hear."""
    with st.popover("Take along", icon=":material/ios_share:"):
        _formats(plan)


@st.fragment
def _formats(plan: Plan) -> None:
    """Draw a button for each format, and the text to copy.

    Another day runs this part of the page alone: a run makes the buttons anew, and a click on one of before is lost.
    """
    if plan.steps:
        st.markdown("**To hear**")
        start = st.date_input("The calendar begins on", value="today", key="calendar_start")
        if start is not None:
            st.caption(_days(plan, start))
        _buttons(plan, (each for each in FORMATS.values() if each.to_hear), start)
    st.markdown("**To read**")
    _buttons(plan, (each for each in FORMATS.values() if not each.to_hear))
    st.caption("Or copy it:")
    with st.container(height=240, border=False):  # what scrolls has a button in it, so that keys reach it
        st.code(plan_markdown(plan), language=None, wrap_lines=True)


def _days(plan: Plan, start: date) -> str:
    """Return how many days the calendar takes, and the last of them."""
    count = len(plan.sessions or plan.steps)
    return f"{counted(count, 'session')}, one a day, until {start + timedelta(days=count - 1)}."


def _buttons(plan: Plan, formats: Iterable[PlanFormat], start: date | None = None) -> None:
    """Draw a button for each format; the file is made when somebody wants it."""
    with st.container(horizontal=True, gap="small"):
        for each in formats:
            st.download_button(
                each.label, partial(_content, cache.atlas(), plan, each.name, start), each.file_name, each.media_type,
                key=f"take:{each.name}", help=f"{each.about[:1].upper()}{each.about[1:]}.", on_click="ignore",
                icon=":material/download:", disabled=each.name == "ics" and start is None,
            )  # fmt: skip


def _content(atlas: Atlas, plan: Plan, style: str, start: date | None) -> bytes:
    return atlas.plan_text(plan, style, start).encode()


MINUTES = ("30", "45", "60", "90")
NAMES = ("depth", "budget", "split", "speed")
"""The URL's parameters of the limits."""
MOST = 6000
"""The longest budget in minutes."""
_ANY = "any"


class _Choice(NamedTuple):
    """A choice behind the button for more: `name` in the URL, `without`: what is shown where nothing is chosen."""

    name: str
    label: str
    values: list[str]
    without: str
    words: Callable[[str], str]


_TIMES = (
    _Choice(
        "split",
        "Sessions",
        [f"{count}x{minutes}m" for minutes in (20, 30, 45, 60) for count in (2, 3, 5)],
        "In one go",
        lambda value: value.replace("x", " × ").replace("m", " min"),
    ),
    _Choice("speed", "Speed", ["0.75", "1.25", "1.5", "1.75", "2", "2.5", "3"], "1x", lambda value: f"{value}x"),
)


def limit_controls() -> cache.Limits:
    """Draw the controls; return what they say."""
    key, write = state.follow("depth", list(PLAN_DEPTHS), "usual")
    deep = st.segmented_control(
        "How much", list(PLAN_DEPTHS), key=key, on_change=write, format_func=str.capitalize, required=True, wrap=True,
        help="  \n".join(f"**{name.capitalize()}**: {words}" for name, words in PLAN_DEPTHS.items()),
    )  # fmt: skip
    budget = _budget()
    given = [(choice, state.chosen(choice.name, choice.values)) for choice in _TIMES]
    words = [choice.words(value) for choice, value in given if value]
    with st.popover(", ".join(words) or "More", icon=":material/tune:"):
        split, speed = map(_draw, _TIMES)
        _own_minutes(budget)
    return cache.Limits(budget, deep or "usual", split, float(speed or 1))


def raise_budget(minutes: int) -> None:
    """Let a plan be so long. For callbacks."""
    state.choose("budget", str(min(MOST, minutes)))


def _budget() -> int | None:
    """Draw the usual budgets, and the one in the address where it is another."""
    given = st.query_params.get("budget", "")
    own = given.isdecimal() and len(given) <= len(str(MOST)) and 1 <= int(given) <= MOST
    values = sorted({*MINUTES, *([given] if own else [])}, key=int)
    key, write = state.follow("budget", [_ANY, *values], _ANY)
    chosen = st.segmented_control(
        "Time I have", [_ANY, *values], key=key, on_change=write, required=True, wrap=True,
        format_func=lambda value: "No limit" if value == _ANY else f"{value} min",
    )  # fmt: skip
    return None if chosen in (None, _ANY) else int(str(chosen))


def _own_minutes(budget: int | None) -> None:
    key = "own_minutes"
    if st.session_state.get(key) != budget:
        st.session_state[key] = budget
    st.number_input(
        "Minutes", min_value=1, max_value=MOST, value=None, key=key, placeholder="No limit",
        on_change=lambda: state.choose("budget", str(st.session_state[key] or "")),
    )  # fmt: skip


def _draw(choice: _Choice) -> str | None:
    key, write = state.follow(choice.name, choice.values)
    return st.selectbox(
        choice.label, choice.values, index=None, key=key, on_change=write, format_func=choice.words,
        placeholder=choice.without,
    )  # fmt: skip


_UNSURE = "unsure"
"""The key of (fact, text, suggestions) where a person typed words that name nothing."""


def goal_controls() -> tuple[tuple[str, ...], cache.Limits]:
    """Draw what is wanted, known and heard; return the goals and the limits of the plan."""
    ids, offered = cache.names(), cache.subject_words()
    with st.container(horizontal=True, vertical_alignment="bottom", key="limits"):
        with st.container(width=330):
            parts.word_box(
                "I want to understand", offered, "add_goal", "A name or a question",
                add=partial(state.add_one, "goal"),
            )  # fmt: skip
        parts.fold("Limits", "limits", sum(name in st.query_params for name in NAMES))
        within = limit_controls()
    given = list(dict.fromkeys(st.query_params.get_all("goal")))
    with st.container(horizontal=True, vertical_alignment="center", key="wanted"):
        parts.chips({value: ids.get(value) or offered.get(value, value) for value in given}, "goal", _drop_goal)
        _facts()
    understood = parts.meanings("goal", ids, "goal")
    return tuple(value for value in given if value in ids or value in understood), within


def _drop_goal(value: str) -> None:
    state.replace_one("goal", value, [])


def _facts() -> None:
    """Draw what the person knows and has heard, each behind a button."""
    atlas = cache.atlas()
    profile = atlas.profile.within(atlas.graph)
    label = f"I know {counted(len(profile.known), 'concept')}" if profile.known else "I know already"
    with st.container(horizontal=True, width="content", key="facts"):
        with st.popover(label, icon=":material/school:"):
            _fact("known", "I know already", cache.concept_words(), "Knowing one means knowing what is below it")
        label = f"I have heard {counted(len(profile.heard), 'episode')}" if profile.heard else "I have heard"
        with st.popover(label, icon=":material/headphones:"):
            _fact("heard", "I have heard", cache.episode_names(), "An episode")


def _fact(fact: Fact, label: str, options: dict[str, str], hint: str) -> None:
    """Draw one list of the profile: a box that adds, and a chip for each entry."""
    atlas = cache.atlas()
    change = atlas.know if fact == "known" else atlas.heard
    parts.word_box(label, options, f"add_{fact}", hint, add=partial(_add, fact))
    of, text, suggestions = st.session_state.get(_UNSURE, ("", "", ()))
    if of == fact:
        parts.say_nothing_found(text, suggestions, partial(_add, fact))
    ids = getattr(atlas.profile.within(atlas.graph), fact)
    names = atlas.concept_names() if fact == "known" else cache.episode_names()
    parts.chips(
        {id_: names[id_] for id_ in ids}, fact,
        lambda id_: parts.remember(lambda: change(id_, forget=True)),
    )  # fmt: skip
    st.caption("Kept in your profile at once.")


def _add(fact: Fact, text: str) -> None:
    """Remember what a name means; where it means nothing, keep the suggestions for the next run."""
    atlas = cache.atlas()
    st.session_state.pop(_UNSURE, None)
    change = atlas.know if fact == "known" else atlas.heard
    try:
        parts.save_change(lambda: change(text))
    except UnknownName as e:
        st.session_state[_UNSURE] = fact, text, e.suggestions
    except AtlasError as e:
        parts.tell_trouble(str(e))


def beginnings() -> None:
    """Draw goals to begin with and the curated journeys as cards, each a link to its plan."""
    atlas = cache.atlas()
    parts.heading("Goals to begin with")
    parts.cards(cache.first_goals(atlas.profile), 3, _goal)
    if found := atlas.journeys():
        parts.heading("Or take a journey")
        parts.cards(found, 2, _journey)


def _goal(goal: Neighbour) -> None:
    parts.go(parts.PATH, f"**{esc(goal.name)}**", ":material/flag:", goal=goal.id)
    st.caption(esc(goal.why))


def _journey(journey: Journey) -> None:
    parts.go(parts.PATH, f"**{esc(journey.title)}**", ":material/route:", goal=journey.goals)
    st.caption(esc(journey.about))


YES, NO = "can", "cannot"
"""The URL's lists of the episodes whose questions the person can and cannot answer."""


def plan_after(goals: tuple[str, ...], limits: cache.Limits) -> Plan:
    """Draw the quiz where it is on; return the plan that is left after the answers so far."""
    atlas = cache.atlas()
    if not _quiz_on():
        return cache.plan_for(goals, limits, atlas.profile)
    answers = {key: [e for e in st.query_params.get_all(key) if e in atlas.graph.episode] for key in (YES, NO)}
    found = cache.quiz_for(goals, limits, answers=(tuple(answers[YES]), tuple(answers[NO])), profile=atlas.profile)
    with st.container(border=True, key="quiz"):
        if found.check:
            _ask_quiz(found, answers)
        else:
            _sum_up_quiz(found)
    return found.plan


def begin_quiz(plan: Plan) -> None:
    """Draw the button that begins the quiz, where there is something to skip."""
    if plan.steps and not _quiz_on():
        st.button("Skip what I know", icon=":material/quiz:", on_click=state.choose, args=("quiz", "on"))


def _quiz_on() -> bool:
    return st.query_params.get("quiz") == "on"


def _ask_quiz(found: Quiz, answers: dict[str, list[str]]) -> None:
    assert found.check
    st.markdown(f"**{esc(found.check.question)}**")
    said = f"The episode {esc(found.check.name)} answers this. Could you explain it to a colleague?"
    st.caption(f"{said} {_gain(found)}")
    with st.container(horizontal=True):
        for key, label in ((YES, "Yes, skip it"), (NO, "No, keep it")):
            more = [*answers[key], found.check.id]
            st.button(label, key=f"quiz_{key}", on_click=_answer, args=(key, more))
        st.button("Stop", key="quiz_stop", type="tertiary", on_click=_answer, args=("quiz", []))


def _sum_up_quiz(found: Quiz) -> None:
    st.markdown(_gain(found) or "Nothing to skip: the whole plan is new to you.")
    with st.container(horizontal=True):
        if found.skipped:
            st.button("Remember that I know this", key="quiz_keep", on_click=_keep, args=(found,))
        st.button("Ask again", key="quiz_again", type="tertiary", on_click=_clear_quiz)


def _gain(found: Quiz) -> str:
    if not found.skipped:
        return ""
    names = esc(", ".join(cache.atlas().graph.label_of(episode.id) for episode in found.skipped))
    saved = esc(length(max(0, found.saved), estimated=found.estimated))
    return f"You skip {counted(len(found.skipped), 'episode')} and save {saved}: {names}."


def _answer(key: str, value: str | Sequence[str]) -> None:
    st.query_params[key] = value


def _clear_quiz() -> None:
    for key in (YES, NO):
        st.query_params.pop(key, None)


def _keep(found: Quiz) -> None:
    parts.remember(lambda: cache.atlas().know_subjects(*(episode.id for episode in found.skipped)))
    _clear_quiz()
    state.choose("quiz", None)


def summary(plan: Plan, budget: int | None) -> None:
    """Draw how much there is to hear, the quiz that makes it less, the plan to take along, and what is left out."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="summary"):
        st.header(esc(plan.amount), anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            begin_quiz(plan)
            take_along(plan)
    for remark in plan.remarks:
        st.info(esc(remark), icon=":material/info:")
    if budget:
        _more_time(plan, budget)


def _more_time(plan: Plan, budget: int) -> None:
    """Draw a button for each number of minutes that would bring in more."""
    longer = [(goal.extra_minutes, goal.goal, goal.estimated) for goal in plan.unmet if goal.extra_minutes]
    if more := plan.more:
        longer.append((more.extra_minutes, listed([e.name for e in more.adds]), more.estimated))
    with st.container(horizontal=True):
        for minutes, adds, estimated in sorted(longer):
            st.button(
                f"+{length(minutes, estimated=estimated)}: {esc(adds)}", key=f"more:{minutes}",
                icon=":material/more_time:", on_click=raise_budget, args=(budget + minutes,),
            )  # fmt: skip


def reached(plan: Plan) -> None:
    """Draw that all is heard, and what the goals open up."""
    said = " ".join(plan.remarks)
    st.success(esc(said), icon=":material/check_circle:")
    ids = [id_ for meant in plan.understood for id_ in meant.ids]
    if found := cache.atlas().opens(*ids):
        parts.heading("What this opens up")
        for row in found:
            with st.container(gap=None):
                parts.go(parts.PATH, f"**{esc(row.name)}**", ":material/route:", goal=row.id)
                st.caption(esc(row.why))


def primer(title: str, lines: Sequence[Primer]) -> None:
    """Draw concepts worth a sentence: the definition, something to read, and the button to say that one knows it."""
    with st.container(gap="xsmall"):
        for line in lines:
            read = f" {link('Read', line.link)}" if line.link else ""
            words, button = st.columns([5, 1.2], vertical_alignment="center")
            words.markdown(f"**{esc(line.name)}** {esc(line.told)}{read}")
            button.button(
                "I know this", key=f"{title}:{line.id}", type="tertiary", on_click=parts.remember,
                args=(partial(cache.atlas().know, line.id),),
            )  # fmt: skip


def nearby(lines: Sequence[Nearby]) -> None:
    """Draw what comes near a goal that no episode explains: episodes to open, and pages to read."""
    with st.container(gap="xsmall"):
        for n in lines:
            if n.kind == "hear":
                st.page_link(
                    parts.EPISODE, label=f"**{esc(n.name)}**", query_params=state.carried() | {"episode": n.id}
                )
                st.caption(esc(n.why))
            else:
                st.markdown(f"**{esc(n.name)}** {esc(n.why)} {link('Read', n.link)}")


def other_routes(routes: Sequence[Route]) -> None:
    """Draw the other ways to the goals, each with what is different."""
    graph = cache.atlas().graph
    for route in routes:
        with st.expander(esc(route.heading)):
            st.markdown(esc(route.how))
            names = (graph.label_of(step.episode_id) for step in route.steps)
            st.markdown("\n".join(f"{n}. {esc(name)}" for n, name in enumerate(names, 1)))


def successors(found: Sequence[Successor]) -> None:
    """Draw what took the place of the goals, each with a link to its plan."""
    for new in found:
        st.info(esc(str(new)), icon=":material/update:")
        parts.go(parts.PATH, f"Plan for {esc(new.name)}", ":material/route:", goal=new.id)


def rest(plan: Plan) -> None:
    """Draw all that stands below the steps."""
    parts.bullets("Sessions", [esc(line) for line in plan.schedule])
    other_routes(plan.routes)
    for title, near in plan.near.items():
        parts.heading(title)
        nearby(near)
    for title, lines in plan.primers.items():
        parts.heading(title)
        parts.with_more(lines, partial(primer, title), title)


_COLOURS: Mapping[str, str] = {"before": "gray", "goal": "orange", "nearest": "orange", "deepens": "blue"}


def progress(checklist: Checklist) -> None:
    """Draw how much of the path is heard, once something is."""
    if checklist.heard:
        st.progress(checklist.share, esc(checklist.told))


def steps(checklist: Checklist, goals: Sequence[str]) -> None:
    """Draw all rows, those left with the numbers that they have on the map.

    The way to `goals` is what a person hears who plays or marks one.
    """
    missing = sorted({show for row in checklist.rows if not row.heard and (show := _mute(row.step))})
    place = 0
    for row in checklist.rows:
        place += not row.heard
        with st.container(border=not row.heard, key=f"heard_{row.step.episode_id}" if row.heard else f"step_{place}"):
            if row.heard:
                _heard(row.step)
            else:
                _step(place, row.step, goals)
    for show in missing:
        with st.popover("No audio here: how to get it", icon=":material/volume_off:", type="tertiary"):
            parts.no_audio(show, f"plan:{show}")


def _mute(step: Step) -> str:
    """Return the show of a step without audio, "" for a step with it."""
    return "" if is_web(step.audio_url) else cache.atlas().graph.episode[step.episode_id].show


def _heard(step: Step) -> None:
    minutes = esc(length(step.minutes, estimated=step.estimated))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/check: ~~{esc(step.title)}~~ :small[{minutes}]", width="content")
        parts.heard_button(step.episode_id, heard=True)


def _step(place: int, step: Step, goals: Sequence[str]) -> None:
    """Draw place, title and facts, why, when things are explained, what to mind, and the button for heard."""
    episode = cache.atlas().graph.episode[step.episode_id]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.page_link(
            parts.EPISODE,
            label=f"**{place}. {esc(step.title)}**",
            query_params=state.carried() | {"episode": step.episode_id},
        )
        parts.heard_button(step.episode_id, heard=False, goals=goals)
    number = numbered(step.number, step.season)
    placed = f" :small[:gray[{esc(number)}]]" if number else ""
    minutes = esc(length(step.minutes, estimated=step.estimated))
    sure = f" :gray-badge[{step.doubt}]" if step.doubt else ""
    st.markdown(f":{_COLOURS[step.badge]}-badge[{step.badge}]{sure} {minutes} — {esc(step.why)}{placed}")
    parts.moments(episode, [parts.Moment(t.name, t.at) for t in step.teaches if t.at is not None], goals)
    parts.player(episode)
    if step.caveats:
        with st.expander(f"What to mind ({len(step.caveats)})", icon=":material/info:", type="compact"):
            st.markdown("\n".join(f"- {esc(caveat)}" for caveat in step.caveats))


LEAST = 2  # a picture of fewer steps says nothing that the list does not
PICTURES = {"map": "On the map", "layers": "In layers"}


def picture(plan: Plan) -> None:
    """Draw the plan as a route on the map, or in layers; a click on a node opens its page."""
    atlas = cache.atlas()
    leave = partial(parts.leave_for, atlas.graph)
    key, write = state.follow("picture", list(PICTURES), "map")
    with st.container(key="route_picture"):
        which = st.segmented_control(
            "Picture", list(PICTURES), key=key, on_change=write, format_func=lambda name: PICTURES[name],
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if which == "layers":
            first = MapState(selected=plan.steps[0].episode_id)
            parts.show_map(cache.plan_payload(plan), first, key="plan", on_pick=leave)
        else:
            route = route_state(atlas.graph, plan, atlas.profile)
            parts.show_map(cache.map_payload(None, "met", None, 0), route, key="route", on_pick=leave)


def show(plan: Plan, budget: int | None) -> None:
    """Draw a plan: the list on the left, its picture on the right where there is something to see."""
    for meant in plan.understood:
        parts.say_understood(meant, partial(state.replace_one, "goal"))
    if not plan.steps and not plan.near:
        reached(plan)
    drawn = len(plan.steps) >= LEAST
    left, right = st.columns([1.15, 1], gap="medium") if drawn else (st.container(), None)
    with left:
        if plan.steps or plan.near:
            summary(plan, budget)
        checklist = cache.checklist(plan, cache.atlas().profile)
        progress(checklist)
        successors(plan.successors)
        steps(checklist, [id_ for meant in plan.understood for id_ in meant.ids])
        rest(plan)
    if right:
        with right:
            picture(plan)


st.title("Listening path", anchor=False)
wanted, within = goal_controls()
if wanted:
    show(plan_after(wanted, within), within.budget)
else:
    st.info(
        "Choose what you want to understand. You get what to hear first, its own episodes, and what deepens it.",
        icon=":material/route:",
    )
    beginnings()
