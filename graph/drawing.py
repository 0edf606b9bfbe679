"""Decisions about pictures that need no screen: what is drawn, what is grouped, and where it lies."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from html import escape
from itertools import chain, pairwise, product
from math import ceil, hypot
from statistics import fmean, median

from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Ends, Snapshot, consistent
from torchatlas.graph.names import one_line, xml_text

GAP = (86.0, 44.0)
"""Pixels between two neighbouring dots of the map, across and down: room for most of a label."""


def areas_of(snapshot: Snapshot) -> dict[str, str]:
    """Return id -> area. That of an episode is the area of the heaviest concept it teaches, "" where it teaches none.

    >>> from torchatlas.graph.model import Episode
    >>> areas_of(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))
    {'show/one': ''}
    """
    found = {c.id: c.area for c in snapshot.concepts}
    for episode in snapshot.episodes:
        taught = snapshot.taught_by.get(episode.id, ())
        found[episode.id] = snapshot.concept[taught[0].target].area if taught else ""
    return found


def concepts_in_episodes(snapshot: Snapshot) -> frozenset[str]:
    """Return the concepts that episodes teach, assume or name, and those that these require; all without episodes.

    >>> from torchatlas.graph.model import Concept
    >>> concepts_in_episodes(Snapshot((Concept("view", "view", area="Tensors"),)))
    frozenset({'view'})
    """
    if not snapshot.episodes:
        return frozenset(snapshot.concept)
    said = {e.target for edges in (snapshot.teaches, snapshot.assumes, snapshot.mentions) for e in edges}
    return frozenset(said | {r.target for c in said for r in snapshot.required_by.get(c, ())})


Point = tuple[int, int]


def packed(parts: Iterable[Mapping[str, Point]], room: Point, across: int) -> dict[str, Point]:
    """Return node -> (x, y) with all parts beside or below one another, no wider than `across` where each part is not.

    `room`: what a node takes in each direction. A part wider than half of the page has a row of its own; the others
    stand in columns, the highest first, each in the column that is the shortest so far.

    >>> packed([{"a": (0, 0)}, {"b": (-10, 0), "c": (-10, 20)}], (10, 20), across=20)
    {'b': (0, 0), 'c': (0, 20), 'a': (10, 0)}
    """
    sized = [(*_size(part, room), part) for part in parts if part]
    sized.sort(key=lambda part: (-part[1], min(part[2])))
    found: dict[str, Point] = {}
    below = 0
    for _, high, part in (one for one in sized if one[0] * 2 > across):
        found |= _moved(part, 0, below)
        below += high
    narrow = [one for one in sized if one[0] * 2 <= across]
    column = max((wide for wide, _, _ in narrow), default=1)
    ends = [below] * max(1, min(len(narrow), across // column))
    for _, high, part in narrow:
        place = ends.index(min(ends))
        found |= _moved(part, place * column, ends[place])
        ends[place] += high
    return found


def _size(part: Mapping[str, Point], room: Point) -> Point:
    xs, ys = zip(*part.values(), strict=True)
    return max(xs) - min(xs) + room[0], max(ys) - min(ys) + room[1]


def _moved(part: Mapping[str, Point], x: int, y: int) -> dict[str, Point]:
    """Return a part whose upper left corner is at (x, y)."""
    left, top = (min(side) for side in zip(*part.values(), strict=True))
    return {id_: (x + a - left, y + b - top) for id_, (a, b) in part.items()}


HUES = (205, 28, 150, 285, 60, 345, 100)
"""Degrees on the circle of colours."""

_BORDER = 2.5  # dots of two areas so near, in gaps, make these neighbours


def area_hues(graph: Snapshot) -> dict[str, int]:
    """Return area -> hue in degrees; none has that of a neighbour, as long as there are hues enough.

    The areas with most neighbours choose first (Welsh and Powell 1967), each the hue that is used least.

    >>> area_hues(Snapshot())
    {}
    """
    near, hues = neighbours(graph), dict[str, int]()
    for name in sorted(graph.areas, key=lambda area: (-len(near[area]), area)):
        taken, used = {hues[other] for other in near[name] if other in hues}, Counter(hues.values())
        free = [hue for hue in HUES if hue not in taken] or HUES
        hues[name] = min(free, key=lambda hue: (used[hue], HUES.index(hue)))
    return {name: hues[name] for name in graph.areas}


def neighbours(graph: Snapshot) -> Mapping[str, set[str]]:
    """Return area -> the areas that it borders on: dots of both lie near each other.

    Example: neighbours(graph)["Compilation"]
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    area_of = areas_of(graph)
    # A grid with cells as wide as _BORDER: SciPy's trees take longer to import than this takes for a whole map.
    cells: defaultdict[tuple[int, int], list[tuple[float, float, str]]] = defaultdict(list)
    places = {c.id: (c.x, c.y) for c in graph.concepts} | {e.id: (e.x, e.y) for e in graph.episodes}
    for id_, (across, down) in places.items():
        x, y = across / GAP[0], down / GAP[1]
        cells[int(x // _BORDER), int(y // _BORDER)].append((x, y, area_of[id_]))
    areas_in = {cell: {area for _, _, area in dots} for cell, dots in cells.items()}
    for (column, row), dots in cells.items():
        near = [(column + across, row + down) for across, down in product((-1, 0, 1), repeat=2)]
        if len(set().union(*(areas_in.get(cell, ()) for cell in near))) == 1:
            continue  # most of a large map: there is no border near
        around = [cells.get(cell, ()) for cell in near]
        for (x, y, area), (left, top, other) in product(dots, chain.from_iterable(around)):
            if area != other and hypot(x - left, y - top) <= _BORDER:
                found[area].add(other)
    return found


MOST = 2000
"""Nodes that a browser draws 15 times a second or more; the whole shipped map has fewer."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node that may be drawn: its place in pixels, and how much it matters."""

    id: str
    _: KW_ONLY
    x: int
    y: int
    area: str
    weight: int


def clusters(marks: Collection[Mark], most: int = MOST, keep: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the ids that are drawn, about `most` of them -> the ids that each stands for.

    An area draws as many as its share of all nodes, at least one, the weightiest first; those in `keep` are drawn
    anyway. Every other node belongs to the nearest one drawn of its area. Nothing is clustered where all may be drawn.
    A cluster opens as a map of what it stands for: `map_picture(graph, only=(landmark, *clusters(marks)[landmark]))`.

    >>> near, far = (Mark(i, x=x, y=0, area="Autograd", weight=9 - x) for i, x in (("a", 0), ("b", 1)))
    >>> clusters([near, far], most=1)
    {'a': ('b',)}
    """
    if len(marks) <= most:
        return {mark.id: () for mark in sorted(marks, key=lambda m: m.id)}
    areas: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in sorted(marks, key=lambda m: (m.id not in keep, -m.weight, m.id)):
        areas[mark.area].append(mark)
    found: dict[str, tuple[str, ...]] = {}
    for _, members in sorted(areas.items()):
        drawn = max(1, most * len(members) // len(marks), sum(m.id in keep for m in members))
        found.update(_around(members[:drawn], members[drawn:]))
    return found


def _around(landmarks: list[Mark], others: list[Mark]) -> Mapping[str, tuple[str, ...]]:
    import numpy as np
    from scipy.spatial import cKDTree

    groups: dict[str, list[str]] = {mark.id: [] for mark in landmarks}
    if others:
        ends = (np.array([(m.x, m.y) for m in marks], dtype=float) for marks in (landmarks, others))
        nearest = np.asarray(cKDTree(next(ends)).query(next(ends))[1])
        for mark, place in zip(others, nearest.tolist(), strict=True):
            groups[landmarks[place].id].append(mark.id)
    return {landmark: tuple(sorted(of)) for landmark, of in groups.items()}


_WRAPPED = 24  # characters of a name that stands on two lines, where it has a space
_CHARACTER = 7.0  # pixels that a wide character takes at 12 pixels of height


def _lines(label: str) -> tuple[str, ...]:
    """Return a name as it is written: cut in two at the space nearest to its middle where it is long."""
    cuts = [i for i, character in enumerate(label) if character == " " and i >= 3]
    if len(label) < _WRAPPED or not cuts:
        return (label,)
    cut = min(cuts, key=lambda i: (abs(i - len(label) / 2), i))
    return label[:cut], label[cut + 1 :]


def width(label: str) -> float:
    """Return the pixels that a name takes: `width("autograd")` is 56."""
    return max(len(line) for line in _lines(label)) * _CHARACTER


LIMIT, FURTHER = 56, 40
"""Nodes of a neighbourhood: at most so many a step away, and so many where it goes further."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nodes around `centre`: id -> how many steps away. `hidden`: how many more there are."""

    centre: str
    steps: Mapping[str, int]
    hidden: int = 0


def neighbourhood(snapshot: Snapshot, centre: str, radius: int = 1) -> Neighbourhood:
    """Return the nodes within `radius` steps; of too many, the nearest, and of these the ones with most ties.

    Steps go along REQUIRES, the other relations of concepts, TEACHES, RELATED_TO and LISTEN_AFTER; those from an
    episode also to what it assumes. Raises KeyError where the graph lacks the centre.

    Example: `neighbourhood(snapshot, "autograd").steps["aotautograd"]` is 1.
    """
    if centre not in snapshot.concept and centre not in snapshot.episode:
        raise KeyError(centre)
    near = _ties(snapshot, centre)
    steps, ring = {centre: 0}, {centre}
    hidden: set[str] = set()
    for step in range(1, radius + 1):
        ring = {n for node in ring for n in near[node]} - set(steps)
        ties = {node: len(near[node] & set(steps)) for node in ring}
        ranked = sorted(ring, key=lambda node: (-ties[node], -len(near[node]), node))
        free = max((LIMIT if step == 1 else FURTHER) - len(steps), 0)
        steps.update(dict.fromkeys(ranked[:free], step))
        hidden.update(ranked[free:])
        ring = set(ranked[:free])
    return Neighbourhood(centre, steps, len(hidden - set(steps)))


def _ties(snapshot: Snapshot, centre: str) -> Mapping[str, set[str]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    groups: tuple[Iterable[Ends], ...] = (
        snapshot.requires,
        snapshot.concept_relations,
        snapshot.teaches,
        snapshot.related_to,
        snapshot.listen_after,
        snapshot.assumed_by.get(centre, ()),
    )
    for edge in (edge for group in groups for edge in group):
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    return near


APART, DOWN = 178, 84
"""The grid in pixels: a box with two or three lines of text, and air for the arrows."""

_Cell = tuple[str, int]  # a node at its own rank, or a place kept free where a long edge passes


def layers(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, Point]:
    """Return node -> (x, y) in pixels, centred on x = 0; every edge (earlier, later) points downwards.

    Rows are ordered by eight median sweeps and then straightened. The same input gives the
    same picture. Raises networkx.NetworkXUnfeasible where edges run in a circle.

    >>> layers("ab", [("a", "b")])
    {'a': (0, 0), 'b': (0, 84)}
    """
    nodes, edges = sorted(set(nodes)), sorted(set(edges))
    rank = _ranked(nodes, edges)
    rows, down = _rows_and_dummies(nodes, edges, rank)
    up: dict[_Cell, list[_Cell]] = {}
    for a, below in down.items():
        for b in below:
            up.setdefault(b, []).append(a)
    for sweep in range(8):
        order = range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1)
        for r in order:
            beside = rows[r - 1] if sweep % 2 == 0 else rows[r + 1]
            place = {cell: i for i, cell in enumerate(beside)}
            near = up if sweep % 2 == 0 else down
            old = {cell: i for i, cell in enumerate(rows[r])}
            rows[r].sort(key=lambda cell: (median([place[n] for n in near.get(cell, [])] or [old[cell]]), old[cell]))
    across = _straightened(rows, up, down)
    middle = (max(across.values(), default=0.0) + min(across.values(), default=0.0)) / 2
    return {node: (round((across[node, rank[node]] - middle) * APART), rank[node] * DOWN) for node in nodes}


def _ranked(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return ranks that rise along every edge: as many as the longest path has, each node next to the first after it.

    Raises networkx.NetworkXUnfeasible where edges run in a circle.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph(sorted(edges))
    graph.add_nodes_from(sorted(nodes))
    order = list(nx.lexicographical_topological_sort(graph))
    rank: dict[str, int] = {}
    for node in order:
        rank[node] = max((rank[before] + 1 for before in graph.pred[node]), default=0)
    for node in reversed(order):
        rank[node] = min((rank[after] - 1 for after in graph.succ[node]), default=rank[node])
    return rank


def _rows_and_dummies(
    nodes: Sequence[str], edges: Sequence[tuple[str, str]], rank: dict[str, int]
) -> tuple[list[list[_Cell]], dict[_Cell, list[_Cell]]]:
    """Return the rows of cells, with a free cell in each row that a long edge passes, and the cells below each cell."""
    rows: list[list[_Cell]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    down: dict[_Cell, list[_Cell]] = {}
    for node in nodes:
        rows[rank[node]].append((node, rank[node]))
    for a, b in edges:
        chain = [(a, rank[a]), *((f"{a}\0{b}", r) for r in range(rank[a] + 1, rank[b])), (b, rank[b])]
        for upper, lower in pairwise(chain):
            down.setdefault(upper, []).append(lower)
        for passing in chain[1:-1]:
            rows[passing[1]].append(passing)
    return rows, down


def _straightened(
    rows: Sequence[Sequence[_Cell]], up: dict[_Cell, list[_Cell]], down: dict[_Cell, list[_Cell]]
) -> dict[_Cell, float]:
    """Return each cell's column: near the mean of its neighbours, in the order of its row, at least one apart."""
    across = {cell: i - (len(row) - 1) / 2 for row in rows for i, cell in enumerate(row)}
    for turn in range(24):
        for row in rows if turn % 2 == 0 else reversed(rows):
            wanted = []
            for cell in row:
                near = up.get(cell, []) + down.get(cell, [])
                wanted.append(sum(across[n] for n in near) / len(near) if near else across[cell])
            across.update(zip(row, _spaced(wanted), strict=True))
    return across


def _spaced(wanted: Sequence[float]) -> list[float]:
    """Return the nearest places (least squares) that keep the order, one apart: pool adjacent violators."""
    blocks: list[tuple[float, int]] = []  # sum of (place - index), length
    for i, place in enumerate(wanted):
        total, size = place - i, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, many = blocks.pop()
            total, size = total + before, size + many
        blocks.append((total, size))
    shifts = [total / size for total, size in blocks for _ in range(size)]
    return [shift + i for i, shift in enumerate(shifts)]


ZOOM = 0.8  # the smallest at which no two names touch
ROW = 62  # pixels between two rows: a dot, two lines of text, and air
ACROSS = 800  # pixels of all of it, unless a name is longer: 640 on the screen at the smallest zoom
_COLUMN = 14  # episodes in one column; more stand in two
_AIR = 20


@dataclass(frozen=True, slots=True)
class EgoLayout:
    """id -> (x, y) in pixels, the chosen node at (0, 0), y downwards; `width` and `height` of it all, with the names.

    Names stand under their dots.
    """

    places: Mapping[str, Point]
    width: int
    height: int


def ego_layout(snapshot: Snapshot, around: Neighbourhood) -> EgoLayout:
    """Return the places of a neighbourhood, in layers (Sugiyama, Tagawa and Toda 1981) that wrap like lines of text.

    Every prerequisite lies below all that requires it. Of an episode, what it assumes lies below and what it teaches
    above. The other episodes stand in columns on the right, in the order of the height of what they teach.

    Example: `ego_layout(snapshot, neighbourhood(snapshot, "autograd")).places["autograd"]` is `(0, 0)`.
    """
    nodes = sorted(around.steps, key=lambda n: (around.steps[n], snapshot.name_of(n), n))
    beside = [n for n in nodes if n in snapshot.episode and n != around.centre]
    layered = [n for n in nodes if n not in beside]
    room = {n: width(snapshot.name_of(n)) / ZOOM + _AIR for n in nodes}
    columns = min(len(beside), 2 if len(beside) > _COLUMN else 1)
    wide = max((room[n] for n in beside), default=0.0)
    rank = _ranks(layered, _pairs(snapshot, around.centre, set(layered)), around.centre)
    places = _rows(layered, rank, room, max(ACROSS - columns * wide, wide))
    right = max(x + room[node] / 2 for node, (x, _) in places.items())
    level = {
        e: fmean([places[t.target][1] for t in snapshot.taught_by.get(e, ()) if t.target in places] or [0])
        for e in beside
    }
    places |= _columns(sorted(beside, key=lambda e: level[e]), columns, wide, right)
    return _measured(places, room)


def _pairs(snapshot: Snapshot, centre: str, layered: set[str]) -> frozenset[tuple[str, str]]:
    """Return (lower, upper) for all that has an order; where they contradict, prerequisites win."""
    requires = ((r.target, r.source) for r in snapshot.requires)
    assumed = ((a.target, centre) for a in snapshot.assumed_by.get(centre, ()))
    taught = ((centre, t.target) for t in snapshot.taught_by.get(centre, ()))
    return consistent(pair for pair in chain(requires, taught, assumed) if layered.issuperset(pair))


def _ranks(nodes: Sequence[str], pairs: Iterable[tuple[str, str]], centre: str) -> dict[str, int]:
    """Return ranks that rise along every pair, 0 for the centre and for what is in no pair."""
    pairs = sorted(pairs)
    paired, rank = {*chain.from_iterable(pairs)}, _ranked(nodes, pairs)
    return {node: rank[node] - rank[centre] if node in paired else 0 for node in nodes}


def _rows(nodes: Sequence[str], rank: Mapping[str, int], room: Mapping[str, float], across: float) -> dict[str, Point]:
    """Return the places of all but the episodes beside: the first node alone in row 0, the others above or below."""
    centre, *others = nodes
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for node in others:
        layers[rank[node]].append(node)
    above, below = sorted(r for r in layers if r > 0), sorted((r for r in layers if r <= 0), reverse=True)
    found = {centre: (0, 0)}
    for direction, levels in ((-1, above), (1, below)):
        rows = chain.from_iterable(_wrapped(layers[level], room, across) for level in levels)
        for number, row in enumerate(rows, 1):
            left = -sum(room[n] for n in row) / 2
            for node in row:
                found[node] = (round(left + room[node] / 2), direction * number * ROW)
                left += room[node]
    return found


def _wrapped(nodes: Sequence[str], room: Mapping[str, float], across: float) -> list[list[str]]:
    """Return the nodes on as many lines as they need, about equally full."""
    total = sum(room[node] for node in nodes)
    full = total / ceil(total / across)
    rows, taken = [[nodes[0]]], room[nodes[0]]
    for node in nodes[1:]:
        if taken + room[node] > across or taken + room[node] / 2 > full:
            rows.append([])
            taken = 0.0
        rows[-1].append(node)
        taken += room[node]
    return rows


def _columns(episodes: Sequence[str], columns: int, wide: float, left: float) -> dict[str, Point]:
    """Return the places of the episodes, from top to bottom in their order, around the height of the centre."""
    if not episodes:
        return {}
    top = -(ceil(len(episodes) / columns) - 1) // 2 * ROW
    return {e: (round(left + (i % columns + 0.5) * wide), top + i // columns * ROW) for i, e in enumerate(episodes)}


def _measured(places: Mapping[str, Point], room: Mapping[str, float]) -> EgoLayout:
    left = min(x - room[node] / 2 for node, (x, _) in places.items())
    right = max(x + room[node] / 2 for node, (x, _) in places.items())
    down = [y for _, y in places.values()]
    return EgoLayout(places, ceil(right - left), max(down) - min(down) + ROW)


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
    for number, line in enumerate(_lines(name), 1):
        weight = ' font-weight="bold"' if bold else ""
        yield f'<text x="{x}" y="{y + _DOT + _LINE * number}"{weight}>{escape(line)}</text>'


def _legend(x: float, y: int) -> Iterator[str]:
    for word, colour in _LEGEND.items():
        room = width(word)
        yield f'<line x1="{x:.0f}" y1="{y - 4}" x2="{x + 18:.0f}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
        yield f'<text x="{x + 24 + room / 2:.0f}" y="{y}">{word}</text>'
        x += room + _KEY
