"""A neighbourhood as an SVG picture, which a notebook or a document shows without any program."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from html import escape
from itertools import chain

from torchatlas.graph.drawing.ego_layout import ROW, EgoLayout, Point, ego_layout
from torchatlas.graph.drawing.labels import lines, width
from torchatlas.graph.drawing.neighbourhood import Neighbourhood, neighbourhood
from torchatlas.graph.values.characters import one_line, xml_text
from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.grouping import Ends
from torchatlas.graph.values.model import Snapshot

_NEEDS, _EXPLAINS, _OTHER = "#0072B2", "#D55E00", "#9AA3B0"  # blue and orange of Okabe and Ito (2008), and grey
_LEGEND = {"needs": _NEEDS, "explains": _EXPLAINS, "other relations": _OTHER}
_KEY = 48  # pixels of a line in the legend, with the room around it
_LONGEST = 48  # characters of a name
_MARGIN, _DOT, _LINE = 24, 6, 14  # pixels: around all of it, the radius of a node, and between two lines of a name
_LEGEND_WIDTH = sum(width(word) + _KEY for word in _LEGEND) + _MARGIN
_TEXT = (
    'font-family="sans-serif" font-size="12" text-anchor="middle" paint-order="stroke" stroke="#FFF" stroke-width="3"'
)


@dataclass(frozen=True, slots=True)
class NeighbourhoodSvg:
    """The nodes around `centre` (an id) as a picture: what it needs stands below, what builds on it above.

    `nodes`: how many there are; `hidden`: how many more were left out.
    """

    centre: str
    svg: str
    _: KW_ONLY
    nodes: int
    hidden: int = 0

    def _repr_svg_(self) -> str:
        return self.svg


def neighbourhood_svg(snapshot: Snapshot, centre: str, radius: int = 1) -> NeighbourhoodSvg:
    """Draw the nodes within `radius` steps of a concept or an episode. Raises KeyError where the graph lacks it.

    Example: `neighbourhood_svg(snapshot, "autograd").svg`
    """
    around = neighbourhood(snapshot, centre, radius)
    svg = "\n".join(_drawn(snapshot, around, ego_layout(snapshot, around)))
    return NeighbourhoodSvg(centre, svg, nodes=len(around.steps), hidden=around.hidden)


def _drawn(snapshot: Snapshot, around: Neighbourhood, layout: EgoLayout) -> Iterator[str]:
    names = {id_: _name(snapshot, id_) for id_ in around.steps}
    ends = [(x, width(names[id_]) / 2) for id_, (x, _) in layout.places.items()]
    left, right = min(x - half for x, half in ends) - _MARGIN, max(x + half for x, half in ends) + _MARGIN
    down = [y for _, y in layout.places.values()]
    across = max(right - left, _LEGEND_WIDTH)
    top, height = min(down) - _MARGIN, max(down) - min(down) + ROW + 2 * _MARGIN
    told = escape(f"{counted(len(names), 'node')} around {names[around.centre]}")
    size = f'width="{across:.0f}" height="{height}" viewBox="{left:.0f} {top} {across:.0f} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{told}">'
    yield f'<rect x="{left:.0f}" y="{top}" width="100%" height="100%" fill="#FFFFFF"/>'
    yield from _edges(snapshot, around, layout)
    for id_, (x, y) in layout.places.items():
        colour = _EXPLAINS if id_ in snapshot.episode else _NEEDS
        yield f'<circle cx="{x}" cy="{y}" r="{_DOT + 3 * (id_ == around.centre)}" fill="{colour}"/>'
    yield f"<g {_TEXT}>"
    for id_, place in layout.places.items():
        yield from _written(names[id_], place, bold=id_ == around.centre)
    yield from _legend(left + _MARGIN, max(down) + ROW + _MARGIN // 2)
    yield "</g>"
    yield "</svg>"


def _name(snapshot: Snapshot, id_: str) -> str:
    name = xml_text(one_line(snapshot.name_of(id_)))
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"


def _edges(snapshot: Snapshot, around: Neighbourhood, layout: EgoLayout) -> Iterator[str]:
    """Yield a line for each two nodes that an edge joins, in the colour of the first of their edges."""
    groups: dict[str, tuple[Ends, ...]] = {
        _NEEDS: (*snapshot.requires, *snapshot.assumed_by.get(around.centre, ())),
        _EXPLAINS: snapshot.teaches,
        _OTHER: (*snapshot.concept_relations, *snapshot.listen_after, *snapshot.related_to),
    }
    colours: dict[tuple[str, str], str] = {}
    for edge, colour in chain.from_iterable(((e, c) for e in edges) for c, edges in groups.items()):
        if edge.source in around.steps and edge.target in around.steps:
            colours.setdefault((min(edge.source, edge.target), max(edge.source, edge.target)), colour)
    for (a, b), colour in colours.items():
        (x1, y1), (x2, y2) = layout.places[a], layout.places[b]
        near = around.centre in (a, b)
        yield (
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" '
            f'stroke-width="{1.5 if near else 1}" opacity="{0.8 if near else 0.25}"/>'
        )


def _written(name: str, place: Point, *, bold: bool) -> Iterator[str]:
    x, y = place
    for number, line in enumerate(lines(name), 1):
        weight = ' font-weight="bold"' if bold else ""
        yield f'<text x="{x}" y="{y + _DOT + _LINE * number}"{weight}>{escape(line)}</text>'


def _legend(x: float, y: int) -> Iterator[str]:
    for word, colour in _LEGEND.items():
        room = width(word)
        yield f'<line x1="{x:.0f}" y1="{y - 4}" x2="{x + 18:.0f}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
        yield f'<text x="{x + 24 + room / 2:.0f}" y="{y}">{word}</text>'
        x += room + _KEY
