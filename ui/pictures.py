"""Pictures of the graph as values and as plain JSON, without a screen: what pages show and commands keep.

The page that pyvis itself would write is not used: it asks other hosts for scripts, and works out every place anew.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from torchatlas.graph.answers import Plan, Related, Step
from torchatlas.graph.cards import ConceptCard, EpisodeCard
from torchatlas.graph.drawing import (
    APART,
    DOWN,
    MOST,
    Mark,
    Point,
    area_hues,
    areas_of,
    clusters,
    concepts_in_episodes,
    ego_layout,
    layers,
    neighbourhood,
    packed,
)
from torchatlas.graph.formatting import ORDERS, RELATED_TO, RELATIONS, clock, counted, length, listed
from torchatlas.graph.model import Concept, E, Edge, Ends, Episode, Snapshot
from torchatlas.graph.planning.demands import known_concepts
from torchatlas.profile import Profile
from torchatlas.ui.matched import Matched

if TYPE_CHECKING:
    import networkx as nx

DotKind = Literal["concept", "episode"]
MapFilter = Literal["met", "all", "episodes"]

GROWTH = 10
"""The weight from which on a dot grows no larger."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A node of a picture. `tip` is plain text; `weight` says how much it matters (dot size, label order).

    `behind`: how many nodes it stands for that are not drawn.
    """

    id: str
    kind: DotKind
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
    """An edge, drawn from what comes first to what builds on it. A `quiet` one is drawn only where light falls."""

    source: str
    target: str
    _: KW_ONLY
    kind: str
    tip: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Caption:
    """Words on the ground of a picture, in the middle of a point or ending there."""

    text: str
    _: KW_ONLY
    x: int
    y: int
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Sizes:
    """The meaning of the smallest and the largest dot of a kind; `told` explains it in a sentence or two."""

    kind: DotKind
    _: KW_ONLY
    least: str
    most: str
    told: str


TIES = Sizes(
    "concept",
    least="few ties",
    most=f"{GROWTH} or more",
    told="The more ties a concept has, the larger is its dot. Ties are what it requires, what requires it, and the "
    "episodes about it. All episodes are of one size here.",
)


@dataclass(frozen=True, slots=True)
class Picture:
    """All that is drawn; with `boxed` labels stand inside the nodes.

    `areas`: names and hues of the whole map, so that each keeps its colour under every filter; `sizes`: what the size
    of a dot says, None where it says nothing; `height` in pixels,
    None: as much as the window leaves. A picture with a `centre` is that of its surroundings: all is named and drawn.
    `hidden`: how many nodes are left out because a browser could not draw them; `landmark`: the dot that stands for all
    of this picture on a map of more nodes.
    """

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    _: KW_ONLY
    name: str
    areas: tuple[tuple[str, int], ...] = ()
    captions: tuple[Caption, ...] = ()
    sizes: Sizes | None = None
    centre: str | None = None
    boxed: bool = False
    height: int | None = None
    hidden: int = 0
    landmark: str | None = None


def map_picture(
    graph: Snapshot, area: str | None = None, shown: MapFilter = "all", only: Collection[str] | None = None
) -> Picture:
    """Return the map: all of it, the concepts met in episodes, or episodes alone; of one area, or `only` some nodes."""
    keep = map_nodes(graph, area, shown, only)
    return Picture(
        tuple(_map_dots(graph, keep)),
        tuple(_map_lines(graph, keep)),
        name=map_name(graph, keep),
        areas=tuple(area_hues(graph).items()),
        sizes=TIES,
    )


def map_nodes(
    graph: Snapshot, area: str | None = None, shown: MapFilter = "all", only: Collection[str] | None = None
) -> set[str]:
    """Return the ids of the nodes that `map_picture` draws under the same filters.

    Example: len(map_nodes(graph, "Autograd", "met"))
    """
    keep = {id_ for id_, of in areas_of(graph).items() if area in (None, of)}
    if shown != "all":
        keep &= graph.episode.keys() | (concepts_in_episodes(graph) if shown == "met" else set())
    return keep if only is None else keep & set(only)


def map_name(graph: Snapshot, nodes: Collection[str]) -> str:
    """Return the name of a map of these nodes (ids).

    >>> map_name(Snapshot(), ())
    'Map of 0 concepts and 0 episodes'
    """
    concepts = sum(id_ in graph.concept for id_ in nodes)
    return f"Map of {counted(concepts, 'concept')} and {counted(len(nodes) - concepts, 'episode')}"


def weights(graph: Snapshot) -> dict[str, int]:
    """Return id -> how much a node of the map matters: a concept by its lines that are not quiet, all episodes alike.

    >>> from torchatlas.graph.model import Episode
    >>> weights(Snapshot(episodes=(Episode("hum/one", "One", show="Hum"),)))
    {'hum/one': 5}
    """
    main = (*graph.requires, *(t for t in graph.teaches if t.depth == "main"))
    degree = Counter(end for edge in main for end in (edge.source, edge.target))
    return {c.id: degree[c.id] for c in graph.concepts} | {e.id: 5 for e in graph.episodes}


def shown_with(graph: Snapshot, shown: MapFilter, node: str | None) -> MapFilter:
    """Return what to show so that a node that no episode touches is there as well."""
    untouched = node in graph.concept and node not in concepts_in_episodes(graph)
    return "all" if shown == "met" and untouched else shown


def lit(card: ConceptCard | EpisodeCard | None, related: Iterable[Related] = ()) -> tuple[str, ...]:
    """Return the nodes that stand out with a card's: main subjects and related episodes, or a concept's nearest."""
    if card is None:
        return ()
    if isinstance(card, EpisodeCard):
        near = {lesson.id for lesson in card.teaches if lesson.main} | {r.episode_id for r in related}
    else:
        near = {row.id for row in (*card.needs, *card.leads_to)} | {lesson.id for lesson in card.taught_in}
    return tuple(sorted(near | {card.id}))


def plan_picture(plan: Plan, goals: Sequence[tuple[str, str]] = ()) -> Picture:
    """Return the plan from top to bottom: each step, the concepts that later steps take from it, and the `goals`.

    `goals`: (id, name) of concepts. An edge that a longer way implies is left out (transitive reduction), and so is an
    edge that would close a circle.
    """
    steps = {step.episode_id: step for step in plan.steps}
    flow, concepts = _flow(plan, goals)
    names = {id_: f"{place}. {step.title}" for place, (id_, step) in enumerate(steps.items(), 1)} | concepts
    edges = sorted(flow.edges)
    dots = tuple(
        Dot(id_, "concept", label=names[id_], tip=f"Concept: {names[id_]}", x=x, y=y)
        if id_ in concepts
        else Dot(id_, "episode", label=names[id_], tip=_step_tip(steps[id_]), x=x, y=y)
        for id_, (x, y) in sorted(layers(sorted(flow), edges).items())
    )
    lines = tuple(Line(a, b, kind="FLOW", tip=f"{names[b]} {ORDERS['REQUIRES']} {names[a]}") for a, b in edges)
    depth = max((dot.y for dot in dots), default=0) - min((dot.y for dot in dots), default=0)
    return Picture(dots, lines, name=f"Listening order of {_count(dots, 'episode')}", boxed=True, height=depth + 140)


def _flow(plan: Plan, goals: Sequence[tuple[str, str]]) -> "tuple[nx.DiGraph[str], dict[str, str]]":
    """Return the graph of a plan's steps and concepts, transitively reduced, and id -> name of these concepts."""
    import networkx as nx

    flow: nx.DiGraph[str] = nx.DiGraph()
    flow.add_nodes_from(step.episode_id for step in plan.steps)
    concepts: dict[str, str] = {}

    def join(earlier: str, later: str) -> None:
        if not (later in flow and earlier in flow and nx.has_path(flow, later, earlier)):
            flow.add_edge(earlier, later)

    for step in plan.steps:
        for need in step.needs:
            if need.source in flow:
                concepts[need.id] = need.name
                join(need.source, need.id)
                join(need.id, step.episode_id)
    for step in plan.steps:
        for taught in step.teaches:
            if (taught.id, taught.name) in goals:
                concepts[taught.id] = taught.name
                join(step.episode_id, taught.id)
    flow.add_nodes_from(concepts)
    return nx.transitive_reduction(flow), concepts


def _map_dots(graph: Snapshot, keep: Collection[str]) -> Iterator[Dot]:
    area_of, weight = areas_of(graph), weights(graph)
    for c in (c for c in graph.concepts if c.id in keep):
        tip = _tip(c.name, "Concept", c.area, c.definition)
        yield Dot(c.id, "concept", label=c.name, tip=tip, x=c.x, y=c.y, area=c.area, weight=weight[c.id])
    for e in (e for e in graph.episodes if e.id in keep):
        tip = _tip(e.title, "Episode", "" if e.minutes is None else length(e.minutes), e.summary)
        yield Dot(e.id, "episode", label=e.title, tip=tip, x=e.x, y=e.y, area=area_of[e.id], weight=weight[e.id])


def _map_lines(graph: Snapshot, keep: Collection[str]) -> Iterator[Line]:
    """Yield the lines between the nodes that are kept; no tip is written for any other edge."""

    def kept(edges: Iterable[E]) -> Iterator[E]:
        return (edge for edge in edges if edge.source in keep and edge.target in keep)

    def tip(edge: Ends, said: str) -> str:
        return f"{graph.name_of(edge.source)} {said} {graph.name_of(edge.target)}"

    joined = set()
    for r in kept(graph.requires):
        joined.add(frozenset((r.source, r.target)))
        yield Line(r.target, r.source, kind="REQUIRES", tip=f"{tip(r, ORDERS[r.kind])}: {r.reason}")
    for c in kept(graph.concept_relations):
        if frozenset((c.source, c.target)) not in joined:
            yield Line(c.source, c.target, kind=c.kind, tip=tip(c, RELATIONS[c.kind].verb), quiet=True)
    for t in kept(graph.teaches):
        yield Line(t.source, t.target, kind="TEACHES", tip=tip(t, ORDERS[t.kind]), quiet=t.depth != "main")
    for near in kept(graph.related_to):
        told = f"{tip(near, RELATED_TO)}: {'; '.join(near.reasons)}"
        yield Line(near.source, near.target, kind="RELATED_TO", tip=told, quiet=True)
    for after in kept(graph.listen_after):
        yield Line(after.target, after.source, kind="LISTEN_AFTER", tip=tip(after, ORDERS[after.kind]), quiet=True)


def _step_tip(step: Step) -> str:
    return _tip(step.title, step.badge.capitalize(), length(step.minutes, estimated=step.estimated), step.why)


def _tip(name: str, *facts: str) -> str:
    *short, long = facts
    said = long if len(long) <= 240 else long[:240].rsplit(" ", 1)[0] + " …"
    return "\n".join(line for line in (name, " · ".join(f for f in short if f), said) if line)


def _count(dots: Iterable[Dot], kind: DotKind) -> str:
    return counted(sum(dot.kind == kind for dot in dots), kind)


Payload = Mapping[str, Any]

PLAY = "▶ "
"""Before every episode's name, so that its kind shows without colour."""


def payload(picture: Picture) -> Payload:
    """Return the picture as vis-network takes it, what the map's own scripts need, and the revision `rev` of it all.

    Colours and fonts are not in the payload: the browser takes them from the theme.
    """
    from pyvis.edge import Edge
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="in_line")
    for dot in picture.dots:
        label = (PLAY if dot.kind == "episode" else "") + dot.label
        net.add_node(
            dot.id, label=label, tip=dot.tip, group=dot.kind, x=dot.x, y=dot.y, size=7 + min(GROWTH, dot.weight),
            shape="box" if picture.boxed else "custom", area=dot.area, weight=dot.weight,
            **({"behind": dot.behind} if dot.behind else {}),
        )  # fmt: skip
    for number, line in enumerate(picture.lines):
        # Network.add_edge looks for both ends in the list of all nodes, one after the other.
        edge = Edge(line.source, line.target, True, id=f"e{number}", kind=line.kind, quiet=line.quiet, tip=line.tip)
        net.edges.append(edge.options)
    net.set_options(json.dumps(_options(boxed=picture.boxed)))
    nodes, edges, *_, options = net.get_network_data()
    body = {
        "nodes": nodes,
        "edges": edges,
        "options": json.loads(options),
        "areas": [{"name": name, "hue": hue} for name, hue in picture.areas],
        "captions": [asdict(caption) for caption in picture.captions],
        "boxed": picture.boxed,
        "centre": picture.centre,
        "height": picture.height,
        "hidden": picture.hidden,
        "landmark": picture.landmark,
        "name": picture.name,
        "sizes": asdict(picture.sizes) if picture.sizes else None,
    }
    return body | {"rev": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]}


def _options(*, boxed: bool) -> dict[str, object]:
    smooth = {"enabled": boxed, "type": "cubicBezier", "forceDirection": "vertical", "roundness": 0.5}
    interaction = {
        "dragNodes": False, "hideEdgesOnDrag": False, "hover": False, "selectable": False, "zoomView": False,
        "keyboard": {"enabled": False},
    }  # fmt: skip
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "edges": {"smooth": smooth},
        "interaction": interaction,
    }


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


LANE, STEP = 180, 44
"""Pixels between two areas, and between an episode and the next."""

YEAR = 200
"""Pixels that the name of a year takes at least."""

MINUTES = 4
"""So many minutes make the square of an episode larger by one step."""

LENGTHS = Sizes(
    "episode", least="short", most=f"{GROWTH * MINUTES} min or longer",
    told="The longer an episode is, the larger is its square.",
)  # fmt: skip


def episodes_picture(graph: Snapshot, area: str | None = None, *, by_time: bool = False) -> Picture:
    """Return all episodes, or those of an area; the longer, the larger. Their lines are drawn without a choice, too.

    `by_time`: from left to right as they came out, each area in a lane of its own.
    """
    found = map_picture(graph, area, "episodes")
    length = {e.id: e.minutes or 0 for e in graph.episodes}
    picture = replace(
        found,
        dots=tuple(replace(dot, weight=min(GROWTH, length[dot.id] // MINUTES)) for dot in found.dots),
        lines=tuple(replace(line, quiet=False) for line in found.lines),
        sizes=LENGTHS,
        name=f"{counted(len(found.dots), 'episode')} {'in the order of time' if by_time else 'on the map'}",
    )
    return _in_time(graph, picture) if by_time else picture


def _in_time(graph: Snapshot, picture: Picture) -> Picture:
    """Return the picture with its dots moved: time decides how far to the right, the area how far down."""
    area_of, day = areas_of(graph), _days(graph)
    found = {area_of[dot.id] for dot in picture.dots}
    lane = {name: row * LANE for row, name in enumerate([*(n for n in graph.areas if n in found), ""])}
    ordered = sorted(picture.dots, key=lambda dot: (day[dot.id], dot.id))
    dots: list[Dot] = []
    years: dict[str, int] = {}
    for place, dot in enumerate(ordered):
        if not years or place * STEP - max(years.values()) > YEAR:
            years.setdefault(day[dot.id][0][:4], place * STEP)
        dots.append(replace(dot, x=place * STEP, y=lane[area_of[dot.id]]))
    captions = [Caption(year, x=x, y=-LANE) for year, x in years.items()]
    captions += [Caption(name, x=-STEP, y=y, ends=True) for name, y in lane.items() if name]
    return replace(picture, dots=tuple(dots), captions=tuple(captions), areas=())


def _days(graph: Snapshot) -> Mapping[str, tuple[str, tuple[int, int]]]:
    """Return when each episode came out, as (day, position); without a day, that of the one before it in its show."""
    shows = defaultdict(list)
    for episode in graph.episodes:
        shows[episode.show].append(episode)
    found = {}
    for episodes in shows.values():
        last = min((e.published for e in episodes if e.published), default="")
        for episode in sorted(episodes, key=lambda e: (e.position, e.id)):
            last = max(last, episode.published or "")
            found[episode.id] = (episode.published or last, episode.position)
    return found


ROOM = 120
"""Pixels for the legend and above the layers."""


def neighbourhood_picture(graph: Snapshot, centre: str, radius: int = 1) -> Picture:
    """Return the nodes within `radius` steps of `centre` and all lines between them; the name says how many are hidden.

    Raises KeyError where the graph lacks the centre.
    """
    around = neighbourhood(graph, centre, radius)
    layout = ego_layout(graph, around)
    found = map_picture(graph, only=around.steps)
    name = f"{counted(len(found.dots), 'node')} around {graph.name_of(centre)}"
    return Picture(
        tuple(replace(dot, x=layout.places[dot.id][0], y=layout.places[dot.id][1]) for dot in found.dots),
        tuple(replace(line, quiet=False) for line in (*found.lines, *_assumed(graph, centre))),
        name=f"{name}, {around.hidden} more are hidden" if around.hidden else name,
        sizes=found.sizes,
        centre=centre,
        height=max(480, layout.height + ROOM),
    )


def _assumed(graph: Snapshot, episode: str) -> list[Line]:
    name = graph.name_of
    return [
        Line(
            a.target,
            episode,
            kind=a.kind,
            tip=f"{name(episode)} {ORDERS[a.kind]} {name(a.target)}: {a.why}".rstrip(": "),
        )
        for a in graph.assumed_by.get(episode, ())
    ]


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
    lines = [_answer_line(edge, graph) for edge in found.edges]
    places, across = _places(found.nodes, [(line.source, line.target) for line in lines])
    dots = tuple(_answer_dot(id_, graph, places[id_]) for id_ in found.nodes)
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
    import networkx as nx

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


def _answer_dot(id_: str, graph: Snapshot, place: Point) -> Dot:
    episode = graph.episode.get(id_)
    tip = episode.summary if episode else graph.concept[id_].definition
    return Dot(
        id_, "episode" if episode else "concept", label=graph.name_of(id_), tip=tip or graph.name_of(id_),
        x=place[0], y=place[1],
    )  # fmt: skip


def _answer_line(edge: Edge, graph: Snapshot) -> Line:
    verb = _VERBS.get(edge.kind, edge.kind.lower().replace("_", " "))
    told = f"{graph.name_of(edge.source)} {verb} {graph.name_of(edge.target)}"
    reason = getattr(edge, "reason", "") or getattr(edge, "why", "")
    ends = (edge.target, edge.source) if edge.kind in _BACKWARDS else (edge.source, edge.target)
    return Line(*ends, kind=edge.kind, tip=f"{told}: {reason}" if reason else told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The `n`th step of a route, an episode: `minutes` in words, `at` the time at which to begin ("" for the start)."""

    id: str
    n: int
    title: str
    minutes: str
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """The small message that follows a picture. Ids that the picture does not have are ignored.

    `lit` stand out and the rest fades; `route` is a line through its stops; what is `known` is drawn filled and what
    is `heard` hollow.
    """

    selected: str | None = None
    lit: tuple[str, ...] = ()
    route: tuple[Stop, ...] = ()
    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()


def personal(state: MapState, graph: Snapshot, profile: Profile) -> MapState:
    """Return a state with what the person knows, and all below that, and what they have heard.

    Example: `personal(MapState(selected="autograd"), graph, atlas.profile)`
    """
    known = known_concepts(graph, profile.known, profile.heard)
    return replace(state, known=tuple(sorted(known)), heard=tuple(sorted(profile.heard)))


def route_state(graph: Snapshot, plan: Plan, profile: Profile) -> MapState:
    """Return a plan as a route: its steps in order, and lit what they carry over to one another, and the goals.

    Example: `route_state(graph, plan, atlas.profile).route[0].title`
    """
    stops = tuple(_stop(place, step) for place, step in enumerate(plan.steps, 1))
    on_route = {stop.id for stop in stops}
    carried = {need.id for step in plan.steps for need in step.needs if need.source in on_route}
    goals = {id_ for meant in plan.understood for id_ in meant.ids}
    return personal(MapState(lit=tuple(sorted(on_route | carried | goals)), route=stops), graph, profile)


def _stop(place: int, step: Step) -> Stop:
    begin = next((taught.at for taught in step.teaches[:1]), None)
    minutes = length(step.minutes, estimated=step.estimated)
    return Stop(id=step.episode_id, n=place, title=step.title, minutes=minutes, at=clock(begin) if begin else "")
