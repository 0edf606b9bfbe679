"""The ground of the map: of a graph only what the places of its nodes depend on."""

from collections.abc import Callable, Mapping, Sequence

from torchatlas.graph.values.model import Concept, Episode, Requires, Snapshot, Teaches

Places = Mapping[str, Sequence[int]]
"""The x and the y of each concept and episode, by its id."""
FindPlaces = Callable[[Snapshot], Places]
"""A function from the ground of a graph to the places of its nodes."""


def ground(graph: Snapshot) -> Snapshot:
    """Return the nodes without their facts but the areas, what requires what, and the main subject of each episode.

    Two graphs with equal grounds have equal places.

    >>> ground(Snapshot((Concept("view", "view", area="Tensors", definition="Text."),))).concepts[0].definition
    ''
    """
    subjects = (taught[0] for taught in graph.taught_by.values())
    return Snapshot(
        tuple(Concept(c.id, "", area=c.area) for c in graph.concepts),
        tuple(Episode(e.id, "", show="") for e in graph.episodes),
        teaches=tuple(Teaches(t.source, t.target, depth="main") for t in subjects),
        requires=tuple(Requires(r.source, r.target, need="hear", reason="") for r in graph.requires),
    )
