"""The curated journeys that ship with the program."""

import tomllib
from functools import cache

from torchatlas.graph.errors import UnknownName
from torchatlas.graph.findings import Journey
from torchatlas.graph.model import Snapshot
from torchatlas.graph.names import fold, suggest
from torchatlas.graph.search import WordForms, telling
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
    if journey := journey_named(graph, name):
        return journey
    names = [journey.name for journey in journeys_on(graph)]
    raise UnknownName("journey", name, suggest(name, names) or sorted(names)[:3])


def journey_named(graph: Snapshot, name: str) -> Journey | None:
    """Return the journey of this name or title whose goals are in the graph, if there is one.

    >>> journey_named(Snapshot(), "from-eager-to-compile")
    """
    wanted = fold(name)
    if not any(wanted in fold(f"{file} {text}") for file, text in _files()):
        return None  # before any file is parsed, which takes time
    return next((j for j in journeys_on(graph) if wanted in (fold(j.name), fold(j.title))), None)


def journeys_about(graph: Snapshot, text: str) -> tuple[Journey, ...]:
    """Return the journeys whose title and paragraph hold more than half of what a text tells, by name.

    Example: [journey.name for journey in journeys_about(graph, "I want to contribute to PyTorch")]
    """
    told = telling(text)
    found = []
    for journey in journeys_on(graph) if told else ():
        forms = WordForms(telling(f"{journey.title} {journey.about}"))
        if 2 * sum(bool(forms.of(word)) for word in told) > len(told):
            found.append(journey)
    return tuple(found)


@cache
def _files() -> tuple[tuple[str, str], ...]:
    return tuple(bundled("journeys", ".toml"))


@cache
def _shipped() -> tuple[Journey, ...]:
    from torchatlas.extract.catalogue import load_journeys  # pydantic takes a while

    return load_journeys(_files())


def first_goals(graph: Snapshot) -> tuple[str, ...]:
    """Return the shipped goals that are in the graph: good ones to begin with.

    >>> first_goals(Snapshot())
    ()
    """
    return tuple(goal for goal in _goals() if goal in graph.concept)


def unasked_first(graph: Snapshot) -> tuple[str, ...]:
    """Return the episodes as goals, for a map without concepts: those first that ask for others, and none for them.

    >>> from torchatlas.graph.model import Episode, ListenAfter
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> unasked_first(Snapshot(episodes=(one, two), listen_after=(ListenAfter(two.id, one.id, quote="after one"),)))
    ('show/two', 'show/one')
    """
    asking, asked = ({getattr(edge, end) for edge in graph.listen_after} for end in ("source", "target"))
    return tuple(sorted(graph.episode, key=lambda e: (e not in asking, e in asked, e)))


@cache
def _goals() -> tuple[str, ...]:
    return tuple(tomllib.loads(bundled_file("goals.toml")[1])["goals"])
