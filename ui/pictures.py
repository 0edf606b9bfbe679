"""Pictures of the graph as values and as plain JSON, for pages and files. No screen is needed.

pyvis turns dots and lines into nodes, edges and options. Its own page, which asks other hosts for scripts, is not used.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain, product
from typing import Any, Literal

from torchatlas.graph import drawing
from torchatlas.graph.answers import Plan, Related, Table
from torchatlas.graph.drawing import APART, DOWN, Point, area_hues, areas_of, concepts_in_episodes, layers
from torchatlas.graph.formatting import ORDERS, RELATED_TO, RELATIONS, clock, counted, length, listed
from torchatlas.graph.model import EDGE_GROUPS, RELATIONSHIPS, Edge, Snapshot, consistent, key_of
from torchatlas.graph.planning.demands import known_concepts
from torchatlas.graph.views import ConceptCard, EpisodeCard
from torchatlas.profile import Profile
from torchatlas.queries import nodes_in

MapFilter = Literal["met", "all", "episodes"]
Payload = Mapping[str, Any]

PLAY = "▶ "
"""Before every episode's name, so that its kind shows without colour."""
MOST = 2000
"""Nodes that a browser draws 15 times a second or more; the whole shipped map has fewer."""
_GROWTH = 10  # the weight from which on a dot grows no larger
_VERBS: dict[str, str] = dict(ORDERS.items()) | {kind: words.verb for kind, words in RELATIONS.items()}
_VERBS["RELATED_TO"] = RELATED_TO
_BACKWARDS = {"REQUIRES", "LISTEN_AFTER", "ASSUMES"}  # they run from what comes later, and are drawn the other way
_KINDS = frozenset(table.kind for table in RELATIONSHIPS)


@dataclass(frozen=True, slots=True)
class Dot:
    """A node of a picture. `tip` is plain text; `weight` says how much it matters (dot size, label order).

    `behind`: how many nodes it stands for that are not drawn.
    """

    id: str
    kind: Literal["concept", "episode"]
    _: KW_ONLY
    label: str
    tip: str
    x: int
    y: int
    area: str = ""
    weight: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """An edge, drawn from what comes first to what builds on it. A `quiet` one is drawn only at a chosen node."""

    source: str
    target: str
    _: KW_ONLY
    kind: str
    tip: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """All that is drawn; with `boxed` labels stand inside the nodes, and with `across` layers run from left to right.

    `areas`: names and hues of the whole map, so that each keeps its colour under every filter. `captions`: words on the
    ground, each with a place. `sizes`: the meaning of the smallest and largest dot of a kind. `height`: in pixels, None
    for as much as the window leaves. A picture with a `centre` is that of its surroundings: all is named and drawn.
    `hidden`: how many nodes are left out because a browser could not draw them. `landmark`: the dot that stands for all
    of this picture on a map of more nodes.
    """

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    _: KW_ONLY
    name: str
    areas: tuple[tuple[str, int], ...] = ()
    captions: tuple[Mapping[str, object], ...] = ()
    sizes: Mapping[str, str] | None = None
    centre: str | None = None
    boxed: bool = False
    across: bool = False
    height: int | None = None
    hidden: int = 0
    landmark: str | None = None


def payload(picture: Picture) -> Payload:
    """Return the picture as vis-network takes it, what the map's own scripts need, and the revision `rev` of it all.

    Colours and fonts are not in the payload: the browser takes them from the theme.

    Example: payload(map_picture(graph))["nodes"]
    """
    from pyvis.edge import Edge as PyvisEdge
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="in_line")
    shape = "box" if picture.boxed else "custom"
    for dot in picture.dots:
        label, size = PLAY * (dot.kind == "episode") + dot.label, 7 + min(_GROWTH, dot.weight)
        facts = {"tip": dot.tip, "group": dot.kind, "x": dot.x, "y": dot.y, "size": size, "area": dot.area}
        behind = {"behind": dot.behind} if dot.behind else {}
        net.add_node(dot.id, label=label, shape=shape, **facts, weight=dot.weight, **behind)
    for number, line in enumerate(picture.lines):
        # Network.add_edge searches the list of all nodes for both ends.
        facts = {name: getattr(line, name) for name in ("kind", "quiet", "tip")}
        net.edges.append(PyvisEdge(line.source, line.target, True, id=f"e{number}", **facts).options)
    direction = "horizontal" if picture.across else "vertical"
    smooth = {"enabled": picture.boxed, "type": "cubicBezier", "forceDirection": direction, "roundness": 0.5}
    off = dict.fromkeys(("dragNodes", "hideEdgesOnDrag", "hover", "selectable", "zoomView"), False)
    options = {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "edges": {"smooth": smooth},
        "interaction": {**off, "keyboard": {"enabled": False}},
    }
    net.set_options(json.dumps(options))
    nodes, edges, *_, options = net.get_network_data()
    areas = [{"name": name, "hue": hue} for name, hue in picture.areas]
    body = {"nodes": nodes, "edges": edges, "options": json.loads(options), "areas": areas}
    told = ("captions", "boxed", "centre", "height", "hidden", "landmark", "name", "sizes")
    body |= {name: getattr(picture, name) for name in told} | {"captions": list(picture.captions)}
    return body | {"rev": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]}


def map_picture(
    graph: Snapshot, area: str | None = None, shown: MapFilter = "all", only: Collection[str] | None = None
) -> Picture:
    """Return the map: all of it, the concepts met in episodes, or episodes alone; of one area, or `only` some nodes.

    Example: map_picture(graph, "Autograd", "met").dots
    """
    area_of = areas_of(graph)
    keep = {id_ for id_, of in area_of.items() if area in (None, of) and (only is None or id_ in only)}
    if shown != "all":
        keep &= graph.episode.keys() | (concepts_in_episodes(graph) if shown == "met" else set())
    main = (*graph.requires, *(t for t in graph.teaches if t.depth == "main"))
    ties = Counter(end for edge in main for end in (edge.source, edge.target))
    dots = []
    for c in (c for c in graph.concepts if c.id in keep):
        tip = _tip(c.name, f"Concept · {c.area}" if c.area else "Concept", c.definition)
        dots.append(Dot(c.id, "concept", label=c.name, tip=tip, x=c.x, y=c.y, area=c.area, weight=ties[c.id]))
    concepts = counted(len(dots), "concept")
    for e in (e for e in graph.episodes if e.id in keep):
        tip = _tip(e.title, "Episode" if e.minutes is None else f"Episode · {length(e.minutes)}", e.summary)
        dots.append(Dot(e.id, "episode", label=e.title, tip=tip, x=e.x, y=e.y, area=area_of[e.id], weight=5))
    required = {frozenset((r.source, r.target)) for r in graph.requires}
    others = [c for c in graph.concept_relations if frozenset((c.source, c.target)) not in required]
    edges: tuple[Edge, ...] = (*graph.requires, *others, *graph.teaches, *graph.related_to, *graph.listen_after)
    told = "The more ties a concept has, the larger is its dot. Ties are what it requires, what requires it, "
    told += "and the episodes about it. All episodes are of one size here."
    return Picture(
        tuple(dots),
        tuple(_line(graph, edge) for edge in edges if edge.source in keep and edge.target in keep),
        name=f"Map of {concepts} and {counted(len(graph.episode.keys() & keep), 'episode')}",
        areas=tuple(area_hues(graph).items()),
        sizes={"kind": "concept", "least": "few ties", "most": f"{_GROWTH} or more", "told": told},
    )


def _line(graph: Snapshot, edge: Edge, *, why: bool = False) -> Line:
    """Return the line of an edge, whose tooltip says it in a sentence. `why`: with the reason of any edge."""
    reason = edge.reason if edge.kind == "REQUIRES" else ""
    if why:
        reason = getattr(edge, "reason", "") or getattr(edge, "why", "")
    elif edge.kind == "RELATED_TO":
        reason = "; ".join(edge.reasons)
    verb = _VERBS.get(edge.kind, edge.kind.lower().replace("_", " "))
    tip = f"{graph.name_of(edge.source)} {verb} {graph.name_of(edge.target)}"
    ends = (edge.target, edge.source) if edge.kind in _BACKWARDS else (edge.source, edge.target)
    quiet = edge.kind != "REQUIRES" and (edge.kind != "TEACHES" or edge.depth != "main")
    return Line(*ends, kind=edge.kind, tip=f"{tip}: {reason}" if reason else tip, quiet=quiet and not why)


def _tip(name: str, facts: str, text: str) -> str:
    """Return a tooltip: the name, short facts, and the first words of a text."""
    said = text if len(text) <= 240 else text[:240].rsplit(" ", 1)[0] + " …"
    return "\n".join(line for line in (name, facts, said) if line)


def shown_with(graph: Snapshot, shown: MapFilter, node: str | None) -> MapFilter:
    """Return what to show so that a node that no episode touches is there as well.

    >>> shown_with(Snapshot(), "met", None)
    'met'
    """
    untouched = node in graph.concept and node not in concepts_in_episodes(graph)
    return "all" if shown == "met" and untouched else shown


def lit(card: ConceptCard | EpisodeCard | None, related: Iterable[Related] = ()) -> tuple[str, ...]:
    """Return the nodes that stand out with a card's: main subjects and related episodes, or a concept's nearest.

    >>> lit(None)
    ()
    """
    if card is None:
        return ()
    if isinstance(card, EpisodeCard):
        near = {lesson.id for lesson in card.teaches if lesson.main} | {r.episode_id for r in related}
    else:
        near = {row.id for row in (*card.needs, *card.leads_to, *card.taught_in)}
    return tuple(sorted(near | {card.id}))


def clusters(dots: Collection[Dot], most: int = MOST) -> dict[str, tuple[str, ...]]:
    """Return the ids that are drawn, about `most` of them -> the ids that each stands for.

    An area draws as many as its share of all nodes, at least one, the weightiest first. Every other node belongs to the
    nearest one drawn of its area. Nothing is clustered where all may be drawn.

    Example: clusters(map_picture(graph).dots, most=100)["autograd"]
    """
    found: dict[str, list[str]] = {}
    areas: defaultdict[str, list[Dot]] = defaultdict(list)
    for dot in sorted(dots, key=lambda d: (d.area, -d.weight, d.id)):
        areas[dot.area].append(dot)
    for members in areas.values():
        drawn = len(members) if len(dots) <= most else max(1, most * len(members) // len(dots))
        landmarks, others = members[:drawn], members[drawn:]
        found |= {dot.id: [] for dot in landmarks}
        if others:
            import numpy as np
            from scipy.spatial import cKDTree

            drawn_at, others_at = (np.array([(d.x, d.y) for d in group], float) for group in (landmarks, others))
            for dot, place in zip(others, np.asarray(cKDTree(drawn_at).query(others_at)[1]).tolist(), strict=True):
                found[landmarks[place].id].append(dot.id)
    return {landmark: tuple(sorted(of)) for landmark, of in found.items()}


def clustered(picture: Picture, most: int = MOST, opened: str | None = None) -> Picture:
    """Return the picture with about `most` dots at the most; the number beside a name is how many stand behind it.

    `opened`: a dot with such a number, or a node behind it. The picture is then that of the dot and what it hides.

    Example: clustered(map_picture(graph)).hidden
    """
    behind = clusters(picture.dots, most)
    found = next((id_ for id_, of in behind.items() if of and opened in (id_, *of)), None)
    kept = {found, *behind[found]} if found else behind.keys()
    hidden = 0 if found else len(picture.dots) - len(kept)
    name, dots = picture.name, []
    for dot in (dot for dot in picture.dots if dot.id in kept):
        if dot.id == found:
            name = f"{dot.label} and {counted(len(behind[found]), 'node')} behind it"
        elif not found and (count := len(behind[dot.id])):
            tip = f"{dot.tip}\n{counted(count, 'node')} behind it: a click shows them"
            dot = replace(dot, label=f"{dot.label} +{count}", tip=tip, behind=count)
        dots.append(dot)
    if hidden:
        name = f"{name}; {counted(hidden, 'node')} stand behind others"
    lines = tuple(line for line in picture.lines if line.source in kept and line.target in kept)
    return replace(picture, dots=tuple(dots), lines=lines, name=name, hidden=hidden, landmark=found)


def episodes_picture(graph: Snapshot, area: str | None = None, *, by_time: bool = False) -> Picture:
    """Return all episodes, or those of an area; the longer, the larger. Their lines are drawn without a choice, too.

    `by_time`: from left to right as they came out, each area in a lane of its own.

    Example: episodes_picture(graph, by_time=True).captions
    """
    step = 4  # so many minutes make the square of an episode larger by one step
    found = map_picture(graph, area, "episodes")
    dots = [replace(d, weight=min(_GROWTH, (graph.episode[d.id].minutes or 0) // step)) for d in found.dots]
    told = "The longer an episode is, the larger is its square."
    picture = replace(
        found,
        dots=tuple(dots),
        lines=tuple(replace(line, quiet=False) for line in found.lines),
        name=f"{counted(len(dots), 'episode')} {'in the order of time' if by_time else 'on the map'}",
        sizes={"kind": "episode", "least": "short", "most": f"{_GROWTH * step} min or longer", "told": told},
    )
    return _in_time(graph, picture) if by_time else picture


def _in_time(graph: Snapshot, picture: Picture) -> Picture:
    """Return the picture with its dots moved: time decides how far to the right, the area how far down."""
    high, wide, year_wide = 180, 44, 200  # pixels of a lane, of an episode, and that the name of a year takes at least
    begun: dict[str, str] = {}  # the day on which each show began
    for e in graph.episodes:
        begun[e.show] = min(filter(None, (begun.get(e.show), e.published)), default="")
    day: dict[str, tuple[str, tuple[int, int], str]] = {}
    for e in sorted(graph.episodes, key=lambda e: (e.position, e.id)):
        begun[e.show] = last = max(begun[e.show], e.published or "")
        day[e.id] = e.published or last, e.position, e.id  # without a day, that of the one before it in its show
    found = {dot.area for dot in picture.dots}
    lane = {name: row * high for row, name in enumerate([*(n for n in graph.areas if n in found), ""])}
    dots: list[Dot] = []
    years: dict[str, int] = {}
    for place, dot in enumerate(sorted(picture.dots, key=lambda dot: day[dot.id])):
        x = place * wide
        if not years or x - max(years.values()) > year_wide:
            years.setdefault(day[dot.id][0][:4], x)
        dots.append(replace(dot, x=x, y=lane[dot.area]))
    captions = [{"text": year, "x": x, "y": -high, "ends": False} for year, x in years.items()]
    captions += [{"text": name, "x": -wide, "y": y, "ends": True} for name, y in lane.items() if name]
    return replace(picture, dots=tuple(dots), captions=tuple(captions), areas=())


def neighbourhood_picture(graph: Snapshot, centre: str, radius: int = 1) -> Picture:
    """Return the nodes within `radius` steps of `centre` and all lines between them; the name says how many are hidden.

    Needs stand below and what builds on them above. Raises KeyError where the graph lacks the centre.

    Example: neighbourhood_picture(graph, "autograd").height
    """
    around = drawing.neighbourhood(graph, centre, radius)
    layout = drawing.ego_layout(graph, around)
    found = map_picture(graph, only=around.steps)
    name = f"{counted(len(found.dots), 'node')} around {graph.name_of(centre)}"
    assumed = [_line(graph, edge, why=True) for edge in graph.assumed_by.get(centre, ())]
    return replace(
        found,
        dots=tuple(replace(dot, x=layout.places[dot.id][0], y=layout.places[dot.id][1]) for dot in found.dots),
        lines=(*(replace(line, quiet=False) for line in found.lines), *assumed),
        name=f"{name}, {around.hidden} more are hidden" if around.hidden else name,
        areas=(),
        centre=centre,
        height=max(480, layout.height + 120),  # with room for the legend and above the layers
    )


def plan_picture(graph: Snapshot, plan: Plan) -> Picture:
    """Return the plan from top to bottom: each step, the concepts that later steps take from it, and the goals.

    An edge that a longer way implies is left out (transitive reduction), and so is one that would close a circle.

    Example: plan_picture(graph, plan).lines
    """
    import networkx as nx

    steps = {step.episode_id: step for step in plan.steps}
    goals = {id_ for meant in plan.understood for id_ in meant.ids if id_ in graph.concept}
    needs = [(need, id_) for id_, step in steps.items() for need in step.needs if need.source in steps]
    taught = [(goal, id_) for id_, step in steps.items() for goal in step.teaches if goal.id in goals]
    concepts = {it.id: it.name for it, _ in (*needs, *taught)}
    pairs = [pair for need, id_ in needs for pair in ((need.source or "", need.id), (need.id, id_))]
    flow: nx.DiGraph[str] = nx.DiGraph(consistent([*pairs, *((id_, goal.id) for goal, id_ in taught)]))
    flow.add_nodes_from([*steps, *concepts])
    edges = sorted(nx.transitive_reduction(flow).edges)
    names = {id_: f"{place}. {step.title}" for place, (id_, step) in enumerate(steps.items(), 1)} | concepts
    dots = []
    for id_, (x, y) in sorted(layers(flow, edges).items()):
        tip = f"Concept: {names[id_]}"
        if id_ not in concepts:
            step = steps[id_]
            facts = f"{step.badge.capitalize()} · {length(step.minutes, estimated=step.estimated)}"
            tip = _tip(step.title, facts, step.why)
        dots.append(Dot(id_, "concept" if id_ in concepts else "episode", label=names[id_], tip=tip, x=x, y=y))
    lines = tuple(Line(a, b, kind="FLOW", tip=f"{names[b]} {ORDERS['REQUIRES']} {names[a]}") for a, b in edges)
    down = [dot.y for dot in dots] or [0]
    name = f"Listening order of {counted(len(dots) - len(concepts), 'episode')}"
    return Picture(tuple(dots), lines, name=name, boxed=True, height=max(down) - min(down) + 140)


@dataclass(frozen=True, slots=True)
class Matched:
    """The ids of concepts and episodes, and the edges between them. `hidden`: how many more nodes the answer holds."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    hidden: int = 0


def matched(cypher: str, values: Mapping[str, object], table: Table, graph: Snapshot, *, most: int = 60) -> Matched:
    """Return at `most` so many nodes of an answer, those with relations first, and the relations of the statement.

    Those are the relationships of the paths that it returns; without paths, the relationships in its rows, each between
    nodes of its row; without both, all edges of the types that its text names between nodes of the answer, to which the
    nodes belong that its values name.

    Example: `matched("MATCH (a)-[:USES]->(b) RETURN a.id, b.id", {}, table, graph).edges[0].kind`
    """
    named = [v for v in values.values() if isinstance(v, str) and (v in graph.concept or v in graph.episode)]
    ids = tuple(dict.fromkeys([*named, *nodes_in(table, graph)]))
    walked = {key for row in table.rows for value in row for key in _walked(value)}
    if not walked:  # relationships in a row do not say their ends, which are nodes of the row
        for row in table.rows:
            labelled = [value for value in row if isinstance(value, Mapping) and "_label" in value]
            kinds = {str(value["_label"]) for value in labelled} & _KINDS
            nodes = [str(value["id"]) for value in labelled if "id" in value]
            walked.update(product(kinds, nodes, nodes))
    kinds = {kind for kind, _, _ in walked} or set(re.findall(r"\b[A-Z_]+\b", cypher)) & _KINDS
    known, found = set(ids), chain.from_iterable(getattr(graph, group) for group in EDGE_GROUPS)
    edges = [e for e in found if e.kind in kinds and {e.source, e.target} <= known]
    edges = [e for e in edges if not walked or key_of(e) in walked]
    joined = {end for edge in edges for end in (edge.source, edge.target)}
    shown = set(sorted(ids, key=lambda id_: id_ not in joined)[:most])
    return Matched(
        tuple(id_ for id_ in ids if id_ in shown),
        tuple(edge for edge in edges if {edge.source, edge.target} <= shown),
        hidden=len(ids) - len(shown),
    )


def _walked(value: object) -> list[tuple[str, str, str]]:
    """Return the relationships of a path, or of the paths in a list."""
    if isinstance(value, list):
        return list(chain.from_iterable(map(_walked, value)))
    found = value.get("_relationships", ()) if isinstance(value, Mapping) else ()
    return [(str(r["_label"]), str(r["_source"]), str(r["_target"])) for r in found]


_WIDEST = 7  # boxes beside one another; a wider picture runs from left to right, where more of them have room
_ROW, _COLUMN, _ROOM = 52, 190, 1250  # the grid of a picture from left to right, and a page's width for it, in pixels
_READABLE, _TALLEST = 0.85, 760  # the scale below which a part is shown instead of all, and how high it then is


def answer_picture(graph: Snapshot, found: Matched) -> Picture:
    """Return what a Cypher statement matched, in layers where nothing runs in a circle.

    Example: answer_picture(graph, matched(text, {}, table, graph)).name
    """
    lines = tuple(_line(graph, edge, why=True) for edge in found.edges)
    places, across = _places(found.nodes, [(line.source, line.target) for line in lines])
    dots = []
    for id_ in found.nodes:
        episode, (x, y), name = graph.episode.get(id_), places[id_], graph.name_of(id_)
        tip = episode.summary if episode else graph.concept[id_].definition
        dots.append(Dot(id_, "episode" if episode else "concept", label=name, tip=tip or name, x=x, y=y))
    width, depth = (max(side) - min(side) for side in zip((0, 0), *places.values(), strict=True))
    scale = min(1, _ROOM / (width + APART))
    height = round(depth * scale) + 140 if scale >= _READABLE else min(_TALLEST, round(depth * _READABLE) + 140)
    name = f"What the statement matched: {len(dots)} nodes, {len(lines)} relations"
    return Picture(tuple(dots), lines, name=name, boxed=True, across=across, height=height)


def _places(nodes: Sequence[str], edges: Iterable[tuple[str, str]]) -> tuple[dict[str, Point], bool]:
    """Return where each node stands, and whether the picture runs from left to right.

    Where edges run in a circle, the nodes stand in a grid: no order is true.
    """
    import networkx as nx

    flow: nx.DiGraph[str] = nx.DiGraph((a, b) for a, b in edges if a != b)
    placed, across, below = dict[str, Point](), False, 0
    if nx.is_directed_acyclic_graph(flow) and flow:
        parts = [layers(part, flow.subgraph(part).edges) for part in nx.weakly_connected_components(flow)]
        if across := any(map(_is_wide, parts)):
            parts = [{id_: (y // DOWN * _COLUMN, x * _ROW // APART) for id_, (x, y) in part.items()} for part in parts]
        room = (_COLUMN, _ROW * 3 // 2) if across else (APART, DOWN)
        placed = drawing.packed(parts, room, round(_ROOM / _READABLE))
        below = max(y for _, y in placed.values()) + DOWN
    alone = enumerate(id_ for id_ in nodes if id_ not in placed)
    return placed | {id_: (n % _WIDEST * APART, below + n // _WIDEST * DOWN) for n, id_ in alone}, across


def _is_wide(part: Mapping[str, Point]) -> bool:
    """Return whether layers have more room from left to right: one has many boxes, or they are too wide for a page."""
    rows = Counter(y for _, y in part.values())
    xs = [x for x, _ in part.values()]
    return max(rows.values()) > _WIDEST or (max(xs) - min(xs) + APART) * _READABLE > _ROOM > len(rows) * _COLUMN


def relations_told(found: Matched) -> str:
    """Return how many relations of which kinds are drawn, and which of them their arrows run against.

    >>> from torchatlas.graph.model import Requires
    >>> relations_told(Matched(("a", "b"), (Requires("a", "b", need="hear", reason="it rests"),)))
    '1 relation: REQUIRES. Arrows run from what comes first to what comes after it, which is against REQUIRES.'
    """
    kinds = sorted({edge.kind for edge in found.edges})
    told = f"{counted(len(found.edges), 'relation')}: {listed(kinds)}."
    if against := [kind for kind in kinds if kind in _BACKWARDS]:
        told += f" Arrows run from what comes first to what comes after it, which is against {listed(against)}."
    return told


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """The small message that follows a picture. Ids that the picture does not have are ignored.

    `lit` stand out and the rest fades; `route` is a line through its stops; what is `known` is drawn filled and what
    is `heard` hollow.
    """

    selected: str | None = None
    lit: tuple[str, ...] = ()
    route: tuple[Mapping[str, str | int], ...] = ()
    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()

    def of(self, graph: Snapshot, profile: Profile) -> "MapState":
        """Return the state with what a person knows, and all below that, and what they have heard.

        >>> MapState().of(Snapshot(), Profile(heard=("show/one",))).heard
        ('show/one',)
        """
        known = known_concepts(graph, profile.known, profile.heard)
        return replace(self, known=tuple(sorted(known)), heard=tuple(sorted(profile.heard)))


def route_state(plan: Plan) -> MapState:
    """Return a plan as a route: its steps in order, and lit what they carry over to one another, and the goals.

    A stop has the number of its step, its length in words, and the time `at` which to begin ("" for the start).

    Example: route_state(plan).route[0]["title"]
    """
    stops: list[Mapping[str, str | int]] = []
    for place, step in enumerate(plan.steps, 1):
        begin = step.teaches[0].at if step.teaches else None
        minutes, at = length(step.minutes, estimated=step.estimated), clock(begin) if begin else ""
        stops.append({"id": step.episode_id, "n": place, "title": step.title, "minutes": minutes, "at": at})
    on_route = {step.episode_id for step in plan.steps}
    carried = {need.id for step in plan.steps for need in step.needs if need.source in on_route}
    goals = {id_ for meant in plan.understood for id_ in meant.ids}
    return MapState(lit=tuple(sorted(on_route | carried | goals)), route=tuple(stops))
