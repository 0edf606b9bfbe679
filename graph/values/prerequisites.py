"""What must be understood first: the REQUIRES edges as a directed acyclic graph, and questions to it."""

from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError as Circle
from graphlib import TopologicalSorter
from itertools import pairwise

from torchatlas.graph.values.errors import CycleError
from torchatlas.graph.values.grouping import E, by_source
from torchatlas.graph.values.model import Need, Requires


def check_acyclic(edges: Iterable[Requires]) -> None:
    """Raises CycleError, which names each edge of a circle and its reason."""
    between = {(e.source, e.target): e for e in edges}
    sorter = TopologicalSorter[str]()
    for concept, needed in between:
        sorter.add(concept, needed)
    try:
        sorter.prepare()
    except Circle as e:
        circle = [between[concept, needed] for concept, needed in pairwise(reversed(e.args[1]))]
        said = "; ".join(f"{r.source} requires {r.target} ({r.need}, {r.origin}: {r.reason})" for r in circle)
        raise CycleError(f"prerequisites run in a circle: {said}; remove one of these edges") from None


def would_close_a_cycle(edges: Iterable[E], source: str, target: str) -> bool:
    """Whether one more edge, from `source` to `target`, would make these run in a circle."""
    onward = by_source(edges)
    return source in reachable(lambda node: (e.target for e in onward.get(node, ())), [target])


def closure(
    required_by: Mapping[str, Iterable[Requires]], concepts: Iterable[str], need: Need | None = None
) -> frozenset[str]:
    """The concepts and all that is below them, by edges of one `need` if given; circles do no harm.

    `required_by` leads from a concept to the edges that start there, as `Snapshot.required_by` does.
    """
    return reachable(lambda c: (e.target for e in required_by.get(c, ()) if need in (None, e.need)), concepts)


def reachable(leads_to: Callable[[str], Iterable[str]], start: Iterable[str]) -> frozenset[str]:
    """All that one comes to from `start`, which is part of it."""
    found = set(start)
    todo = list(found)
    while todo:
        new = set(leads_to(todo.pop())) - found
        found |= new
        todo += new
    return frozenset(found)
