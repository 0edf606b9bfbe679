"""How sure a plan is: where the edges come from on which its steps and its sentences stand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.values.model import ListenAfter, Origin, Requires

_SUREST_FIRST: tuple[Origin, ...] = get_args(Origin)


def least_sure(origins: Iterable[Origin | None]) -> Origin | None:
    """Return the origin that is the least sure; None, which needs no evidence, counts for nothing.

    >>> least_sure(["declared", None, "drafted"]), least_sure([])
    ('drafted', None)
    """
    return max(filter(None, origins), key=_SUREST_FIRST.index, default=None)


def origin_of_goal(scope: Scope, episode: str, goal: str) -> Origin | None:
    """Return how sure it is that an episode is one for a goal; None where the episode is the goal itself.

    An episode that only comes near a goal is as sure as what it is about.

    Example: `origin_of_goal(scope, "show/goal", "compiler")` is `"curated"`.
    """
    if goal == episode:
        return None
    taught = {t.target: t.origin for t in scope.snapshot.taught_by.get(episode, ())}
    near = [taught[c] for c in main_subjects(scope.snapshot, episode)]
    return taught.get(goal) or least_sure(near) or "inferred"


def origin_of_demand(scope: Scope, episode: str, demand: str) -> Origin | None:
    """Return how sure it is that a demand calls for an episode: the edge that calls, and that it is explained there.

    Example: `origin_of_demand(scope, "show/middle", "tracing")` is `"curated"`.
    """
    if declared := scope.declared.get(demand):
        return declared.origin if isinstance(declared, ListenAfter) else "declared"
    deepening = scope.deepenings.get(demand)
    edge = scope.needs.get(demand) or (deepening.edge if deepening else None)
    taught = (t.origin for t in scope.snapshot.taught_by.get(episode, ()) if t.target == demand)
    return least_sure([*taught, edge.origin if edge else None])


def origins_of_needs(scope: Scope, order: Sequence[str]) -> Mapping[str, Origin]:
    """Return each concept that a plan or its goals require -> the surest edge that says so.

    Example: `origins_of_needs(scope, ["show/goal"])["strides"]`
    """
    required_by = scope.snapshot.required_by
    subjects = dict.fromkeys((*(c for e in order for c in main_subjects(scope.snapshot, e)), *scope.demands))
    edges: list[Requires] = [edge for c in subjects for edge in required_by.get(c, ())]
    surest_last = sorted(edges, key=lambda edge: -_SUREST_FIRST.index(edge.origin))
    return {edge.target: edge.origin for edge in surest_last}
