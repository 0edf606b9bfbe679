"""The first stage of a plan: what goals demand, and which episodes meet it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from torchatlas.graph import model
from torchatlas.graph.model import ConceptRelation, Need, Requires, Snapshot, Teaches, by_source, closure, reachable
from torchatlas.graph.names import MEDIA
from torchatlas.graph.planning.sessions import lengths_of

_AT_LENGTH = 0.4  # the weight of a part that an episode explains among its first
_FEW = 3  # episodes that explain a goal piece by piece, or are enough where nobody judged them
Ids = Collection[str]
Minutes = Mapping[str, int]  # in the order in which episodes are preferred
Declared = model.ListenAfter | model.RefersTo  # hear its target before its source
Wishes = Sequence[Sequence[str]]  # groups of demands, the weightiest first
Deepening = tuple[str, ConceptRelation | Requires | None]  # a goal's subject, and what ties a concept to it


class Demand(NamedTuple):
    """Something wanted. `teachers`: any one will do; None: no episode is needed.

    `needs`: demands to meet first; `best`: teachers preferred at no cost.
    """

    teachers: tuple[str, ...] | None
    needs: tuple[str, ...] = ()
    best: tuple[str, ...] = ()


Demands = Mapping[str, Demand]


def main_subjects(graph: Snapshot, episode: str) -> list[str]:
    """Return main subjects in order: `main_subjects(graph, "show/vmap")`."""
    return [t.target for t in graph.taught_by.get(episode, ()) if t.depth == "main"]


def components(graph: Snapshot) -> Mapping[str, Mapping[str, ConceptRelation]]:
    """Return whole -> part -> curated PART_OF edge: `components(graph)`."""
    parts = (r for r in graph.concept_relations if r.kind == "PART_OF" and r.origin == "curated")
    return {whole: {edge.source: edge for edge in edges} for whole, edges in by_source(parts, "target").items()}


def known_concepts(graph: Snapshot, known: Iterable[str], heard: Iterable[str]) -> frozenset[str]:
    """Return `known` with components, subjects `heard`, all surely below: `known_concepts(graph, ["vmap"], [])`."""
    inside = components(graph)
    subjects = {concept for episode in heard for concept in main_subjects(graph, episode)}
    whole = reachable(lambda concept: inside.get(concept, ()), known)
    certain = {c: [r for r in rs if r.origin in ("curated", "declared")] for c, rs in graph.required_by.items()}
    return closure(certain, subjects | whole)


class Teachers:
    """Teaching episodes, `only` audio, video or text, `timed`: of known length, and resources beside them.

    Example: `Teachers(graph).about("views")`
    """

    def __init__(self, graph: Snapshot, speed: float = 1.0, only: str | None = None, *, timed: bool = False) -> None:
        self.graph, self.minutes = graph, lengths_of(graph, speed)
        able = [e for e in graph.episode.values() if e.kind != "trailer" and only in (None, MEDIA.get(e.kind, "text"))]
        counted = {e.id for e in able if not timed or e.minutes is not None}
        self.minutes |= {e.id: 0 for e in able if timed and e.minutes is None}  # where one asks for it
        self.episodes = counted - graph.resource.keys()
        self.of = by_source((t for t in graph.teaches if t.source in self.episodes), "target")
        others = counted - self.episodes
        unheard = (t for t in graph.teaches if t.source in others and t.target not in self.of)
        fullest = by_source(sorted(unheard, key=lambda t: (-t.weight, self.minutes[t.source], t.source)), "target")
        mains = {c: tuple(t.source for t in of if t.depth == "main") for c, of in fullest.items()}
        self.beside = {c: mains[c] or (of[0].source,) for c, of in fullest.items()}
        # what deepens a concept follows its episodes, and does not stand in for them
        self._relations = [r for r in graph.concept_relations if r.kind != "DEEPENS"]
        self._tied: defaultdict[str, set[str]] = defaultdict(set)
        ends = [(r.source, r.target) for edges in (graph.requires, self._relations) for r in edges]
        for one, other in (*ends, *(pair[::-1] for pair in ends)):
            self._tied[one].add(other)

    def about(self, concept: str) -> tuple[str, ...]:
        return tuple(t.source for t in self.of.get(concept, ()) if t.depth == "main")

    def mainly_about(self, concept: str) -> tuple[str, ...]:
        return tuple(e for e in self.about(concept) if main_subjects(self.graph, e)[0] == concept)

    def explaining(self, concept: str) -> tuple[str, ...]:
        """Return episodes about it, else those on it beside a close subject."""
        if about := self.about(concept):
            return about
        close = closure(self.graph.required_by, [concept]) | self._tied[concept]
        edges = self.of.get(concept, ())
        return tuple(t.source for t in edges if not close.isdisjoint(main_subjects(self.graph, t.source)))

    def foremost(self, concept: str, episodes: tuple[str, ...]) -> tuple[str, ...]:
        """Return the few that are most about a concept, all that are judged or ordered."""
        weight = {t.source: t.weight for t in self.of.get(concept, ()) if t.origin != "curated"}
        if len(episodes) <= _FEW or not weight.keys() >= {*episodes}:
            return episodes
        if any({r.source, r.target} <= {*episodes} for r in self.graph.listen_after):
            return episodes
        share = {e: weight[e] ** 2 / sum(t.weight for t in self.graph.taught_by[e]) for e in episodes}
        return tuple(sorted(episodes, key=lambda e: -share[e])[:_FEW])

    def saying_most(self, concept: str) -> tuple[str, ...]:
        return tuple(_by_weight(self.of.get(concept, ()))[:1])

    def on_goal(self, concept: str) -> tuple[str, ...]:
        """Return episodes on a goal, else the fullest, nearest or naming ones."""
        explaining = [*self.explaining(concept)]
        if not self.mainly_about(concept):
            told = {t.source for t in self.of.get(concept, ())}
            explaining += [e for c in self._ends("PART_OF", concept)[0] for e in self.mainly_about(c) if e in told]
        if found := explaining or self.saying_most(concept):
            return tuple(dict.fromkeys(found))
        pieces = [c for c in components(self.graph).get(concept, ()) if not self.about(c)]
        at_length = (t for c in pieces for t in self.of.get(c, ()) if t.weight >= _AT_LENGTH)
        if near := dict.fromkeys((*self.closest(concept), *_by_weight(at_length)[:_FEW])):
            return tuple(near)
        naming = {m.source for m in self.graph.mentions if m.target == concept} & self.episodes
        few = tuple(sorted(naming)) if len(naming) <= _FEW else ()
        below = closure(self.graph.required_by, [concept], "hear", "worth") - {concept}
        if few or any(map(self.explaining, below)):  # these lead up to it
            return few
        needs = [r.target for r in self.graph.required_by.get(concept, ())]
        able = (self.mainly_about(c) or self.explaining(c) for c in (*needs, *sorted(self._tied[concept])))
        return next(filter(None, able), ())[:1]

    def closest(self, concept: str) -> tuple[str, ...]:
        """Return the episodes nearest to an untaught concept: on what it is part of.

        If a part has its own, or none is found: the one that teaches most of its
        ties; else on what it is part of, extends, implements; else on a relative.
        """
        (parents, parts), extended = self._ends("PART_OF", concept), self._ends("EXTENDS", concept)[0]
        found = next(filter(None, map(self.mainly_about, parents)), ())
        if found and not any(map(self.mainly_about, parts)):
            return found
        tied = self._tied[concept] - closure(self.graph.required_by, [concept])
        for episode in _by_weight(t for c in sorted(tied) for t in self.of.get(c, ())):
            if tied.intersection(main_subjects(self.graph, episode)[:1]):
                return (episode,)
        curated = (r for r in self._relations if r.kind == "EXTENDS" and r.target == concept and r.origin == "curated")
        implemented = self._ends("IMPLEMENTED_WITH", concept)[1]
        relatives = (*parents, *extended, *implemented, *(r.source for r in curated))
        if told := next(filter(None, (self.explaining(c) or self.saying_most(c) for c in relatives)), ()):
            return told
        related = {c for r in self._relations if concept in (r.source, r.target) for c in (r.source, r.target)}
        edges = (t for c in related - {concept} for t in self.of.get(c, ()) if t.depth == "main")
        return tuple(t.source for t in sorted(edges, key=lambda t: (-t.weight, t.source))[:1])

    def _ends(self, kind: str, concept: str) -> tuple[list[str], list[str]]:
        """Return the other ends of relations of a kind: (targets, sources)."""
        edges = [r for r in self._relations if r.kind == kind]
        return [r.target for r in edges if r.source == concept], [r.source for r in edges if r.target == concept]


def _by_weight(edges: Iterable[Teaches]) -> list[str]:
    """Return the episodes of these edges, the one that teaches most first."""
    weight: defaultdict[str, float] = defaultdict(float)
    for t in edges:
        weight[t.source] += t.weight
    return sorted(weight, key=lambda e: (-weight[e], e))


class Scope:
    """The demands of goals: `Scope(teachers, frozenset(), [], ["vmap"], False).demands`.

    `needs`, `declared`, `deepenings`: reasons beyond goals; `gaps`: no episode;
    `wishes`: what each depth adds; `taken`: goals that words were taken for.
    Of a goal: `goals` (episodes left to hear), `on_goals`, `goal_episodes` (all),
    `further` (how many more), `about` (concepts), `first` of these, `each`.
    """

    taken: Ids = ()

    def __init__(
        self, teachers: Teachers, known: frozenset[str], heard: Ids, goals: Sequence[str], every: bool
    ) -> None:
        self.teachers, self.graph, self.minutes = teachers, teachers.graph, teachers.minutes
        self.required_by = self.graph.required_by
        self.known, self.heard = known, frozenset(heard)
        self.demands, self.gaps, self.wishes = dict[str, Demand](), list[str](), list[Wishes]()
        self.needs, self.declared = dict[str, Requires](), dict[str, Declared]()
        self.deepenings, self.further = dict[str, Deepening](), dict[str, int]()
        concepts = self.graph.concept
        self.about = {g: [g] if g in concepts else main_subjects(self.graph, g) for g in goals}
        self.first = {goal: about[0] for goal, about in self.about.items() if about}
        self.goal_of = {concept: goal for goal in reversed(goals) for concept in self.about[goal]}
        self.on_goals: dict[str, tuple[str, ...]] = {}
        for goal in goals:
            teaching = teachers.about if goal in known else teachers.on_goal
            able = teaching(goal) if goal in concepts else (goal,)
            unheard = () if goal in known else teachers.beside.get(goal, ())[: None if every else 1]
            episodes = self.on_goals[goal] = (*(able if every else teachers.foremost(goal, able)), *unheard)
            self.further[goal] = sum(e not in episodes and e not in heard for e in able)
            self.add(goal, episodes)
            if episodes and goal in concepts and goal not in {*teachers.of, *teachers.beside}:
                self.gaps.append(goal)  # an episode that comes near is none that explains it
        self.goals = {g: self.demands[g].teachers or () for g in goals}
        self.goal_episodes = frozenset(chain.from_iterable(self.on_goals.values())).difference(self.graph.resource)
        self.each = {f"{g} by {e}": Demand((e,), (g,)) for g, episodes in self.goals.items() for e in episodes}

    def length(self, episodes: Ids) -> int:
        return sum(self.minutes[e] for e in episodes)

    def estimated(self, episodes: Ids) -> bool:
        return any(self.graph.episode[e].minutes is None or self.graph.episode[e].estimated for e in episodes)

    def add(self, name: str, episodes: Ids, needs: Iterable[str] = (), best: Iterable[str] = ()) -> None:
        """Demand one of the episodes, or nothing where none is left to hear."""
        if not episodes:
            self.gaps.append(name)
        left = tuple(e for e in episodes if e not in self.heard)
        self.demands[name] = Demand(left or None, tuple(dict.fromkeys(needs)), best=tuple(e for e in best if e in left))

    def need(self, concepts: Iterable[str], first: Need, *then: Need, mainly: bool = False) -> list[str]:
        """Demand needs of degree `first`, then `hear` or `then`; return new ones.

        The nearest come first. `mainly`: prefer episodes mainly about a need.
        """
        new, wanted = list[str](), list(concepts)
        todo = self._edges(wanted, first)
        for edge in todo:  # which grows
            if (concept := edge.target) not in self.demands:
                new.append(concept)
                self.needs[concept] = edge
                below = self._edges([concept], "hear")
                best = self.teachers.mainly_about(concept)
                able = (best if mainly and edge.source in wanted else ()) or self._able(edge)
                self.add(concept, able, [e.target for e in below], best)
                todo += [*below, *self._edges([concept], *then)]
        return new

    def declare(self, episodes: Ids) -> list[str]:
        """Demand episodes that these ask to hear first; return the new ones."""
        graph, found = self.graph, dict[str, Declared]()
        listen_first = (r for r in graph.refers_to if r.relation == "listen_first")
        edges: tuple[Declared, ...] = (*graph.listen_after, *listen_first)
        asks = by_source(e for e in edges if e.target in self.teachers.episodes)
        for _ in range(2):  # what they ask for, and what that asks for
            for edge in [edge for episode in (*episodes, *found) for edge in asks.get(episode, ())]:
                if edge.target not in episodes:
                    found.setdefault(edge.target, edge)
        subjects = {e: main_subjects(graph, e) for e in found if e not in self.heard | self.demands.keys()}
        new = [e for e, of in subjects.items() if not (of and self.known.issuperset(of))]
        for episode in new:
            self.declared[episode] = found[episode]
            self.add(episode, [episode])
        return new

    def deepen(self, *, thorough: bool = False) -> list[str]:
        """Demand further episodes on what deepens goals; return new ones.

        For a subject: its components, parts of untaught ones, what builds on it in
        its episodes, what needs it; all but the first `at_hand` or `thorough`.
        """
        self.found, self.thorough, self.inside = dict[str, Deepening](), thorough, components(self.graph)
        worth = (e.target for c in self.first.values() for e in self.required_by.get(c, ()) if e.need == "worth")
        self.at_hand = closure(self.required_by, {*self.goal_of, *filter(self.teachers.explaining, worth)}, "hear")
        for subject in sorted(self.goal_of):
            self._add_components(subject)
            self._add_needing(subject)
        judged = [r for r in self.graph.concept_relations if r.kind == "DEEPENS"]
        for subject in sorted(set(self.first.values())):
            edges = [r for r in judged if r.target == subject and self._is_new(r.source)]
            self.found |= {edge.source: (subject, edge) for edge in edges}
        new = {c: d for c, d in self.found.items() if c not in self.known and c not in self.demands}
        self.deepenings |= new
        below = [c for c, (_, edge) in new.items() if edge not in judged]
        for concept, (subject, _) in new.items():
            able = self.teachers.mainly_about(concept) or self.teachers.about(concept)
            before = [e.target for e in self._edges([subject], "hear") if e.target in self.demands]
            needs = [e.target for e in self._edges([concept], "hear")] if concept in below else []
            self.add(
                concept, [e for e in able if e not in self.goal_episodes], [self.goal_of[subject], *before, *needs]
            )
        self.need(below, "hear")
        return list(new)

    def _add_components(self, subject: str) -> None:
        direct = self.inside.get(subject, {})
        beside = self.goal_of.keys() - self.first.values()  # only touched on
        has_own = {c: self.teachers.mainly_about(c) for c in beside & direct.keys()}
        self.at_hand -= {c for c, own in has_own.items() if own and self.goal_episodes.isdisjoint(own)}
        taught: dict[str, Deepening] = {c: (subject, edge) for c, edge in direct.items() if self._is_new(c)}
        self.found |= taught
        self.at_hand |= closure(self.required_by, taught, "hear")
        for component in (c for c in direct if c not in self.teachers.of):
            levels = sorted(reachable(lambda c: self.inside.get(c, ()), [component]))
            edges = {c: edge for level in levels for c, edge in self.inside.get(level, {}).items()}
            missing = {c: self._missing(c) for c in sorted(edges) if self._is_new(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            taken = (c for c, n in missing.items() if self.thorough or n == 0 or c == easiest)
            self.found |= {c: (subject, edges[c]) for c in taken}

    def _add_needing(self, subject: str) -> None:
        """Add what builds on a subject in its episodes, and what needs it."""
        teachers, graph = self.teachers, self.graph
        episodes = (e for e in self.goal_episodes if subject in main_subjects(graph, e))
        for concept in sorted({t.target for e in episodes for t in graph.taught_by[e]}):
            if subject in closure(self.required_by, [concept]):
                self._offer(concept, (subject, None))
        needs = [r for r in graph.requires if r.target == subject and r.need != "bridge"]
        extending = (r for r in graph.concept_relations if r.kind == "EXTENDS" and r.target == subject)
        kinds = [r for r in extending if r.origin == "curated" and teachers.mainly_about(r.source)]
        if teachers.mainly_about(subject):
            again, kinds = {t.source for t in teachers.of[subject]}, []
            needs = [r for r in needs if r.need == "hear" and again.intersection(teachers.mainly_about(r.source))]
        edges: list[Requires | ConceptRelation] = [*needs, *kinds]
        for edge in edges if self.goal_of[subject] == subject else ():
            self._offer(edge.source, (subject, edge), teachers.about(edge.source))

    def _offer(self, concept: str, deepening: Deepening, able: Ids | None = None) -> None:
        if self._is_new(concept, able) and (self.thorough or not self._missing(concept)):
            self.found[concept] = deepening

    def _is_new(self, concept: str, able: Ids | None = None) -> bool:
        """Return whether it is new and a further episode is (mainly) about it."""
        able = self.teachers.mainly_about(concept) if able is None else able
        return not (concept in self.at_hand or concept in self.found or self.goal_episodes.issuperset(able))

    def _missing(self, concept: str) -> int:
        """Count the concepts below a concept that only further episodes teach."""
        below = closure(self.required_by, [concept], "hear") - self.at_hand - {concept}
        have = self.goal_episodes.union(self.teachers.about(concept))
        return sum(bool(them) and have.isdisjoint(them) for them in map(self.teachers.explaining, below))

    def _able(self, edge: Requires) -> tuple[str, ...]:
        """Return episodes for a need; for one to hear, or worth it to the goal itself, else resources about it."""
        near = edge.need == "hear" or (edge.need == "worth" and edge.source in self.first.values())
        beside = self.teachers.beside.get(edge.target, ()) if near else ()
        about = (r for r in beside if edge.target in main_subjects(self.graph, r))
        return self.teachers.explaining(edge.target) or tuple(about)

    def _edges(self, concepts: Iterable[str], *needs: Need) -> list[Requires]:
        """Return edges to what is lacking, all but `hear` only with who explains it."""
        edges = (e for c in concepts for e in self.required_by.get(c, ()) if e.need in needs)
        unknown = ((e, self._able(e)) for e in edges if e.target not in self.known)
        return [e for e, able in unknown if self.heard.isdisjoint(able) and (e.need == "hear" or able)]


def scope_of(
    teachers: Teachers, goals: Ids, known: Ids, heard: Ids, depth: model.PlanDepth = "usual", *, gently: bool = False
) -> Scope:
    """Return demands, `gently` with bridges: `scope_of(teachers, goals, [], [])`."""
    graph = teachers.graph
    said = known_concepts(graph, known, ()).difference(set(goals).difference(known))  # who asks does not know
    knowledge = said | known_concepts(graph, (), heard)
    wanted = [g for g in dict.fromkeys(goals) if g not in said and g not in heard]
    scope = Scope(teachers, knowledge, heard, wanted, depth == "thorough")
    scope.wishes = [[list(scope.goals)]]
    if depth != "brief":
        reached = {g for g, all_ in scope.on_goals.items() if not scope.goals[g] and (all_ or g in scope.known)}
        subjects = [c for g, concepts in scope.about.items() if g not in reached for c in concepts]
        asking = [e for g, left in scope.goals.items() for e in left if e == g or e in teachers.about(g)]
        below, declared = scope.need(subjects, "hear", mainly=True), scope.declare(asking)
        worth = scope.need([c for g, c in scope.first.items() if g not in reached], "worth", mainly=True)
        deeper, edges = scope.deepen(), scope.deepenings.items()
        # what is worth it to a component is worth it to the goal
        parts = [c for c, (_, edge) in edges if edge and edge.kind == "PART_OF" and edge.target in scope.goal_of]
        scope.wishes.append([below, declared, worth, deeper, scope.need(parts, "worth")])
    if depth == "thorough":
        scope.wishes.append([scope.need(list(scope.demands), "worth", "worth"), scope.deepen(thorough=True)])
    if gently:
        scope.wishes.append([scope.need(list(scope.goal_of), "bridge", mainly=True)])
    parents = {edge.target for _, edge in scope.deepenings.values() if edge and edge.kind == "PART_OF"}
    settled = knowledge | parents.difference(scope.goals)  # their components are heard
    scope.gaps = [c for c in scope.gaps if c not in settled]
    return scope
