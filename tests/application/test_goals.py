"""Goals in the words of newcomers on the shipped map, half of them held back from tuning, and journeys as goals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Reading
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.questions import Resolver
from torchatlas.settings import load_settings

pytestmark = pytest.mark.slow
TUNED, HELD_BACK = slice(0, None, 2), slice(1, None, 2)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    return Atlas(load_settings(environment={"TORCHATLAS_HOME": str(tmp_path_factory.mktemp("home"))}))


@pytest.fixture(scope="module")
def resolver(atlas: Atlas) -> Resolver:
    return Resolver(atlas.graph)


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


@pytest.mark.parametrize("typed", ["From eager to torch.compile", "from-eager-to-compile"])
def test_a_journey_is_a_goal_by_its_title_and_its_name(atlas: Atlas, typed: str) -> None:
    meant = atlas.meaning(typed)
    assert meant.ids == atlas.journey("from-eager-to-compile").goals
    assert meant.sentence == 'These are the goals of the journey "From eager to torch.compile".'


@pytest.mark.parametrize(
    ("typed", "journey"),
    [
        ("I want to contribute to PyTorch, where do I start", "how-pytorch-is-made"),
        ("everything about the compiler", "from-eager-to-compile"),
    ],
)
def test_a_wide_goal_is_sent_to_the_journey_on_it(atlas: Atlas, typed: str, journey: str) -> None:
    with pytest.raises(UnknownName, match=f"; or take the journey .*: torchatlas plan --journey {journey}$"):
        atlas.meaning(typed)


def test_goals_of_another_world_are_sent_to_no_journey_of_their_own(atlas: Atlas) -> None:
    with pytest.raises(UnknownName, match=r"called 'sourdough'; try: torchatlas journeys, or torchatlas search WORD$"):
        atlas.meaning("sourdough")
