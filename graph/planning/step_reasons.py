"""The last stage of a plan: its steps and primer lines, in words."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.planning.certainty import origin_of_demand, origin_of_goal, origins_of_needs
from torchatlas.graph.planning.knowledge import components, main_subjects
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.values.answers import Needed, Primer, Step, Taught
from torchatlas.graph.values.model import ConceptRelation, Snapshot
from torchatlas.graph.values.names import fold
from torchatlas.graph.values.wording import BASES, ORDERS, RELATIONS


def steps_of(scope: Scope, minutes: Mapping[str, int], order: Sequence[str]) -> tuple[Step, ...]:
    """Return a step for each episode of an order. `minutes` holds the length of every episode, an estimated one too.

    Example: `steps_of(scope, {"show/goal": 30}, ["show/goal"])[0].why`
    """
    goal_of = {e: goal for goal in reversed(list(scope.goals)) for e in scope.goals[goal]}
    steps = []
    for episode in map(scope.snapshot.episode.__getitem__, order):
        goal = goal_of.get(episode.id)
        met = "" if goal else _demand_met(scope, episode.id, order)
        taught = sorted(scope.snapshot.taught_by.get(episode.id, ()), key=lambda t: t.target not in scope.demands)
        step = Step(
            episode.id,
            episode.number,
            season=episode.season,
            title=episode.title,
            minutes=minutes[episode.id],
            estimated=episode.minutes is None,
            role="goal" if goal else "deepens" if met in scope.deepenings else "before",
            teaches=tuple(Taught(t.target, scope.snapshot.name_of(t.target), at=t.at) for t in taught),
            needs=tuple(_needs(scope, order, episode.id)),
            why=_why_asked(scope, goal, episode.id) if goal else _why(scope, met),
            caveats=(*episode.dated, *([BASES["title"].fact] if episode.basis == "title" else ())),
            url=episode.url,
            audio_url=episode.audio_url,
            nearest=bool(goal) and not _explains(scope, episode.id, goal),
            origin=origin_of_goal(scope, episode.id, goal) if goal else origin_of_demand(scope, episode.id, met),
        )
        steps.append(step)
    return tuple(steps)


def _explains(scope: Scope, episode: str, goal: str | None) -> bool:
    return goal == episode or any(t.target == goal for t in scope.snapshot.taught_by.get(episode, ()))


def leaning(scope: Scope, order: Sequence[str]) -> list[str]:
    """Return the concepts that the steps lean on and that are neither known nor taught in the plan.

    Those that the goals and their needs require come first, then those that most steps lean on.
    Example: `leaning(scope, ["show/goal"])` is `["strides"]`.
    """
    taught = {t.target for e in order for t in scope.snapshot.taught_by.get(e, ())}
    elsewhere = taught.union(scope.known, scope.gaps)
    wanted = Counter(c for e in order for c in _leans_on(scope.snapshot, e) if c not in elsewhere)
    required = {r.target for c in scope.demands for r in scope.snapshot.required_by.get(c, ())}
    return sorted(wanted, key=lambda c: (c not in required, -wanted[c], c))


def primers(scope: Scope, order: Sequence[str], concepts: Iterable[str]) -> tuple[Primer, ...]:
    """Return a line for each of the concepts that a plan needs: its definition, a link to read, and who says so.

    Example: `primers(scope, ["show/goal"], ["view"])[0].definition` is "Shares memory."
    """
    readings, origins = ReadingLinks(scope.snapshot), origins_of_needs(scope, order)
    found = map(scope.snapshot.concept.__getitem__, concepts)
    return tuple(
        Primer(c.id, c.name, definition=c.definition, link=readings.of(c.id), origin=origins.get(c.id)) for c in found
    )


def _leans_on(snapshot: Snapshot, episode: str) -> list[str]:
    """Return the concepts that an episode assumes or its main subjects require, without those that it teaches."""
    own = {t.target for t in snapshot.taught_by.get(episode, ())}
    required = (r.target for c in main_subjects(snapshot, episode) for r in snapshot.required_by.get(c, ()))
    assumed = (a.target for a in snapshot.assumed_by.get(episode, ()))
    return [c for c in dict.fromkeys((*required, *assumed)) if c not in own]


def _needs(scope: Scope, order: Sequence[str], episode: str) -> Iterator[Needed]:
    """Yield the concepts that a step leans on and that are known or taught earlier, each with where it comes from."""
    place = {e: i for i, e in enumerate(order)}
    for concept in _leans_on(scope.snapshot, episode):
        name, teachers = scope.snapshot.name_of(concept), scope.snapshot.teachers.get(concept, ())
        earlier = [t for t in teachers if place.get(t.source, inf) < place[episode]]
        if concept in scope.known:
            yield Needed(concept, name, source="known")
        elif earlier:
            best = min(earlier, key=lambda t: (t.depth, -t.weight, place[t.source]))
            yield Needed(concept, name, source=best.source)


def _demand_met(scope: Scope, episode: str, chosen: Collection[str]) -> str:
    """Return the first demand that the episode is there for, if possible one that no other of the chosen meets.

    A demand that another demand on the same episode calls for is not the reason.
    """
    able = {c: set(scope.demands[c].teachers or ()) for c in (*scope.needs, *scope.declared, *scope.deepenings)}
    mine = [c for c, teachers in able.items() if episode in teachers]
    only = [c for c in mine if able[c].intersection(chosen) == {episode}] or mine
    calling = {c: scope.needs[c].source if c in scope.needs else "" for c in only}
    return next((c for c in only if calling[c] not in only), only[0])


def _why_asked(scope: Scope, goal: str, episode: str) -> str:
    """Return why an episode of its own is in the plan for a goal."""
    if goal == episode:
        return "You asked for this episode."
    name, wanted = scope.snapshot.name_of(goal), _goal(scope, goal)
    taught = {t.target: t.depth for t in scope.snapshot.taught_by.get(episode, ())}
    if goal not in taught:
        inside = components(scope.snapshot).get(goal, {})
        piece = next((f"explains {scope.snapshot.name_of(c)}, a part of {name}" for c in taught if c in inside), None)
        return f"No episode explains {wanted}; this episode {piece or 'comes closest'}."
    if taught[goal] == "part":
        return f"No episode is about {wanted}; this episode explains {name} beside its main subject."
    also = "" if main_subjects(scope.snapshot, episode)[0] == goal else "also "
    return f"This episode is {also}about {wanted}."


def _why(scope: Scope, demand: str) -> str:
    """Return why an episode that meets a demand comes before a goal or deepens it."""
    name = scope.snapshot.name_of(demand)
    if need := scope.needs.get(demand):
        source = scope.snapshot.name_of(need.source)
        needs = f"{source} {ORDERS[need.kind]} {name}" if need.need == "hear" else f"{name} helps with {source}"
        return _sentence(needs, need.reason)
    if declared := scope.declared.get(demand):
        quote = "" if fold(declared.quote) == fold(name) else declared.quote.rstrip(".")
        asks = f"{scope.snapshot.name_of(declared.source)} asks to hear {name} first"
        return _sentence(asks, f'"{quote}"' if quote else "")
    deepening = scope.deepenings[demand]
    if edge := deepening.edge:
        tie = RELATIONS[edge.kind].verb if isinstance(edge, ConceptRelation) else "builds on"
        return _sentence(f"{name} {tie} {_goal(scope, edge.target)}", edge.reason)
    subject = scope.snapshot.name_of(deepening.subject)
    return f"{name} builds on {_goal(scope, deepening.subject)}; the episode on {subject} only touches on {name}."


def _goal(scope: Scope, concept: str) -> str:
    return f"{scope.snapshot.name_of(concept)}{', your goal' if concept in scope.goals else ''}"


def _sentence(statement: str, reason: str) -> str:
    return f"{statement}: {reason.rstrip('.')}." if reason else f"{statement}."
