"""Journeys named as goals, and named in answers to goals that mean nothing single."""

import pytest

from torchatlas.atlas import Atlas
from torchatlas.graph.errors import UnknownName
from torchatlas.settings import load_settings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    return Atlas(load_settings(environment={"TORCHATLAS_HOME": str(tmp_path_factory.mktemp("home"))}))


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
