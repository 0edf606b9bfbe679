"""Prerequisites: the REQUIRES edges as a directed acyclic graph, and questions to that graph."""

from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError as Circle
from graphlib import TopologicalSorter
from itertools import pairwise

from torchatlas.graph.values.errors import CycleError
from torchatlas.graph.values.model import Need, Requires


def check_acyclic(edges: Iterable[Requires]) -> None:
    """Raise CycleError, which names each edge of a circle and its reason, if the edges run in a circle.

    Example: `check_acyclic(snapshot.requires)`
    """
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


def closure(required_by: Mapping[str, Iterable[Requires]], concepts: Iterable[str], *needs: Need) -> frozenset[str]:
    """Return the concepts and all prerequisites below them, by edges of these needs or of any; circles do no harm.

    `required_by` leads from a concept to the edges that start there, as `Snapshot.required_by` does.

    Example: `closure(snapshot.required_by, ["vmap"], "hear", "worth")`
    """
    return reachable(lambda c: (e.target for e in required_by.get(c, ()) if not needs or e.need in needs), concepts)


def reachable(leads_to: Callable[[str], Iterable[str]], start: Iterable[str]) -> frozenset[str]:
    """Return the nodes of `start` and every node that a walk from them can reach.

    >>> sorted(reachable({"c": "b", "b": "a", "a": ""}.__getitem__, ["c"]))
    ['a', 'b', 'c']
    """
    found = set(start)
    todo = list(found)
    while todo:
        new = set(leads_to(todo.pop())) - found
        found |= new
        todo += new
    return frozenset(found)
