"""The steps of a plan in words, with how sure each is, and the nearest things to a goal that no episode explains."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import inf
from typing import get_args

from torchatlas.graph.answers import Nearby, Needed, Primer, Step, Taught
from torchatlas.graph.formatting import BASES, NEEDS, ORDERS, RELATIONS
from torchatlas.graph.model import ConceptRelation, ListenAfter, Origin, Requires, Snapshot, by_source
from torchatlas.graph.names import fold
from torchatlas.graph.planning.demands import Scope, Teachers, components, main_subjects
from torchatlas.graph.views import ReadingLinks

_SUREST_FIRST: tuple[Origin, ...] = get_args(Origin)
_HEAR, _FAR, _READ = 4, 2, 2  # entries to hear, to hear where all are far, to read
_DEEP = 3  # levels below a goal; what lies deeper has little to do with it

Tie = tuple[str, str]
"""A concept, and in words how another one is tied to it: ("engine", "tape is a part of engine")."""


def least_sure(origins: Iterable[Origin | None]) -> Origin | None:
    """Return the origin that is the least sure; None, which needs no evidence, counts for nothing.

    >>> least_sure(["declared", None, "drafted"]), least_sure([])
    ('drafted', None)
    """
    return max(filter(None, origins), key=_SUREST_FIRST.index, default=None)


def steps_of(scope: Scope, minutes: Mapping[str, int], order: Sequence[str]) -> tuple[Step, ...]:
    """Return a step for each episode of an order. `minutes` holds the length of every episode, an estimated one too.

    Example: `steps_of(scope, {"show/goal": 30}, ["show/goal"])[0].why`
    """
    goal_of = {e: goal for goal in reversed(list(scope.goals)) for e in scope.goals[goal]}
    steps = []
    for episode in map(scope.snapshot.episode.__getitem__, order):
        goal, teaches = goal_of.get(episode.id), scope.snapshot.taught_by.get(episode.id, ())
        met = "" if goal else _demand_met(scope, episode.id, order)
        step = Step(
            episode.id,
            episode.number,
            season=episode.season,
            title=episode.title,
            minutes=minutes[episode.id],
            estimated=episode.minutes is None,
            role="goal" if goal else "deepens" if met in scope.deepenings else "before",
            teaches=tuple(
                Taught(t.target, scope.snapshot.name_of(t.target), at=t.at)
                for t in sorted(teaches, key=lambda t: t.target not in scope.demands)
            ),
            needs=tuple(_needs(scope, order, episode.id)),
            why=_why_on_goal(scope, goal, episode.id) if goal else _why(scope, met),
            caveats=(*episode.dated, *([BASES["title"][0]] if episode.basis == "title" else ())),
            url=episode.url,
            audio_url=episode.audio_url,
            nearest=bool(goal) and goal != episode.id and all(t.target != goal for t in teaches),
            origin=_origin_on_goal(scope, episode.id, goal) if goal else _origin(scope, episode.id, met),
        )
        steps.append(step)
    return tuple(steps)


def _demand_met(scope: Scope, episode: str, chosen: Collection[str]) -> str:
    """Return the first demand that the episode is there for, if possible one that no other of the chosen meets.

    A demand that another demand on the same episode calls for is not the reason.
    """
    able = {c: set(scope.demands[c].teachers or ()) for c in (*scope.needs, *scope.declared, *scope.deepenings)}
    mine = [c for c, teachers in able.items() if episode in teachers]
    only = [c for c in mine if able[c].intersection(chosen) == {episode}] or mine
    calling = {c: scope.needs[c].source if c in scope.needs else "" for c in only}
    return next((c for c in only if calling[c] not in only), only[0])


def _origin_on_goal(scope: Scope, episode: str, goal: str) -> Origin | None:
    """Return how sure it is that an episode is one for a goal; one that only comes near is as sure as its subjects."""
    if goal == episode:
        return None
    taught = {t.target: t.origin for t in scope.snapshot.taught_by.get(episode, ())}
    near = [taught[c] for c in main_subjects(scope.snapshot, episode)]
    return taught.get(goal) or least_sure(near) or "inferred"


def _origin(scope: Scope, episode: str, demand: str) -> Origin | None:
    """Return how sure it is that a demand calls for an episode: the edge that calls, and that it is explained there."""
    if declared := scope.declared.get(demand):
        return declared.origin if isinstance(declared, ListenAfter) else "declared"
    deepening = scope.deepenings.get(demand)
    edge = scope.needs.get(demand) or (deepening.edge if deepening else None)
    taught = (t.origin for t in scope.snapshot.taught_by.get(episode, ()) if t.target == demand)
    return least_sure([*taught, edge.origin if edge else None])


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


def _leans_on(snapshot: Snapshot, episode: str) -> list[str]:
    """Return the concepts that an episode assumes or its main subjects require, without those that it teaches."""
    taught = {t.target for t in snapshot.taught_by.get(episode, ())}
    required = (r.target for c in main_subjects(snapshot, episode) for r in snapshot.required_by.get(c, ()))
    assumed = (a.target for a in snapshot.assumed_by.get(episode, ()))
    return [c for c in dict.fromkeys((*required, *assumed)) if c not in taught]


def _why_on_goal(scope: Scope, goal: str, episode: str) -> str:
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
    name_of = scope.snapshot.name_of
    name = name_of(demand)
    if need := scope.needs.get(demand):
        source = name_of(need.source)
        needs = f"{source} {ORDERS[need.kind]} {name}" if need.need == "hear" else f"{name} helps with {source}"
        return _sentence(needs, need.reason)
    if declared := scope.declared.get(demand):
        quote = "" if fold(declared.quote) == fold(name) else declared.quote.rstrip(".")
        return _sentence(f"{name_of(declared.source)} asks to hear {name} first", f'"{quote}"' if quote else "")
    deepening = scope.deepenings[demand]
    if edge := deepening.edge:
        tie = RELATIONS[edge.kind].verb if isinstance(edge, ConceptRelation) else "builds on"
        return _sentence(f"{name} {tie} {_goal(scope, edge.target)}", edge.reason)
    subject = deepening.subject
    return f"{name} builds on {_goal(scope, subject)}; the episode on {name_of(subject)} only touches on {name}."


def _goal(scope: Scope, concept: str) -> str:
    return f"{scope.snapshot.name_of(concept)}{', your goal' if concept in scope.goals else ''}"


def _sentence(statement: str, reason: str) -> str:
    return f"{statement}: {reason.rstrip('.')}." if reason else f"{statement}."


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
    snapshot, readings = scope.snapshot, ReadingLinks(scope.snapshot)
    subjects = dict.fromkeys((*(c for e in order for c in main_subjects(snapshot, e)), *scope.demands))
    edges = [edge for c in subjects for edge in snapshot.required_by.get(c, ())]
    surest_last = sorted(edges, key=lambda edge: -_SUREST_FIRST.index(edge.origin))
    origins: dict[str, Origin] = {edge.target: edge.origin for edge in surest_last}
    return tuple(
        Primer(c.id, c.name, definition=c.definition, link=readings.of(c.id), origin=origins.get(c.id))
        for c in map(snapshot.concept.__getitem__, concepts)
    )


def nearest_to(
    snapshot: Snapshot, goal: str, without: Collection[str] = (), *, teachers: Teachers | None = None
) -> tuple[Nearby, ...]:
    """Return a few episodes near a concept that no episode explains, and pages to read where it has none of its own.

    The nearest come first: on what the concept is a part of, what it needs, other relations, what needs it; then the
    episodes that take it for granted or name it. Where there are none, those on the nearest that it builds on further
    below, else on what a concept between ties to it. `without`: episodes to leave out; `teachers`: those of the
    snapshot, where they are at hand.

    Example: `nearest_to(snapshot, "tape")[0].why` is "tape is a part of engine; this episode explains engine."
    """
    teachers = teachers or Teachers(snapshot)
    near, below = list(_ties(snapshot, goal)), list(_below(snapshot, goal))
    hear = [*_on(teachers, goal, near), *_naming(snapshot, goal)]
    hear = hear or next(filter(None, ([*_on(teachers, goal, level)] for level in below)), [])
    far = [] if hear else [*_on(teachers, goal, [*near, *_between(snapshot, goal, near)], beside=True)]
    first: dict[str, Nearby] = {}
    for found in hear or far:
        first.setdefault(found.id, found)
    reading = _to_read(snapshot, goal, [*near, *chain.from_iterable(below)])
    return (*islice((n for n in first.values() if n.id not in without), _HEAR if hear else _FAR), *reading)


def _ties(snapshot: Snapshot, concept: str) -> Iterator[Tie]:
    """Yield the concepts tied to one, the nearest first, each with the tie in words."""
    relations = [r for r in snapshot.concept_relations if concept in (r.source, r.target)]
    wholes = [r for r in relations if r.kind == "PART_OF" and r.source == concept]
    needs = sorted(snapshot.required_by.get(concept, ()), key=lambda r: list(NEEDS).index(r.need))
    needing = (r for r in snapshot.requires if r.target == concept)
    others = [r for r in relations if r not in wholes]
    edges: list[Requires | ConceptRelation] = [*wholes, *needs, *others, *needing]
    for edge in edges:
        verb = RELATIONS[edge.kind].verb if isinstance(edge, ConceptRelation) else ORDERS[edge.kind]
        other = edge.target if edge.source == concept else edge.source
        yield other, f"{snapshot.name_of(edge.source)} {verb} {snapshot.name_of(edge.target)}"


def _below(snapshot: Snapshot, concept: str) -> Iterator[list[Tie]]:
    """Yield what a concept builds on, level by level: what it is a part of or needs, and so on."""
    up = by_source((*snapshot.requires, *(r for r in snapshot.concept_relations if r.kind == "PART_OF")))
    found = level = {concept: None}
    for _ in range(_DEEP):
        level = {e.target: None for c in level for e in up.get(c, ()) if e.target not in found}
        found |= level
        yield [(c, f"{snapshot.name_of(concept)} builds on {snapshot.name_of(c)}") for c in level]


def _between(snapshot: Snapshot, goal: str, near: Iterable[Tie]) -> Iterator[Tie]:
    """Yield what is tied to the concepts tied to a goal, by way of the one with the fewest ties first."""
    ways = [(tie, [*_ties(snapshot, concept)]) for concept, tie in near]
    for tie, further in sorted(ways, key=lambda way: len(way[1])):
        yield from ((concept, f"{tie}; {more}") for concept, more in further if concept != goal)


def _on(teachers: Teachers, goal: str, ties: Iterable[Tie], *, beside: bool = False) -> Iterator[Nearby]:
    """Yield the best episode on each tied concept; with `beside` also one that explains it beside another subject."""
    snapshot = teachers.snapshot
    for concept, tie in ties:
        able = teachers.mainly_about(concept) or teachers.explaining(concept)
        for episode in (able or (teachers.saying_most(concept) if beside else ()))[:1]:
            yield _to_hear(snapshot, goal, episode, f"{tie}; this episode explains {snapshot.name_of(concept)}.")


def _naming(snapshot: Snapshot, goal: str) -> Iterator[Nearby]:
    """Yield the episodes that take a goal for granted, then those that name the goal most often."""
    name = snapshot.name_of(goal)
    heard = {e.id for e in snapshot.episodes if e.kind == "episode"}
    for assumes in (a for a in snapshot.assumes if a.target == goal and a.source in heard):
        yield _to_hear(snapshot, goal, assumes.source, f"This episode takes {name} for granted.")
    named = (m for m in snapshot.mentions if m.target == goal and m.source in heard)
    for mention in sorted(named, key=lambda m: (-m.count, m.source)):
        yield _to_hear(snapshot, goal, mention.source, f"A description of this episode names {name}.")


def _to_hear(snapshot: Snapshot, goal: str, episode: str, why: str) -> Nearby:
    return Nearby(episode, snapshot.label_of(episode), goal=snapshot.name_of(goal), kind="hear", why=why)


def _to_read(snapshot: Snapshot, goal: str, ties: Sequence[Tie]) -> Iterator[Nearby]:
    """Yield a few tied concepts with a page to read, unless the goal has a page of its own."""
    readings, nearest = ReadingLinks(snapshot), dict(reversed(ties))
    linked = ((c, link) for c in dict.fromkeys(concept for concept, _ in ties) if (link := readings.of(c)))
    for c, link in [] if readings.of(goal) else islice(linked, _READ):
        why = f"{nearest[c]}."
        yield Nearby(c, snapshot.name_of(c), goal=snapshot.name_of(goal), kind="read", why=why, link=link)
