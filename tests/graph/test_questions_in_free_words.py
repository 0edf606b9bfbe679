"""Questions of which only a part is understood, votes of matches, and wide words."""

import pytest

from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.questions import Resolver, answerable_first, ranked
from torchatlas.graph.search import Match, WordForms

GRAPH = Snapshot(
    concepts=(
        Concept("loader", "DataLoader", area="Loading", definition="Reads batches in workers."),
        Concept("growth", "DataLoader memory growth", area="Loading", definition="Memory that workers eat."),
        Concept("fpga", "FPGA", area="Devices", definition="A chip for a custom backend that takes new circuits."),
        Concept("backends", "backend extensibility", area="Devices", definition="Lets a custom backend plug in."),
        Concept("format", "memory format", area="Tensors", definition="Order of elements in memory, with a name."),
        Concept("order", "dispatch order", area="Core", definition="Which kernel is called first."),
        Concept("pass", "compiler pass", area="Compilation", definition="A step of a compiler."),
        Concept("autotune", "autotuning", area="Compilation", definition="Tries kernels."),
    ),
    episodes=(
        Episode("show/leak", "DataLoader leaks", show="Show", number=1, summary="Why the RAM is full with workers."),
        Episode("show/backend", "Backends for all", show="Show", number=2, questions=("How is a backend made?",)),
        Episode("show/layout", "Layout", show="Show", number=3),
        Episode("show/passes", "Passes", show="Show", number=4),
    ),
    teaches=(
        Teaches("show/leak", "growth", depth="main"),
        Teaches("show/backend", "backends", depth="main"),
        Teaches("show/layout", "format", depth="main"),
        Teaches("show/passes", "pass", depth="main"),
    ),
)
RESOLVER = Resolver(GRAPH)


def test_everyday_and_unknown_words_count_less_than_names() -> None:
    forms = WordForms(["dataloader", "eat", "wrong"])
    assert forms.weight("eats") < forms.weight("dataloader") == 1
    assert forms.weight("went") <= 1 and forms.weight("takes") < forms.weight("eats")
    assert forms.weight("20gb") == 0


def test_a_question_far_ahead_in_one_subject_is_answered_as_a_guess() -> None:
    meant = RESOLVER.resolve("my dataloader leaks RAM every night")
    assert meant.how == "guess" and meant.ids in (("growth",), ("show/leak",))
    assert meant.sentence.startswith('My best guess for "my dataloader leaks RAM every night" is ')


@pytest.mark.parametrize("typed", ["sourdough bread in memory of grandmother", "dataloader mortgage", "RAM"])
def test_no_guess_is_made_of_few_or_foreign_words(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed)


def test_blanks_beyond_the_first_change_nothing_however_many_there_are() -> None:
    typed = "my dataloader leaks RAM"
    assert RESOLVER.resolve(typed.replace(" ", " \n\t" * 50_000)) == RESOLVER.resolve(typed)


def match(name: str, score: float, *episodes: str, named: float = 0.0) -> Match:
    return Match(
        name, name, kind="concept", fields={}, score=score, coverage=0.5, named=named, called=0.5, best=name,
        voted=score, episodes=frozenset(episodes),
    )  # fmt: skip


def test_a_concept_that_nothing_explains_gives_way_to_one_nearly_as_good_that_an_episode_explains() -> None:
    silent, near, far = match("fpga", 0.6), match("backends", 0.5, "e"), match("backends", 0.3, "e")
    assert answerable_first([silent, near], 4) == [near, silent]
    assert answerable_first([silent, far], 4) == [silent, far]
    meant = match("fpga", 0.6, named=0.5)
    assert answerable_first([meant, near], 4) == [meant, near], "the words name it"


def test_an_episode_and_its_subject_vote_for_one_another() -> None:
    matches = RESOLVER.index.matches("memory of workers", ("concept", "episode"), 10)
    alone = {match.id: match.score for match in matches}
    voted = {match.id: match.voted for match in ranked(GRAPH, matches)}
    assert voted["growth"] > alone["growth"] and voted["loader"] == alone["loader"]


def test_a_wide_word_is_answered_with_what_it_may_mean() -> None:
    with pytest.raises(UnknownName) as caught:
        RESOLVER.resolve("memory")
    assert str(caught.value) == (
        "'memory' may mean several things: memory format (Order of elements in memory); "
        "DataLoader memory growth (Memory that workers eat); name one of them"
    )


def test_an_area_called_like_a_wide_word_is_the_first_choice() -> None:
    with pytest.raises(UnknownName) as caught:
        RESOLVER.resolve("everything about the compilers")
    assert caught.value.suggestions[0] == "area Compilation"
    assert RESOLVER.resolve(caught.value.suggestions[0]).ids == ("pass",)
