"""Pictures as values: which dots and lines there are, what each says, and which stand out."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Literal

from torchatlas.graph.build.areas import areas_of, concepts_in_episodes
from torchatlas.graph.values.answers import Plan, Related, Step
from torchatlas.graph.values.formatting import counted, length
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import ORDERS, RELATED_TO, RELATIONS
from torchatlas.presentation.cards import ConceptCard, EpisodeCard
from torchatlas.ui.web.area_hues import area_hues
from torchatlas.ui.web.ranked_layout import layers

if TYPE_CHECKING:
    import networkx as nx

Kind = Literal["concept", "episode"]
MapFilter = Literal["met", "all", "episodes"]


@dataclass(frozen=True, slots=True)
class Dot:
    """A node of a picture. `tip` is plain text; `weight` says how much it matters (dot size, label order)."""

    id: str
    kind: Kind
    _: KW_ONLY
    label: str
    tip: str
    x: int
    y: int
    area: str = ""
    weight: int = 0


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
class Picture:
    """All that is drawn; with `boxed` labels stand inside the nodes.

    `areas`: names and hues of the whole map, so that each keeps its colour under every filter; `height` in pixels,
    None: as much as the window leaves. A picture with a `centre` is that of its surroundings: all is named and drawn.
    `hidden`: how many nodes are left out because a browser could not draw them.
    """

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    _: KW_ONLY
    name: str
    areas: tuple[tuple[str, int], ...] = ()
    captions: tuple[Caption, ...] = ()
    centre: str | None = None
    boxed: bool = False
    height: int | None = None
    hidden: int = 0


def map_picture(
    graph: Snapshot, area: str | None = None, shown: MapFilter = "all", only: Collection[str] | None = None
) -> Picture:
    """Return the map: all of it, the concepts met in episodes, or episodes alone; of one area, or `only` some nodes."""
    area_of = areas_of(graph)
    lines = _map_lines(graph)
    keep = {id_ for id_, of in area_of.items() if area in (None, of)}
    if shown != "all":
        keep &= set(graph.episode) | (concepts_in_episodes(graph) if shown == "met" else set())
    if only is not None:
        keep &= set(only)
    dots = tuple(dot for dot in _map_dots(graph, area_of, lines) if dot.id in keep)
    return Picture(
        dots,
        tuple(line for line in lines if {line.source, line.target} <= keep),
        name=f"Map of {_count(dots, 'concept')} and {_count(dots, 'episode')}",
        areas=tuple(area_hues(graph).items()),
    )


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
    lines = tuple(Line(a, b, kind="FLOW", tip=f"{names[b]} builds on {names[a]}") for a, b in edges)
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


def _map_dots(graph: Snapshot, area_of: Mapping[str, str], lines: Iterable[Line]) -> Iterator[Dot]:
    degree = Counter(end for line in lines if not line.quiet for end in (line.source, line.target))
    for c in graph.concepts:
        tip = _tip(c.name, "Concept", c.area, c.definition)
        yield Dot(c.id, "concept", label=c.name, tip=tip, x=c.x, y=c.y, area=c.area, weight=degree[c.id])
    for e in graph.episodes:
        tip = _tip(e.title, "Episode", "" if e.minutes is None else length(e.minutes), e.summary)
        yield Dot(e.id, "episode", label=e.title, tip=tip, x=e.x, y=e.y, area=area_of[e.id], weight=5)


def _map_lines(graph: Snapshot) -> list[Line]:
    name = {c.id: c.name for c in graph.concepts} | {e.id: e.title for e in graph.episodes}
    lines = [
        Line(r.target, r.source, kind="REQUIRES", tip=f"{name[r.source]} {ORDERS[r.kind]} {name[r.target]}: {r.reason}")
        for r in graph.requires
    ]
    joined = {frozenset((line.source, line.target)) for line in lines}
    for c in graph.concept_relations:
        if frozenset((c.source, c.target)) not in joined:
            told = f"{name[c.source]} {RELATIONS[c.kind].verb} {name[c.target]}"
            lines.append(Line(c.source, c.target, kind=c.kind, tip=told, quiet=True))
    for t in graph.teaches:
        told = f"{name[t.source]} {ORDERS[t.kind]} {name[t.target]}"
        lines.append(Line(t.source, t.target, kind="TEACHES", tip=told, quiet=t.depth != "main"))
    for near in graph.related_to:
        told = f"{name[near.source]} {RELATED_TO} {name[near.target]}: {'; '.join(near.reasons)}"
        lines.append(Line(near.source, near.target, kind="RELATED_TO", tip=told, quiet=True))
    for after in graph.listen_after:
        told = f"{name[after.source]} {ORDERS[after.kind]} {name[after.target]}"
        lines.append(Line(after.target, after.source, kind="LISTEN_AFTER", tip=told, quiet=True))
    return lines


def _step_tip(step: Step) -> str:
    return _tip(step.title, step.role.capitalize(), length(step.minutes, estimated=step.estimated), step.why)


def _tip(name: str, *facts: str) -> str:
    *short, long = facts
    said = long if len(long) <= 240 else long[:240].rsplit(" ", 1)[0] + " …"
    return "\n".join(line for line in (name, " · ".join(f for f in short if f), said) if line)


def _count(dots: Iterable[Dot], kind: Kind) -> str:
    return counted(sum(dot.kind == kind for dot in dots), kind)
