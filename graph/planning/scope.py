"""The first stage of a plan: what goals demand of somebody who knows this much, and which episodes could meet it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.planning.choice import Demand
from torchatlas.graph.planning.declared import Declared, declared_before
from torchatlas.graph.planning.deepening import Deepening, deepenings
from torchatlas.graph.planning.demands import Demands
from torchatlas.graph.planning.goals import Goals, goals_of
from torchatlas.graph.planning.knowledge import known_concepts
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import Requires, Snapshot
from torchatlas.graph.values.wording import PlanDepth

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
