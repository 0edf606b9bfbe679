"""Examples of the values that saved questions want, for a map that does not have the shipped ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from torchatlas.graph.cypher import Parameter, Question
from torchatlas.graph.model import Snapshot
from torchatlas.settings import Settings
from torchatlas.user_files.sources import load_sources

_FIRST = {"needed": 1, "other": 1, "two": 1}
"""Parameters that want another example than the rest of their type."""


def fitting(questions: Sequence[Question], settings: Settings, graph: Callable[[], Snapshot]) -> Sequence[Question]:
    """Return the questions with examples that the map of these settings has; `graph` loads it where that is needed.

    Example: fitting(load_questions(), load_settings(), lambda: atlas.graph)[0].parameters[0].example
    """
    return questions if load_sources(settings).shipped else with_own_examples(questions, graph())


def with_own_examples(questions: Iterable[Question], graph: Snapshot) -> tuple[Question, ...]:
    """Return the questions with examples from the graph; without any of a kind, a neutral word stands there.

    >>> question = Question("q", "Q", description="", parameters=(
    ...     Parameter("words", "string", example="torch", description=""),), cypher="")
    >>> with_own_examples([question], Snapshot())[0].parameters[0].example
    'WORDS'
    """
    found = _examples(graph)

    def own(parameter: Parameter) -> Parameter:
        if parameter.type == "integer" or parameter.name == "year":
            return parameter
        there = found.get(parameter.name) or found.get(parameter.type) or []
        place = min(_FIRST.get(parameter.name, 0), len(there) - 1)
        return replace(parameter, example=there[place] if there else parameter.name.upper())

    return tuple(replace(q, parameters=tuple(map(own, q.parameters))) for q in questions)


def _examples(graph: Snapshot) -> Mapping[str, Sequence[str]]:
    """Return the name or the type of a parameter -> its examples, the best first."""
    needs = sorted(graph.requires, key=lambda r: (-len(graph.teachers.get(r.source, ())), r.source, r.target))
    explained = sorted(graph.concept, key=lambda c: (-len(graph.teachers.get(c, ())), c))
    near = sorted(graph.related_to, key=lambda r: (-r.score, r.source, r.target))
    areas = Counter(c.area for c in graph.concepts)
    cited = sorted(
        Counter(urlsplit(link.url).netloc for link in graph.links).items(), key=lambda host: (-host[1], host)
    )
    return {
        "concept": [needs[0].source, needs[0].target] if needs else explained[:2],
        "episode": [near[0].source, near[0].target] if near else sorted(graph.episode)[:2],
        "area": sorted(areas, key=lambda area: (-areas[area], area))[:2],
        "part": [host for host, _ in cited[:1]],
        "path": sorted({path for c in graph.concepts for path in c.source_paths})[:1],
    }
