"""Goals in the words of newcomers on the shipped map: half of them served for tuning, the other half was held back."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchatlas.build import build, read_inputs
from torchatlas.graph.answers import Reading
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.questions import Resolver
from torchatlas.settings import load_settings

pytestmark = pytest.mark.slow
TUNED, HELD_BACK = slice(0, None, 2), slice(1, None, 2)


@pytest.fixture(scope="module")
def resolver(tmp_path_factory: pytest.TempPathFactory) -> Resolver:
    environment = os.environ | {"TORCHATLAS_HOME": str(tmp_path_factory.mktemp("home"))}
    return Resolver(build(read_inputs(load_settings(environment=environment))).graph)


def lines(name: str) -> Iterator[str]:
    text = (Path(__file__).parent / name).read_text("utf-8")
    return (line for line in text.splitlines() if not line.startswith("#"))


def goals() -> list[tuple[str, set[str]]]:
    """Each goal with the ids of the concepts, and the ends of the ids of the episodes, that answer it."""
    return [
        (goal, set(accepted.split())) for goal, _, accepted in (line.partition(" | ") for line in lines("goals.txt"))
    ]


def answers(reading: Reading, accepted: set[str]) -> bool:
    return any(id_.rpartition("/")[2] in accepted for id_ in reading.ids)


@pytest.mark.parametrize(("half", "first", "among_three"), [(HELD_BACK, 0.61, 0.79), (TUNED, 0.61, 0.79)])
def test_most_questions_of_newcomers_are_understood(
    resolver: Resolver, half: slice, first: float, among_three: float
) -> None:
    asked = goals()[half]
    found = [(resolver.readings(goal)[:3], accepted) for goal, accepted in asked]
    assert sum(answers(readings[0], accepted) for readings, accepted in found) >= first * len(asked)
    assert sum(any(answers(r, accepted) for r in rs) for rs, accepted in found) >= among_three * len(asked)


def test_a_question_that_is_answered_is_mostly_understood(resolver: Resolver) -> None:
    best = [(resolver.readings(goal)[0], accepted) for goal, accepted in goals()]
    answered = [answers(reading, accepted) for reading, accepted in best if reading.sure]
    assert len(answered) >= 0.75 * len(best) and sum(answered) >= 0.67 * len(answered)


@pytest.mark.parametrize("name", ["autograd", "dispatcher", "FSDP", "GIL", "graph break", "vmap", "Dynamo", "strides"])
@pytest.mark.parametrize(
    "question",
    [
        "what is {}",
        "whats {}",
        "what's {}?",
        "what exactly is {}",
        "how does {} actually work",
        "{} internals in pytorch",
    ],
)
def test_a_name_in_a_question_means_what_it_means_alone(resolver: Resolver, name: str, question: str) -> None:
    assert resolver.resolve(question.format(name)).ids == resolver.resolve(name).ids


@pytest.mark.parametrize("typed", list(lines("nonsense.txt")))
def test_what_means_nothing_here_is_not_answered(resolver: Resolver, typed: str) -> None:
    with pytest.raises(UnknownName):
        resolver.resolve(typed)
