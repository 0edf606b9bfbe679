"""Pictures without a screen: which nodes, in which colours, at which places."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from math import ceil
from statistics import fmean

from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Ends, Snapshot, Value, consistent
from torchatlas.graph.names import excerpt, xml_text
from torchatlas.graph.views import areas_of
from torchatlas.ui.templates import written

Point = tuple[int, int]
HUES = (205, 28, 150, 285, 60, 345, 100)
"""Degrees on the circle of colours."""
LIMIT, FURTHER = 56, 40
"""Nodes of a neighbourhood: at most so many a step away, and so many where it goes further."""
APART, DOWN = 178, 84
"""The grid of layers in pixels: a box with three lines of text, and its arrows."""
ZOOM, ROW, ACROSS = 0.8, 62, 800
"""The smallest zoom at which no two names touch; the pixels between two rows, and of a row."""
_BORDER = 2.5  # dots of two areas so near, in gaps, make these neighbours
_WRAPPED = 24  # characters of a name that stands on two lines


def area_hues(graph: Snapshot) -> dict[str, int]:
    """Return area -> hue in degrees, unlike its neighbours': `area_hues(graph)`.

    Most neighbours first (Welsh and Powell 1967), each the least used hue.
    """
    near, hues = neighbours(graph), dict[str, int]()
    for name in sorted(graph.areas, key=lambda area: (-len(near[area]), area)):
        taken, used = {hues.get(other) for other in near[name]}, Counter(hues.values())
        hues[name] = min([hue for hue in HUES if hue not in taken] or HUES, key=lambda hue: used[hue])
    return {name: hues[name] for name in graph.areas}


def neighbours(graph: Snapshot) -> Mapping[str, set[str]]:
    """Return area -> areas with dots nearby: `neighbours(graph)["Autograd"]`."""
    import numpy as np

    from torchatlas.graph.layout import GAP

    places = [*((c.x, c.y) for c in graph.concepts), *((e.x, e.y) for e in graph.episodes)]
    at = np.array(places).reshape(-1, 2) / GAP @ (1, 1j)
    order, found = np.argsort(at.real, kind="stable"), defaultdict[str, set[str]](set)
    at, areas = at[order], np.array([*areas_of(graph).values()])[order]
    for i, end in enumerate(np.searchsorted(at.real, at.real + _BORDER, "right").tolist()):
        area = str(areas[i])
        for other in {*areas[i:end][abs(at[i:end] - at[i]) <= _BORDER].tolist()} - {area}:
            found[area].add(other)
            found[other].add(area)
    return found


def width(label: str) -> float:
    """Return the pixels that a name takes: `width("autograd")` is 56."""
    return max(map(len, _lines(label))) * 7.0  # pixels of a wide character


def _lines(label: str) -> tuple[str, ...]:
    """Return a name on one line, or on two if long, cut near the middle."""
    cuts = [i for i, character in enumerate(label) if character == " " and i >= 3]
    if len(label) < _WRAPPED or not cuts:
        return (label,)
    cut = min(cuts, key=lambda i: (abs(i - len(label) / 2), i))
    return label[:cut], label[cut + 1 :]


def ranked(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the fewest ranks that rise along edges, nodes near the next one.

    Raises networkx.NetworkXUnfeasible for circles.

    >>> ranked("abc", [("a", "b"), ("b", "c")])
    {'a': 0, 'b': 1, 'c': 2}
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph(edges)
    graph.add_nodes_from(nodes)
    rank = {node: number for number, group in enumerate(nx.topological_generations(graph)) for node in group}
    for node in reversed(list(rank)):
        rank[node] = min((rank[after] - 1 for after in graph.succ[node]), default=rank[node])
    return rank


def neighbourhood(graph: Snapshot, centre: str, radius: int = 1) -> tuple[dict[str, int], int]:
    """Return id -> steps from the centre, and how many nodes are left out.

    Steps go along drawn edges: `neighbourhood(graph, "vmap")`. Raises KeyError.
    """
    if centre not in graph.concept and centre not in graph.episode:
        raise KeyError(centre)
    near: defaultdict[str, set[str]] = defaultdict(set)
    for edge in chain.from_iterable(_drawn_edges(graph, centre).values()):
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    steps, ring, hidden = {centre: 0}, {centre}, set[str]()
    for step in range(1, radius + 1):
        ring = {n for node in ring for n in near[node]} - steps.keys()
        ranked = sorted(ring, key=lambda node: (-len(near[node] & steps.keys()), -len(near[node]), node))
        free = max((LIMIT if step == 1 else FURTHER) - len(steps), 0)
        ring = set(ranked[:free])
        steps |= dict.fromkeys(ranked[:free], step)
        hidden |= set(ranked[free:])
    return steps, len(hidden - steps.keys())


_NEEDS, _EXPLAINS, _OTHER = "#0072B2", "#D55E00", "#9AA3B0"  # of Okabe and Ito (2008), and grey
_LEGEND = {"needs": _NEEDS, "explains": _EXPLAINS, "other relations": _OTHER}


def _drawn_edges(graph: Snapshot, centre: str) -> dict[str, tuple[Ends, ...]]:
    """Return a neighbourhood's edges by colour, the deciding colour first; of resources, only the centre's."""
    quiet = graph.without_resources
    return {
        _NEEDS: (*graph.requires, *graph.assumed_by.get(centre, ())),
        _EXPLAINS: (*quiet.teaches, *graph.taught_by.get(centre, ())),
        _OTHER: (*graph.concept_relations, *graph.listen_after, *quiet.related_to),
    }


def ego_layout(graph: Snapshot, steps: Mapping[str, int]) -> dict[str, Point]:
    """Return id -> (x, y) in pixels, centre at (0, 0): `ego_layout(graph, steps)`.

    Layers (Sugiyama, Tagawa and Toda 1981) wrap like text, prerequisites
    lowest; other episodes stand on the right, at the height of what they teach.
    """
    centre, *others = sorted(steps, key=lambda n: (steps[n], graph.name_of(n), n))
    beside = [n for n in others if n in graph.episode]
    layered = [centre, *(n for n in others if n not in graph.episode)]
    room = {n: width(graph.name_of(n)) / ZOOM + 20 for n in steps}
    columns = min(len(beside), 2 if len(beside) > 14 else 1)
    wide = max((room[n] for n in beside), default=0.0)
    pairs = [(r.target, r.source) for r in graph.requires]  # where orders contradict, prerequisites win
    pairs += [(centre, t.target) for t in graph.taught_by.get(centre, ())]
    pairs += [(a.target, centre) for a in graph.assumed_by.get(centre, ())]
    among = {*layered}
    ordered = sorted(consistent(pair for pair in pairs if among.issuperset(pair)))
    rank, paired = ranked(layered, ordered), {*chain.from_iterable(ordered)}
    levels: defaultdict[int, list[str]] = defaultdict(list)
    for node in layered[1:]:
        levels[rank[node] - rank[centre] if node in paired else 0].append(node)
    places = {centre: (0, 0)}
    for direction in (-1, 1):
        ranks = sorted((r for r in levels if (r > 0) == (direction < 0)), key=abs)
        rows = chain.from_iterable(_lines_of(levels[r], room, max(ACROSS - columns * wide, wide)) for r in ranks)
        for number, row in enumerate(rows, 1):
            ends = list(accumulate((room[n] for n in row), initial=-sum(room[n] for n in row) / 2))
            places |= {n: (round(at + room[n] / 2), direction * number * ROW) for n, at in zip(row, ends, strict=False)}
    right = max(x + room[node] / 2 for node, (x, _) in places.items())
    taught = {e: [t.target for t in graph.taught_by.get(e, ()) if t.target in among] for e in beside}
    level = {e: fmean([places[concept][1] for concept in of] or [0]) for e, of in taught.items()}
    for i, e in enumerate(sorted(beside, key=level.__getitem__)):
        top = -(ceil(len(beside) / columns) - 1) // 2 * ROW
        places[e] = round(right + (i % columns + 0.5) * wide), top + i // columns * ROW
    return places


def _lines_of(nodes: Sequence[str], room: Mapping[str, float], across: float) -> list[list[str]]:
    total = sum(room[node] for node in nodes)
    full, taken, lines = total / ceil(total / across), across, list[list[str]]()
    for node in nodes:
        if taken + room[node] > across or taken + room[node] / 2 > full:
            lines.append([])
            taken = 0.0
        lines[-1].append(node)
        taken += room[node]
    return lines


class NeighbourhoodSvg(Value):
    """The `nodes` around a centre, drawn. `hidden`: how many are left out."""

    centre: str
    svg: str
    nodes: int
    hidden: int = 0

    def _repr_svg_(self) -> str:
        return self.svg


_KEY, _LONGEST, _MARGIN = 48, 48, 24  # pixels of a line in the legend, characters of a name, pixels around all


def neighbourhood_svg(graph: Snapshot, centre: str, radius: int = 1) -> NeighbourhoodSvg:
    """Draw a neighbourhood: `neighbourhood_svg(graph, "vmap")`. Raises KeyError."""
    steps, hidden = neighbourhood(graph, centre, radius)
    places = ego_layout(graph, steps)
    names = {id_: excerpt(xml_text(graph.name_of(id_)), _LONGEST) for id_ in places}
    sides = [x + half * width(names[id_]) for id_, (x, _) in places.items() for half in (-0.5, 0.5)]
    levels = [y for _, y in places.values()]
    left, top, foot = min(sides) - _MARGIN, min(levels) - _MARGIN, max(levels)
    across = max(max(sides) + _MARGIN - left, sum(width(word) + _KEY for word in _LEGEND) + _MARGIN)
    colours: dict[tuple[str, ...], str] = {}
    for colour, edges in _drawn_edges(graph, centre).items():
        for pair in (tuple(sorted((edge.source, edge.target))) for edge in edges):
            if steps.keys() >= {*pair}:
                colours.setdefault(pair, colour)
    starts = accumulate((width(word) + _KEY for word in _LEGEND), initial=left + _MARGIN)
    svg = written(
        "neighbourhood.svg",
        box=[round(left), top, round(across), foot - top + ROW + _MARGIN],
        label=f"{counted(len(names), 'node')} around {names[centre]}",
        lines=[(colour, places[a], places[b], centre in (a, b)) for (a, b), colour in colours.items()],
        nodes=[(places[n], n in graph.episode, n == centre, _lines(name)) for n, name in names.items()],
        legend=[(*entry, at, width(entry[0])) for entry, at in zip(_LEGEND.items(), starts, strict=False)],
        below=foot + ROW + _MARGIN // 2,
    )
    return NeighbourhoodSvg(centre, svg.rstrip(), len(steps), hidden)
