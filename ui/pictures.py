"""Pictures of the graph as values and JSON, for pages and files; no screen needed."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from itertools import chain, count, groupby, product
from math import ceil
from operator import itemgetter
from statistics import median
from typing import Any, Literal, NamedTuple

from torchatlas.graph.answers import Checklist, Plan, Related, Table
from torchatlas.graph.formatting import VERBS, counted, length, verb, worded
from torchatlas.graph.model import EDGE_GROUPS, RELATIONSHIPS, Edge, Snapshot, Value, consistent, key_of
from torchatlas.graph.planning.demands import known_concepts
from torchatlas.graph.views import ConceptCard, EpisodeCard, areas_of, concepts_in_episodes
from torchatlas.profile import Profile
from torchatlas.queries import nodes_in
from torchatlas.ui import drawing
from torchatlas.ui.drawing import APART, DOWN, Point, area_hues, ranked

MapFilter = Literal["met", "all", "episodes", "watch", "read"]
Payload = Mapping[str, Any]
_Ids = Collection[str]
PLAY, OPEN = "▶ ", "◆ "
"""Before the name of every episode and resource, so that its kind shows without colour."""
MOST = 2000
"""Nodes that a browser draws 15 times a second or more; the whole shipped map has fewer."""
_GROWTH = 10
BACKWARDS = {"REQUIRES", "LISTEN_AFTER", "ASSUMES"}
"""Edges that are drawn from what comes first, against their direction."""
_KINDS = frozenset(table.kind for table in RELATIONSHIPS)


class Picture(Value):
    """All that is drawn, as vis-network takes it. `boxed`: labels inside nodes.

    `areas`: names and hues; `captions`: words on the ground; `centre`: of the
    surroundings; `height`: None for the window's; `hidden`: how many nodes.
    """

    dots: tuple[Payload, ...]
    lines: tuple[Payload, ...]
    _: KW_ONLY
    name: str
    areas: tuple[tuple[str, int], ...] = ()
    captions: tuple[Mapping[str, object], ...] = ()
    centre: str | None = None
    boxed: bool = False
    height: int | None = None
    hidden: int = 0


def payload(picture: Picture) -> Payload:
    """Return what the map's scripts take, with a revision: `payload(picture)["rev"]`.

    Colours and fonts are not in it: the browser takes them from the theme.
    """
    shape = "box" if picture.boxed else "custom"
    nodes = [{**dot, "shape": shape} for dot in picture.dots]
    edges = [{"id": f"e{number}", **line} for number, line in enumerate(picture.lines)]
    smooth = {"enabled": picture.boxed, "type": "cubicBezier", "forceDirection": "vertical", "roundness": 0.5}
    off = dict.fromkeys(("dragNodes", "hideEdgesOnDrag", "hover", "selectable", "zoomView"), False)
    options = {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "edges": {"smooth": smooth},
        "interaction": {**off, "keyboard": {"enabled": False}},
    }
    said = ("boxed", "captions", "centre", "height", "hidden", "name")
    areas = [{"name": name, "hue": hue} for name, hue in picture.areas]
    body = {"nodes": nodes, "edges": edges, "options": options, "areas": areas}
    body |= {name: getattr(picture, name) for name in said}
    return with_revision(body)


def with_revision(body: Payload) -> Payload:
    """Return what a browser fetches with a name that follows its content, as "rev"."""
    return {**body, "rev": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]}


def map_picture(
    graph: Snapshot, area: str | None = None, shown: MapFilter = "all", only: _Ids | None = None, beside: _Ids = ()
) -> Picture:
    """Return the map, of one area or `only` some nodes: `map_picture(graph).dots`.

    Resources, with what they explain, where `shown` asks; else those `only` or `beside`.
    """
    area_of, quiet = areas_of(graph), graph.without_resources
    keep = {id_ for id_, of in area_of.items() if area in (None, of) and (only is None or id_ in only)}
    if asked := {r.id for r in graph.resources if verb(r.kind) == shown}:
        keep &= asked | {t.target for t in graph.teaches if t.source in asked}
    elif only is None:
        keep -= graph.resource.keys() - {*beside}
    if shown in ("met", "episodes"):
        keep &= graph.episode.keys() | (concepts_in_episodes(graph) if shown == "met" else set())
    main = (*quiet.requires, *(t for t in quiet.teaches if t.depth == "main"))
    ties = Counter(end for edge in main for end in (edge.source, edge.target))
    dots = []
    for c in (c for c in graph.concepts if c.id in keep):
        tooltip = _tooltip(c.name, f"Concept · {c.area}" if c.area else "Concept", c.definition)
        dots.append(_dot(c.id, "concept", c.name, tooltip, (c.x, c.y), area=c.area, weight=ties[c.id]))
    for e in (e for e in graph.episode.values() if e.id in keep):
        facts = f"{worded('episode', e.kind).capitalize()} · {length(e.minutes, estimated=e.estimated)}"
        tooltip, kind = _tooltip(e.title, facts, e.summary), _kind(graph, e.id)
        dots.append(_dot(e.id, kind, e.title, tooltip, (e.x, e.y), area=area_of[e.id], weight=5))
    required = {frozenset((r.source, r.target)) for r in graph.requires}
    others = [c for c in graph.concept_relations if frozenset((c.source, c.target)) not in required]
    edges: tuple[Edge, ...] = (*graph.requires, *others, *graph.teaches, *graph.related_to, *graph.listen_after)
    concepts, episodes, resources = (len(ids.keys() & keep) for ids in (graph.concept, quiet.episode, graph.resource))
    more = f" and {counted(resources, 'resource')}" if resources else ""
    return Picture(
        tuple(dots),
        tuple(_drawn(graph, edge) for edge in edges if edge.source in keep and edge.target in keep),
        name=f"Map of {counted(concepts, 'concept')} and {counted(episodes, 'episode')}{more}",
        areas=tuple(area_hues(graph).items()),
    )


def _kind(graph: Snapshot, id_: str) -> str:
    return "concept" if id_ in graph.concept else "resource" if id_ in graph.resource else "episode"


def _dot(id_: str, kind: str, name: str, tooltip: str, at: Sequence[int], *, area: str = "", weight: int = 0) -> Any:
    """Return a node. `weight`: how much it matters."""
    from pyvis.node import Node

    facts = {"tip": tooltip, "x": at[0], "y": at[1], "size": 7 + min(_GROWTH, weight), "area": area, "weight": weight}
    return Node(id_, "custom", {"episode": PLAY, "resource": OPEN}.get(kind, "") + name, group=kind, **facts).options


def _drawn(graph: Snapshot, edge: Edge, *, why: bool = False) -> Any:
    """Return an edge's line, from first to later. `why`: with any reason, and never quiet."""
    from pyvis.edge import Edge as Line

    reason = getattr(edge, "reason", "") or getattr(edge, "why", "")
    if not why:
        reason = "; ".join(edge.reasons) if edge.kind == "RELATED_TO" else reason if edge.kind == "REQUIRES" else ""
    tooltip = f"{graph.name_of(edge.source)} {VERBS[edge.kind]} {graph.name_of(edge.target)}"
    tooltip += f": {reason}" if reason else ""
    ends = (edge.target, edge.source) if edge.kind in BACKWARDS else (edge.source, edge.target)
    quiet = edge.kind != "REQUIRES" and (edge.kind != "TEACHES" or edge.depth != "main")
    return Line(*ends, True, kind=edge.kind, quiet=quiet and not why, tip=tooltip).options


def _tooltip(name: str, facts: str, text: str) -> str:
    """Return the name, short facts, and the first words of a text."""
    said = text if len(text) <= 240 else text[:240].rsplit(" ", 1)[0] + " …"
    return "\n".join(line for line in (name, facts, said) if line)


def shown_with(graph: Snapshot, shown: MapFilter, node: str | None) -> MapFilter:
    """Return the filter that shows a node: `shown_with(graph, "met", "sympy")`."""
    untouched = node in graph.concept and node not in concepts_in_episodes(graph)
    return "all" if shown == "met" and untouched else shown


def lit(card: ConceptCard | EpisodeCard | None, related: Iterable[Related] = ()) -> tuple[str, ...]:
    """Return what stands out with a card, its subjects or neighbours: `lit(card)`."""
    if card is None:
        return ()
    if isinstance(card, EpisodeCard):
        near = [lesson.id for lesson in card.teaches if lesson.main] + [r.episode_id for r in related]
    else:
        near = [row.id for row in (*card.needs, *card.leads_to, *card.taught_in)]
    return tuple(sorted({*near, card.id}))


def clusters(dots: Collection[Payload], most: int = MOST) -> dict[str, tuple[str, ...]]:
    """Return about `most` drawn ids -> ids behind them: `clusters(picture.dots, 100)`.

    An area draws its weightiest; the others join the nearest drawn in their area.
    """
    if len(dots) <= most:
        return {dot["id"]: () for dot in dots}
    import numpy as np

    found: dict[str, list[str]] = {}
    ordered = sorted(dots, key=lambda dot: (dot["area"], -dot["weight"], dot["id"]))
    for _, area in groupby(ordered, key=itemgetter("area")):
        members = list(area)
        drawn = max(1, most * len(members) // len(dots))
        found |= {dot["id"]: [] for dot in members[:drawn]}
        at = np.array([complex(dot["x"], dot["y"]) for dot in members])
        for place, dot in enumerate(members[drawn:], drawn):
            found[members[abs(at[:drawn] - at[place]).argmin()]["id"]].append(dot["id"])
    return {landmark: tuple(sorted(of)) for landmark, of in found.items()}


def clustered(picture: Picture, most: int = MOST, opened: Sequence[str] = ()) -> Picture:
    """Return about `most` dots, each with how many are behind: `clustered(picture)`.

    `opened`: nodes that are drawn too, with all of the group of the first.
    """
    groups = {id_: {id_, *of} for id_, of in clusters(picture.dots, most).items()}
    group = next((of for of in groups.values() if len(of) > 1 and {*opened[:1]} & of), set[str]())
    kept = groups.keys() | group | {*opened}
    dots = [dict(dot) for dot in picture.dots if dot["id"] in kept]
    for dot in dots:
        count = len(groups.get(dot["id"], kept) - kept)
        if count:
            dot["tip"] += f"\n{counted(count, 'node')} behind it: a click shows them"
            dot |= {"label": f"{dot['label']} +{count}", "behind": count}
        elif dot["id"] in group:
            dot["opened"] = True
    hidden = len(picture.dots) - len(dots)
    name = picture.name + (f"; {counted(hidden, 'node')} stand behind others" if hidden else "")
    lines = tuple(line for line in picture.lines if {line["from"], line["to"]} <= kept)
    return replace(picture, dots=tuple(dots), lines=lines, name=name, hidden=hidden)


def episodes_picture(graph: Snapshot, area: str | None = None, *, by_time: bool = False) -> Picture:
    """Return episodes on the map, or in lanes by time: `episodes_picture(graph)`."""
    found = map_picture(graph, area, "episodes")
    weights = {e.id: min(_GROWTH, (e.minutes or 0) // 4) for e in graph.episodes}
    picture = replace(
        found,
        dots=tuple({**d, "weight": weights[d["id"]], "size": 7 + weights[d["id"]]} for d in found.dots),
        lines=tuple({**line, "quiet": False} for line in found.lines),
        name=f"{counted(len(found.dots), 'episode')} {'in the order of time' if by_time else 'on the map'}",
    )
    return _in_time(graph, picture) if by_time else picture


def _in_time(graph: Snapshot, picture: Picture) -> Picture:
    """Return the picture with dots moved: to the right by time, down by area."""
    high, wide, year_wide = 180, 44, 200  # pixels of a lane, an episode, a year's name
    days = sorted((e.published, e.show) for e in graph.episodes if e.published)
    last = {show: day for day, show in reversed(days)}  # the day on which each show began
    day: dict[str, tuple[str, tuple[int, int], str]] = {}
    for e in sorted(graph.episodes, key=lambda e: (e.position, e.id)):
        last[e.show] = max(last.get(e.show, ""), e.published or "")
        day[e.id] = e.published or last[e.show], e.position, e.id
    found = {dot["area"] for dot in picture.dots}
    lane = {name: row * high for row, name in enumerate([*(n for n in graph.areas if n in found), ""])}
    dots, years = list[Payload](), dict[str, int]()
    for x, dot in zip(count(0, wide), sorted(picture.dots, key=lambda dot: day[dot["id"]]), strict=False):
        if not years or x - max(years.values()) > year_wide:
            years.setdefault(day[dot["id"]][0][:4], x)
        dots.append({**dot, "x": x, "y": lane[dot["area"]]})
    captions = [{"text": year, "x": x, "y": -high, "ends": False} for year, x in years.items()]
    captions += [{"text": name, "x": -wide, "y": y, "ends": True} for name, y in lane.items() if name]
    return replace(picture, dots=tuple(dots), captions=tuple(captions), areas=())


def neighbourhood_picture(graph: Snapshot, centre: str, radius: int = 1) -> Picture:
    """Return nodes near one: `neighbourhood_picture(graph, "vmap")`. Raises KeyError."""
    steps, hidden = drawing.neighbourhood(graph, centre, radius)
    places, found = drawing.ego_layout(graph, steps), map_picture(graph, only=steps)
    assumed = [_drawn(graph, edge, why=True) for edge in graph.assumed_by.get(centre, ())]
    more = f", {hidden} more are hidden" if hidden else ""
    return replace(
        found,
        dots=tuple({**dot, **dict(zip("xy", places[dot["id"]], strict=True))} for dot in found.dots),
        lines=(*({**line, "quiet": False} for line in found.lines), *assumed),
        name=f"{counted(len(found.dots), 'node')} around {graph.name_of(centre)}{more}",
        areas=(),
        centre=centre,
        height=max(480, _depth(places) + drawing.ROW + 120),
    )


def _depth(places: Mapping[str, Point]) -> int:
    down = [y for _, y in places.values()] or [0]
    return max(down) - min(down)


class Matched(NamedTuple):
    """Ids of nodes, and the edges between. `hidden`: how many more nodes there are."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    hidden: int = 0


def matched(cypher: str, values: Mapping[str, object], table: Table, graph: Snapshot, *, most: int = 60) -> Matched:
    """Return an answer's nodes and relations: `matched(text, {}, table, graph)`.

    Relations are those of its paths, else those of a row, between the row's nodes,
    else all of the types in the statement. Nodes with relations come first.
    """
    named = [v for v in values.values() if isinstance(v, str) and (v in graph.concept or v in graph.episode)]
    ids = dict.fromkeys([*named, *nodes_in(table, graph)])
    walked = {key for row in table.rows for value in row for key in _walked(value)}
    if not walked:  # relationships in a row do not say their ends, which are nodes of the row
        for row in table.rows:
            labelled = [value for value in row if isinstance(value, Mapping) and "_label" in value]
            nodes = [str(value["id"]) for value in labelled if "id" in value]
            walked.update(product({str(value["_label"]) for value in labelled} & _KINDS, nodes, nodes))
    kinds = {kind for kind, _, _ in walked} or set(re.findall(r"\b[A-Z_]+\b", cypher)) & _KINDS
    found = [e for e in chain.from_iterable(getattr(graph, group) for group in EDGE_GROUPS) if e.kind in kinds]
    edges = [e for e in found if {e.source, e.target} <= ids.keys() and (not walked or key_of(e) in walked)]
    joined = {end for edge in edges for end in (edge.source, edge.target)}
    shown = set(sorted(ids, key=lambda id_: id_ not in joined)[:most])
    drawn = tuple(edge for edge in edges if {edge.source, edge.target} <= shown)
    return Matched(tuple(id_ for id_ in ids if id_ in shown), drawn, hidden=len(ids) - len(shown))


def expanded(graph: Snapshot, found: Matched, opened: _Ids, *, most: int = 60) -> Matched:
    """Return what matched and the neighbours of `opened` nodes: `expanded(graph, found, ["vmap"])`."""
    nodes, edges = dict.fromkeys(found.nodes), {key_of(edge): edge for edge in found.edges}
    for edge in chain.from_iterable(getattr(graph, group) for group in EDGE_GROUPS if group != "mentions"):
        ends = {edge.source, edge.target}
        drawn = ends <= graph.concept.keys() | graph.episode.keys() and ends & {*opened} & nodes.keys()
        if drawn and len(nodes.keys() | ends) <= len(found.nodes) + most:
            nodes |= dict.fromkeys((edge.source, edge.target))
            edges[key_of(edge)] = edge
    return Matched(tuple(nodes), tuple(edges.values()), found.hidden)


def _walked(value: object) -> Iterable[tuple[str, str, str]]:
    """Return the relationships of a path, or of the paths in a list."""
    if isinstance(value, list):
        return chain.from_iterable(map(_walked, value))
    found = value.get("_relationships", ()) if isinstance(value, Mapping) else ()
    return [(str(r["_label"]), str(r["_source"]), str(r["_target"])) for r in found]


_WIDEST = 7  # boxes side by side, as a page has room for


def answer_picture(graph: Snapshot, found: Matched) -> Picture:
    """Return what matched, in rows along its edges unless circular: `answer_picture(graph, found)`."""
    lines = tuple(_drawn(graph, edge, why=True) for edge in found.edges)
    places = _places(found.nodes, [(line["from"], line["to"]) for line in lines])
    dots = []
    for id_ in found.nodes:
        episode, name = graph.episode.get(id_), graph.name_of(id_)
        tooltip = (episode.summary if episode else graph.concept[id_].definition) or name
        dots.append(_dot(id_, _kind(graph, id_), name, tooltip, places[id_]))
    name = f"What the statement matched: {len(dots)} nodes, {len(lines)} relations"
    return Picture(tuple(dots), lines, name=name, boxed=True, height=_depth(places) + 140)


def _places(nodes: Sequence[str], edges: Iterable[tuple[str, str]]) -> dict[str, Point]:
    """Return where nodes stand: rows along the edges, wrapped at the width of a page, without what closes a circle."""
    import networkx as nx

    flow: nx.DiGraph[str] = nx.DiGraph(sorted(consistent(edges)))
    rank = ranked(flow, flow.edges)
    part = {id_: n for n, ids in enumerate(nx.weakly_connected_components(flow)) for id_ in ids}
    level = {id_: rank.get(id_, len(nodes)) for id_ in nodes}
    rows = [list(row) for _, row in groupby(sorted(nodes, key=level.__getitem__), key=level.__getitem__)]
    across = {id_: i - len(row) / 2 for row in rows for i, id_ in enumerate(row)}
    for near, back in ((flow.pred, 1), (flow.succ, -1)) * 4:  # each near the middle of its neighbours
        for row in rows[::back] if rank else ():
            middle = {n: median([across[other] for other in near.get(n, ())] or [across[n]]) for n in row}
            row.sort(key=lambda n: (part.get(n, len(part)), middle[n]))
            across |= {id_: i - len(row) / 2 for i, id_ in enumerate(row)}
    places, below = dict[str, Point](), 0
    for row in rows:  # a wide one wraps from column to column, so that the order across stays
        high = ceil(len(row) / _WIDEST)
        wide = ceil(len(row) / high)
        for i, id_ in enumerate(row):
            places[id_] = round((i // high - (wide - 1) / 2) * APART), below + i % high * DOWN
        below += high * DOWN
    return places


class MapState(Value, kw_only=True):
    """Mark nodes of a picture: `lit`, `known` (filled), `heard` (hollow) and `route`."""

    selected: str | None = None
    lit: tuple[str, ...] = ()
    route: tuple[Mapping[str, str | int], ...] = ()
    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()

    def of(self, graph: Snapshot, profile: Profile) -> "MapState":
        """Return the state with a person's facts: `MapState().of(graph, profile)`."""
        known = known_concepts(graph, profile.known, profile.heard)
        return replace(self, known=tuple(sorted(known)), heard=tuple(sorted(profile.heard)))


def route_state(plan: Plan, checklist: Checklist | None = None) -> MapState:
    """Return a plan's route, and lit its goals and shared concepts: `route_state(plan)`.

    A stop has its number among those to hear; one that the checklist ticks has 0.
    """
    steps, number = (checklist or plan).steps, count(1)
    heard = checklist.heard if checklist else ()
    numbers = {step.episode_id: 0 if step.episode_id in heard else next(number) for step in steps}
    stops: list[Mapping[str, str | int]] = [
        {"id": step.episode_id, "n": numbers[step.episode_id], "title": step.title} for step in steps
    ]
    carried = {need.id for step in steps for need in step.needs if need.source in numbers}
    goals = {id_ for meant in plan.understood for id_ in meant.ids}
    return MapState(lit=tuple(sorted({*numbers} | carried | goals)), route=tuple(stops))
