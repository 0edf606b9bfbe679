"""A plan in words: each step with what it needs, why it is there and what to beware of, and what is only a primer."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.values.answers import Needed, Primer, Step, Taught
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import BASES


class Explainer:
    """Turns an order of episodes into steps. `minutes` holds every episode's length, an estimated one too."""

    def __init__(self, snapshot: Snapshot, scope: Scope, known: frozenset[str], minutes: dict[str, int]) -> None:
        self.snapshot, self.scope, self.known, self.minutes = snapshot, scope, known, minutes
        self.own = {e: goal for goal in reversed(list(scope.goals)) for e in scope.goals[goal]}
        self.able = {c: frozenset(scope.demands[c].teachers or ()) for c in (*scope.needs, *scope.parts)}
        self.reading_links = ReadingLinks(snapshot)

    def steps(self, order: Sequence[str]) -> tuple[Step, ...]:
        place = {episode: i for i, episode in enumerate(order)}
        return tuple(self._step(episode, place) for episode in order)

    def primer(self, order: Sequence[str]) -> tuple[Primer, ...]:
        """What the steps lean on beyond what is known or taught on the way.

        What the goals and their needs require comes first, then what most steps lean on.
        """
        taught = {t.target for e in order for t in self.snapshot.taught_by.get(e, ())}
        elsewhere = taught.union(self.known, self.scope.gaps)
        wanted = Counter(c for e in order for c in self._leans_on(e) if c not in elsewhere)
        required = {r.target for c in self.scope.demands for r in self.snapshot.required_by.get(c, ())}
        return tuple(self.line(c) for c in sorted(wanted, key=lambda c: (c not in required, -wanted[c], c)))

    def line(self, concept: str) -> Primer:
        c = self.snapshot.concept[concept]
        return Primer(c.id, c.name, definition=c.definition, link=self.reading_links.of(concept))

    def name(self, goal: str) -> str:
        """The name of a concept or the title of an episode."""
        concept = self.snapshot.concept.get(goal)
        return concept.name if concept else self.snapshot.episode[goal].title

    def _step(self, episode: str, place: Mapping[str, int]) -> Step:
        e = self.snapshot.episode[episode]
        taught = self.snapshot.taught_by.get(episode, ())
        asked_for = sorted(
            taught, key=lambda t: t.target not in self.scope.demands
        )  # what the plan is about comes first
        title_only = (BASES[e.basis].fact,) if e.basis == "title" else ()
        met = None if episode in self.own else self._met(episode, place.keys())
        return Step(
            e.id,
            e.number,
            title=e.title,
            minutes=self.minutes[episode],
            estimated=e.minutes is None,
            role="goal" if met is None else "before" if met in self.scope.needs else "deepens",
            teaches=tuple(Taught(t.target, self.name(t.target), at=t.at) for t in asked_for),
            needs=tuple(self._needs(episode, place)),
            why=self._why_asked(episode) if met is None else self._why_met(met),
            caveats=(*e.dated, *title_only),
            url=e.url,
            audio_url=e.audio_url,
        )

    def _leans_on(self, episode: str) -> list[str]:
        """What an episode assumes and what its main subjects require, without what it teaches itself."""
        taught = self.snapshot.taught_by.get(episode, ())
        mains = [t.target for t in taught if t.depth == "main"]
        required = (r.target for c in mains for r in self.snapshot.required_by.get(c, ()))
        assumed = (a.target for a in self.snapshot.assumed_by.get(episode, ()))
        own = {t.target for t in taught}
        return [c for c in dict.fromkeys((*required, *assumed)) if c not in own]

    def _needs(self, episode: str, place: Mapping[str, int]) -> Iterator[Needed]:
        for concept in self._leans_on(episode):
            earlier = [t for t in self.snapshot.teachers.get(concept, ()) if place.get(t.source, inf) < place[episode]]
            if concept in self.known:
                yield Needed(concept, self.name(concept), source="known")
            elif earlier:
                best = min(earlier, key=lambda t: (t.depth, -t.weight, place[t.source]))
                yield Needed(concept, self.name(concept), source=best.source)

    def _met(self, episode: str, chosen: Collection[str]) -> str:
        """The first of the needs and parts that the episode meets, if possible one that no other of the chosen does."""
        mine = [c for c, teachers in self.able.items() if episode in teachers]
        return next((c for c in mine if self.able[c].intersection(chosen) == {episode}), mine[0])

    def _why_asked(self, episode: str) -> str:
        goal = self.own[episode]
        if goal == episode:
            return "You asked for this episode."
        taught = self.snapshot.taught_by[episode]
        depth = next((t.depth for t in taught if t.target == goal), None)
        if depth is None:
            return f"No episode explains {self._goal(goal)}; this one comes closest."
        if depth == "part":
            return f"It explains {self._goal(goal)}, on the way; no episode has it as its subject."
        first = next(t.target for t in taught if t.depth == "main")
        return f"{self._goal(goal)}, is {'its subject' if goal == first else 'one of its subjects'}."

    def _why_met(self, concept: str) -> str:
        if need := self.scope.needs.get(concept):
            return _sentence(f"{self.name(need.source)} needs {self.name(concept)}", need.reason)
        part = self.scope.parts[concept]
        if part.edge is None:
            return f"{self.name(concept)} builds on {self._goal(part.subject)}, whose episode already touches on it."
        return _sentence(f"{self.name(concept)} is a part of {self._goal(part.edge.target)}", part.edge.reason)

    def _goal(self, concept: str) -> str:
        return f"{self.name(concept)}, your goal" if concept in self.scope.goals else self.name(concept)


def _sentence(statement: str, reason: str) -> str:
    return f"{statement}: {reason.rstrip('.')}." if reason else f"{statement}."
