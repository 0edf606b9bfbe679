"""The curated journeys that ship with the program."""

import tomllib
from functools import cache

from torchatlas.extract.curated.journeys import load_journeys
from torchatlas.graph.values.curated import Journey
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import fold, suggest
from torchatlas.inputs.bundled import bundled, bundled_file


def journeys_on(graph: Snapshot) -> tuple[Journey, ...]:
    """Return the journeys whose goals are all in the graph, by name: a map of another show may have none.

    >>> journeys_on(Snapshot())
    ()
    """
    known = graph.concept.keys() | graph.episode.keys()
    return tuple(journey for journey in _shipped() if known >= set(journey.goals))


def journey_on(graph: Snapshot, name: str) -> Journey:
    """Return the journey of this name or title whose goals are in the graph. Raises UnknownName with the nearest ones.

    Example: journey_on(graph, "from-eager-to-compile").goals[0]
    """
    journeys = {journey.name: journey for journey in journeys_on(graph)}
    found = {fold(called): journey for journey in journeys.values() for called in (journey.title, journey.name)}
    if fold(name) not in found:
        raise UnknownName("journey", name, suggest(name, journeys) or sorted(journeys)[:3])
    return found[fold(name)]


@cache
def _shipped() -> tuple[Journey, ...]:
    return load_journeys(bundled("journeys", ".toml"))


def first_goals(graph: Snapshot) -> tuple[str, ...]:
    """Return the shipped goals that are in the graph: good ones to begin with.

    >>> first_goals(Snapshot())
    ()
    """
    return tuple(goal for goal in _goals() if goal in graph.concept)


@cache
def _goals() -> tuple[str, ...]:
    return tuple(tomllib.loads(bundled_file("goals.toml")[1])["goals"])
