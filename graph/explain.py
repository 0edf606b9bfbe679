"""A plan in words: each step with what it needs, why it is there and what to beware of, and what is only a primer."""

from collections import Counter
from collections.abc import Iterable, Sequence

from graph.answers import Needed, Primer, Role, Step, Taught
from graph.model import Snapshot
from graph.scope import Scope
from graph.words import fold

_TREE = "https://github.com/pytorch/pytorch/blob/main"
_READING = ("docs", "rfc", "blog", "github_wiki", "forum", "paper", "github_code", "github_issue", "github_pr")


class Explainer:
    """Turns an order of episodes into steps. `minutes` holds every episode's length, an estimated one too."""

    def __init__(self, snapshot: Snapshot, scope: Scope, known: frozenset[str], minutes: dict[str, int]) -> None:
        self.snapshot, self.scope, self.known, self.minutes = snapshot, scope, known, minutes
        self.own = {e: goal for goal, episodes in reversed(scope.goals.items()) for e in episodes}

    def steps(self, order: Sequence[str]) -> tuple[Step, ...]:
        return tuple(self._step(episode, order[:i]) for i, episode in enumerate(order))

    def role(self, episode: str) -> Role:
        if episode in self.own:
            return "goal"
        return "before" if self._first_met(self.scope.needs, episode) else "deepens"

    def primer(self, order: Sequence[str]) -> tuple[Primer, ...]:
        """What the steps lean on beyond what is known or taught on the way.

        What the goals and their needs require comes first, then what most steps lean on.
        """
        taught = {t.target for e in order for t in self.snapshot.taught_by.get(e, ())}
        wanted = Counter(c for e in order for c in self._leans_on(e) if c not in taught and c not in self.known)
        wanted = Counter({c: n for c, n in wanted.items() if c not in self.scope.gaps})
        edges = (r for c in self.scope.demands for r in self.snapshot.required_by.get(c, ()))
        required = {r.target for r in edges}
        return tuple(self.line(c) for c in sorted(wanted, key=lambda c: (c not in required, -wanted[c], c)))

    def line(self, concept: str) -> Primer:
        c = self.snapshot.concept[concept]
        return Primer(c.id, c.name, c.definition, self._reading(concept))

    def name(self, goal: str) -> str:
        """The name of a concept or the title of an episode."""
        concept = self.snapshot.concept.get(goal)
        return concept.name if concept else self.snapshot.episode[goal].title

    def _step(self, episode: str, earlier: Sequence[str]) -> Step:
        e = self.snapshot.episode[episode]
        taught = self.snapshot.taught_by.get(episode, ())
        title_only = ("known by its title only",) if e.basis == "title" else ()
        return Step(
            e.id,
            e.number,
            e.title,
            self.minutes[episode],
            e.minutes is None,
            self.role(episode),
            tuple(Taught(t.target, self.name(t.target), t.at) for t in taught),
            tuple(self._needs(episode, earlier)),
            self._why(episode),
            (*e.dated, *title_only),
            e.url,
            e.audio_url,
        )

    def _leans_on(self, episode: str) -> list[str]:
        """What an episode assumes and what its main subjects require, without what it teaches itself."""
        taught = self.snapshot.taught_by.get(episode, ())
        mains = [t.target for t in taught if t.depth == "main"]
        required = (r.target for c in mains for r in self.snapshot.required_by.get(c, ()))
        assumed = (a.target for a in self.snapshot.assumed_by.get(episode, ()))
        own = {t.target for t in taught}
        return [c for c in dict.fromkeys((*required, *assumed)) if c not in own]

    def _needs(self, episode: str, earlier: Sequence[str]) -> Iterable[Needed]:
        for concept in self._leans_on(episode):
            teachers = [t for t in self.snapshot.teachers.get(concept, ()) if t.source in earlier]
            if concept in self.known:
                yield Needed(concept, self.name(concept), "known")
            elif teachers:
                best = min(teachers, key=lambda t: (t.depth, -t.weight, earlier.index(t.source)))
                yield Needed(concept, self.name(concept), best.source)

    def _why(self, episode: str) -> str:
        role = self.role(episode)
        if role == "goal":
            goal = self.own[episode]
            if goal == episode:
                return "You asked for this episode."
            depth = {t.target: t.depth for t in self.snapshot.taught_by[episode]}.get(goal)
            return {
                "main": f"{self.name(goal)}, your goal, is its subject.",
                "part": f"It explains {self.name(goal)}, your goal, on the way; no episode has it as its subject.",
                None: f"No episode explains {self.name(goal)}, your goal; this one comes closest.",
            }[depth]
        met = self._first_met([*self.scope.needs, *self.scope.parts], episode)
        if met is None:
            raise ValueError(f"{episode} is in a plan for no reason")
        whose, reason = self.scope.because[met]
        if met in self.scope.parts:
            goal = ", your goal" if whose in self.scope.goals else ""
            if not reason:  # no part by a curated relation: the goal's own episode tells of it
                return f"{self.name(met)} builds on {self.name(whose)}{goal}, whose episode already touches on it."
            return _sentence(f"{self.name(met)} is a part of {self.name(whose)}{goal}", reason)
        return _sentence(f"{self.name(whose)} needs {self.name(met)}", reason)

    def _first_met(self, concepts: Iterable[str], episode: str) -> str | None:
        """The first of the demanded concepts that the episode may meet."""
        return next((c for c in concepts if episode in (self.scope.demands[c].teachers or ())), None)

    def _reading(self, concept: str) -> str | None:
        """A page that an episode on the concept cites and whose words name it; else its place in the source."""
        c = self.snapshot.concept[concept]
        names = {fold(name) for name in (c.name, *c.aliases)}
        teachers = {t.source: -t.weight for t in self.snapshot.teachers.get(concept, ())}
        links = {link.id: link for link in self.snapshot.links}
        found = sorted(
            (_READING.index(link.type), teachers[cites.source], link.url)
            for cites in self.snapshot.cites
            if cites.source in teachers and (link := links[cites.target]).type in _READING
            if any(name in fold(f"{link.label} {link.url}") for name in names if len(name) > 3)
        )
        if found:
            return found[0][2]
        return f"{_TREE}/{c.source_paths[0]}" if c.source_paths else None


def _sentence(statement: str, reason: str) -> str:
    return f"{statement}: {reason.rstrip('.')}." if reason else f"{statement}."
