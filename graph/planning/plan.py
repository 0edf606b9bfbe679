"""The shortest listening path to what somebody wants to understand, in four stages:

* `scope`: the demands of the goals beyond what is known and heard, and the episodes that could meet them;
* `choice`: the fewest minutes that meet all demands, or the best that fits the budget (`routes` finds others);
* `sequence`: the chosen episodes in an order in which each follows what it needs;
* `step_reasons`, `notes`, `nearby`: why each step is there, what is left out, and what comes near, in words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import median_low

from torchatlas.graph.planning.choice import Choice, Demand, choose, fewest_minutes
from torchatlas.graph.planning.nearby import nearest_to
from torchatlas.graph.planning.notes import notes_of
from torchatlas.graph.planning.routes import as_good
from torchatlas.graph.planning.scope import Scope, scope_of
from torchatlas.graph.planning.sequence import in_order
from torchatlas.graph.planning.step_reasons import leaning, primers, steps_of
from torchatlas.graph.values.answers import Plan, Unmet
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import check_acyclic, reachable
from torchatlas.graph.values.wording import PlanDepth

_MINUTES = 15  # the length of an episode of a show that states no lengths
_ROUTES = 2


def make_plan(
    snapshot: Snapshot,
    goals: Sequence[str],
    known: Collection[str] = (),
    heard: Collection[str] = (),
    budget: int | None = None,
    *,
    depth: PlanDepth = "usual",
) -> Plan:
    """Return the episodes to hear, in order and with reasons, to reach `goals` within `budget` minutes.

    A plan holds the episodes of all briefer ones. `goals` are ids of concepts or episodes, `known` of concepts, `heard`
    of episodes. The same graph gives the same plan, whatever the order of its nodes and edges was. Raises UnknownName
    for an id that is not in the graph, CycleError where prerequisites run in a circle.

    Example: `make_plan(snapshot, ["aotautograd"], known=["dispatcher"], budget=90).steps[0].title`.
    """
    check_acyclic(snapshot.requires)
    _refuse_unknown(snapshot, goals, known, heard)
    minutes = _lengths(snapshot)

    scope = scope_of(snapshot, goals, known, heard, depth)
    choice = _choose(scope, minutes, budget)
    routes = islice(as_good(scope, choice.episodes, minutes, budget), _ROUTES)
    chosen = (choice.episodes, *routes)
    order, *others = (in_order(scope, [e for e in minutes if e in episodes]) for episodes in chosen)
    lost = [g for g, own in scope.goals.items() if g in scope.gaps and not own]
    return Plan(
        tuple(snapshot.name_of(g) for g in dict.fromkeys(goals)),
        tuple(snapshot.concept[c].name for c in sorted(set(known))),
        minutes=sum(minutes[e] for e in order),
        steps=steps_of(scope, minutes, order),
        primer=primers(snapshot, leaning(scope, order)),
        gaps=primers(snapshot, scope.gaps),
        nearest=tuple(n for g in lost for n in nearest_to(snapshot, g, {*order, *heard})),
        unmet=tuple(_unmet(scope, choice, minutes, budget)),
        routes=tuple(steps_of(scope, minutes, other) for other in others),
        notes=tuple(notes_of(scope, choice, goals, heard)),
        depth=depth,
    )


def _lengths(snapshot: Snapshot) -> dict[str, int]:
    """Return episode id -> minutes, by number, then id; an unknown length is the median of the show."""
    known: dict[str, list[int]] = {}
    for e in snapshot.episodes:
        if e.minutes is not None:
            known.setdefault(e.show, []).append(e.minutes)
    usual = {show: median_low(lengths) for show, lengths in known.items()}
    by_number = sorted(snapshot.episodes, key=lambda e: (e.number is None, e.number or 0, e.id))
    return {e.id: usual.get(e.show, _MINUTES) if e.minutes is None else e.minutes for e in by_number}


def _refuse_unknown(snapshot: Snapshot, goals: Iterable[str], known: Iterable[str], heard: Iterable[str]) -> None:
    concepts, episodes = snapshot.concept.keys(), snapshot.episode.keys()
    asked = (
        ("concept or episode", goals, concepts | episodes),
        ("concept", known, concepts),
        ("episode", heard, episodes),
    )
    for kind, ids, there in asked:
        for missing in sorted(set(ids) - there):
            raise UnknownName(kind, missing)


def _choose(scope: Scope, minutes: Mapping[str, int], budget: int | None) -> Choice:
    """Choose for the briefest plan first; each further depth keeps these episodes and adds what is worth it there."""
    own = {f"{goal} by {e}": Demand((e,), (goal,)) for goal, episodes in scope.goals.items() for e in episodes}
    every = {**scope.demands, **own}
    (goals,), *further = scope.wishes
    choice, wanted = Choice(frozenset(), frozenset()), frozenset[str]()
    for wishes in ([goals, list(own)], *further):
        wanted = reachable(lambda name: every[name].needs, wanted.union(*wishes))
        demands = {name: demand for name, demand in every.items() if name in wanted}
        choice = choose(demands, wishes, minutes, budget, kept=choice.episodes)
    return choice


def _unmet(scope: Scope, choice: Choice, minutes: Mapping[str, int], budget: int | None) -> Iterator[Unmet]:
    """Yield each goal that is not reached, with the fewest extra minutes that reach it beside the others."""
    reached = [g for g in scope.goals if g in choice.met]
    for goal in scope.goals:
        if budget is None or goal in reached:
            continue
        if (least := fewest_minutes(scope.demands, [*reached, goal], minutes)) is not None:
            yield Unmet(scope.snapshot.name_of(goal), max(1, least - budget))
