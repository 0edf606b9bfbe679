"""A map of very many nodes as one that a browser can draw, and that says what it hides."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from torchatlas.graph.drawing import MOST, Mark, areas_of, clusters
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.ui.pictures.view import Dot, MapFilter, Picture, map_name, map_nodes, map_picture, weights

Draw = Callable[[Collection[str]], Picture]
"""Makes the picture of some nodes (ids) and of what joins them."""


def clustered_map(
    graph: Snapshot,
    area: str | None = None,
    shown: MapFilter = "all",
    *,
    only: Collection[str] | None = None,
    opened: str | None = None,
    most: int = MOST,
) -> Picture:
    """Return the map under the filters of `map_picture`, clustered as by `clustered`.

    What is not drawn costs little: no words are written for it.

    Example: clustered_map(graph).hidden
    """
    nodes = map_nodes(graph, area, shown, only)
    area_of, weight = areas_of(graph), weights(graph)
    places: tuple[Concept | Episode, ...] = (*graph.concepts, *graph.episodes)
    marks = [Mark(n.id, x=n.x, y=n.y, area=area_of[n.id], weight=weight[n.id]) for n in places if n.id in nodes]
    return _drawn(marks, lambda ids: map_picture(graph, only=ids), map_name(graph, nodes), most=most, opened=opened)


def clustered(picture: Picture, most: int = MOST, opened: str | None = None) -> Picture:
    """Return the picture with about `most` dots at the most; the number beside a name is how many stand behind it.

    `opened`: a dot with such a number, or a node behind it. The picture is then that of the dot and what it hides.

    Example: clustered(episodes_picture(graph)).hidden
    """
    marks = [Mark(d.id, x=d.x, y=d.y, area=d.area, weight=d.weight) for d in picture.dots]
    return _drawn(marks, lambda ids: _only(picture, ids), picture.name, most=most, opened=opened)


def _drawn(marks: Sequence[Mark], draw: Draw, name: str, *, most: int, opened: str | None) -> Picture:
    """Return the picture of all nodes, of those that stand for others, or of what stands behind the `opened` one."""
    behind = clusters(marks, most)
    found = next((id_ for id_, of in behind.items() if of and opened in (id_, *of)), None)
    if found:
        picture = draw({found, *behind[found]})
        label = next(dot.label for dot in picture.dots if dot.id == found)
        return replace(picture, name=f"{label} and {counted(len(behind[found]), 'node')} behind it", landmark=found)
    picture, hidden = draw(behind.keys()), len(marks) - len(behind)
    if not hidden:
        return picture
    dots = tuple(_numbered(dot, len(behind[dot.id])) for dot in picture.dots)
    return replace(picture, dots=dots, name=f"{name}; {counted(hidden, 'node')} stand behind others", hidden=hidden)


def _only(picture: Picture, ids: Collection[str]) -> Picture:
    return replace(
        picture,
        dots=tuple(dot for dot in picture.dots if dot.id in ids),
        lines=tuple(line for line in picture.lines if line.source in ids and line.target in ids),
    )


def _numbered(dot: Dot, behind: int) -> Dot:
    if not behind:
        return dot
    tip = f"{dot.tip}\n{counted(behind, 'node')} behind it: a click shows them"
    return replace(dot, label=f"{dot.label} +{behind}", tip=tip, behind=behind)
