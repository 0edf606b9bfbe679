"""The state of a picture at the moment: the choice, what stands out, the route, what is known and heard."""

from dataclasses import dataclass, replace

from torchatlas.graph.answers import Plan, Step
from torchatlas.graph.formatting import clock, length
from torchatlas.graph.model import Snapshot
from torchatlas.graph.planning.demands import known_concepts
from torchatlas.profile import Profile


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
