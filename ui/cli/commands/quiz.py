"""The commands that find what a person can skip, and what to hear next: quiz, next."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.graph.answers import quiz_ending
from torchatlas.graph.formatting import counted, length
from torchatlas.ui.cli.options import (
    atlas_option,
    format_option,
    limit_option,
    minutes,
    print_answer,
    show_option,
    tell,
    wrapped,
)

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Quiz, WhatNext

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
    atlas: "Atlas", goals: tuple[str, ...], yes: tuple[str, ...], no: tuple[str, ...], budget: int | None, keep: bool,
    style: str,
) -> None:  # fmt: skip
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
        reply = _ask(found)
        stopped = reply == "q"
        yes, no = (*yes, *[found.check.id] * (reply == "y")), (*no, *[found.check.id] * (reply == "n"))
        found = atlas.quiz(*goals, yes=yes, no=no, budget=budget)
    if keep:
        atlas.know_subjects(*(episode.id for episode in found.skipped))
    ending = quiz_ending(len(yes) + len(no), stopped=stopped)
    print_answer(found, style, (ending, *_lines(found, atlas.episode_names(), budget)))


def _ask(found: "Quiz") -> str:
    """Ask the next question on the terminal; return y, n or q."""
    assert found.check
    tell(wrapped(found.check.question, ""))
    choice: str = click.prompt("  Could you answer this?", type=click.Choice(["y", "n", "q"]), default="n")
    return choice


def _lines(found: "Quiz", names: dict[str, str], budget: int | None) -> Iterable[str]:
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
    left = any(atlas.graph.episode[row.id].kind == "episode" for row in atlas.find_episodes(heard=False))
    print_answer(found, style, _next_lines(found, atlas.episode_names(), limit, unknown=left))


def _next_lines(found: "WhatNext", names: dict[str, str], limit: int, *, unknown: bool) -> Iterable[str]:
    if not found.ready and unknown:
        yield wrapped(
            "Nothing is ready: the map does not know the subjects of the episodes that are left. To begin a vocabulary,"
            " or to add to it: torchatlas candidates --draft FILE", "",
        )  # fmt: skip
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
