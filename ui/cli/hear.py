"""Commands about what to hear: plan, quiz, next, related, know, heard, profile."""

import re
import shlex
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from torchatlas.files import load, style_of, write_file
from torchatlas.graph.errors import AtlasError, DataError, UnknownName
from torchatlas.graph.formatting import PLAN_DEPTHS, counted, length
from torchatlas.graph.names import ONLY
from torchatlas.profile import Profile, change_profile
from torchatlas.ui.cli.program import Printed, budget_option, command, limit_option, piped, print_answer, tell, wrapped
from torchatlas.ui.plans import ENDINGS, FORMATS, TO_HEAR, plan_lines, quiz_ending

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Quiz
_STYLES = "; ".join(f"{name}: {each.about}" for name, each in FORMATS.items())
_STYLES += ". By default what FILE ends in, else text."
_FROM = "A calendar's first day (default: today), or day and time: 2026-12-01T08:15."
_DEPTHS = "; ".join(f"{depth}: {words}" for depth, words in PLAN_DEPTHS.items())
_JOURNEY = "The goals of a journey; without a name, list the journeys."
_OPENED = 3  # so many in a terminal, all in other formats


@command(shows=True)
@click.argument("goals", nargs=-1, metavar="GOAL...", callback=piped)
@click.option("--journey", metavar="[JOURNEY]", is_flag=False, flag_value="", help=_JOURNEY)
@click.option("--query", "cypher", metavar="CYPHER", help="More goals: concepts and episodes in the rows of a query.")
@click.option("--known", multiple=True, metavar="CONCEPT,...", help="What you know already, and all below it.")
@click.option("--heard", multiple=True, metavar="EPISODE,...", help="Episodes that you have heard, by number or title.")
@budget_option
@click.option("--verbose", "-v", is_flag=True, help="Also times, notes, definitions and other routes.")
@click.option("--depth", type=click.Choice([*PLAN_DEPTHS]), default="usual", show_default=True, help=f"{_DEPTHS}.")
@click.option("--split", metavar="NxLENGTH", help="Divide the plan over sessions: 3x30m, 2x1h.")
@click.option("--speed", type=float, default=1.0, metavar="FACTOR", help="How fast you play it: 0.5 to 4, such as 1.5.")
@click.option("--only", type=click.Choice([*ONLY]), help="Episodes to hear, videos to watch, or texts to read.")
@click.option("--format", "style", type=click.Choice(["text", *FORMATS]), help=_STYLES)
@click.option("--output", "target", type=Path, metavar="FILE", help="Write it to a file; the ending says the format.")
@click.option("--from", "start", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]), metavar="DAY", help=_FROM)
def plan(
    atlas: "Atlas",
    goals: tuple[str, ...],
    journey: str | None,
    cypher: str | None,
    style: str | None,
    target: Path | None,
    start: Any,
    verbose: bool,
    **limits: Any,
) -> None:
    """Plan which episodes to hear, in which order, and why.

    A GOAL is a concept, an episode's title or number, an identifier or a file of the source, an area ("area {area}"),
    or a question in your own words. The plan says how it understood words that are no exact name. With `-` alone it
    reads a pasted error from standard input.

    \b
    Example: torchatlas plan {goal} --known {known} --budget 90m
             torchatlas plan "{question}"
             torchatlas plan {goal} --split 3x30m --speed 1.5
             torchatlas plan {goal} --split 3x30m --from 2026-12-01 --output commute.ics
    """
    target = None if target == Path("-") else target
    style = _file_style(style, target, start)
    if journey == "" and style in (None, "json"):
        print_answer(_journeys(atlas), as_json=style == "json")
        return
    if not goals and cypher is None and journey is None:
        raise click.UsageError("name a GOAL, choose a --journey, or ask for goals with --query")
    asked = () if cypher is None else atlas.nodes(atlas.query(cypher))
    stations = () if journey is None else atlas.journey(journey).goals
    limits |= {name: _split(atlas, limits[name]) for name in ("known", "heard")}
    try:
        answer = atlas.plan(*goals, *stations, *asked, **limits)
    except UnknownName as e:
        typed = " ".join(goals)
        texts = (typed, *goals) if 1 < len(goals) == len(typed.split()) else ()
        sure = [any(r.sure for r in atlas.understand(text)[:1]) for text in texts]
        if not any(sure[:1]) or all(sure):
            raise
        raise AtlasError(f"{e}; put the words in quotes: torchatlas plan {shlex.quote(typed)}") from e
    if not style:
        for line in plan_lines(answer, verbose=verbose):
            tell(wrapped(text := line.lstrip(), line.removesuffix(text)))
        return
    if style in TO_HEAR:  # players do not show these lines
        for line in (*answer.readings, *answer.remarks):
            tell(line, err=True)
    if style == "ics" and (start is None or start.time() == time()):
        start = (start or datetime.now()).date()
    if target:
        path = atlas.write_plan(answer, target, style, start)
        tell(f"{path}: {path.stat().st_size:,} bytes", err=True)
    else:
        click.echo(atlas.plan_text(answer, style, start).encode(), nl=False)


def _file_style(style: str | None, target: Path | None, start: date | None) -> str | None:
    if target and style == "text":
        raise click.UsageError("text is for a terminal; for a file, name another --format")
    if target and style is None:
        style = style_of(target, styles=ENDINGS)
    if start is not None and style != "ics":
        raise click.UsageError("--from is the day on which a calendar begins; add --format ics")
    return None if style == "text" else style


def _split(atlas: "Atlas", given: Iterable[str]) -> list[str]:
    """Return the names that commas divide; names that hold commas stay whole."""
    texts, graph = list(given), atlas.graph
    names = [n for c in graph.concepts for n in (c.name, *c.aliases)] + [e.title for e in graph.episode.values()]
    whole = sorted((n for n in names if "," in n), key=len, reverse=True) if "," in "".join(texts) else []
    loose = (r"\W+".join(re.findall(r"\w+", name)) for name in whole)
    pattern = "|".join((*(rf"{name}\W*?(?=,|\Z)" for name in loose), "[^,]+"))
    return [n for text in texts for n in map(str.strip, re.findall(rf"\s*({pattern})", text, re.I)) if n]


def _journeys(atlas: "Atlas") -> Printed:
    yield (found := atlas.journeys())
    for journey in found:
        yield f"{journey.title}  [{journey.name}]"
        yield wrapped(journey.about)
        yield wrapped(f"goals: {', '.join(map(atlas.graph.name_of, journey.goals))}")
    if not found:
        first = "; ".join(f"torchatlas plan {shlex.quote(goal.name)}" for goal in atlas.first_goals(3))
        remedy = f"goals to begin with: {first}" if first else "torchatlas add FEED"
        tell(f"no journey fits this map; {remedy}", err=True)


@command("text", "json", shows=True)
@click.argument("goals", nargs=-1, required=True, metavar="GOAL...")
@click.option("--yes", multiple=True, metavar="EPISODE", help="An episode whose question you can answer.")
@click.option("--no", multiple=True, metavar="EPISODE", help="One whose question you cannot answer.")
@budget_option
@click.option("--keep", is_flag=True, help="Remember the subjects of the skipped episodes as known, for every plan.")
def quiz(
    atlas: "Atlas", goals: tuple[str, ...], yes: tuple[str, ...], no: tuple[str, ...], budget: int | None, keep: bool
) -> Printed:
    """Find in at most eight questions what you can skip.

    Answer y where you could explain it, n where you could not, q to stop. With `--format json` nothing is asked: the
    next question and what is left are printed, and `--yes` and `--no` give the answers so far.

    Example: torchatlas quiz {goal}
    """
    found, reply = atlas.quiz(*goals, yes=yes, no=no, budget=budget), ""
    if talks := click.get_current_context().params["style"] == "text":
        for sentence in found.plan.readings:
            tell(wrapped(sentence, ""))
    while talks and found.check and reply != "q":
        tell(wrapped(found.check.question, ""))
        reply = click.prompt("  Could you answer this?", type=click.Choice(["y", "n", "q"]), default="n")
        yes, no = (*yes, *[found.check.id] * (reply == "y")), (*no, *[found.check.id] * (reply == "n"))
        found = atlas.quiz(*goals, yes=yes, no=no, budget=budget)
    if keep:
        atlas.know_subjects(*(episode.id for episode in found.skipped))
    yield found
    yield quiz_ending(len(yes) + len(no), stopped=reply == "q")
    yield from _quiz_lines(found, atlas.graph.episode_names, budget)


def _quiz_lines(found: "Quiz", names: dict[str, str], budget: int | None) -> Iterable[str]:
    yield from (f"skip: {names[episode.id]}" for episode in found.skipped)
    if found.saved > 0 and found.plan.steps:
        guessed = found.estimated or any(step.estimated for step in found.plan.steps)
        whole = "" if budget else f" of {length(found.plan.minutes + found.saved, estimated=guessed)}"
        yield f"That saves {length(found.saved, estimated=found.estimated)}{whole}."
    if found.skipped and not found.plan.steps:
        yield f"You know everything in the plan for {', '.join(found.plan.goals)}."
        return
    yield wrapped(found.plan.heading, "")
    for place, step in enumerate(found.plan.steps, 1):
        yield f"{place:2}. {names[step.episode_id]}  ({step.lasts}, {step.badge})"


@command("text", "json", name="next", shows=True)
@limit_option(5)
def next_(atlas: "Atlas", limit: int) -> Printed:
    """List what you are ready to hear, and what to refresh.

    `torchatlas heard` and `torchatlas know` keep what counts here.

    Example: torchatlas next
    """
    found, names, has_heard = atlas.what_next(), atlas.graph.episode_names, set(atlas.profile.heard)
    left = any(e.kind != "trailer" and e.id not in has_heard for e in atlas.graph.episodes)
    yield found
    if found.ready:
        yield f"Ready: {counted(len(found.ready), 'episode')} for which you need no other first"
    elif left:
        why = "the map does not know the subjects of the episodes that are left"
        remedy = "To begin a vocabulary, or to add to it: torchatlas candidates --draft FILE"
        yield wrapped(f"Nothing is ready: {why}. {remedy}", "")
    else:
        yield "Nothing is ready: you have heard all episodes that the map has."
    for place, episode in enumerate(found.ready[:limit], 1):
        facts = atlas.graph.episode[episode.id]
        long = length(facts.minutes, estimated=facts.estimated, kind=facts.kind)
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
    for row in found.refresh[:limit]:
        need = "needs" if row.used_by == 1 else "need"
        used = f": {counted(row.used_by, 'ready episode')} {need} its subject" if row.used_by else ""
        yield f"  {names[row.id]}{used}"


@command("text", "json", shows=True)
@click.argument("episode")
@limit_option(10)
def related(atlas: "Atlas", episode: str, limit: int) -> Printed:
    """List the episodes nearest to EPISODE, with the reasons.

    Example: torchatlas related "{episode}" --limit 5
    """
    yield (rows := atlas.related(episode, limit))
    names = atlas.graph.episode_names
    yield from (f"{names[row.episode_id]}\n    {row.why}" for row in rows)


_NUMBERS = "A text file of episodes, one a line or several with commas; - is standard input."
_forget = click.option("--forget", is_flag=True, help="Take them out again.")


@command("text", "json")
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@_forget
def know(atlas: "Atlas", names: tuple[str, ...], forget: bool) -> Printed:
    """Remember that you know these concepts, for every plan.

    Without a CONCEPT it lists what you know.

    Example: torchatlas know {known} {concept}
    """
    nothing = "know a concept: torchatlas know CONCEPT"
    yield from _facts(atlas, atlas.know(*names, forget=forget), nothing, names, forget)


@command("text", "json")
@click.argument("names", nargs=-1, metavar="[EPISODE]...")
@click.option("--file", type=click.File("rb"), metavar="NUMBERS", help=_NUMBERS)
@_forget
def heard(atlas: "Atlas", names: tuple[str, ...], file: BinaryIO | None, forget: bool) -> Printed:
    """Remember that you have heard these episodes, for every plan.

    An EPISODE is a number, a title or an id. Without one it lists what you have heard.

    \b
    Example: torchatlas heard 2 7
             torchatlas heard --file numbers.txt
    """
    if file is not None:
        if names:
            raise click.UsageError("name episodes, or a file with --file, not both")
        names = tuple(_episodes_in(atlas, file))
    nothing = "heard an episode: torchatlas heard EPISODE"
    yield from _facts(atlas, atlas.heard(*names, forget=forget), nothing, names, forget)


class _ProfileFile(Profile):
    version: int = 0  # of the form of the file


@command()
@click.argument("way", metavar="export|import", type=click.Choice(["export", "import"]))
@click.argument("file", type=Path)
def profile(atlas: "Atlas", way: str, file: Path) -> None:
    """Carry what you know and have heard to another computer.

    `export` writes it to a new FILE, and `import` adds what such a file says to what is known there.

    Example: torchatlas profile export mine.toml
    """
    if way == "export":
        import tomlkit

        write_file(file, tomlkit.dumps({"version": 1, **asdict(atlas.profile)}).encode(), new=True)
        return
    found = load(file, _ProfileFile)
    if found.version != 1:
        raise DataError(f"{file}: is no profile of version 1; write one with torchatlas profile export FILE")
    change_profile(atlas.settings, lambda own: own.having("known", found.known).having("heard", found.heard))


def _episodes_in(atlas: "Atlas", file: BinaryIO) -> list[str]:
    found: list[str] = []
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig")
            numbers = text.replace(",", " ").split()
            names = numbers if all(map(str.isdigit, numbers)) else _split(atlas, [text])
            found += [atlas.id_of(name, "episode", words_too=False) for name in names]
        except (UnknownName, UnicodeDecodeError) as e:
            told = e if isinstance(e, UnknownName) else "it is not a text in UTF-8"
            raise DataError(f"{file.name}, line {number}: {told}") from e
    if not found:
        raise DataError(f"{file.name}: it names no episode; write a number or a title on each line")
    return found


def _facts(atlas: "Atlas", ids: Iterable[str], nothing: str, named: tuple[str, ...], forget: bool) -> Printed:
    """Yield all facts of a profile by name, or what was done with those `named`."""
    done = "" if not named else "Forgotten: " if forget else "Remembered: "
    graph = atlas.graph
    names = {i: graph.name_of(i) if i in graph.concept or i in graph.episode else None for i in ids}
    yield [{"id": i, "name": name} for i, name in names.items()]
    for i, name in names.items():
        yield done + (f"{i}  (not in this graph)" if name is None else graph.label_of(i))
    if not names:
        yield f"You have not said yet that you {nothing}"
