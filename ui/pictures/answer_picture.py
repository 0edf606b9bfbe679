"""The picture of an answer: what a statement matched, in layers where nothing runs in a circle."""

import hashlib
from collections import Counter
from collections.abc import Mapping

import networkx as nx

from torchatlas.graph.drawing import APART, DOWN, Point, layers, packed
from torchatlas.graph.formatting import ORDERS, RELATED_TO, RELATIONS, counted, listed
from torchatlas.graph.model import Edge, Snapshot
from torchatlas.queries.matched import Matched
from torchatlas.ui.pictures.draw import Payload, payload
from torchatlas.ui.pictures.view import Dot, Line, Picture

WIDEST = 7
"""Boxes beside one another; a wider picture runs from left to right, where more of them have room."""
_ROW, _COLUMN, _ROOM = 52, 190, 1250
"""The grid of a picture from left to right, and the width that a page has for it, in pixels."""
_READABLE, _TALLEST = 0.85, 760
"""The scale below which the map's scripts show a part of a picture instead of all of it, and how high it then is."""
_VERBS: dict[str, str] = {
    **dict(ORDERS.items()),
    "RELATED_TO": RELATED_TO,
    **{kind: words.verb for kind, words in RELATIONS.items()},
}
_BACKWARDS = {"REQUIRES", "LISTEN_AFTER", "ASSUMES"}
"""Edges that run from what comes later; they are drawn from what comes first."""


def relations_told(found: Matched) -> str:
    """Return how many relations of which kinds are drawn, and which of them their arrows run against.

    >>> from torchatlas.graph.model import Requires
    >>> relations_told(Matched(("a", "b"), (Requires("a", "b", need="hear", reason="it rests"),)))
    '1 relation: REQUIRES. Arrows run from what comes first to what comes after it, which is against REQUIRES.'
    """
    kinds = sorted({edge.kind for edge in found.edges})
    against = [kind for kind in kinds if kind in _BACKWARDS]
    told = f"{counted(len(found.edges), 'relation')}: {listed(kinds)}."
    if not against:
        return told
    return f"{told} Arrows run from what comes first to what comes after it, which is against {listed(against)}."


def answer_payload(found: Matched, graph: Snapshot) -> Payload:
    """Return the picture as the browser gets it."""
    lines = [_line(edge, graph) for edge in found.edges]
    places, across = _places(found.nodes, [(line.source, line.target) for line in lines])
    dots = tuple(_dot(id_, graph, places[id_]) for id_ in found.nodes)
    width, depth = (max(side, default=0) - min(side, default=0) for side in ([d.x for d in dots], [d.y for d in dots]))
    scale = min(1, _ROOM / (width + APART))
    height = round(depth * scale) + 140 if scale >= _READABLE else min(_TALLEST, round(depth * _READABLE) + 140)
    name = f"What the statement matched: {len(dots)} nodes, {len(lines)} relations"
    drawn = dict(payload(Picture(dots, tuple(lines), name=name, boxed=True, height=height)))
    if across:
        smooth = {"enabled": True, "type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.5}
        options = {**drawn["options"], "edges": {**drawn["options"]["edges"], "smooth": smooth}}
        drawn |= {"options": options, "rev": hashlib.sha256(f"{drawn['rev']} across".encode()).hexdigest()[:12]}
    return drawn


def _places(nodes: tuple[str, ...], edges: list[tuple[str, str]]) -> tuple[dict[str, Point], bool]:
    """Return where each node stands, and whether the picture runs from left to right.

    Where edges run in a circle, the nodes stand in a grid: no order is true.
    """
    flow: nx.DiGraph[str] = nx.DiGraph((a, b) for a, b in edges if a != b)
    if not nx.is_directed_acyclic_graph(flow):
        return {id_: (n % WIDEST * APART, n // WIDEST * DOWN) for n, id_ in enumerate(nodes)}, False
    parts = [layers(part, flow.subgraph(part).edges) for part in nx.weakly_connected_components(flow)]
    across = any(_turned(part) for part in parts)
    if across:
        parts = [{id_: (y // DOWN * _COLUMN, x * _ROW // APART) for id_, (x, y) in part.items()} for part in parts]
    placed = packed(parts, (_COLUMN, _ROW * 3 // 2) if across else (APART, DOWN), round(_ROOM / _READABLE))
    below = max((y for _, y in placed.values()), default=-DOWN) + DOWN
    alone = [id_ for id_ in nodes if id_ not in placed]
    loose = {id_: (n % WIDEST * APART, below + n // WIDEST * DOWN) for n, id_ in enumerate(alone)}
    return placed | loose, across


def _turned(part: Mapping[str, Point]) -> bool:
    """Return whether layers have more room from left to right: one has many boxes, or they are too wide for a page."""
    rows = Counter(y for _, y in part.values())
    xs = [x for x, _ in part.values()]
    return max(rows.values()) > WIDEST or (max(xs) - min(xs) + APART) * _READABLE > _ROOM > len(rows) * _COLUMN


def _dot(id_: str, graph: Snapshot, place: Point) -> Dot:
    episode = graph.episode.get(id_)
    tip = episode.summary if episode else graph.concept[id_].definition
    return Dot(
        id_, "episode" if episode else "concept", label=graph.name_of(id_), tip=tip or graph.name_of(id_),
        x=place[0], y=place[1],
    )  # fmt: skip


def _line(edge: Edge, graph: Snapshot) -> Line:
    verb = _VERBS.get(edge.kind, edge.kind.lower().replace("_", " "))
    told = f"{graph.name_of(edge.source)} {verb} {graph.name_of(edge.target)}"
    reason = getattr(edge, "reason", "") or getattr(edge, "why", "")
    ends = (edge.target, edge.source) if edge.kind in _BACKWARDS else (edge.source, edge.target)
    return Line(*ends, kind=edge.kind, tip=f"{told}: {reason}" if reason else told)
