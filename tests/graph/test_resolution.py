"""Names, identifiers, areas, slips and free words on a small graph made by hand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.questions import Resolver, Wanted

GRAPH = Snapshot(
    concepts=(
        Concept("pt2", "PyTorch 2", area="Compilation", aliases=("torch.compile", "PyTorch 2.0")),
        Concept("cuda-graphs", "CUDA graphs", area="A"),
        Concept("torch-api", "torch API", area="A"),
        Concept("torch-api-macro", "TORCH_API", area="A"),
        Concept("torch-function", "__torch_function__", area="A"),
        Concept("dispatcher", "dispatcher", area="A", source_paths=("aten/core/dispatch", "aten/core/Registry.cpp")),
        Concept("dispatch-key", "dispatch key", area="A", source_paths=("aten/core/DispatchKey.h", "aten/core")),
        Concept("strides", "strides", area="A", definition="How far apart in memory the elements of a tensor are."),
        Concept("cpp", "C++", area="A"),
        Concept("c", "C", area="A"),
        Concept("nvcc", "nvcc", area="A"),
        Concept("tracing", "tracing", area="Capture", aliases=("trace", "at::trace")),
        Concept("log", "structured log", area="Capture", aliases=("trace",)),
        Concept("quantization", "quantization", area="Numbers", aliases=("torch.ao.quantize",)),
        Concept("numbers", "numbers", area="Numbers"),
        Concept("autograd-hook", "autograd hook", area="A", in_texts=("hook",), phrases=("register_hook",)),
        Concept("loader", "DataLoader", area="Data", aliases=("torch.utils.data.DataLoader",)),
        Concept("set", "Dataset", area="Data", aliases=("data",)),
    ),
    episodes=(
        Episode("show/strides", "Strides", show="Show", number=62),
        Episode("show/why", "Why is autograd so complicated", show="Show", number=22),
        Episode("show/half", "Half precision", show="Show"),
        Episode("other/half", "Half precision", show="Other", number=22),
        Episode("show/leak", "DataLoader with many workers leaks memory", show="Show", number=53,
                questions=("Why does my training run out of host memory?",)),
    ),
    teaches=(
        Teaches("show/leak", "loader", depth="main"),
        Teaches("show/half", "quantization", depth="main"),
        Teaches("show/why", "tracing", depth="part"),
    ),
)  # fmt: skip
RESOLVER = Resolver(GRAPH)


def meant(typed: str, wanted: Wanted = "goal") -> str:
    return RESOLVER.resolve(typed, wanted, words_too=False).ids[0]


@pytest.mark.parametrize(
    ("typed", "id_"),
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
        ("hooks", "autograd-hook"),
        ("register_hook", "autograd-hook"),
    ],
)
def test_a_concept_is_found_by_what_people_type(typed: str, id_: str) -> None:
    assert meant(typed, "concept") == id_


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("62", "show/strides"),
        ("episode 62", "show/strides"),
        ("Ep. 62", "show/strides"),
        ("#62", "show/strides"),
        ("why is autograd so complicated?", "show/why"),
        ("why is autograd so complcated", "show/why"),
        ("stirdes", "show/strides"),
        ("other/half", "other/half"),
    ],
)
def test_an_episode_is_found_by_number_id_title_or_typo(typed: str, id_: str) -> None:
    assert meant(typed, "episode") == id_


def test_a_goal_is_a_concept_first() -> None:
    assert meant("Strides") == "strides"
    assert meant("stirdes") == "strides"
    assert meant("Why is autograd so complicated") == "show/why"


def test_an_unknown_name_comes_with_what_may_be_meant() -> None:
    with pytest.raises(UnknownName, match="dispatcher or dispatch key") as caught:
        RESOLVER.resolve("dispatch", "concept", words_too=False)
    assert len(caught.value.suggestions) <= 3


@pytest.mark.parametrize("typed", ["Half precision", "22"])
def test_what_two_bear_is_not_guessed(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed, "episode", words_too=False)


@pytest.mark.parametrize("typed", ["", "...", "quantum", "d"])
def test_nonsense_is_no_name(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed, "concept", words_too=False)


def test_a_number_that_two_shows_have_is_asked_back() -> None:
    said = r"'22' may mean several things: other/half (Other, #22); Why is autograd so complicated (Show, #22); name"
    with pytest.raises(UnknownName, match=re.escape(said)):
        RESOLVER.resolve("22", "episode", words_too=False)


def seasons(count: int) -> Resolver:
    """Return a resolver of a show that counts its episodes anew in each season, beside a show without seasons."""
    told = [(season, number) for season in range(1, count + 1) for number in (1, 2)]
    show = [Episode(f"tv/{s}{n}", f"Told {s}{n}", show="TV", number=n, season=s) for s, n in told]
    return Resolver(Snapshot(episodes=(*show, Episode("show/five", "Five", show="Show", number=5))))


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        *((typed, "tv/21") for typed in ("s2e1", "S02E01", "S2 E1", "s2:e1", "Season 2, episode 1", "season 2 ep. 1")),
        *((typed, "tv/21") for typed in ("2x01", "S2 #1", "episode 1 of season 2", "ep. 1, season 2", "E1 of S2")),
        ("#5", "show/five"),
        ("s1e5", "show/five"),  # without seasons, all is the first
    ],
)
def test_an_episode_goes_by_its_season_and_number(typed: str, id_: str) -> None:
    assert seasons(2).resolve(typed, "episode", words_too=False).ids == (id_,)


def test_a_number_of_several_seasons_is_asked_back_with_all_that_it_may_mean() -> None:
    with pytest.raises(
        UnknownName, match=re.escape("'1' may mean several things: Told 11 (TV, S1 E1); Told 21 (TV, S2 E1); name")
    ):
        seasons(2).resolve("1", "episode", words_too=False)
    with pytest.raises(UnknownName, match=re.escape("Told 31 (TV, S3 E1); 2 more; name one of them")) as asked:
        seasons(5).resolve("episode 1")
    assert asked.value.suggestions == ("Told 11", "Told 21", "Told 31")
    with pytest.raises(UnknownName, match="'s2e5'"):
        seasons(2).resolve("s2e5", "episode", words_too=False)


def test_episodes_of_one_title_are_told_apart_by_season_and_number() -> None:
    told = [Episode(f"tv/{s}", "Introduction", show="TV", number=1, season=s) for s in (1, 2)]
    with pytest.raises(UnknownName) as caught:
        Resolver(Snapshot(episodes=tuple(told))).resolve("Introduction", "episode", words_too=False)
    assert caught.value.suggestions == ("S1 E1", "S2 E1")
    with pytest.raises(UnknownName, match=r"S1 E1 \(TV\); S2 E1 \(TV\)"):
        Resolver(Snapshot(episodes=tuple(told))).resolve("episode 1", "episode", words_too=False)


def test_a_number_behind_the_name_of_a_show_is_that_of_the_show() -> None:
    told = [(show, number) for show in ("Radio", "Radio Two", "TV") for number in (1, 2)]
    shows = (Episode(f"{s}/{n}", f"{s} no. {n}", show=s, number=n, season=2) for s, n in told)
    resolver = Resolver(Snapshot(episodes=tuple(shows)))
    typed = ("TV s2e1", "radio S2 #2", "Radio Two 2x01", "TV, episode 2")
    found = [resolver.resolve(text, "episode", words_too=False).ids for text in typed]
    assert found == [("TV/1",), ("Radio/2",), ("Radio Two/1",), ("TV/2",)]
    with pytest.raises(UnknownName, match="several things"):
        resolver.resolve("s2e1", "episode", words_too=False)


def test_of_suggestions_with_one_name_ids_stand_in_and_a_concept_stands_for_its_episode() -> None:
    with pytest.raises(UnknownName) as caught:
        RESOLVER.resolve("Half precisions and more", "episode", words_too=False)
    assert {*caught.value.suggestions[:2]} == {"other/half", "show/half"}
    with pytest.raises(UnknownName) as caught:
        RESOLVER.resolve("stridings", words_too=False)
    assert [name.casefold() for name in caught.value.suggestions].count("strides") == 1


@pytest.mark.parametrize(
    ("typed", "id_", "how", "sentence"),
    [
        ("dispatcher", "dispatcher", "name", ""),
        ("`DISPATCHER`", "dispatcher", "name", ""),
        ("strides?", "strides", "name", ""),
        ("#53", "show/leak", "number", ""),
        ("torch.compile", "pt2", "alias", '"torch.compile" is another name of PyTorch 2.'),
        ("dispacher", "dispatcher", "corrected", 'I took "dispacher" for a typing slip of dispatcher.'),
        (
            "Registry.cpp",
            "dispatcher",
            "identifier",
            'I took "Registry.cpp" to mean dispatcher (aten/core/Registry.cpp).',
        ),
        ("aten/core/dispatch/x.cpp", "dispatcher", "identifier", "(aten/core/dispatch)"),
        ("aten.core.DispatchKey", "dispatch-key", "identifier", "(aten/core/DispatchKey.h)"),
        ("torch.ao.DataLoader", "loader", "identifier", "to mean DataLoader (DataLoader)"),
        ("torch.ao.quantize.Config", "quantization", "identifier", "(torch.ao.quantize)"),
        ("many workers leaks memory", "show/leak", "title", 'the episode "DataLoader with many workers leaks memory"'),
        ("many worker leak memory", "show/leak", "title", 'the episode "DataLoader with many workers leaks memory"'),
        ("what is torch.compile?", "pt2", "question", 'I took "what is torch.compile" to mean PyTorch 2.'),
        ("Why does my training run out of host memory?", "show/leak", "question", "many workers leaks memory"),
        ("quantizing", "quantization", "question", 'I took "quantizing" to mean quantization.'),
        ("when does training run out of memory", "show/leak", "question", "to mean the episode"),
    ],
)
def test_each_kind_of_words_is_understood_and_the_answer_says_how(
    typed: str, id_: str, how: str, sentence: str
) -> None:
    found = RESOLVER.resolve(typed)
    assert (found.ids, found.how) == ((id_,), how)
    assert sentence in found.sentence if sentence else found.sentence == ""


def test_an_area_means_the_main_subjects_of_its_episodes() -> None:
    found = RESOLVER.resolve("the area Data")
    assert (found.ids, found.how) == (("loader",), "area")
    assert found.sentence == 'I took "the area Data" to mean the area Data: the main subjects of its episodes.'


def test_an_area_comes_after_a_concept_of_its_name_and_before_another_name_of_a_concept() -> None:
    data = RESOLVER.resolve("Data")
    assert data.how == "area" and [r.name for r in data.alternatives] == ["Dataset"]
    numbers = RESOLVER.resolve("Numbers")
    assert numbers.ids == ("numbers",) and numbers.alternatives[0].ids == ("quantization",)
    assert numbers.sentence == ""


@pytest.mark.parametrize("typed", ["Capture area", "area A"])  # no episode has a main subject there
def test_an_area_without_episodes_is_no_goal(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed)


@pytest.mark.parametrize("typed", ["MVCC", "nvc", "nvccc", "DISPACHER", "PyTorch 3", "nvcc2"])
def test_short_names_abbreviations_and_numbers_are_never_corrected(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed)


def test_a_short_name_gets_suggestions() -> None:
    with pytest.raises(UnknownName, match="no concept or episode is called 'MVCC'; did you mean nvcc"):
        RESOLVER.resolve("MVCC")


def test_a_name_of_several_is_asked_back() -> None:
    with pytest.raises(
        UnknownName, match="no single concept or episode is called 'trace'; did you mean structured log or"
    ):
        RESOLVER.resolve("trace")


@pytest.mark.parametrize(
    "typed", ["pandas.DataFrame", "numpy.DataLoader", "sourdough", "how do I bake bread", "memory mortgage", "2.5", "/"]
)
def test_what_the_map_does_not_know_is_not_guessed(typed: str) -> None:
    with pytest.raises(UnknownName):
        RESOLVER.resolve(typed)


def test_free_words_are_no_name_where_a_name_is_wanted() -> None:
    assert RESOLVER.resolve("why is my memory leaking", "episode").ids == ("show/leak",)
    with pytest.raises(UnknownName, match="did you mean"):
        RESOLVER.resolve("why is my memory leaking", "episode", words_too=False)


def test_readings_are_best_first_each_once_and_of_the_wanted_kind() -> None:
    found = RESOLVER.readings("why is my DataLoader leaking memory")
    assert found[0].ids == ("show/leak",) and found[0].sure and ("loader",) in [r.ids for r in found]
    assert len({r.ids for r in found}) == len(found)
    assert {r.kind for r in RESOLVER.readings("why is my DataLoader leaking memory", "concept")} == {"concept"}
    assert RESOLVER.readings("sourdough") == ()


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused_in_one_line(text: str) -> None:
    try:
        found = RESOLVER.resolve(text)
    except UnknownName as e:
        assert len(e.suggestions) <= 3
    else:
        assert found.ids and all(id_ in GRAPH.concept or id_ in GRAPH.episode for id_ in found.ids)
        assert RESOLVER.readings(text)[0].ids == found.ids
