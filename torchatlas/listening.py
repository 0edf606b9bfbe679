"""The way of one listener: where to begin, how far they are, and what a reached goal opens."""

from dataclasses import dataclass

from torchatlas import map_reader, shipped
from torchatlas.graph.answers import Checklist, Plan, Step
from torchatlas.graph.cards import EpisodeRow, Neighbour, Rows, episode_rows
from torchatlas.graph.markdown import Shown
from torchatlas.listener import listener
from torchatlas.open_map import OpenMap


@dataclass(frozen=True, slots=True)
class UnderWay(Shown):
    """The path that a person hears now: the ids of its goals, its plan, how far they are, and the next step."""

    goals: tuple[str, ...]
    plan: Plan
    checklist: Checklist
    next: Step


_LOOKED_AT = 24  # possible goals of each kind, of a map of one's own


def first_goals(atlas: OpenMap, limit: int = 6) -> Rows[Neighbour]:
    """List goals to begin with, each with how much there is to hear.

    Where none of the shipped goals is on the map, those among the most explained concepts and the episodes come
    first that have most to hear.

    Example: atlas.first_goals()[0].why
    """
    graph, good = atlas.graph, shipped.first_goals(atlas.graph)
    goals = good[:limit] or (
        *(row.id for row in map_reader.most_explained(atlas, _LOOKED_AT)),
        *shipped.unasked_first(graph)[:_LOOKED_AT],
    )
    named = {graph.name_of(id_).casefold(): id_ for id_ in reversed(goals)}  # the first of two with one name
    plans = [(id_, map_reader.plan(atlas, id_)) for id_ in goals if named[graph.name_of(id_).casefold()] == id_]
    if not good:
        plans.sort(key=lambda found: -len(found[1].steps))
    return Rows(Neighbour(id_, graph.name_of(id_), why=plan.amount) for id_, plan in plans[:limit])


def find_episodes(atlas: OpenMap, text: str = "", area: str | None = None, heard: bool | None = None
) -> Rows[EpisodeRow]:  # fmt: skip
    """List the episodes that hold all words of a text, lie in an area, and are heard or not (None: both).

    Example: [row.name for row in atlas.find_episodes("views", heard=False)]
    """
    rows = episode_rows(atlas.graph, text)
    has_heard = set(atlas.profile.heard)
    return Rows(
        row for row in rows if area in (None, row.area) and heard in (None, row.id in has_heard)
    )  # fmt: skip


def checklist(atlas: OpenMap, plan: Plan) -> Checklist:
    """Return the steps of a plan, with the episodes at their places that it would hold if they were not heard.

    Example: atlas.checklist(atlas.plan("AOTAutograd")).told
    """
    from torchatlas.graph.planning.plan import make_plan
    from torchatlas.graph.planning.quiz import checklist

    profile = listener(atlas)
    goals = [id_ for meant in plan.understood for id_ in meant.ids]
    if not profile.heard:
        return checklist(plan.steps, (), ())
    whole = make_plan(atlas.graph, goals, profile.known, depth=plan.depth, speed=plan.speed)
    return checklist(plan.steps, whole.steps, profile.heard)


def under_way(atlas: OpenMap) -> UnderWay | None:
    """Return the path that the person hears now, None where there is none or nothing of it is left.

    Example: atlas.under_way() is None
    """
    goals = listener(atlas).goals
    plan = map_reader.plan(atlas, *goals) if goals else None
    return UnderWay(goals, plan, checklist(atlas, plan), plan.steps[0]) if plan and plan.steps else None


def opens(atlas: OpenMap, *goals: str, limit: int = 6) -> Rows[Neighbour]:
    """List the concepts that need some goals (ids) and that an episode is about: what to understand next.

    Example: atlas.opens("dispatcher")[0].why
    """
    graph = atlas.graph
    about = {t.source: t.target for t in reversed(graph.teaches) if t.depth == "main"}
    reached = {about.get(goal, goal) for goal in goals}
    taught = set(about.values())
    found = [r for r in graph.requires if r.target in reached and r.source in taught - reached]
    later = {r.source: Neighbour(r.source, graph.name_of(r.source), why=r.reason) for r in reversed(found)}
    weight = {id_: len(graph.teachers[id_]) for id_ in later}
    return Rows(sorted(later.values(), key=lambda row: (-weight[row.id], row.name))[:limit])
