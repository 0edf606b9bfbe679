"""The picture of an answer as plain values: where its boxes stand."""

from collections.abc import Iterable

from torchatlas.graph.drawing import APART
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.ui.matched import Matched
from torchatlas.ui.pictures import Payload, answer_picture, payload

WIDE = 1250 / 0.85 - APART
"""How far apart the middles of boxes may be that a page of 1250 pixels shows at the least scale."""


def drawn(pairs: Iterable[tuple[str, str]]) -> Payload:
    edges = tuple(Requires(a, b, need="hear", reason="it rests") for a, b in pairs)
    ids = tuple(dict.fromkeys(id_ for edge in edges for id_ in (edge.source, edge.target)))
    graph = Snapshot(tuple(Concept(id_, id_, area="A") for id_ in sorted(ids)), requires=edges)
    return payload(answer_picture(graph, Matched(ids, edges)))


def size(picture: Payload) -> tuple[int, int]:
    xs, ys = zip(*((node["x"], node["y"]) for node in picture["nodes"]), strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def test_parts_that_nothing_joins_stand_beside_one_another() -> None:
    stars = [(f"leaf {n} {star}", f"hub {star}") for star in range(6) for n in range(9)]
    wide, high = size(drawn(stars))
    one = size(drawn(stars[:9]))[1]
    assert wide < WIDE and one < high < 3 * one


def test_layers_too_wide_for_a_page_run_from_left_to_right() -> None:
    """Eleven boxes that all lean on one, and on one another."""
    pairs = "ac bc be dc df dg ec eg eh fc gc gf hc hf ic jc ji kc kj"
    wide, high = size(drawn((pair[0], pair[1]) for pair in pairs.split()))
    assert wide < WIDE and high < wide
