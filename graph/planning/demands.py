"""The demands of a plan as they are gathered, each with its reason."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping

from torchatlas.graph.planning.choice import Demand
from torchatlas.graph.planning.declared import Declared
from torchatlas.graph.planning.deepening import Deepening
from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import Need, Requires


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
