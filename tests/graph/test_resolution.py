"""Names, identifiers, areas, slips, questions and free words on small graphs made by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.builds import edges
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver, Wanted, answerable_first
from torchatlas.graph.search import Match, WordForms

NAMED = {"cuda-graphs": "CUDA graphs", "torch-api": "torch API", "torch-api-macro": "TORCH_API", "c": "C", "cpp": "C++"}
NAMED |= {"torch-function": "__torch_function__", "nvcc": "nvcc"}
GRAPH = Snapshot(
    concepts=(
        *(Concept(id_, name, area="A") for id_, name in NAMED.items()),
        Concept("pt2", "PyTorch 2", area="Compilation", aliases=("torch.compile", "PyTorch 2.0")),
        Concept("dispatcher", "dispatcher", area="A", source_paths=("aten/core/dispatch", "aten/core/Registry.cpp")),
        Concept("dispatch-key", "dispatch key", area="A", source_paths=("aten/core/DispatchKey.h", "aten/core")),
        Concept("strides", "strides", area="A", definition="How far apart in memory the elements of a tensor are."),
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
    teaches=edges("teaches", "show/leak loader, show/half quantization, show/why ~tracing"),
)  # fmt: skip
RESOLVER = Resolver(GRAPH)


def refused(typed: str, resolver: Resolver, wanted: Wanted = "goal", *, words_too: bool = True) -> UnknownName:
    with pytest.raises(UnknownName) as caught:
        resolver.resolve(typed, wanted, words_too=words_too)
    assert len(caught.value.suggestions) <= 3
    return caught.value


@pytest.mark.parametrize(
    ("wanted", "id_", "typed"),
    [
        ("concept", "pt2", ["torch.compile", "Torch Compile", "PyTorch 2.0", "pt2"]),
        ("concept", "cuda-graphs", ["cuda graph", "CUDA_Graphs"]),
        ("concept", "torch-api", ["torch API"]),
        ("concept", "torch-api-macro", ["TORCH_API"]),
        ("concept", "torch-function", ["torch function"]),
        ("concept", "dispatcher", ["dispacher", " Dispatcher "]),
        ("concept", "cpp", ["C++"]),
        ("concept", "c", ["c"]),
        ("concept", "autograd-hook", ["hooks", "register_hook"]),
        ("episode", "show/strides", ["62", "episode 62", "Ep. 62", "#62", "stirdes"]),
        ("episode", "show/why", ["why is autograd so complicated?", "why is autograd so complcated"]),
        ("episode", "other/half", ["other/half"]),
        # a goal is a concept first
        ("goal", "strides", ["Strides", "stirdes"]),
        ("goal", "show/why", ["Why is autograd so complicated"]),
    ],
)
def test_a_name_an_alias_a_number_a_title_or_a_typo_is_understood(wanted: Wanted, id_: str, typed: list[str]) -> None:
    assert {RESOLVER.resolve(text, wanted, words_too=False).ids for text in typed} == {(id_,)}


@pytest.mark.parametrize(
    ("wanted", "typed", "says"),
    [
        ("concept", "dispatch", "dispatcher or dispatch key"),
        ("goal", "MVCC", "no concept or episode is called 'MVCC'; did you mean nvcc"),
        ("goal", "trace", "no single concept or episode is called 'trace'; did you mean structured log or"),
        ("episode", "why is my memory leaking", "did you mean"),
        # what two bear is not guessed
        ("episode", "Half precision", ""),
        (
            "episode",
            "22",
            "'22' may mean several things: other/half (Other, #22); Why is autograd so complicated (Show",
        ),
        *(("concept", typed, "") for typed in ("", "...", "quantum", "d")),
    ],
)
def test_what_is_no_name_comes_with_what_may_be_meant(wanted: Wanted, typed: str, says: str) -> None:
    assert says in str(refused(typed, RESOLVER, wanted, words_too=False))


def test_free_words_mean_an_episode_where_words_are_allowed() -> None:
    assert RESOLVER.resolve("why is my memory leaking", "episode").ids == ("show/leak",)


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
    meanings = "'1' may mean several things: Told 11 (TV, S1 E1); Told 21 (TV, S2 E1); name"
    assert meanings in str(refused("1", seasons(2), "episode", words_too=False))
    asked = refused("episode 1", seasons(5))
    assert "Told 31 (TV, S3 E1); 2 more; name one of them" in str(asked)
    assert asked.suggestions == ("Told 11", "Told 21", "Told 31")
    assert "'s2e5'" in str(refused("s2e5", seasons(2), "episode", words_too=False))


def test_episodes_of_one_title_are_told_apart_by_season_and_number() -> None:
    alike = (Episode(f"tv/{s}", "Introduction", show="TV", number=1, season=s) for s in (1, 2))
    told = Resolver(Snapshot(episodes=tuple(alike)))
    assert refused("Introduction", told, "episode", words_too=False).suggestions == ("S1 E1", "S2 E1")
    assert "S1 E1 (TV); S2 E1 (TV)" in str(refused("episode 1", told, "episode", words_too=False))


def test_a_number_behind_the_name_of_a_show_is_that_of_the_show() -> None:
    told = [(show, number) for show in ("Radio", "Radio Two", "TV") for number in (1, 2)]
    shows = (Episode(f"{s}/{n}", f"{s} no. {n}", show=s, number=n, season=2) for s, n in told)
    resolver = Resolver(Snapshot(episodes=tuple(shows)))
    typed = ("TV s2e1", "radio S2 #2", "Radio Two 2x01", "TV, episode 2")
    found = [resolver.resolve(text, "episode", words_too=False).ids for text in typed]
    assert found == [("TV/1",), ("Radio/2",), ("Radio Two/1",), ("TV/2",)]
    assert "several things" in str(refused("s2e1", resolver, "episode", words_too=False))


def test_of_suggestions_with_one_name_ids_stand_in_and_a_concept_stands_for_its_episode() -> None:
    half = refused("Half precisions and more", RESOLVER, "episode", words_too=False)
    assert {*half.suggestions[:2]} == {"other/half", "show/half"}
    strides = refused("stridings", RESOLVER, words_too=False)
    assert [name.casefold() for name in strides.suggestions].count("strides") == 1


@pytest.mark.parametrize(
    ("typed", "id_", "how", "sentence"),
    [
        ("dispatcher", "dispatcher", "name", ""),
        ("`DISPATCHER`", "dispatcher", "name", ""),
        ("strides?", "strides", "name", ""),
        ("#53", "show/leak", "number", ""),
        ("torch.compile", "pt2", "alias", '"torch.compile" is another name of PyTorch 2.'),
        ("dispacher", "dispatcher", "corrected", 'I took "dispacher" for a typing slip of dispatcher.'),
        ("Registry.cpp", "dispatcher", "identifier", 'took "Registry.cpp" to mean dispatcher (aten/core/Registry.cpp)'),
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
        ("why is my memory leaking", "show/leak", "title", "to mean the episode"),
        ("the area Data", "loader", "area", 'took "the area Data" to mean the area Data: the main subjects of its ep'),
        ("Numbers", "numbers", "name", ""),
    ],
)
def test_each_kind_of_words_is_understood_and_the_answer_says_how(
    typed: str, id_: str, how: str, sentence: str
) -> None:
    found = RESOLVER.resolve(typed)
    assert (found.ids, found.how) == ((id_,), how)
    assert sentence in found.sentence if sentence else found.sentence == ""


def test_an_area_comes_after_a_concept_of_its_name_and_before_another_name_of_a_concept() -> None:
    data = RESOLVER.resolve("Data")
    assert data.how == "area" and [r.name for r in data.alternatives] == ["Dataset"]
    assert RESOLVER.resolve("Numbers").alternatives[0].ids == ("quantization",)


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


ASKED = Resolver(
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
        teaches=edges("teaches", "show/why autograd ~told"),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("id_", "typed"),
    [
        # the longest name that stands in a question is meant
        ("break", ["what is a graph break", "I want to understand graph breaks", "graph break"]),
        ("show/break", ['the episode "graph break"']),  # as it is printed
        ("fsdp", ["what is FSDP", "is the FSDP needed"]),
        ("registry", ["what is the graph break registry"]),
        ("compiled", ["how does compiled autograd work"]),
        # words of asking change nothing, and a concept comes before an area of its name
        ("autograd", ["what is autograd", "what's autograd?", "whats autograd", "explain autograd to me"]),
        ("autograd", ["how does autograd actually work internally", "I want to understand everything about autograd"]),
        ("autograd", ["what exactly is autograd in PyTorch, under the hood"]),
    ],
)
def test_names_in_a_question_are_understood(id_: str, typed: list[str]) -> None:
    assert {text: ASKED.resolve(text).ids for text in typed} == dict.fromkeys(typed, (id_,))


@pytest.mark.parametrize("typed", ["pytorch internals", "where do I start", "beginner"])
def test_words_that_only_ask_are_sent_to_the_journeys(typed: str) -> None:
    asked = refused(typed, ASKED)
    assert "try: torchatlas journeys, or torchatlas search WORD" in str(asked) and asked.suggestions == ()


@pytest.mark.parametrize(
    "typed",
    ["bf16 vs fp16", "bf16 or fp16", "what is the difference between bf16 and fp16?", "how does bf16 compare to fp16"],
)
def test_a_question_about_two_things_means_both(typed: str) -> None:
    best = ASKED.readings(typed)[0]
    assert sorted(best.ids) == ["bf16", "fp16"] and best.sure
    assert ASKED.resolve(typed).sentence.startswith(f'I took "{typed.rstrip("?")}" to mean {best.name}.')


def test_a_comparison_of_something_unknown_means_no_two_things() -> None:
    assert all(len(reading.ids) == 1 for reading in ASKED.readings("bf16 vs sourdough"))


def test_of_readings_about_as_good_one_that_episodes_explain_comes_first() -> None:
    assert [r.ids[0] for r in ASKED.readings("saves the weights")] == ["told", "untold"]


WORDS = Snapshot(
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
    teaches=edges("teaches", "show/leak growth, show/backend backends, show/layout format, show/passes pass"),
)
FREE = Resolver(WORDS)


def test_everyday_and_unknown_words_count_less_than_names() -> None:
    forms = WordForms(["dataloader", "eat", "wrong"])
    assert forms.weight("eats") < forms.weight("dataloader") == 1
    assert forms.weight("went") <= 1 and forms.weight("takes") < forms.weight("eats")
    assert forms.weight("20gb") == 0


def test_a_question_far_ahead_in_one_subject_is_answered_as_a_guess() -> None:
    meant = FREE.resolve("my dataloader leaks RAM every night")
    assert meant.how == "guess" and meant.ids in (("growth",), ("show/leak",))
    assert meant.sentence.startswith('My best guess for "my dataloader leaks RAM every night" is ')


@pytest.mark.parametrize(
    ("resolver", "typed"),
    [
        # an area in which no episode has a main subject
        *((RESOLVER, typed) for typed in ("Capture area", "area A")),
        # short names, abbreviations and numbers are never corrected
        *((RESOLVER, typed) for typed in ("MVCC", "nvc", "nvccc", "DISPACHER", "PyTorch 3", "nvcc2", "2.5", "/")),
        # what the map does not know
        *((RESOLVER, typed) for typed in ("pandas.DataFrame", "numpy.DataLoader", "sourdough", "memory mortgage")),
        (RESOLVER, "how do I bake bread"),
        # few words that only a definition holds, and foreign ones
        (ASKED, "machine learning"),
        *((FREE, typed) for typed in ("sourdough bread in memory of grandmother", "dataloader mortgage", "RAM")),
    ],
)
def test_what_the_map_does_not_know_is_not_guessed(resolver: Resolver, typed: str) -> None:
    assert ("did you mean TPU" in str(refused(typed, resolver))) is (resolver is ASKED)


def test_blanks_beyond_the_first_change_nothing_however_many_there_are() -> None:
    typed = "my dataloader leaks RAM"
    assert FREE.resolve(typed.replace(" ", " \n\t" * 50_000)) == FREE.resolve(typed)


def match(name: str, score: float, *episodes: str, named: float = 0.0) -> Match:
    facts = {"coverage": 0.5, "named": named, "called": 0.5, "best": name, "voted": score}
    return Match(name, name, kind="concept", fields={}, score=score, episodes=frozenset(episodes), **facts)


def test_a_concept_that_nothing_explains_gives_way_to_one_nearly_as_good_that_an_episode_explains() -> None:
    silent, near, far = match("fpga", 0.6), match("backends", 0.5, "e"), match("backends", 0.3, "e")
    assert answerable_first([silent, near], 4) == [near, silent]
    assert answerable_first([silent, far], 4) == [silent, far]
    meant = match("fpga", 0.6, named=0.5)
    assert answerable_first([meant, near], 4) == [meant, near], "the words name it"


def test_an_episode_and_its_subject_vote_for_one_another() -> None:
    matches = FREE.index.matches("memory of workers", ("concept", "episode"), 10)
    gained = {match.id: match.voted - match.score for match in matches}
    assert gained["growth"] > 0 == gained["loader"]


def test_a_wide_word_is_answered_with_what_it_may_mean() -> None:
    assert str(refused("memory", FREE)) == (
        "'memory' may mean several things: memory format (Order of elements in memory); "
        "DataLoader memory growth (Memory that workers eat); name one of them"
    )


def test_an_area_called_like_a_wide_word_is_the_first_choice() -> None:
    first, *_ = refused("everything about the compilers", FREE).suggestions
    assert first == "area Compilation" and FREE.resolve(first).ids == ("pass",)
