"""The command that plans what to hear: plan."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.graph.errors import AtlasError, UnknownName
from torchatlas.graph.formatting import PLAN_DEPTHS, length
from torchatlas.ui.cli.options import atlas_option, minutes, show_option, split, tell, wrapped
from torchatlas.ui.cli.plan_output import PlanOutput, output_options

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Plan, Step
    from torchatlas.graph.model import PlanDepth

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
    atlas: "Atlas", goals: tuple[str, ...], journey: str | None, cypher: str | None, known: Sequence[str],
    heard: Sequence[str], budget: int | None, depth: "PlanDepth", sessions: str | None, speed: float,
    output: PlanOutput,
) -> None:  # fmt: skip
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
    whole = atlas.names_with_commas() if any("," in value for value in (*known, *heard)) else ()
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
    for line in _lines(answer, atlas.episode_names()):
        tell(line)


def _quoted(atlas: "Atlas", goals: tuple[str, ...]) -> str:
    """Return the hint that goals of one word each are a question without quotes, or ""."""
    typed = " ".join(goals)
    words_each = len(goals) > 1 and len(typed.split()) == len(goals)
    if not words_each or all(_meant(atlas, goal) for goal in goals) or not _meant(atlas, typed):
        return ""
    return f"; put the words in quotes: torchatlas plan {shlex.quote(typed)}"


def _meant(atlas: "Atlas", text: str) -> bool:
    return any(reading.sure for reading in atlas.understand(text)[:1])


def _lines(answer: "Plan", names: Mapping[str, str]) -> Iterable[str]:
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
