"""The concepts that took the place of goals."""

from collections.abc import Iterable, Iterator

from torchatlas.graph.values.answers import Successor
from torchatlas.graph.values.grouping import by_source
from torchatlas.graph.values.model import Snapshot


def successors_of(snapshot: Snapshot, goals: Iterable[str]) -> Iterator[Successor]:
    """Yield each concept that replaced a goal, unless the concept is a goal too.

    >>> from torchatlas.graph.values.model import Concept, ConceptRelation
    >>> old, new = (Concept(c, c, area="Area") for c in ("TH", "ATen"))
    >>> edge = ConceptRelation("TH", "ATen", kind="SUPERSEDED_BY", reason="its kernels were ported")
    >>> [str(s) for s in successors_of(Snapshot((old, new), concept_relations=(edge,)), ["TH"])]
    ['TH was superseded by ATen: its kernels were ported.']
    """
    wanted = dict.fromkeys(goals)
    for edge in snapshot.concept_relations:
        if edge.kind == "SUPERSEDED_BY" and edge.source in wanted and edge.target not in wanted:
            goal, name = snapshot.name_of(edge.source), snapshot.name_of(edge.target)
            yield Successor(edge.target, name, goal=goal, reason=edge.reason)


def current_goals(snapshot: Snapshot, goals: Iterable[str]) -> list[str]:
    """Return the goals, each that was superseded replaced by what took its place in the end.

    >>> from torchatlas.graph.values.model import Concept, ConceptRelation
    >>> concepts = tuple(Concept(c, c, area="Area") for c in ("Caffe", "Caffe2", "PyTorch"))
    >>> pairs = (("Caffe", "Caffe2"), ("Caffe2", "PyTorch"))
    >>> chain = tuple(ConceptRelation(*pair, kind="SUPERSEDED_BY") for pair in pairs)
    >>> current_goals(Snapshot(concepts, concept_relations=chain), ["Caffe"])
    ['PyTorch']
    """
    replaced = by_source(r for r in snapshot.concept_relations if r.kind == "SUPERSEDED_BY")
    found = dict[str, None]()
    for goal in goals:
        seen = {goal}
        while goal in replaced and (new := replaced[goal][0].target) not in seen:
            seen.add(goal := new)
        found[goal] = None
    return list(found)
