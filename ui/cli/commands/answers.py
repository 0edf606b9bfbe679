"""The commands that answer from the graph: plan, related, search, concepts."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from torchatlas.exports import dumps, plan_json
from torchatlas.graph.values.markdown import plan_markdown
from torchatlas.graph.values.formatting import clock, length
from torchatlas.graph.values.errors import QueryError
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, minutes, settings_option, snapshot, split, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.graph.values.answers import Plan, Step
    from torchatlas.graph.values.model import Snapshot

_PRIMERS, _MOMENTS = 6, 6  # spelled out in a terminal; JSON, Markdown and the page have them all


@click.command()
@click.argument("goals", nargs=-1, metavar="GOAL...")
@click.option("--query", "cypher", metavar="CYPHER", help="Goals too: concepts and episodes in the rows of a query.")
@click.option("--known", multiple=True, metavar="CONCEPT,...", help="What you know already, and all below it.")
@click.option("--heard", multiple=True, metavar="EPISODE,...", help="Episodes that you have heard, by number or title.")
@click.option("--budget", callback=minutes, metavar="LENGTH", help="How long you have: 90m, 1h30m.")
@format_option("text", "markdown", "json")
@settings_option
def plan(
    settings: Settings,
    goals: tuple[str, ...],
    cypher: str | None,
    known: tuple[str, ...],
    heard: tuple[str, ...],
    budget: int | None,
    style: str,
) -> None:
    """Plan which episodes to hear, in which order and why, to understand GOAL (a concept, or an episode's title).

    Example: torchatlas plan AOTAutograd --known dispatcher --budget 90m
    """
    from torchatlas.cards import namesakes
    from torchatlas.graph.answers.resolution import resolve_concept, resolve_episode, resolve_goal
    from torchatlas.graph.planning.plan import make_plan
    from torchatlas.profile import load_profile

    if not goals and cypher is None:
        raise click.UsageError("name a GOAL, or ask for some with --query")
    graph, profile = snapshot(settings), load_profile(settings.profile)
    asked = () if cypher is None else _asked(settings, cypher, graph)
    knows = [resolve_concept(graph, name).id for name in split(known)]
    has_heard = [resolve_episode(graph, name).id for name in split(heard)]
    answer = make_plan(
        graph,
        list(dict.fromkeys((*(resolve_goal(graph, name).id for name in goals), *asked))),
        {*knows, *(i for i in profile.known if i in graph.concept)},
        {*has_heard, *(i for i in profile.heard if i in graph.episode)},
        budget,
    )
    if style == "json":
        click.echo(dumps(plan_json(answer)))
    elif style == "markdown":
        tell(plan_markdown(answer).rstrip())
    else:
        tell("\n".join(_plan_text(answer, namesakes(graph))))


def _asked(settings: Settings, cypher: str, graph: "Snapshot") -> tuple[str, ...]:
    """The ids of the concepts and episodes in a query's rows. Raises QueryError where they hold none."""
    from torchatlas.nodes_in_rows import nodes_in
    from torchatlas.stored_graph import open_graph

    with open_graph(settings) as store:
        table = store.query(cypher)
    if not (found := nodes_in(table, graph)):
        raise QueryError(f"the {len(table.rows)} rows hold no concept and no episode: RETURN nodes, or their ids")
    return found


def _plan_text(answer: "Plan", shows: Mapping[str, str]) -> Iterable[str]:
    """`shows`: of the episodes whose titles do not tell them apart."""
    total = length(answer.minutes, any(s.estimated for s in answer.steps))
    episodes = "1 episode" if len(answer.steps) == 1 else f"{len(answer.steps)} episodes"
    yield f"To understand {', '.join(answer.goals)}: {episodes}, {total}"
    for place, step in enumerate(answer.steps, 1):
        yield from _step_text(place, step, shows.get(step.episode_id, ""))
    for heading, rows in (("A sentence is enough:", answer.primer), ("No episode teaches:", answer.gaps)):
        if rows:
            yield f"\n{heading}"
            yield from (wrapped(f"{p.name}: {p.definition} {p.link or ''}", "  ") for p in rows[:_PRIMERS])
        if rest := [p.name for p in rows[_PRIMERS:]]:
            yield wrapped(f"and {', '.join(rest)}; torchatlas concepts NAME explains each", "  ")
    for missing in answer.unmet:
        yield f"\nLeft out: {missing.goal} would take {length(missing.extra_minutes)} more."
    yield from (f"\n{note}" for note in answer.notes)


def _step_text(place: int, step: "Step", show: str) -> Iterable[str]:
    number = f"#{step.number} " if step.number is not None else ""
    facts = filter(None, (show, length(step.minutes, step.estimated), step.role))
    yield f"\n{place:2}. {number}{step.title}  ({', '.join(facts)})"
    yield wrapped(step.why, "    ")
    if moments := [f"{t.name} {clock(t.at)}" for t in step.teaches if t.at is not None]:
        yield wrapped(f"explained: {', '.join(moments[:_MOMENTS])}", "    ")
    yield from (wrapped(f"mind: {caveat}", "    ") for caveat in step.caveats)


@click.command()
@click.argument("episode")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="How many at the most.")
@format_option("text", "json")
@settings_option
def related(settings: Settings, episode: str, limit: int, style: str) -> None:
    """List the episodes nearest to EPISODE (title, number or id), each with its reasons.

    Example: torchatlas related "Strides" --limit 5
    """
    from torchatlas.cards import namesakes
    from torchatlas.graph.answers.related import related as nearest
    from torchatlas.graph.answers.resolution import resolve_episode

    graph = snapshot(settings)
    shows = namesakes(graph)
    rows = nearest(graph, resolve_episode(graph, episode).id, limit)
    if style == "json":
        click.echo(dumps([asdict(row) for row in rows]))
        return
    for row in rows:
        number = graph.episode[row.episode_id].number
        show = f" ({shows[row.episode_id]})" if row.episode_id in shows else ""
        tell(f"{'' if number is None else f'#{number} '}{row.title}{show}\n    {'; '.join(row.reasons)}")


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="How many at the most.")
@format_option("text", "json")
@settings_option
def search(settings: Settings, text: tuple[str, ...], limit: int, style: str) -> None:
    """Find concepts, aliases, identifiers, episodes and the questions that they answer; typos are forgiven.

    Example: torchatlas search "why is my memory not freed"
    """
    from torchatlas.graph.answers.search import search as find

    graph = snapshot(settings)
    hits = find(graph, " ".join(text), limit)
    if style == "json":
        click.echo(dumps([asdict(hit) for hit in hits]))
        return
    if not hits:
        tell("nothing found; try fewer or other words", err=True)
    for hit in hits:
        tell(f"{hit.kind:8} {hit.name}  [{hit.id}]" + (f"\n         {hit.matched}" if hit.matched != hit.name else ""))


@click.command()
@click.argument("names", nargs=-1)
@format_option("text", "json")
@settings_option
def concepts(settings: Settings, names: tuple[str, ...], style: str) -> None:
    """List the concepts of the map, or those that are named: definition, aliases and what each requires.

    Example: torchatlas concepts functionalization
    """
    from torchatlas.graph.answers.resolution import resolve_concept

    graph = snapshot(settings)
    wanted = {resolve_concept(graph, name).id for name in names} or set(graph.concept)
    rows = [_concept_json(graph, id_) for id_ in sorted(wanted)]
    if style == "json":
        click.echo(dumps(rows))
        return
    for row in rows:
        tell(f"{row['name']}  [{row['id']}, {row['area']}]")
        if names:
            tell(f"  {row['definition']}")
            for need in row["requires"]:
                worth = "worth an episode first" if need["need"] == "hear" else "a sentence first"
                tell(f"  {worth}: {graph.concept[need['id']].name}: {need['reason']}")


def _concept_json(graph: "Snapshot", id_: str) -> dict[str, Any]:
    concept = graph.concept[id_]
    return {
        "id": concept.id,
        "name": concept.name,
        "aliases": [*concept.aliases, *concept.phrases],
        "area": concept.area,
        "definition": concept.definition,
        "requires": [
            {"id": r.target, "need": r.need, "origin": r.origin, "confidence": r.confidence, "reason": r.reason}
            for r in graph.required_by.get(id_, ())
        ],
    }
