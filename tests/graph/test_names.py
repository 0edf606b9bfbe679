import pytest

from torchatlas.graph.answers.resolution import resolve_concept, resolve_episode, resolve_goal
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Concept, Episode, Snapshot
from torchatlas.graph.values.names import did_you_mean, fold, folded_title, spelling, suggest

GRAPH = Snapshot(
    concepts=(
        Concept("pt2", "PyTorch 2", area="A", aliases=("torch.compile", "PyTorch 2.0")),
        Concept("cuda-graphs", "CUDA graphs", area="A"),
        Concept("torch-api", "torch API", area="A"),
        Concept("torch-api-macro", "TORCH_API", area="A"),
        Concept("torch-function", "__torch_function__", area="A"),
        Concept("dispatcher", "dispatcher", area="A"),
        Concept("dispatch-key", "dispatch key", area="A"),
        Concept("strides", "strides", area="A"),
        Concept("cpp", "C++", area="A"),
        Concept("c", "C", area="A"),
    ),
    episodes=(
        Episode("show/strides", "Strides", show="Show", number=62),
        Episode("show/why", "Why is autograd so complicated", show="Show", number=22),
        Episode("show/half", "Half precision", show="Show"),
        Episode("other/half", "Half precision", show="Other", number=22),
    ),
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("torch.compile", "pt2"),
        ("Torch Compile", "pt2"),
        ("PyTorch 2.0", "pt2"),
        ("pt2", "pt2"),
        ("cuda graph", "cuda-graphs"),
        ("CUDA_Graphs", "cuda-graphs"),
        ("torch API", "torch-api"),
        ("TORCH_API", "torch-api-macro"),
        ("torch function", "torch-function"),
        ("dispacher", "dispatcher"),
        (" Dispatcher ", "dispatcher"),
        ("C++", "cpp"),
        ("c", "c"),
    ],
)
def test_a_concept_is_found_by_what_people_type(typed: str, meant: str) -> None:
    assert resolve_concept(GRAPH, typed).id == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("62", "show/strides"),
        ("#62", "show/strides"),
        ("why is autograd so complicated?", "show/why"),
        ("why is autograd so complcated", "show/why"),
        ("stirdes", "show/strides"),
        ("other/half", "other/half"),
    ],
)
def test_an_episode_is_found_by_number_id_title_or_typo(typed: str, meant: str) -> None:
    assert resolve_episode(GRAPH, typed).id == meant


def test_a_goal_is_a_concept_first() -> None:
    assert resolve_goal(GRAPH, "Strides").id == "strides"
    assert resolve_goal(GRAPH, "stirdes").id == "strides"
    assert resolve_goal(GRAPH, "Why is autograd so complicated").id == "show/why"


def test_an_unknown_name_comes_with_what_may_be_meant() -> None:
    with pytest.raises(UnknownName, match="dispatcher or dispatch key") as caught:
        resolve_concept(GRAPH, "dispatch")
    assert len(caught.value.suggestions) <= 3


@pytest.mark.parametrize("typed", ["Half precision", "22"])
def test_what_two_bear_is_not_guessed(typed: str) -> None:
    with pytest.raises(UnknownName):
        resolve_episode(GRAPH, typed)


@pytest.mark.parametrize("typed", ["", "...", "quantum", "d"])
def test_nonsense_is_no_name(typed: str) -> None:
    with pytest.raises(UnknownName):
        resolve_concept(GRAPH, typed)


def test_a_number_that_two_shows_have_is_asked_back() -> None:
    with pytest.raises(UnknownName, match="no single episode is called '22'; did you mean other/half or show/why"):
        resolve_episode(GRAPH, "22")


def test_three_ways_to_compare_forgive_three_things() -> None:
    pairs = [("Dispatch Keys", "dispatch_key"), ("dispatch-key", "Dispatch key"), ("torch.nn", "torch::nn")]
    assert [fold(a) == fold(b) for a, b in pairs] == [True, True, True]
    assert [spelling(a) == spelling(b) for a, b in pairs] == [False, True, False]
    assert [folded_title(a) == folded_title(b) for a, b in pairs] == [False, True, True]
    for compare in (fold, spelling, folded_title):
        assert compare("C++ frontend") != compare("C frontend")


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("dispacher", ["dispatcher", "dispatch key"]),
        ("CUDA_graph", ["CUDA graphs"]),
        ("memory", ["memory format"]),  # the whole name holds it
        ("C", ["C"]),
        ("quantum", []),
        ("...", []),
    ],
)
def test_suggestions_begin_with_the_nearest(typed: str, near: list[str]) -> None:
    known = ["dispatch key", "dispatcher", "CUDA graphs", "memory format", "C", "C++", "..."]
    assert suggest(typed, known) == near
    assert suggest(typed, known, limit=1) == near[:1]


def test_a_hint_names_the_nearest_but_not_the_name_itself() -> None:
    assert did_you_mean("stride", ["stride", "strides", "storage"]) == "; did you mean strides?"
    assert did_you_mean("stride", ["stride"]) == ""


def test_of_suggestions_with_one_name_ids_stand_in_and_a_concept_stands_for_its_episode() -> None:
    with pytest.raises(UnknownName) as caught:
        resolve_episode(GRAPH, "Half precisions and more")
    assert caught.value.suggestions[:2] == ("other/half", "show/half")
    with pytest.raises(UnknownName) as caught:
        resolve_goal(GRAPH, "stridings")
    assert caught.value.suggestions == ("strides",)
