"""Names, identifiers, areas, slips, questions and free words on small graphs made by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.builds import edges
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver, Wanted
from torchatlas.graph.search import WordForms


def concepts(text: str) -> tuple[Concept, ...]:
    """Concepts, one a line: "Area | name | definition"; an id has hyphens."""
    rows = ([part.strip() for part in line.split("|")] for line in text.strip().splitlines())
    return tuple(Concept(n.replace(" ", "-"), n, area=area, definition=said) for area, n, said in rows)


NAMED = {"cuda-graphs": "CUDA graphs", "torch-api": "torch API", "torch-api-macro": "TORCH_API", "c": "C", "cpp": "C++"}
NAMED |= {"torch-function": "__torch_function__", "nvcc": "nvcc"}
LEAK = "DataLoader with many workers leaks memory"
WHY = ("Why does my training run out of host memory?",)
GRAPH = Snapshot(
    concepts=(
        *(Concept(id_, name, area="A") for id_, name in NAMED.items()),
        Concept("strides", "strides", area="A", definition="How far apart in memory the elements of a tensor are."),
        Concept("numbers", "numbers", area="Numbers"),
        Concept("pt2", "PyTorch 2", area="Compilation", aliases=("torch.compile", "PyTorch 2.0")),
        Concept("dispatcher", "dispatcher", area="A", source_paths=("aten/core/dispatch", "aten/core/Registry.cpp")),
        Concept("dispatch-key", "dispatch key", area="A", source_paths=("aten/core/DispatchKey.h", "aten/core")),
        Concept("tracing", "tracing", area="Capture", aliases=("trace", "at::trace")),
        Concept("log", "structured log", area="Capture", aliases=("trace",)),
        Concept("quantization", "quantization", area="Numbers", aliases=("torch.ao.quantize",)),
        Concept("autograd-hook", "autograd hook", area="A", in_texts=("hook",), phrases=("register_hook",)),
        Concept("loader", "DataLoader", area="Data", aliases=("torch.utils.data.DataLoader",)),
        Concept("set", "Dataset", area="Data", aliases=("data",)),
    ),
    episodes=(
        Episode("show/strides", "Strides", show="Show", number=62),
        Episode("show/why", "Why is autograd so complicated", show="Show", number=22),
        Episode("show/half", "Half precision", show="Show"),
        Episode("other/half", "Half precision", show="Other", number=22),
        Episode("show/leak", LEAK, show="Show", number=53, questions=WHY),
    ),
    teaches=edges("teaches", "show/leak loader, show/half quantization, show/why ~tracing"),
)
NAMES = Resolver(GRAPH)
DEFINED = """
Autograd    | autograd               | Differentiates what a program computes.
Autograd    | compiled autograd      | Compiles what autograd records.
Capture     | graph break            | Where a graph ends early.
Capture     | graph break registry   | A list of each graph break: what a graph break is, and why a graph may break.
Distributed | FSDP                   | Shards parameters.
Distributed | hybrid sharding        | FSDP within a host. FSDP, FSDP.
Numbers     | bf16 fp16 reduction    | Of bf16 and fp16 numbers.
Infra       | continuous integration | Runs internal tests of PyTorch.
Devices     | TPU                    | A chip for machine learning.
Files       | packed format          | Saves the weights of a model to a file.
Files       | bundle format          | Saves weights, saved.
Loading     | DataLoader             | Reads batches in workers.
Loading     | DataLoader growth      | Memory that workers eat.
Devices     | FPGA                   | A chip for a custom backend that takes new circuits.
Devices     | backend extensibility  | Lets a custom backend plug in.
Tensors     | memory format          | Order of elements in memory, with a name.
Core        | dispatch order         | Which kernel is called first.
Compilation | compiler pass          | A step of a compiler.
Compilation | autotuning             | Tries kernels.
"""
TAUGHT = "why autograd ~packed-format, leak DataLoader-growth, plug backend-extensibility, layout memory-format"
WORDS = Snapshot(
    concepts=(
        *concepts(DEFINED),
        Concept("bfloat16", "bfloat16", area="Numbers", aliases=("bf16",)),
        Concept("float16", "float16", area="Numbers", aliases=("fp16",)),
    ),
    episodes=(
        Episode("why", "Derivatives for free", show="Show", number=22),
        Episode("break", "graph break", show="Show", number=23),
        Episode("leak", "DataLoader leaks", show="Show", number=1, summary="Why the RAM is full with workers."),
        Episode("plug", "Backends for all", show="Show", number=2, questions=("How is a backend made?",)),
        Episode("layout", "Layout", show="Show", number=3),
        Episode("passes", "Passes", show="Show", number=4),
    ),
    teaches=edges("teaches", f"{TAUGHT}, passes compiler-pass"),
)
FREE = Resolver(WORDS)


def told(*episodes: tuple[str, str, int, int | None]) -> Resolver:
    """A resolver of episodes: their titles, shows, numbers and seasons."""
    found = (Episode(f"{s}/{of or ''}{n}", title, show=s, number=n, season=of) for title, s, n, of in episodes)
    return Resolver(Snapshot(episodes=tuple(found)))


def seasons(count: int) -> Resolver:
    """A show that counts its episodes anew in each season, beside a show without seasons."""
    both = [(season, number) for season in range(1, count + 1) for number in (1, 2)]
    return told(*((f"Told {s}{n}", "TV", n, s) for s, n in both), ("Five", "Show", 5, None))


TWO, FIVE = seasons(2), seasons(5)
ALIKE = told(*(("Introduction", "TV", 1, season) for season in (1, 2)))
SHOWS = told(*((f"{show} no. {n}", show, n, 2) for show in ("Radio", "Radio Two", "TV") for n in (1, 2)))


@pytest.mark.parametrize(
    ("resolver", "wanted", "meanings"),
    [
        (
            NAMES,
            "concept",
            "pt2: torch.compile; Torch Compile; pt2 | torch-function: torch function | cuda-graphs: CUDA_Graph",
        ),
        (NAMES, "concept", "torch-api: torch API | torch-api-macro: TORCH_API | cpp: C++ | c: c"),
        (NAMES, "concept", "dispatcher: dispacher;  Dispatcher  | autograd-hook: hooks; register_hook"),
        (NAMES, "episode", "show/strides: 62; episode 62; Ep. 62; #62; stirdes | other/half: other/half"),
        (NAMES, "episode", "show/why: why is autograd so complicated?; why is autograd so complcated"),
        # a goal is a concept first
        (NAMES, "goal", "strides: Strides; stirdes | show/why: Why is autograd so complicated"),
        # a season and a number; without seasons, all is the first
        (TWO, "episode", "TV/21: s2e1; S02E01; S2 E1; s2:e1; Season 2, episode 1; season 2 ep. 1; 2x01; S2 #1"),
        (TWO, "episode", "TV/21: episode 1 of season 2; ep. 1, season 2; E1 of S2 | Show/5: #5; s1e5"),
        # behind the name of its show
        (SHOWS, "episode", "TV/22: TV, episode 2 | Radio/22: radio S2 #2 | Radio Two/21: Radio Two 2x01"),
    ],
)
def test_a_name_a_number_a_title_or_a_typo_is_understood(resolver: Resolver, wanted: Wanted, meanings: str) -> None:
    for id_, typed in (meaning.split(": ") for meaning in meanings.split(" | ")):
        assert {resolver.resolve(text, wanted, words_too=False).ids for text in typed.split("; ")} == {(id_,)}


@pytest.mark.parametrize(
    ("resolver", "wanted", "typed", "says"),
    [
        (NAMES, "concept", "dispatch", "dispatcher or dispatch key"),
        (NAMES, "name", "MVCC", "no concept or episode is called 'MVCC'; did you mean nvcc"),
        (NAMES, "name", "trace", "no single concept or episode is called 'trace'; did you mean structured log or"),
        # what several bear is not guessed, and ids, numbers or seasons tell them apart
        (NAMES, "episode", "Half precision", ""),
        (NAMES, "episode", "Half precisions and more", "did you mean show/half or other/half"),
        (NAMES, "episode", "22", "no single episode is called '22'; did you mean other/half or Why is autograd so c"),
        (TWO, "episode", "1", "no single episode is called '1'; did you mean Told 11 or Told 21?"),
        (FIVE, "goal", "episode 1", "'episode 1'; did you mean Told 11 or Told 21 or Told 31?"),
        (TWO, "episode", "s2e5", "'s2e5'"),
        (ALIKE, "episode", "Introduction", "did you mean S1 E1 or S2 E1"),
        (ALIKE, "episode", "episode 1", "did you mean S1 E1 or S2 E1?"),
        (SHOWS, "episode", "s2e1", "no single episode is called 's2e1'; did you mean Radio Two no. 1 or"),
        # free words are no name
        (NAMES, "episode", "why is my memory leaking", "did you mean"),
        *((NAMES, "concept", typed, "") for typed in ("", "...", "quantum", "d")),
        # an area in which no episode has a main subject
        *((NAMES, "goal", typed, "") for typed in ("Capture area", "area A")),
        # short names, abbreviations and numbers are never corrected
        *((NAMES, "goal", typed, "") for typed in ("nvc", "nvccc", "DISPACHER", "PyTorch 3", "nvcc2", "2.5", "/")),
        # what the map does not know, and few or foreign words
        *((NAMES, "goal", typed, "") for typed in ("pandas.DataFrame", "numpy.DataLoader", "how do I bake bread")),
        *((FREE, "goal", typed, "") for typed in ("bread in memory of grandma", "RAM", "dataloader mortgage")),
        (FREE, "goal", "machine learning", "did you mean TPU"),
        # words that only ask are sent to the journeys
        *((FREE, "goal", t, "try: torchatlas journeys, or torchatlas search WORD") for t in ("beginner", "internals")),
        (FREE, "goal", "memory", "no concept or episode is called 'memory'; did you mean memory format or Data"),
        (FREE, "goal", "everything about the compilers", "did you mean area Compilation"),
    ],
)
def test_what_is_no_name_comes_with_what_may_be_meant(resolver: Resolver, wanted: Any, typed: str, says: str) -> None:
    with pytest.raises(UnknownName) as caught:
        resolver.resolve(typed, "goal" if wanted == "name" else wanted, words_too=wanted == "goal")
    assert says in str(caught.value) and len(caught.value.suggestions) <= 3


LEAKS = f'the episode "{LEAK}"'


@pytest.mark.parametrize(
    ("resolver", "typed", "ids", "how", "sentence"),
    [
        (NAMES, "dispatcher", "dispatcher", "name", ""),
        (NAMES, "`DISPATCHER`", "dispatcher", "name", ""),
        (NAMES, "strides?", "strides", "name", ""),
        (NAMES, "#53", "show/leak", "number", ""),
        (NAMES, "torch.compile", "pt2", "alias", '"torch.compile" is another name of PyTorch 2.'),
        (NAMES, "dispacher", "dispatcher", "corrected", 'I took "dispacher" for a typing slip of dispatcher.'),
        (NAMES, "Registry.cpp", "dispatcher", "identifier", '"Registry.cpp" to mean dispatcher (aten/core/Registry.c'),
        (NAMES, "aten/core/dispatch/x.cpp", "dispatcher", "identifier", "(aten/core/dispatch)"),
        (NAMES, "aten.core.DispatchKey", "dispatch-key", "identifier", "(aten/core/DispatchKey.h)"),
        (NAMES, "torch.ao.DataLoader", "loader", "identifier", "to mean DataLoader (DataLoader)"),
        (NAMES, "torch.ao.quantize.Config", "quantization", "identifier", "(torch.ao.quantize)"),
        (NAMES, "many workers leaks memory", "show/leak", "title", LEAKS),
        (NAMES, "many worker leak memory", "show/leak", "title", LEAKS),
        (NAMES, "what is torch.compile?", "pt2", "question", 'I took "what is torch.compile" to mean PyTorch 2.'),
        (NAMES, "quantizing", "quantization", "question", 'I took "quantizing" to mean quantization.'),
        (NAMES, WHY[0], "show/leak", "question", LEAKS),
        (NAMES, "when does training run out of memory", "show/leak", "question", LEAKS),
        (NAMES, "why is my memory leaking", "show/leak", "title", LEAKS),
        # an area comes after a concept of its name and before another name of a concept
        (NAMES, "the area Data", "loader", "area", 'took "the area Data" to mean the area Data: the main subjects of'),
        (NAMES, "Data", "loader", "area", "Dataset"),
        (NAMES, "Numbers", "numbers", "name", ""),
        # the longest name that stands in a question is meant
        *(
            (FREE, t, "graph-break", "question", t)
            for t in ("what is a graph break", "I want to understand graph breaks")
        ),
        (FREE, "graph break", "graph-break", "name", ""),
        (FREE, 'the episode "graph break"', "break", "name", ""),  # as it is printed
        (FREE, "is the FSDP needed", "FSDP", "question", "FSDP"),
        (FREE, "what is the graph break registry", "graph-break-registry", "question", "registry"),
        (FREE, "how does compiled autograd work", "compiled-autograd", "question", "compiled"),
        (FREE, "what exactly is autograd in PyTorch, under the hood", "autograd", "question", "autograd"),
        # two things
        *((FREE, t, "bfloat16 float16", "question", t) for t in ("bf16 vs fp16", "how does bf16 compare to fp16")),
        (FREE, "what is the difference between bf16 and fp16?", "bfloat16 float16", "question", "bf16"),
        (FREE, "fp16 or bf16", "float16 bfloat16", "question", "float16 and bfloat16"),
        # far ahead in one subject
        (FREE, "my dataloader leaks RAM every night", "leak", "guess", 'My best guess for "my dataloader leaks RAM'),
        (FREE, "area Compilation", "compiler-pass", "area", "area Compilation"),
    ],
)
def test_words_are_understood_as_it_says(resolver: Resolver, typed: str, ids: str, how: str, sentence: str) -> None:
    found = resolver.resolve(typed)
    assert (" ".join(found.ids), found.how) == (ids, how)
    assert sentence in found.sentence if sentence else found.sentence == ""


def test_readings_are_best_first_each_once_and_of_the_wanted_kind() -> None:
    found = NAMES.readings("why is my DataLoader leaking memory")
    assert found[0].ids == ("show/leak",) and found[0].sure and ("loader",) in [r.ids for r in found]
    assert len({r.ids for r in found}) == len(found)
    assert {r.kind for r in NAMES.readings("why is my DataLoader leaking memory", "concept")} == {"concept"}
    assert NAMES.readings("sourdough") == () and NAMES.resolve("Numbers").alternatives[0].ids == ("quantization",)
    assert all(len(reading.ids) == 1 for reading in FREE.readings("bf16 vs sourdough"))
    # one that episodes explain comes before others, but not before one that fits far better or is named
    explained = {"saves the weights": "packed-format", "custom backend chip circuits": "backend-extensibility"}
    better = {"steps of custom circuits take a chip": "FPGA", "memory parameters of a TPU": "TPU"}
    for typed, best in (explained | better).items():
        assert FREE.readings(typed)[0].ids == (best,)


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused_in_one_line(text: str) -> None:
    try:
        found = NAMES.resolve(text)
    except UnknownName as e:
        assert len(e.suggestions) <= 3
    else:
        assert found.ids and all(id_ in GRAPH.concept or id_ in GRAPH.episode for id_ in found.ids)
        assert NAMES.readings(text)[0].ids == found.ids


def test_blanks_beyond_the_first_change_nothing_however_many_there_are() -> None:
    typed = "my dataloader leaks RAM"
    assert FREE.resolve(typed.replace(" ", " \n\t" * 50_000)) == FREE.resolve(typed)


def test_everyday_and_unknown_words_count_less_than_names() -> None:
    forms = WordForms(["dataloader", "eat", "wrong"])
    assert forms.weight("takes") < forms.weight("eats") < forms.weight("dataloader") == 1 >= forms.weight("went")
    assert forms.weight("20gb") == 0
