"""What a plan is about: from goals and knowledge to what is demanded, and which episodes could meet it."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median_low

from graph.choice import Demand
from graph.model import Episode, Requires, Snapshot
from graph.prerequisites import closure, reachable

_MINUTES = 15  # where a whole show says nothing of its lengths


@dataclass(slots=True)
class Scope:
    """Demands by concept id (by episode id where an episode is the goal), in three groups, and who may meet them."""

    goals: dict[str, tuple[str, ...]] = field(default_factory=dict)  # goal -> all its own episodes
    below: list[str] = field(default_factory=list)  # concepts that the goals need, the nearest first
    needs: list[str] = field(default_factory=list)  # these, and those that only parts of the goals need
    parts: dict[str, str] = field(default_factory=dict)  # concept worth an episode of its own -> the goal it deepens
    because: dict[str, tuple[str, str]] = field(default_factory=dict)  # need or part -> whose, and the reason
    gaps: list[str] = field(default_factory=list)  # concepts that no episode teaches
    demands: dict[str, Demand] = field(default_factory=dict)

    def add(self, name: str, teachers: Sequence[str], edges: Iterable[Requires], *also: str) -> None:
        """A demand; one that no episode meets is a gap, which stands in nobody's way."""
        self.demands[name] = Demand(tuple(teachers) or None, (*dict.fromkeys(e.target for e in edges), *also))
        if not teachers and name not in self.gaps:
            self.gaps.append(name)


class Teachers:
    """Who teaches what, without the episodes that were heard."""

    def __init__(self, snapshot: Snapshot, heard: Collection[str]) -> None:
        self.snapshot = snapshot
        self.heard = frozenset(heard)
        self.unheard = {c: [t for t in ts if t.source not in self.heard] for c, ts in snapshot.teachers.items()}
        self.tied: defaultdict[str, set[str]] = defaultdict(set)
        pairs = {(r.source, r.target) for r in snapshot.requires}
        for a, b in pairs | {(r.source, r.target) for r in snapshot.concept_relations}:
            self.tied[a].add(b)
            self.tied[b].add(a)

    def of(self, concept: str) -> tuple[str, ...]:
        """The episodes with this main subject. Where there is none, those that explain it beside a subject close to it;
        where there is none either, the one that makes most of it.
        """
        edges = self.unheard.get(concept, [])
        mains = [t.source for t in edges if t.depth == "main"]
        if mains or not edges:
            return tuple(mains)
        close = closure(self.snapshot.requires, [concept]) | self.tied[concept]
        beside = [t.source for t in edges if close.intersection(self.mains(t.source))]
        return tuple(beside) or (min(edges, key=lambda t: (-t.weight, t.source)).source,)

    def around(self, concept: str) -> tuple[str, ...]:
        """For a concept that nobody teaches: the episodes on what it is a part of, unless one has a part of it as its
        subject; else the episode that teaches most of what is tied to it and not below it.
        """
        joints = [r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and concept in (r.source, r.target)]
        if not any(self.devoted(r.source) for r in joints if r.target == concept):
            of_wholes = (self.devoted(r.target) for r in joints if r.source == concept)
            if found := next(filter(None, of_wholes), ()):
                return found
        tied = self.tied[concept] - closure(self.snapshot.requires, [concept])
        weight: dict[str, float] = {}
        for t in (t for c in tied for t in self.unheard.get(c, ())):
            weight[t.source] = weight.get(t.source, 0.0) + t.weight
        fit = [e for e in weight if tied.intersection(self.mains(e)[:1])]
        return (min(fit, key=lambda e: (-weight[e], e)),) if fit else ()

    def devoted(self, concept: str) -> tuple[str, ...]:
        """The episodes whose first main subject this is."""
        return tuple(t.source for t in self.unheard.get(concept, ()) if self.mains(t.source)[:1] == [concept])

    def mains(self, episode: str) -> list[str]:
        return [t.target for t in self.snapshot.taught_by.get(episode, ()) if t.depth == "main"]


def known_concepts(snapshot: Snapshot, known: Iterable[str], heard: Iterable[str]) -> frozenset[str]:
    """What is known: the concepts named with their parts, the main subjects of the episodes heard, and all below."""
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for r in snapshot.concept_relations:
        if r.kind == "PART_OF" and r.origin == "curated":
            parts[r.target].append(r.source)
    told = {t.target for e in heard for t in snapshot.taught_by.get(e, ()) if t.depth == "main"}
    return closure((r for r in snapshot.requires if r.origin != "inferred"), told | reachable(parts, known))


def scope_of(snapshot: Snapshot, goals: Sequence[str], known: frozenset[str], teachers: Teachers) -> Scope:
    """The demands of these goals (ids of concepts or episodes), apart from what is known."""
    scope = Scope()
    subjects: dict[str, str] = {}  # concept -> the goal that it stands for
    start: list[Requires] = []
    for goal in goals:
        own = [goal] if goal in snapshot.concept else teachers.mains(goal)
        subjects |= {concept: goal for concept in own if concept not in subjects}
        edges = _hear(snapshot, own, known.union(own))
        scope.goals[goal] = teachers.of(goal) if goal in snapshot.concept else (goal,)
        if goal in snapshot.concept and goal not in snapshot.teachers:
            scope.goals[goal] = teachers.around(goal)
            scope.gaps.append(goal)
        if goal in known:  # its episodes have been heard: what deepens it is left
            scope.goals[goal], scope.demands[goal] = (), Demand(None, ())
            continue
        scope.add(goal, scope.goals[goal], edges)
        start += edges
    scope.below = _add_below(snapshot, scope, start, known, teachers)
    own_episodes = {e for episodes in scope.goals.values() for e in episodes}
    start = []
    for concept, (subject, whole, reason) in _parts(snapshot, scope, subjects, known, teachers).items():
        edges = _hear(snapshot, [concept], known)
        devoted = tuple(e for e in teachers.devoted(concept) if e not in own_episodes)
        scope.add(concept, devoted, edges, subjects[subject])
        scope.because[concept] = whole, reason
        scope.parts[concept] = subjects[subject]
        start += edges
    scope.needs = scope.below + _add_below(snapshot, scope, start, known, teachers)
    return scope


def minutes_of(snapshot: Snapshot) -> dict[str, int]:
    """Episode id -> its length, that of an unknown one the median of its show; by number, then id."""
    known: dict[str, list[int]] = {}
    for e in snapshot.episodes:
        if e.minutes is not None:
            known.setdefault(e.show, []).append(e.minutes)
    usual = {show: median_low(lengths) for show, lengths in known.items()}
    by_number = sorted(snapshot.episodes, key=_place)
    return {e.id: usual.get(e.show, _MINUTES) if e.minutes is None else e.minutes for e in by_number}


def _place(episode: Episode) -> tuple[bool, int, str]:
    return episode.number is None, episode.number or 0, episode.id


def _hear(snapshot: Snapshot, concepts: Iterable[str], without: frozenset[str]) -> list[Requires]:
    edges = (e for c in concepts for e in snapshot.required_by.get(c, ()))
    return [e for e in edges if e.need == "hear" and e.target not in without]


def _add_below(
    snapshot: Snapshot, scope: Scope, start: Iterable[Requires], known: frozenset[str], teachers: Teachers
) -> list[str]:
    """Demands what is below by `hear` edges, the nearest to the goals first; returns the concepts that are new."""
    new: list[str] = []
    todo = deque(start)
    while todo:
        edge = todo.popleft()
        if edge.target not in scope.demands:
            edges = _hear(snapshot, [edge.target], known)
            scope.add(edge.target, teachers.of(edge.target), edges)
            scope.because[edge.target] = edge.source, edge.reason
            new.append(edge.target)
            todo += edges
    return new


def _parts(
    snapshot: Snapshot, scope: Scope, subjects: Mapping[str, str], known: frozenset[str], teachers: Teachers
) -> dict[str, tuple[str, str, str]]:
    """Concepts worth an episode of their own after a goal -> the goal's subject, the whole and the reason.

    These are the goal's components with all that they need; of what is inside a component that nobody teaches, and of
    what the goal's own episodes explain and rests on it, only what calls for no further episode, lest a plan recites
    the show. A component is not lost, though: where all inside it calls for more, the least demanding is taken.
    """
    own = {e for episodes in scope.goals.values() for e in episodes}
    inner: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for r in snapshot.concept_relations:
        if r.kind == "PART_OF" and r.origin == "curated":
            inner[r.target][r.source] = r.reason
    at_hand = known.union(scope.demands, subjects)
    found: dict[str, tuple[str, str, str]] = {}

    def worth(concept: str) -> bool:
        return concept not in at_hand and concept not in found and bool(set(teachers.devoted(concept)) - own)

    def missing(concept: str) -> int:
        """How many concepts below it only further episodes teach."""
        below = closure(snapshot.requires, [concept], "hear") - at_hand
        mine = own.union(teachers.devoted(concept))
        return sum(bool(them) and not mine.intersection(them) for them in map(teachers.of, below - {concept}))

    for subject in sorted(subjects):
        direct = inner[subject]
        found |= {c: (subject, subject, direct[c]) for c in sorted(direct) if worth(c)}
        at_hand |= closure(snapshot.requires, [c for c in direct if c in found], "hear")
        for part in (c for c in sorted(direct) if c not in known and not teachers.unheard.get(c)):
            within = sorted(reachable(inner, [part]))
            inside = sorted(filter(worth, within), key=lambda c: (missing(c), c))
            wholes = {c: whole for whole in within for c in inner[whole]}
            taken = [c for c in inside if missing(c) == 0 or c == inside[0]]
            found |= {c: (subject, wholes[c], inner[wholes[c]][c]) for c in taken}
        explain = own | teachers.heard
        told = {t.target for e in explain if subject in teachers.mains(e) for t in snapshot.taught_by[e]}
        resting = {c for c in told if subject in closure(snapshot.requires, [c])}
        found |= {c: (subject, subject, "") for c in sorted(resting) if worth(c) and missing(c) == 0}
    return found
