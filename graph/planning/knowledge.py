"""The knowledge of a listener, the components of concepts and the subjects of episodes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from torchatlas.graph.values.model import ConceptRelation, Snapshot
from torchatlas.graph.values.prerequisites import reachable


def main_subjects(snapshot: Snapshot, episode: str) -> list[str]:
    """Return the ids of the concepts that an episode is about, the first subject first.

    Example: `main_subjects(snapshot, "show/autograd")` is `["autograd", "tensor"]`.
    """
    return [t.target for t in snapshot.taught_by.get(episode, ()) if t.depth == "main"]


def components(snapshot: Snapshot) -> Mapping[str, Mapping[str, ConceptRelation]]:
    """Return the curated PART_OF edges: id of the whole -> id of its component -> edge.

    >>> from torchatlas.graph.values.model import Concept
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
