"""Prerequisites: the REQUIRES edges as a directed acyclic graph, and pairs that never run in a circle."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError as Circle
from graphlib import TopologicalSorter
from itertools import pairwise

from torchatlas.graph.errors import CycleError
from torchatlas.graph.model import Need, Requires


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


Pair = tuple[str, str]


class Precedence:
    """The pairs accepted so far, by the item that comes first.

    >>> order = Precedence([("views", "autograd")])
    >>> order.contradicts("autograd", "views")
    True
    """

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._later: defaultdict[str, set[str]] = defaultdict(set)
        for earlier, later in pairs:
            self._later[earlier].add(later)

    def contradicts(self, earlier: str, later: str) -> bool:
        """Return whether the pair would close a circle, for example `order.contradicts("autograd", "views")`."""
        return earlier in reachable(lambda item: self._later.get(item, ()), [later])

    def accept(self, earlier: str, later: str) -> bool:
        """Add the pair unless it would close a circle; return whether it holds: `order.accept("views", "autograd")`."""
        if self.contradicts(earlier, later):
            return False
        self._later[earlier].add(later)
        return True


def consistent(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs without those that contradict pairs given before them: put the weightiest first.

    >>> sorted(consistent([("a", "b"), ("b", "c"), ("c", "a")]))
    [('a', 'b'), ('b', 'c')]
    """
    order = Precedence()
    return frozenset(pair for pair in pairs if order.accept(*pair))
