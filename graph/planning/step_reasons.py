"""The last stage of a plan: its steps, primer lines and notes, in words."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.planning.choice import Choice
from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.values.answers import Needed, Primer, Step, Taught
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import BASES


def steps_of(snapshot: Snapshot, scope: Scope, minutes: Mapping[str, int], order: Sequence[str]) -> tuple[Step, ...]:
    """Return a step for each episode of an order. `minutes` holds the length of every episode, an estimated one too.

    Example: `steps_of(snapshot, scope, {"show/goal": 30}, ["show/goal"])[0].why`.
    """
    goal_of = {e: goal for goal in reversed(list(scope.goals)) for e in scope.goals[goal]}
    reasons = {e: None if e in goal_of else _concept_met(scope, e, order) for e in order}
    steps = []
    for episode, met in reasons.items():
        e = snapshot.episode[episode]
        taught = snapshot.taught_by.get(episode, ())
        step = Step(
            e.id,
            e.number,
            title=e.title,
            minutes=minutes[episode],
            estimated=e.minutes is None,
            role="goal" if met is None else "before" if met in scope.needs else "deepens",
            teaches=tuple(
                Taught(t.target, snapshot.name_of(t.target), at=t.at)
                for t in sorted(taught, key=lambda t: t.target not in scope.demands)
            ),
            needs=tuple(_needs(snapshot, scope, order, episode)),
            why=_why_asked(snapshot, scope, goal_of[episode], episode) if met is None else _why(snapshot, scope, met),
            caveats=(*e.dated, *((BASES[e.basis].fact,) if e.basis == "title" else ())),
            url=e.url,
            audio_url=e.audio_url,
        )
        steps.append(step)
    return tuple(steps)


def leaning(snapshot: Snapshot, scope: Scope, order: Sequence[str]) -> list[str]:
    """Return the concepts that the steps lean on and that are neither known nor taught on the way.

    Those that the goals and their needs require come first, then those that most steps lean on.
    Example: `leaning(snapshot, scope, ["show/goal"])` is `["strides"]`.
    """
    taught = {t.target for e in order for t in snapshot.taught_by.get(e, ())}
    elsewhere = taught.union(scope.known, scope.gaps)
    wanted = Counter(c for e in order for c in _leans_on(snapshot, e) if c not in elsewhere)
    required = {r.target for c in scope.demands for r in snapshot.required_by.get(c, ())}
    return sorted(wanted, key=lambda c: (c not in required, -wanted[c], c))


def primers(snapshot: Snapshot, concepts: Iterable[str]) -> tuple[Primer, ...]:
    """Return a line for each of the concepts: its definition and a link to read.

    >>> from torchatlas.graph.values.model import Concept
    >>> primers(Snapshot((Concept("view", "view", area="Tensors", definition="Shares memory."),)), ["view"])
    (Primer(id='view', name='view', definition='Shares memory.', link=None),)
    """
    readings = ReadingLinks(snapshot)
    found = (snapshot.concept[c] for c in concepts)
    return tuple(Primer(c.id, c.name, definition=c.definition, link=readings.of(c.id)) for c in found)


def notes_of(
    snapshot: Snapshot, scope: Scope, choice: Choice, goals: Iterable[str], heard: Collection[str]
) -> Iterator[str]:
    """Yield a sentence for each goal that has no episode of its own in the plan, and one for a choice cut short.

    Example: `next(notes_of(snapshot, scope, choice, ["autograd"], heard=[]))`.
    """
    for goal in dict.fromkeys(goals):
        name = snapshot.name_of(goal)
        if goal in heard:
            yield f"You have heard {name}: nothing is planned for it."
        elif goal not in scope.goals:
            yield f"{name} is already known: nothing is planned for it."
        elif scope.goals[goal]:
            continue
        elif goal in scope.gaps:
            leads = "; the steps lead up to it" if choice.episodes else ""
            yield f"No episode left to hear explains {name}{leads}."
        elif any(t.source in heard for t in snapshot.teachers.get(goal, ())):
            yield f"You have heard what explains {name}; only what deepens it is left."
        else:
            yield f"You have heard what builds on {name}; only what deepens it is left."
    if choice.gap > 0:
        yield f"The time for choosing ran out: a choice up to {choice.gap:.0%} better may exist."


def _leans_on(snapshot: Snapshot, episode: str) -> list[str]:
    """Return the concepts that an episode assumes or its main subjects require, without those that it teaches."""
    own = {t.target for t in snapshot.taught_by.get(episode, ())}
    required = (r.target for c in main_subjects(snapshot, episode) for r in snapshot.required_by.get(c, ()))
    assumed = (a.target for a in snapshot.assumed_by.get(episode, ()))
    return [c for c in dict.fromkeys((*required, *assumed)) if c not in own]


def _needs(snapshot: Snapshot, scope: Scope, order: Sequence[str], episode: str) -> Iterator[Needed]:
    """Yield the concepts that a step leans on and that are known or taught earlier, each with where it comes from."""
    place = {e: i for i, e in enumerate(order)}
    for concept in _leans_on(snapshot, episode):
        earlier = [t for t in snapshot.teachers.get(concept, ()) if place.get(t.source, inf) < place[episode]]
        if concept in scope.known:
            yield Needed(concept, snapshot.name_of(concept), source="known")
        elif earlier:
            best = min(earlier, key=lambda t: (t.depth, -t.weight, place[t.source]))
            yield Needed(concept, snapshot.name_of(concept), source=best.source)


def _concept_met(scope: Scope, episode: str, chosen: Collection[str]) -> str:
    """Return the first concept that the episode is there for, if possible one that no other of the chosen teaches."""
    able = {c: set(scope.demands[c].teachers or ()) for c in (*scope.needs, *scope.deepenings)}
    mine = [c for c, teachers in able.items() if episode in teachers]
    return next((c for c in mine if able[c].intersection(chosen) == {episode}), mine[0])


def _why_asked(snapshot: Snapshot, scope: Scope, goal: str, episode: str) -> str:
    if goal == episode:
        return "You asked for this episode."
    depth = next((t.depth for t in snapshot.taught_by[episode] if t.target == goal), None)
    name = _goal(snapshot, scope, goal)
    if depth is None:
        return f"No episode explains {name}; this one comes closest."
    if depth == "part":
        return f"It explains {name}, on the way; no episode has it as its subject."
    return f"{name}, is {'its subject' if main_subjects(snapshot, episode)[0] == goal else 'one of its subjects'}."


def _why(snapshot: Snapshot, scope: Scope, concept: str) -> str:
    """Return why a concept is on the way to a goal or deepens it."""
    name = snapshot.name_of(concept)
    if need := scope.needs.get(concept):
        return _sentence(f"{snapshot.name_of(need.source)} needs {name}", need.reason)
    deepening = scope.deepenings[concept]
    if deepening.edge is None:
        return f"{name} builds on {_goal(snapshot, scope, deepening.subject)}, whose episode already touches on it."
    return _sentence(f"{name} is a part of {_goal(snapshot, scope, deepening.edge.target)}", deepening.edge.reason)


def _goal(snapshot: Snapshot, scope: Scope, concept: str) -> str:
    return f"{snapshot.name_of(concept)}{', your goal' if concept in scope.goals else ''}"


def _sentence(statement: str, reason: str) -> str:
    return f"{statement}: {reason.rstrip('.')}." if reason else f"{statement}."
