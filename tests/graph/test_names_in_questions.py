"""Questions that hold the names of concepts, words of asking around them, and matches that are too weak to answer."""

import pytest

from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.questions import Resolver

RESOLVER = Resolver(
    Snapshot(
        concepts=(
            Concept("autograd", "autograd", area="Autograd", definition="Differentiates what a program computes."),
            Concept("compiled", "compiled autograd", area="Autograd", definition="Compiles what autograd records."),
            Concept("break", "graph break", area="Capture", definition="Where a graph ends early."),
            Concept("registry", "graph break registry", area="Capture",
                    definition="A list of each graph break: what a graph break is, and why a graph may break."),
            Concept("fsdp", "FSDP", area="Distributed", definition="Shards parameters."),
            Concept("sharding", "hybrid sharding", area="Distributed", definition="FSDP within a host. FSDP, FSDP."),
            Concept("bf16", "bfloat16", area="Numbers", aliases=("bf16",)),
            Concept("fp16", "float16", area="Numbers", aliases=("fp16",)),
            Concept("reduction", "bf16 fp16 reduction", area="Numbers", definition="Of bf16 and fp16 numbers."),
            Concept("ci", "continuous integration", area="Infra", definition="Runs internal tests of PyTorch."),
            Concept("tpu", "TPU", area="Devices", definition="A chip for machine learning."),
            Concept("told", "packed format", area="Files", definition="Saves the weights of a model to a file."),
            Concept("untold", "bundle format", area="Files", definition="Saves weights, saved."),
        ),
        episodes=(
            Episode("show/why", "Derivatives for free", show="Show", number=22),
            Episode("show/break", "graph break", show="Show", number=23),
        ),
        teaches=(
            Teaches("show/why", "autograd", depth="main"),
            Teaches("show/why", "told", depth="part", weight=0.5),
        ),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("what is a graph break", "break"),
        ("I want to understand graph breaks", "break"),
        ("what is FSDP", "fsdp"),
        ("is the FSDP needed", "fsdp"),
        ("what is the graph break registry", "registry"),
        ("how does compiled autograd work", "compiled"),
    ],
)
def test_the_longest_name_that_stands_in_a_question_is_meant(typed: str, id_: str) -> None:
    assert RESOLVER.resolve(typed).ids == (id_,)


@pytest.mark.parametrize(
    "typed",
    [
        "what is autograd",
        "what's autograd?",
        "whats autograd",
        "explain autograd to me",
        "how does autograd actually work internally",
        "what exactly is autograd in PyTorch, under the hood",
        "I want to understand everything about autograd",
    ],
)
def test_words_of_asking_change_nothing_and_a_concept_comes_before_an_area_of_its_name(typed: str) -> None:
    assert RESOLVER.resolve(typed).ids == ("autograd",)


@pytest.mark.parametrize("typed", ["pytorch internals", "where do I start", "beginner"])
def test_words_that_only_ask_are_sent_to_the_journeys(typed: str) -> None:
    with pytest.raises(UnknownName, match="try: torchatlas journeys, or torchatlas search WORD") as caught:
        RESOLVER.resolve(typed)
    assert caught.value.suggestions == ()


@pytest.mark.parametrize(
    "typed",
    [
        "bf16 vs fp16",
        "bf16 or fp16",
        "what is the difference between bf16 and fp16?",
        "how does bf16 compare to fp16",
    ],
)
def test_a_question_about_two_things_means_both(typed: str) -> None:
    best = RESOLVER.readings(typed)[0]
    assert sorted(best.ids) == ["bf16", "fp16"] and best.sure
    assert RESOLVER.resolve(typed).sentence.startswith(f'I took "{typed.rstrip("?")}" to mean {best.name}.')


def test_a_comparison_of_something_unknown_means_no_two_things() -> None:
    assert all(len(reading.ids) == 1 for reading in RESOLVER.readings("bf16 vs sourdough"))


def test_few_words_that_only_a_definition_holds_are_not_answered() -> None:
    with pytest.raises(UnknownName, match="did you mean TPU"):
        RESOLVER.resolve("machine learning")


def test_of_readings_about_as_good_one_that_episodes_explain_comes_first() -> None:
    assert [r.ids[0] for r in RESOLVER.readings("saves the weights")] == ["told", "untold"]


def test_the_printed_form_of_an_episode_is_typed_back() -> None:
    assert RESOLVER.resolve("graph break").ids == ("break",)
    assert RESOLVER.resolve('the episode "graph break"').ids == ("show/break",)
