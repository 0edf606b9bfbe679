"""What goals demand of a listener, and the episodes that could meet it: the first stage of a plan."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from torchatlas.graph.model import (
    ConceptRelation,
    ListenAfter,
    Need,
    PlanDepth,
    RefersTo,
    Requires,
    Snapshot,
    by_source,
    closure,
    reachable,
)


@dataclass(frozen=True, slots=True)
class Demand:
    """Something worth having. `teachers`: episodes of which any one will do; None where no episode is needed.

    `needs`: demands that must be met first; `best`: the teachers to prefer where that costs nothing.
    """

    teachers: tuple[str, ...] | None
    needs: tuple[str, ...] = ()
    _: KW_ONLY
    best: tuple[str, ...] = ()


def main_subjects(snapshot: Snapshot, episode: str) -> list[str]:
    """Return the ids of the concepts that an episode is about, the first subject first.

    Example: `main_subjects(snapshot, "show/autograd")` is `["autograd", "tensor"]`.
    """
    return [t.target for t in snapshot.taught_by.get(episode, ()) if t.depth == "main"]


def components(snapshot: Snapshot) -> Mapping[str, Mapping[str, ConceptRelation]]:
    """Return the curated PART_OF edges: id of the whole -> id of its component -> edge.

    >>> from torchatlas.graph.model import Concept
    >>> concepts = (Concept("engine", "engine", area="Autograd"), Concept("tape", "tape", area="Autograd"))
    >>> edge = ConceptRelation("tape", "engine", kind="PART_OF", reason="the engine replays the tape")
    >>> components(Snapshot(concepts, concept_relations=(edge,))) == {"engine": {"tape": edge}}
    True
    """
    found: defaultdict[str, dict[str, ConceptRelation]] = defaultdict(dict)
    for edge in snapshot.concept_relations:
        if edge.kind == "PART_OF" and edge.origin == "curated":
            found[edge.target][edge.source] = edge
    return dict(found)


def known_concepts(snapshot: Snapshot, known: Iterable[str], heard: Iterable[str]) -> frozenset[str]:
    """Return the concepts `known` with their components, the main subjects of the episodes `heard`, and all below.

    Drafted, stated and inferred prerequisites do not count.

    Example: `known_concepts(snapshot, ["dispatcher"], ["show/autograd"])`.
    """
    inside = components(snapshot)
    subjects = {concept for episode in heard for concept in main_subjects(snapshot, episode)}

    def certain(concept: str) -> list[str]:
        return [r.target for r in snapshot.required_by.get(concept, ()) if r.origin in ("curated", "declared")]

    return reachable(certain, subjects | reachable(lambda concept: inside.get(concept, ()), known))


_AT_LENGTH = 0.4  # the weight of a part that is among the first things that an episode explains
_FEW = 3  # episodes that explain a goal piece by piece


class Teachers:
    """The teachers of concepts, without posts, which are read, and trailers, which only announce.

    >>> from torchatlas.graph.model import Concept, Episode, Teaches
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> taught = (Teaches(one.id, "views", depth="main"), Teaches(two.id, "views", depth="part"))
    >>> Teachers(Snapshot((Concept("views", "views", area="Tensors"),), (one, two), teaches=taught)).explaining("views")
    ('show/one',)
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._heard = {e.id for e in snapshot.episodes if e.kind == "episode"}
        found = {c: [t for t in ts if t.source in self._heard] for c, ts in snapshot.teachers.items()}
        self.of = {c: ts for c, ts in found.items() if ts}
        self._tied: defaultdict[str, set[str]] = defaultdict(set)
        required = [(r.source, r.target) for r in snapshot.requires]
        # what deepens a concept follows its episodes, and does not stand in for them
        self._related = [r for r in snapshot.concept_relations if r.kind != "DEEPENS"]
        for a, b in required + [(r.source, r.target) for r in self._related]:
            self._tied[a].add(b)
            self._tied[b].add(a)

    def explaining(self, concept: str) -> tuple[str, ...]:
        """Return the episodes about a concept, else the ones that explain it beside a subject close to it.

        Example: `teachers.explaining("dispatcher")`
        """
        if about := self.about(concept):
            return about
        close = closure(self.snapshot.required_by, [concept]) | self._tied[concept]
        beside = (t.source for t in self.of.get(concept, ()) if close & {*main_subjects(self.snapshot, t.source)})
        return tuple(beside)

    def on_goal(self, concept: str) -> tuple[str, ...]:
        """Return the episodes for somebody who wants to understand a concept: `teachers.on_goal("dispatcher")`.

        These are the ones that explain it and, where none is devoted to it, those devoted to a whole of it that explain
        it too; else the one that says most of it, else those that come nearest and those that explain a part at length,
        else the few that name it.
        """
        stand_ins = dict.fromkeys([] if concept in self.of else [*self.nearest(concept), *self._piecewise(concept)])
        explained = dict.fromkeys((*self.explaining(concept), *self._within_a_whole(concept)))
        return tuple(explained) or self.saying_most(concept) or tuple(stand_ins) or self._naming(concept)

    def about(self, concept: str) -> tuple[str, ...]:
        """Return the episodes with this main subject, the first or another, for example `teachers.about("views")`."""
        return tuple(t.source for t in self.of.get(concept, ()) if t.depth == "main")

    def devoted_to(self, concept: str) -> tuple[str, ...]:
        """Return the episodes whose first main subject this is, for example `teachers.devoted_to("views")`."""
        return tuple(e for e in self.about(concept) if main_subjects(self.snapshot, e)[0] == concept)

    def saying_most(self, concept: str) -> tuple[str, ...]:
        """Return the episode that says most of a concept, if any does: `teachers.saying_most("views")`."""
        edges = self.of.get(concept, ())
        return (min(edges, key=lambda t: (-t.weight, t.source)).source,) if edges else ()

    def nearest(self, concept: str) -> tuple[str, ...]:
        """Return the episodes that come closest to a concept that no episode teaches: `teachers.nearest("views")`.

        These are the episodes devoted to a whole of the concept, unless one is devoted to a part of the concept; else
        the episode that teaches most of what is tied to the concept and not below; else those that explain its kin.
        """
        edges = [r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and concept in (r.source, r.target)]
        wholes = [r.target for r in edges if r.source == concept]
        inside = any(self.devoted_to(r.source) for r in edges if r.target == concept)
        if not inside and (found := next(filter(None, map(self.devoted_to, wholes)), ())):
            return found
        tied = self._tied[concept] - closure(self.snapshot.required_by, [concept])
        weight: defaultdict[str, float] = defaultdict(float)
        for t in (t for c in sorted(tied) for t in self.of.get(c, ())):
            weight[t.source] += t.weight
        fit = [e for e in weight if tied.intersection(main_subjects(self.snapshot, e)[:1])]
        if fit:
            return (min(fit, key=lambda e: (-weight[e], e)),)
        return self._explaining_kin(concept)

    def _within_a_whole(self, concept: str) -> list[str]:
        """Return the episodes devoted to a whole that explain the concept, none where an episode is devoted to it."""
        edges = [] if self.devoted_to(concept) else self.snapshot.concept_relations
        wholes = (r.target for r in edges if r.kind == "PART_OF" and r.source == concept)
        told = {t.source for t in self.of.get(concept, ())}
        return [e for whole in wholes for e in self.devoted_to(whole) if e in told]

    def _piecewise(self, concept: str) -> list[str]:
        """Return the few episodes that explain most of the components which no episode is about, the best first."""
        edges = (r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and r.origin == "curated")
        pieces = [r.source for r in edges if r.target == concept and not self.about(r.source)]
        weight: defaultdict[str, float] = defaultdict(float)
        for t in (t for c in pieces for t in self.of.get(c, ()) if t.weight >= _AT_LENGTH):
            weight[t.source] += t.weight
        return sorted(weight, key=lambda e: (-weight[e], e))[:_FEW]

    def _naming(self, concept: str) -> tuple[str, ...]:
        """Return the episodes whose descriptions name a concept, none where many do."""
        found = sorted({m.source for m in self.snapshot.mentions if m.target == concept} & self._heard)
        return tuple(found) if len(found) <= _FEW else ()

    def _explaining_kin(self, concept: str) -> tuple[str, ...]:
        """Return the episodes that explain what a concept is a part of, extends or implements; else on a kind of it.

        Without any, it is the episode that explains most of a subject to which another relation leads.
        """
        edges = [r for r in self._related if concept in (r.source, r.target)]
        up, down = [r for r in edges if r.source == concept], [r for r in edges if r.target == concept]
        for kin in (
            (r.target for r in up if r.kind == "PART_OF"),
            (r.target for r in up if r.kind == "EXTENDS"),
            (r.source for r in down if r.kind == "IMPLEMENTED_WITH"),
            (r.source for r in down if r.kind == "EXTENDS" and r.origin == "curated"),
        ):
            if found := next(filter(None, (self.explaining(c) or self.saying_most(c) for c in kin)), ()):
                return found
        others = {c for r in edges for c in (r.source, r.target)} - {concept}
        told = [t for c in sorted(others) for t in self.of.get(c, ()) if t.depth == "main"]
        return (min(told, key=lambda t: (-t.weight, t.source)).source,) if told else ()


@dataclass(frozen=True)
class Goals:
    """The goals that are neither known nor heard: `about` is goal -> concepts, `own` is goal -> episodes, heard or not.

    >>> Goals({"views": ["views"]}, {"views": ("show/strides",)}).goal_of
    {'views': 'views'}
    """

    about: Mapping[str, list[str]]
    own: Mapping[str, tuple[str, ...]]

    @cached_property
    def goal_of(self) -> dict[str, str]:
        """Each concept that a goal is about -> the goal, the first one of several."""
        return {concept: goal for goal in reversed([*self.about]) for concept in self.about[goal]}

    @cached_property
    def leading(self) -> dict[str, str]:
        """Each goal -> the first concept that it is about; what an episode is about beside that matters less."""
        return {goal: concepts[0] for goal, concepts in self.about.items() if concepts}

    @cached_property
    def episodes(self) -> frozenset[str]:
        """The episodes on any of the goals."""
        return frozenset(e for episodes in self.own.values() for e in episodes)


def goals_of(
    teachers: Teachers, goals: Iterable[str], *, said: Collection[str], known: Collection[str], heard: Collection[str]
) -> Goals:
    """Return the goals (ids of concepts or episodes) that are left. `said`: known by itself, not from an episode.

    Example: `goals_of(teachers, ["views"], said=[], known=[], heard=[]).own`
    """
    snapshot = teachers.snapshot
    wanted = [g for g in dict.fromkeys(goals) if g not in said and g not in heard]
    return Goals(
        {g: [g] if g in snapshot.concept else main_subjects(snapshot, g) for g in wanted},
        {g: _own(teachers, g, g in known) for g in wanted},
    )


def _own(teachers: Teachers, goal: str, known: bool) -> tuple[str, ...]:
    """Return the episodes on a goal; of a goal that is known from other episodes, those about the goal only."""
    if goal not in teachers.snapshot.concept:
        return (goal,)
    return teachers.about(goal) if known else teachers.on_goal(goal)


Declared = ListenAfter | RefersTo
"""An edge that says: hear its target before its source."""

_FAR = 2  # what the episodes ask for, and what that asks for


def declared_before(snapshot: Snapshot, episodes: Iterable[str]) -> dict[str, Declared]:
    """Return the episodes to hear before these, and before those in turn -> the edge that says so; the nearest first.

    Posts are left out, since they are read.

    >>> from torchatlas.graph.model import Episode
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> after = ListenAfter("show/two", "show/one", quote="listen to one first")
    >>> list(declared_before(Snapshot(episodes=(one, two), listen_after=(after,)), ["show/two"]))
    ['show/one']
    """
    first = (r for r in snapshot.refers_to if r.relation == "listen_first")
    edges: tuple[Declared, ...] = (*snapshot.listen_after, *first)
    asks = by_source(edges)
    found: dict[str, Declared] = {}
    start = asking = list(episodes)
    for _ in range(_FAR):
        told = [edge for episode in asking for edge in asks.get(episode, ())]
        asking = []
        for edge in told:
            earlier = edge.target
            if earlier not in found and earlier not in start and snapshot.episode[earlier].kind == "episode":
                found[earlier] = edge
                asking.append(earlier)
    return found


@dataclass(frozen=True, slots=True)
class Deepening:
    """The reason why a concept deepens a goal.

    `subject`: the goal, or a main subject of the episode that is the goal; `edge`: the concept is inside of another, or
    needs, extends or deepens the subject. An edge that is missing means that the concept builds on the subject, whose
    episode touches on the concept.
    """

    subject: str
    edge: ConceptRelation | Requires | None = None

    @property
    def judged(self) -> bool:
        """Whether a person judged that the concept deepens the subject, whatever else the concept needs."""
        return self.edge is not None and self.edge.kind == "DEEPENS"


def deepenings(teachers: Teachers, goals: Goals, *, thorough: bool = False) -> dict[str, Deepening]:
    """Return the concepts that deepen goals, whatever the listener knows; what the goals need is left out.

    For each subject of a goal these are its components, with all that they need; what is inside of a component that no
    episode teaches; what its own episodes touch on that builds on the subject; what needs the goal and is the subject
    of an episode that takes the goal up again; and, where no episode is devoted to the goal, all that needs the goal
    and its kinds. All but the components must call for no further episode unless the plan is `thorough`; but at least
    the least demanding thing inside is taken. What a person judged to deepen the first subject of a goal always does.

    Example: `deepenings(teachers, goals)` is `{"partitioner": Deepening("compiler")}`
    """
    search = _Search(teachers, goals, thorough=thorough)
    for subject in sorted(goals.goal_of):
        search.components(subject)
        search.touched(subject)
        if goals.goal_of[subject] == subject:
            search.needing(subject)
    for subject in sorted(set(goals.leading.values())):
        search.judged(subject)
    return search.found


class _Search:
    """The search for what deepens goals: `found` so far, and `at_hand`, what calls for no further episode."""

    def __init__(self, teachers: Teachers, goals: Goals, *, thorough: bool) -> None:
        self.teachers, self.goals, self.thorough = teachers, goals, thorough
        self.required_by = teachers.snapshot.required_by
        self.inside = components(teachers.snapshot)
        self.at_hand = _needed(teachers, goals)
        self.found: dict[str, Deepening] = {}

    def components(self, subject: str) -> None:
        """Find the components of a subject, and what is inside of those that no episode teaches."""
        direct = self.inside.get(subject, {})
        self.at_hand -= self._elsewhere(direct)
        taught = {c: Deepening(subject, edge) for c, edge in direct.items() if self._new(c)}
        self.found |= taught
        self.at_hand |= closure(self.required_by, taught, "hear")
        for component in (c for c in direct if c not in self.teachers.of):
            edges = _edges_inside(self.inside, component)
            missing = {c: self._missing(c) for c in sorted(edges) if self._new(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            taken = (c for c, n in missing.items() if self.thorough or n == 0 or c == easiest)
            self.found |= {c: Deepening(subject, edges[c]) for c in taken}

    def _elsewhere(self, components: Iterable[str]) -> frozenset[str]:
        """Return the components that an episode of the goal is about, while others are devoted to them."""
        beside = self.goals.goal_of.keys() - self.goals.leading.values()
        devoted = ((c, self.teachers.devoted_to(c)) for c in beside.intersection(components))
        return frozenset(c for c, episodes in devoted if episodes and self.goals.episodes.isdisjoint(episodes))

    def touched(self, subject: str) -> None:
        """Find what builds on a subject among the concepts that the own episodes on the subject teach."""
        snapshot = self.teachers.snapshot
        episodes = (e for e in self.goals.episodes if subject in main_subjects(snapshot, e))
        for concept in sorted({t.target for e in episodes for t in snapshot.taught_by[e]}):
            if subject in closure(self.required_by, [concept]) and self._new(concept) and self._easy(concept):
                self.found[concept] = Deepening(subject)

    def judged(self, subject: str) -> None:
        """Find what a person judged to deepen a subject."""
        edges = (r for r in self.teachers.snapshot.concept_relations if r.kind == "DEEPENS" and r.target == subject)
        self.found |= {edge.source: Deepening(subject, edge) for edge in edges if self._new(edge.source)}

    def needing(self, subject: str) -> None:
        """Find the main subjects of other episodes that need a subject.

        Where an episode is devoted to the subject, only what is heard after it counts, and only if the episode on that
        takes the subject up again. Where none is, kinds of the subject count too, if an episode is devoted to them.
        """
        snapshot = self.teachers.snapshot
        needs = [r for r in snapshot.requires if r.target == subject and r.need != "bridge"]
        kinds: list[ConceptRelation] = []
        if self.teachers.devoted_to(subject):
            again = {t.source for t in self.teachers.of[subject]}
            needs = [r for r in needs if r.need == "hear" and again.intersection(self.teachers.devoted_to(r.source))]
        else:
            extending = (r for r in snapshot.concept_relations if r.kind == "EXTENDS" and r.target == subject)
            kinds = [r for r in extending if r.origin == "curated" and self.teachers.devoted_to(r.source)]
        edges: tuple[ConceptRelation | Requires, ...] = (*needs, *kinds)
        for edge in edges:
            about = self.teachers.about(edge.source)
            new = edge.source not in self.at_hand | self.found.keys() and not self.goals.episodes.issuperset(about)
            if new and self._easy(edge.source):
                self.found[edge.source] = Deepening(subject, edge)

    def _new(self, concept: str) -> bool:
        """Return whether the concept is new and an episode beside the own ones is devoted to it."""
        devoted = self.teachers.devoted_to(concept)
        return not (concept in self.at_hand or concept in self.found or self.goals.episodes.issuperset(devoted))

    def _easy(self, concept: str) -> bool:
        return self.thorough or not self._missing(concept)

    def _missing(self, concept: str) -> int:
        """Count the concepts below a concept that only further episodes teach."""
        below = closure(self.required_by, [concept], "hear") - self.at_hand - {concept}
        mine = self.goals.episodes.union(self.teachers.about(concept))
        return sum(bool(them) and mine.isdisjoint(them) for them in map(self.teachers.explaining, below))


def _needed(teachers: Teachers, goals: Goals) -> frozenset[str]:
    """Return the subjects of the goals and what is heard before them: no episode beyond these is needed for it."""
    required_by = teachers.snapshot.required_by
    worth = (e.target for c in goals.leading.values() for e in required_by.get(c, ()) if e.need == "worth")
    return closure(required_by, {*goals.goal_of, *filter(teachers.explaining, worth)}, "hear")


def _edges_inside(inside: Mapping[str, Mapping[str, ConceptRelation]], whole: str) -> Mapping[str, ConceptRelation]:
    """Return all that a whole is made of, level by level -> the edge that says so."""
    wholes = sorted(reachable(lambda c: inside.get(c, ()), [whole]))
    return {c: edge for w in wholes for c, edge in inside.get(w, {}).items()}


class Demands:
    """The demands of a listener who knows some concepts and has heard some episodes: `found`, by the ids of both.

    Of a demand that is not a goal, one of these gives the reason: `needs` is concept -> edge that calls for it,
    `declared` is episode -> edge that asks to hear it first, `deepenings` is concept -> what it deepens. `gaps` are
    demands for which there is no episode. What is known or heard only takes demands away.

    Example: `Demands(teachers, known=frozenset({"views"}), heard=[]).need(["compiler"], "hear")` is `["tracing"]`
    """

    def __init__(self, teachers: Teachers, *, known: frozenset[str], heard: Collection[str]) -> None:
        self.teachers = teachers
        self.known = known
        self.heard = frozenset(heard)
        self.found: dict[str, Demand] = {}
        self.needs: dict[str, Requires] = {}
        self.declared: dict[str, Declared] = {}
        self.deepenings: dict[str, Deepening] = {}
        self.gaps: list[str] = []

    def add(self, name: str, episodes: Iterable[str], needs: Iterable[str] = (), best: Iterable[str] = ()) -> None:
        """Demand one of the episodes; where none is left to hear, the demand asks for nothing.

        Example: `demands.add("views", ["show/strides"])`
        """
        every = tuple(episodes)
        if not every:
            self.gaps.append(name)
        left = tuple(e for e in every if e not in self.heard)
        self.found[name] = Demand(left or None, tuple(dict.fromkeys(needs)), best=tuple(e for e in best if e in left))

    def need(self, concepts: Iterable[str], first: Need, *then: Need, devoted: bool = False) -> list[str]:
        """Demand what concepts need in a `first` degree, and what that needs by `hear` or `then`; return what is new.

        `devoted`: what the concepts themselves need is met by an episode devoted to it, where there is one.
        The nearest come first. Example: `demands.need(["compiler"], "worth")` is `["tracing", "views"]`
        """
        new: list[str] = []
        wanted = list(concepts)
        todo = deque(self._edges(wanted, first))
        while todo:
            edge = todo.popleft()
            if (concept := edge.target) not in self.found:
                new.append(concept)
                self.needs[concept] = edge
                below = self._edges([concept], "hear")
                best = self.teachers.devoted_to(concept)
                able = (best if devoted and edge.source in wanted else ()) or self.teachers.explaining(concept)
                self.add(concept, able, [e.target for e in below], best)
                todo += [*below, *self._edges([concept], *then)]
        return new

    def declare(self, edges: Mapping[str, Declared]) -> list[str]:
        """Demand the episodes that a text asks to hear first, unless all that they are about is known.

        Example: `demands.declare(declared_before(snapshot, ["show/goal"]))` is `["show/base"]`
        """
        for episode, edge in edges.items():
            subjects = main_subjects(self.teachers.snapshot, episode)
            if episode not in self.heard | self.found.keys() and not (subjects and self.known.issuperset(subjects)):
                self.declared[episode] = edge
                self.add(episode, [episode])
        return [e for e in edges if e in self.declared]

    def deepen(self, found: Mapping[str, Deepening], own: Collection[str], goals: Mapping[str, str]) -> list[str]:
        """Demand episodes beside the `own` ones for what deepens goals; `goals` maps a subject to its goal.

        What a person judged to deepen a goal demands nothing before it: sentences bridge what it needs.

        Example: `demands.deepen(deepenings(...), {"show/goal"}, {"compiler": "compiler"})` is `["partitioner"]`
        """
        new = {c: d for c, d in found.items() if c not in self.known and c not in self.found}
        self.deepenings |= new
        for concept, deepening in new.items():
            able = self.teachers.devoted_to(concept) or self.teachers.about(concept)
            episodes = (e for e in able if e not in own)
            before = [e.target for e in self._edges([deepening.subject], "hear") if e.target in self.found]
            needs = () if deepening.judged else (e.target for e in self._edges([concept], "hear"))
            self.add(concept, episodes, [goals[deepening.subject], *before, *needs])
        self.need((c for c, d in new.items() if not d.judged), "hear")
        return list(new)

    def _edges(self, concepts: Iterable[str], *needs: Need) -> list[Requires]:
        """Return the edges to what the listener lacks; to what is only worth an episode where there is an episode."""
        edges = (e for c in concepts for e in self.teachers.snapshot.required_by.get(c, ()) if e.need in needs)
        return [e for e in edges if self._lacks(e.target) and (e.need == "hear" or self.teachers.explaining(e.target))]

    def _lacks(self, concept: str) -> bool:
        return concept not in self.known and self.heard.isdisjoint(self.teachers.explaining(concept))


Wishes = Sequence[Sequence[str]]
"""Groups of demands, the weightiest group first."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The demands of goals on a graph, by concept id (by episode id for an episode), and who meets them.

    `goals`: goal -> its own episodes left to hear, without the goals that are known or heard; `wishes`: what each depth
    adds to a plan, from the briefest on; `needs`: concepts that are needed -> the edge that calls for each; `declared`:
    episodes that a text asks to hear first -> the edge that says so; `deepenings`: concepts worth an episode of their
    own, which deepen a goal; `goal_of`: concept that a goal is about -> the goal; `gaps`: goals and needs that no
    episode teaches; `known`: all that the listener knows.
    """

    snapshot: Snapshot
    goals: Mapping[str, tuple[str, ...]]
    _: KW_ONLY
    wishes: Sequence[Wishes]
    needs: Mapping[str, Requires]
    declared: Mapping[str, Declared]
    deepenings: Mapping[str, Deepening]
    goal_of: Mapping[str, str]
    gaps: Sequence[str]
    demands: Mapping[str, Demand]
    known: frozenset[str]


def scope_of(
    snapshot: Snapshot,
    goals: Collection[str],
    known: Collection[str],
    heard: Collection[str],
    depth: PlanDepth = "usual",
    *,
    gently: bool = False,
    teachers: Teachers | None = None,
) -> Scope:
    """Return the demands of these goals: ids of concepts or episodes. `known` are ids of concepts, `heard` of episodes.

    `gently`: demand also what a sentence could bridge for the goals, where an episode explains it; `teachers`: those of
    the snapshot, where they are at hand.

    Example: `scope_of(snapshot, ["compiler"], known=["dispatcher"], heard=[]).wishes[1][0]` is `["tracing", "views"]`
    """
    said = known_concepts(snapshot, known, ()).difference(set(goals).difference(known))  # who asks does not know
    knowledge = said | known_concepts(snapshot, (), heard)
    teachers = teachers or Teachers(snapshot)
    asked = goals_of(teachers, goals, said=said, known=knowledge, heard=heard)
    demands = Demands(teachers, known=knowledge, heard=heard)
    wishes = [_brief(demands, asked)]
    if depth != "brief":
        wishes.append(_usual(demands, asked))
    if depth == "thorough":
        wishes.append(_thorough(demands, asked))
    if gently:
        wishes.append([demands.need(list(asked.goal_of), "bridge", devoted=True)])

    deepening = (d.edge for d in demands.deepenings.values())
    inside = {edge.target for edge in deepening if edge and edge.kind == "PART_OF"}  # their components are heard
    settled = knowledge.union(inside.difference(asked.own))
    return Scope(
        snapshot, {g: demands.found[g].teachers or () for g in asked.own}, wishes=wishes, needs=demands.needs,
        declared=demands.declared, deepenings=demands.deepenings, goal_of=asked.goal_of,
        gaps=[c for c in demands.gaps if c not in settled], demands=demands.found,
        known=knowledge,
    )  # fmt: skip


def _brief(demands: Demands, goals: Goals) -> Wishes:
    """Demand an episode on each of the goals."""
    for goal, episodes in goals.own.items():
        demands.add(goal, episodes)
        if episodes and goal not in demands.teachers.of and goal in demands.teachers.snapshot.concept:
            demands.gaps.append(goal)  # an episode that comes near is none that explains it
    return [list(goals.own)]


def _usual(demands: Demands, goals: Goals) -> Wishes:
    """Demand what the goals need, what their episodes ask to hear first, what is worth it, and what deepens them."""
    snapshot = demands.teachers.snapshot
    left = {g: demands.found[g].teachers or () for g in goals.own}
    reached = {g for g, episodes in goals.own.items() if not left[g] and (episodes or g in demands.known)}
    subjects = [c for g, concepts in goals.about.items() if g not in reached for c in concepts]
    asking = [e for g, episodes in left.items() for e in episodes if e == g or e in demands.teachers.about(g)]
    below = demands.need(subjects, "hear", devoted=True)
    declared = demands.declare(declared_before(snapshot, asking))
    worth = demands.need([c for g, c in goals.leading.items() if g not in reached], "worth", devoted=True)
    deeper = demands.deepen(deepenings(demands.teachers, goals), goals.episodes, goals.goal_of)
    return [below, declared, worth, deeper, demands.need(_components(demands, goals), "worth")]


def _components(demands: Demands, goals: Goals) -> list[str]:
    """Return the components of goals that deepen them: what is worth it to the part of a whole is worth it to both."""
    edges = {c: d.edge for c, d in demands.deepenings.items()}
    return [c for c, edge in edges.items() if edge and edge.kind == "PART_OF" and edge.target in goals.goal_of]


def _thorough(demands: Demands, goals: Goals) -> Wishes:
    """Demand what is worth an episode to anything in the plan so far, and all that deepens the goals."""
    every = deepenings(demands.teachers, goals, thorough=True)
    return [
        demands.need(list(demands.found), "worth", "worth"),
        demands.deepen(every, goals.episodes, goals.goal_of),
    ]
