"""What a picture shows, as values: which dots, which lines, what each says, and what stands out."""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.build.areas import areas_of, concepts_in_episodes
from torchatlas.graph.values.answers import Plan
from torchatlas.graph.values.formatting import length
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import RELATIONS
from torchatlas.ui.web.ranked_layout import layers

Kind = Literal["concept", "episode"]
Shown = Literal["met", "all", "episodes"]


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
class Picture:
    """Everything drawn; with `boxed` labels stand inside the nodes. `areas`: all there are, so that each keeps its
    colour under every filter.
    """

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    _: KW_ONLY
    name: str
    areas: tuple[str, ...] = ()
    boxed: bool = False
    height: int = 650


def map_picture(
    snapshot: Snapshot, area: str | None = None, shown: Shown = "all", around: str | None = None, radius: int = 0,
    only: Collection[str] | None = None,
) -> Picture:  # fmt: skip
    """The map: all of it, what one meets in episodes, or episodes alone; of that one area, what is within `radius`
    steps of a node (which always stays), or `only` some nodes."""
    areas = areas_of(snapshot)
    lines = _map_lines(snapshot)
    keep = {i for i, of in areas.items() if area in {None, of}}
    if shown != "all":
        keep &= set(snapshot.episode) | (concepts_in_episodes(snapshot) if shown == "met" else set())
    if only is not None:
        keep &= set(only)
    if around in areas and radius:
        keep = keep & _within(lines, str(around), radius) | {str(around)}
    degree = Counter(end for line in lines if not line.quiet for end in (line.source, line.target))
    dots = [
        Dot(
            c.id,
            "concept",
            label=c.name,
            tip=_tip(c.name, "Concept", c.area, c.definition),
            x=c.x,
            y=c.y,
            area=c.area,
            weight=degree[c.id],
        )
        for c in snapshot.concepts
        if c.id in keep
    ] + [
        Dot(
            e.id,
            "episode",
            label=e.title,
            tip=_tip(e.title, "Episode", _long(e.minutes), e.summary),
            x=e.x,
            y=e.y,
            area=areas[e.id],
            weight=5,
        )
        for e in snapshot.episodes
        if e.id in keep
    ]
    return Picture(
        tuple(dots),
        tuple(line for line in lines if {line.source, line.target} <= keep),
        name=f"Map of {_count(dots, 'concept')} and {_count(dots, 'episode')}",
        areas=tuple(sorted({c.area for c in snapshot.concepts})),
    )


def lit(snapshot: Snapshot, node: str | None, related: Iterable[str] = ()) -> tuple[str, ...]:
    """What stands out with `node`: an episode's related episodes and main subjects, or a concept's nearest."""
    if node in snapshot.episode:
        near = {t.target for t in snapshot.taught_by.get(str(node), ()) if t.depth == "main"} | set(related)
    elif node in snapshot.concept:
        near = {r.target for r in snapshot.required_by.get(str(node), ())}
        near |= {r.source for r in snapshot.requires if r.target == node}
        near |= {t.source for t in snapshot.teachers.get(str(node), ())}
    else:
        return ()
    return tuple(sorted(near | {str(node)}))


def plan_picture(plan: Plan, goals: Sequence[tuple[str, str]] = ()) -> Picture:
    """The plan from top to bottom: each step, the concepts that later steps take from it, and the `goals` (id, name).

    Edges that a longer way implies are left out (transitive reduction).
    """
    import networkx as nx

    flow: nx.DiGraph[str] = nx.DiGraph()
    names = {step.episode_id: f"{n}. {step.title}" for n, step in enumerate(plan.steps, 1)}
    tips = {
        s.episode_id: _tip(s.title, s.role.capitalize(), length(s.minutes, estimated=s.estimated), s.why)
        for s in plan.steps
    }
    flow.add_nodes_from(names)
    concepts: dict[str, str] = {}
    for step in plan.steps:
        for need in step.needs:
            if need.source in names:
                concepts[need.id] = need.name
                flow.add_edge(need.source, need.id)
                flow.add_edge(need.id, step.episode_id)
        for taught in step.teaches:
            if (taught.id, taught.name) in goals:
                concepts[taught.id] = taught.name
                flow.add_edge(step.episode_id, taught.id)
    flow.remove_edges_from(list(nx.selfloop_edges(flow)))
    if nx.is_directed_acyclic_graph(flow):
        flow = nx.transitive_reduction(flow)
    edges = sorted(flow.edges)
    places = layers([*names, *sorted(concepts)], edges)
    said = names | concepts
    dots = tuple(
        Dot(
            i,
            "episode" if i in names else "concept",
            label=said[i],
            tip=tips.get(i, f"Concept: {said[i]}"),
            x=place[0],
            y=place[1],
        )
        for i, place in sorted(places.items())
    )
    lines = tuple(Line(a, b, kind="FLOW", tip=f"{said[b]} builds on {said[a]}") for a, b in edges)
    depth = max((dot.y for dot in dots), default=0) - min((dot.y for dot in dots), default=0)
    return Picture(dots, lines, name=f"Listening order of {_count(dots, 'episode')}", boxed=True, height=depth + 140)


def _map_lines(snapshot: Snapshot) -> list[Line]:
    name = {c.id: c.name for c in snapshot.concepts} | {e.id: e.title for e in snapshot.episodes}
    lines = [
        Line(r.target, r.source, kind="REQUIRES", tip=f"{name[r.source]} needs {name[r.target]}: {r.reason}")
        for r in snapshot.requires
    ]
    joined = {frozenset((line.source, line.target)) for line in lines}
    for c in snapshot.concept_relations:
        if frozenset((c.source, c.target)) not in joined:
            told = f"{name[c.source]} {RELATIONS[c.kind][0]} {name[c.target]}"
            lines.append(Line(c.source, c.target, kind=c.kind, tip=told, quiet=True))
    for t in snapshot.teaches:
        told = f"{name[t.source]} explains {name[t.target]}"
        lines.append(Line(t.source, t.target, kind="TEACHES", tip=told, quiet=t.depth != "main"))
    for near in snapshot.related_to:
        told = f"{name[near.source]} is related to {name[near.target]}: {'; '.join(near.reasons)}"
        lines.append(Line(near.source, near.target, kind="RELATED_TO", tip=told, quiet=True))
    return lines


def _within(lines: Iterable[Line], start: str, radius: int) -> set[str]:
    near: dict[str, set[str]] = {}
    for line in lines:
        near.setdefault(line.source, set()).add(line.target)
        near.setdefault(line.target, set()).add(line.source)
    found, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        if found[node] < radius:
            for other in sorted(near.get(node, set()) - found.keys()):
                found[other] = found[node] + 1
                queue.append(other)
    return set(found)


def _tip(name: str, *facts: str) -> str:
    *short, long = facts
    said = long if len(long) <= 240 else long[:240].rsplit(" ", 1)[0] + " …"
    return "\n".join(line for line in (name, " · ".join(f for f in short if f), said) if line)


def _long(minutes: int | None) -> str:
    return "" if minutes is None else length(minutes)


def _count(dots: Iterable[Dot], kind: Kind) -> str:
    number = sum(dot.kind == kind for dot in dots)
    return f"{number} {kind}{'' if number == 1 else 's'}"
