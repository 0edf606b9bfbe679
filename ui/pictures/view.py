"""Pictures as values: which dots and lines there are, what each says, and which stand out."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Literal

from torchatlas.graph.answers import Plan, Related, Step
from torchatlas.graph.drawing import area_hues, areas_of, concepts_in_episodes, layers
from torchatlas.graph.formatting import ORDERS, RELATED_TO, RELATIONS, counted, length
from torchatlas.graph.model import E, Ends, Snapshot
from torchatlas.presentation.cards import ConceptCard, EpisodeCard

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
