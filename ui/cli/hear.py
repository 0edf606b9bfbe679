"""Commands about what to hear: plan, journeys, quiz, next, related, know, heard."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from torchatlas.graph.errors import AtlasError, DataError, UnknownName, shortened
from torchatlas.graph.formatting import PLAN_DEPTHS, counted, length
from torchatlas.ui.cli.options import (
    atlas_option,
    format_option,
    limit_option,
    minutes,
    print_answer,
    show_option,
    split,
    tell,
    wrapped,
)
from torchatlas.ui.plans import FORMATS, format_of, quiz_ending

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Plan, Quiz, Related, Step, WhatNext
    from torchatlas.graph.findings import Journey
    from torchatlas.graph.model import PlanDepth


_STYLES = "; ".join(f"{each.name}: {each.about}" for each in FORMATS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutput:
    """A format (None: text for people), a file (None: standard output), and the day on which a calendar begins."""

    style: str | None
    target: Path | None
    start: date | datetime | None

    def put(self, atlas: "Atlas", plan: "Plan") -> None:
        """Write the plan in its format, which is no text for people; a line tells of a file. Raises AtlasError.

        Players show neither how the goals were understood nor what is left out: standard error says it.
        """
        if self.style and FORMATS[self.style].to_hear:
            for line in (*plan.readings, *plan.remarks):
                tell(line, err=True)
        start = self.start or (date.today() if self.style == "ics" else None)
        if self.target is None:
            click.echo(atlas.plan_text(plan, str(self.style), start).encode(), nl=False)
            return
        path = atlas.write_plan(plan, self.target, self.style, start)
        tell(f"{path}: {path.stat().st_size:,} bytes", err=True)


def output_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `output`, a PlanOutput, from the options --format, --output and --from."""

    @click.option(
        "--format",
        "style",
        type=click.Choice(["text", *FORMATS]),
        help=f"{_STYLES}. By default what FILE ends in, else text.",
    )
    @click.option(
        "--output",
        "target",
        type=click.Path(path_type=Path, allow_dash=True),
        metavar="FILE",
        help="Write it to a file; the ending says the format.",
    )
    @click.option(
        "--from",
        "start",
        callback=_start,
        metavar="DAY",
        help="A calendar's first day (default: today), or day and time: 2026-12-01T08:15.",
    )
    @wraps(command)
    def run(*arguments: Any, style: str | None, target: Path | None, start: date | None, **options: Any) -> None:
        command(*arguments, output=_output(style, target, start), **options)

    return run


def _output(style: str | None, target: Path | None, start: date | datetime | None) -> PlanOutput:
    """Return what is asked for. Raises UsageError where the format is unclear, or the options contradict."""
    if target is not None and str(target) == "-":
        target = None
    if target is not None and style == "text":
        raise click.UsageError("text is for a terminal; for a file, name another --format, such as markdown")
    if target is not None and style is None:
        try:
            style = format_of(target)
        except DataError as e:
            raise click.BadParameter(str(e), param_hint="--output") from e
    if start is not None and style != "ics":
        raise click.UsageError("--from is the day on which a calendar begins; add --format ics")
    return PlanOutput(style=None if style == "text" else style, target=target, start=start)


def _start(_context: click.Context, _option: click.Parameter, value: str | None) -> date | datetime | None:
    """Return a day, or a local time: 2026-12-01, 2026-12-01T08:15."""
    if value is None:
        return None
    found = re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?", value, re.ASCII)
    try:
        if found:
            return datetime.fromisoformat(value) if found[1] else date.fromisoformat(value)
    except ValueError as e:
        raise click.BadParameter(f"{value} is no day: {e}") from e
    raise click.BadParameter(f"{shortened(value)!r} is no day; write 2026-12-01 or 2026-12-01T08:15")


_PRIMERS, _MOMENTS = 6, 6  # spelled out in a terminal; JSON, Markdown and the page have them all
_NEAR = {"hear": "hear", "read": "read on"}


@click.command()
@click.argument("goals", nargs=-1, metavar="GOAL...")
@click.option(
    "--journey",
    metavar="NAME",
    help="The goals of a curated journey, by name or title; `torchatlas journeys` lists them.",
)
@click.option("--query", "cypher", metavar="CYPHER", help="More goals: concepts and episodes in the rows of a query.")
@click.option("--known", multiple=True, metavar="CONCEPT,...", help="What you know already, and all below it.")
@click.option("--heard", multiple=True, metavar="EPISODE,...", help="Episodes that you have heard, by number or title.")
@click.option("--budget", callback=minutes, metavar="LENGTH", help="How long you have: 90m, 1h30m.")
@click.option(
    "--depth",
    type=click.Choice([*PLAN_DEPTHS]),
    default="usual",
    show_default=True,
    help="; ".join(f"{depth}: {words}" for depth, words in PLAN_DEPTHS.items()) + ".",
)
@click.option("--split", "sessions", metavar="NxLENGTH", help="Divide the plan over sessions: 3x30m, 2x1h.")
@click.option("--speed", type=float, default=1.0, metavar="FACTOR", help="How fast you play it: 0.5 to 4, such as 1.5.")
@output_options
@atlas_option
@show_option
def plan(
    atlas: "Atlas",
    goals: tuple[str, ...],
    journey: str | None,
    cypher: str | None,
    known: Sequence[str],
    heard: Sequence[str],
    budget: int | None,
    depth: "PlanDepth",
    sessions: str | None,
    speed: float,
    output: PlanOutput,
) -> None:
    """Plan which episodes to hear, in which order, and why.

    A GOAL is a concept, an episode's title or number, an identifier or a file of the source, an area ("area {area}"),
    or a question in your own words. The plan says how it understood words that are no exact name.

    \b
    Example: torchatlas plan {goal} --known {known} --budget 90m
             torchatlas plan "{question}"
             torchatlas plan {goal} --split 3x30m --speed 1.5
             torchatlas plan {goal} --split 3x30m --from 2026-12-01 --output commute.ics
    """
    if not goals and cypher is None and journey is None:
        raise click.UsageError("name a GOAL, choose a --journey, or ask for goals with --query")
    asked = () if cypher is None else atlas.nodes(atlas.query(cypher))
    stations = () if journey is None else atlas.journey(journey).goals
    whole = _with_commas(atlas) if any("," in value for value in (*known, *heard)) else ()
    known, heard = split(known, whole), split(heard, whole)
    try:
        answer = atlas.plan(
            *goals, *stations, *asked, known=known, heard=heard, budget=budget, depth=depth, split=sessions, speed=speed
        )
    except UnknownName as e:
        raise AtlasError(f"{e}{_quoted(atlas, goals)}") from e
    if output.style:
        output.put(atlas, answer)
        return
    for line in _plan_lines(answer, atlas.episode_names()):
        tell(line)


def _quoted(atlas: "Atlas", goals: tuple[str, ...]) -> str:
    """Return the hint that goals of one word each are a question without quotes, or ""."""
    typed = " ".join(goals)
    words_each = len(goals) > 1 and len(typed.split()) == len(goals)
    if not words_each or all(_meant(atlas, goal) for goal in goals) or not _meant(atlas, typed):
        return ""
    return f"; put the words in quotes: torchatlas plan {shlex.quote(typed)}"


def _with_commas(atlas: "Atlas") -> list[str]:
    """Return the names and titles that hold commas, and so are no lists."""
    concepts = (name for concept in atlas.graph.concepts for name in (concept.name, *concept.aliases))
    return [name for name in (*concepts, *(e.title for e in atlas.graph.episodes)) if "," in name]


def _meant(atlas: "Atlas", text: str) -> bool:
    return any(reading.sure for reading in atlas.understand(text)[:1])


def _plan_lines(answer: "Plan", names: Mapping[str, str]) -> Iterable[str]:
    yield from (wrapped(sentence, "") for sentence in answer.readings)
    yield wrapped(answer.heading, "")
    for new in answer.successors:
        yield f"\n{new} Try: torchatlas plan {shlex.quote(new.name)}"
    for place, step in enumerate(answer.steps, 1):
        yield from _step_lines(f"{place:2}. {names[step.episode_id]}", step)
    if answer.sessions:
        yield "\nSessions:"
        yield from map(wrapped, answer.schedule)
    for heading, rows in answer.primers.items():
        yield f"\n{heading}:"
        yield from (wrapped(f"{p.name}: {p.told} {p.link or ''}") for p in rows[:_PRIMERS])
        if rest := [p.name for p in rows[_PRIMERS:]]:
            yield wrapped(f"and {', '.join(rest)}; torchatlas concepts NAME explains each")
    told = (line for line in (*answer.remarks, *answer.alternatives) if answer.steps or line not in answer.heading)
    yield from (f"\n{line}" for line in told)
    for heading, near in answer.near.items():
        yield f"\n{heading}:"
        yield from (wrapped(f"{_NEAR[n.kind]} {names.get(n.id, n.name)}: {n.why} {n.link or ''}") for n in near)


def _step_lines(name: str, step: "Step") -> Iterable[str]:
    facts = (length(step.minutes, estimated=step.estimated), step.badge, step.doubt)
    yield f"\n{name}  ({', '.join(filter(None, facts))})"
    yield wrapped(step.why, "    ")
    if step.moments:
        yield wrapped(f"explained: {', '.join(step.moments[:_MOMENTS])}", "    ")
    yield from (wrapped(f"note: {caveat}", "    ") for caveat in step.caveats)


_GOALS = 3  # to begin with, where there is no journey


@click.command()
@format_option("text", "json")
@atlas_option
def journeys(atlas: "Atlas", style: str) -> None:
    """List curated journeys: goals that belong together.

    `torchatlas plan --journey NAME` plans one, with all options of a plan.

    Example: torchatlas journeys
    """
    found = atlas.journeys()
    print_answer(found, style, _journey_lines(found, atlas))
    if not found:
        goals = "; ".join(f"torchatlas plan {shlex.quote(goal.name)}" for goal in atlas.first_goals(_GOALS))
        tell(
            f"no journey fits this map; {f'goals to begin with: {goals}' if goals else 'torchatlas add FEED'}", err=True
        )


def _journey_lines(journeys: "Sequence[Journey]", atlas: "Atlas") -> Iterable[str]:
    for journey in journeys:
        yield f"{journey.title}  [{journey.name}]"
        yield wrapped(journey.about)
        yield wrapped(f"goals: {', '.join(map(atlas.graph.name_of, journey.goals))}")


_OPENED = 3  # spelled out in a terminal; JSON has them all


@click.command()
@click.argument("goals", nargs=-1, required=True, metavar="GOAL...")
@click.option("--yes", multiple=True, metavar="EPISODE", help="An episode whose question you can answer.")
@click.option("--no", multiple=True, metavar="EPISODE", help="One whose question you cannot answer.")
@click.option("--budget", callback=minutes, metavar="LENGTH", help="How long you have: 90m, 1h30m.")
@click.option("--keep", is_flag=True, help="Remember the subjects of the skipped episodes as known, for every plan.")
@format_option("text", "json")
@atlas_option
@show_option
def quiz(
    atlas: "Atlas",
    goals: tuple[str, ...],
    yes: tuple[str, ...],
    no: tuple[str, ...],
    budget: int | None,
    keep: bool,
    style: str,
) -> None:
    """Find in at most eight questions what you can skip.

    Answer y where you could explain it, n where you could not, q to stop. With `--format json` nothing is asked: the
    next question and what is left are printed, and `--yes` and `--no` give the answers so far.

    Example: torchatlas quiz {goal}
    """
    found = atlas.quiz(*goals, yes=yes, no=no, budget=budget)
    if style == "text":
        for sentence in found.plan.readings:
            tell(wrapped(sentence, ""))
    stopped = False
    while style == "text" and found.check and not stopped:
        reply = _ask_check(found)
        stopped = reply == "q"
        yes, no = (*yes, *[found.check.id] * (reply == "y")), (*no, *[found.check.id] * (reply == "n"))
        found = atlas.quiz(*goals, yes=yes, no=no, budget=budget)
    if keep:
        atlas.know_subjects(*(episode.id for episode in found.skipped))
    ending = quiz_ending(len(yes) + len(no), stopped=stopped)
    print_answer(found, style, (ending, *_quiz_lines(found, atlas.episode_names(), budget)))


def _ask_check(found: "Quiz") -> str:
    """Ask the next question on the terminal; return y, n or q."""
    assert found.check
    tell(wrapped(found.check.question, ""))
    choice: str = click.prompt("  Could you answer this?", type=click.Choice(["y", "n", "q"]), default="n")
    return choice


def _quiz_lines(found: "Quiz", names: dict[str, str], budget: int | None) -> Iterable[str]:
    for episode in found.skipped:
        yield f"skip: {names[episode.id]}"
    if found.saved > 0 and found.plan.steps:
        guessed = found.estimated or any(step.estimated for step in found.plan.steps)
        whole = "" if budget else f" of {length(found.plan.minutes + found.saved, estimated=guessed)}"
        yield f"That saves {length(found.saved, estimated=found.estimated)}{whole}."
    if found.skipped and not found.plan.steps:
        yield f"You know everything in the plan for {', '.join(found.plan.goals)}."
        return
    yield wrapped(found.plan.heading, "")
    for place, step in enumerate(found.plan.steps, 1):
        yield f"{place:2}. {names[step.episode_id]}  ({length(step.minutes, estimated=step.estimated)}, {step.badge})"


@click.command("next")
@limit_option(5)
@format_option("text", "json")
@atlas_option
@show_option
def what_next(atlas: "Atlas", limit: int, style: str) -> None:
    """List what you are ready to hear, and what to refresh.

    `torchatlas heard` and `torchatlas know` keep what counts here.

    Example: torchatlas next
    """
    found = atlas.what_next()
    heard = set(atlas.profile.heard)
    left = any(e.kind == "episode" and e.id not in heard for e in atlas.graph.episodes)
    print_answer(found, style, _next_lines(found, atlas.episode_names(), limit, unknown=left))


def _next_lines(found: "WhatNext", names: dict[str, str], limit: int, *, unknown: bool) -> Iterable[str]:
    if not found.ready and unknown:
        yield wrapped(
            "Nothing is ready: the map does not know the subjects of the episodes that are left. To begin a vocabulary,"
            " or to add to it: torchatlas candidates --draft FILE",
            "",
        )
    elif not found.ready:
        yield "Nothing is ready: you have heard all episodes that the map has."
    else:
        yield f"Ready: {counted(len(found.ready), 'episode')} for which you need no other first"
    for place, episode in enumerate(found.ready[:limit], 1):
        long = "length unknown" if episode.minutes is None else length(episode.minutes)
        yield f"\n{place:2}. {names[episode.id]}  ({long})"
        if opened := [names[o.id] for o in episode.opens]:
            more = f" and {len(opened) - _OPENED} more" if opened[_OPENED:] else ""
            yield wrapped(f"makes ready: {', '.join(opened[:_OPENED])}{more}", "    ")
        if episode.leads_to:
            yield f"    needed on the way to {counted(episode.leads_to, 'episode')}"
    if further := found.ready[limit:]:
        yield f"\nand {len(further)} more: torchatlas next --limit {len(found.ready)}"
    if found.refresh:
        yield "\nNothing else that you have heard builds on these; refresh what you heard long ago:"
        for heard in found.refresh[:limit]:
            need = "needs" if heard.used_by == 1 else "need"
            used = f": {counted(heard.used_by, 'ready episode')} {need} its subject" if heard.used_by else ""
            yield f"  {names[heard.id]}{used}"


@click.command()
@click.argument("episode")
@limit_option(10)
@format_option("text", "json")
@atlas_option
@show_option
def related(atlas: "Atlas", episode: str, limit: int, style: str) -> None:
    """List the episodes nearest to EPISODE, with the reasons.

    EPISODE is a title, a number or an id.

    Example: torchatlas related "{episode}" --limit 5
    """
    rows = atlas.related(episode, limit)
    print_answer(rows, style, _related_lines(rows, atlas))


def _related_lines(rows: "Sequence[Related]", atlas: "Atlas") -> Iterable[str]:
    names = atlas.episode_names()
    for row in rows:
        yield names[row.episode_id]
        yield f"    {row.why}"


_forget = click.option("--forget", is_flag=True, help="Take them out again.")


@click.command()
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@_forget
@format_option("text", "json")
@atlas_option
def know(atlas: "Atlas", names: tuple[str, ...], forget: bool, style: str) -> None:
    """Remember that you know these concepts, for every plan.

    Without a CONCEPT it lists what you know.

    Example: torchatlas know {known} {concept}
    """
    _list(
        atlas,
        atlas.know(*names, forget=forget),
        style,
        done=_done(names, forget=forget),
        nothing="You have not said yet that you know a concept: torchatlas know CONCEPT",
    )


@click.command()
@click.argument("names", nargs=-1, metavar="[EPISODE]...")
@click.option(
    "--file",
    type=click.File("rb"),
    metavar="NUMBERS",
    help="A text file of episodes, one a line or several with commas; - is standard input.",
)
@_forget
@format_option("text", "json")
@atlas_option
def heard(atlas: "Atlas", names: tuple[str, ...], file: BinaryIO | None, forget: bool, style: str) -> None:
    """Remember that you have heard these episodes, for every plan.

    An EPISODE is a number, a title or an id. Without one it lists what you have heard.

    \b
    Example: torchatlas heard 2 7
             torchatlas heard --file numbers.txt
    """
    if file is not None and names:
        raise click.UsageError("name episodes, or a file with --file, not both")
    if file is not None:
        names = tuple(_episodes_in(atlas, file))
    _list(
        atlas,
        atlas.heard(*names, forget=forget),
        style,
        done=_done(names, forget=forget),
        nothing="You have not said yet that you heard an episode: torchatlas heard EPISODE",
    )


def _episodes_in(atlas: "Atlas", file: BinaryIO) -> Iterator[str]:
    """Yield the ids of the episodes that a file names. Raises DataError, which names the line, for any other word."""
    whole, empty = _with_commas(atlas), True
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig")
            numbers = text.replace(",", " ").split()
            for name in numbers if all(map(str.isdigit, numbers)) else split([text], whole):
                yield atlas.id_of(name, "episode", words_too=False)
                empty = False
        except (UnknownName, UnicodeDecodeError) as e:
            told = e if isinstance(e, UnknownName) else "it is not a text in UTF-8"
            raise DataError(f"{file.name}, line {number}: {told}") from e
    if empty:
        raise DataError(f"{file.name}: it names no episode; write a number or a title on each line")


def _list(atlas: "Atlas", ids: Iterable[str], style: str, *, done: str, nothing: str) -> None:
    """Print the facts of a profile by name: what was just `done` with them, or that there is `nothing`."""
    graph = atlas.graph
    there = graph.concept.keys() | graph.episode.keys()
    names = {id_: graph.name_of(id_) if id_ in there else None for id_ in ids}
    lines = [
        done + (f"{id_}  (not in this graph)" if name is None else graph.label_of(id_)) for id_, name in names.items()
    ]
    print_answer([{"id": id_, "name": name} for id_, name in names.items()], style, lines or [nothing])


def _done(given: tuple[str, ...], *, forget: bool) -> str:
    """Return what stands before each fact: nothing where all are only listed."""
    if not given:
        return ""
    return "Forgotten: " if forget else "Remembered: "
