"""Names, identifiers, areas, slips, questions and free words on small graphs made by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import rows
from tests.graph.builds import edges
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver
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
        Concept(
            "dispatcher",
            "dispatcher",
            area="A",
            source_paths=("aten/core/dispatch", "aten/core/Registry.cpp", "torch/csrc/jit"),
        ),
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
Files       | bundle format          | Saves the weights of a model to a file.
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
RESOLVERS = {"NAMES": NAMES, "FREE": FREE, "TWO": TWO, "FIVE": FIVE, "ALIKE": ALIKE, "SHOWS": SHOWS}


def asked(table: str) -> Any:
    """The cases below lines such as "@FREE goal": the resolver, what is wanted, and what stands between the arrows."""
    parts = (part.split("\n", 1) for part in table.split("@")[1:])
    return [(RESOLVERS[(of := head.split())[0]], of[1], *row) for head, cases in parts for row in rows(cases)]


MEANT = """
@NAMES concept
torch.compile => pt2 | Torch Compile => pt2 | pt2 => pt2 | torch function => torch-function | CUDA_Graph => cuda-graphs
torch API => torch-api | TORCH_API => torch-api-macro | C++ => cpp | c => c | dispacher => dispatcher
Dispatcher => dispatcher | hooks => autograd-hook | register_hook => autograd-hook
@NAMES episode
62 => show/strides | episode 62 => show/strides | Ep. 62 => show/strides | #62 => show/strides | stirdes => show/strides
strides => show/strides
why is autograd so complicated? => show/why | why is autograd so complcated => show/why | other/half => other/half
@NAMES goal which is a concept first
Strides => strides | stirdes => strides | Why is autograd so complicated => show/why
@TWO episode by season and number; without seasons, all is the first
s2e1 => TV/21 | S02E01 => TV/21 | S2 E1 => TV/21 | s2:e1 => TV/21 | Season 2, episode 1 => TV/21 | 2x01 => TV/21
season 2 ep. 1 => TV/21 | S2 #1 => TV/21 | episode 1 of season 2 => TV/21 | ep. 1, season 2 => TV/21 | E1 of S2 => TV/21
#5 => Show/5 | s1e5 => Show/5
@SHOWS episode behind the name of its show
TV, episode 2 => TV/22 | radio S2 #2 => Radio/22 | Radio Two 2x01 => Radio Two/21
"""


@pytest.mark.parametrize(("resolver", "wanted", "typed", "id_"), asked(MEANT))
def test_a_name_a_number_a_title_or_a_typo_is_understood(resolver: Resolver, wanted: Any, typed: str, id_: str) -> None:
    assert {resolver.resolve(text, wanted, words_too=False).ids for text in (typed, f" {typed}  ")} == {(id_,)}


JOURNEYS = "try: torchatlas plan --journey, or torchatlas search WORD"
UNCLEAR = f"""
@NAMES concept
dispatch => dispatcher or dispatch key | => | ... => | quantum => | d =>
@NAMES name
MVCC => no concept or episode is called 'MVCC'; did you mean nvcc
trace => no single concept or episode is called 'trace'; did you mean structured log or
@NAMES episode that several bear is not guessed; free words are no name
Half precision => | Half precisions and more => did you mean show/half or other/half
22 => '22' may mean several things: other/half (Other, #22); Why is autograd so complicat
why is my memory leaking => did you mean
@TWO episode
1 => '1' may mean several things: Told 11 (TV, S1 E1); Told 21 (TV, S2 E1); name | s2e5 => 's2e5'
@FIVE goal
episode 1 => ; Told 31 (TV, S3 E1); 2 more; name one of them
@ALIKE episode told apart by number or season
Introduction => did you mean S1 E1 or S2 E1 | episode 1 => S1 E1 (TV); S2 E1 (TV)
@SHOWS episode
s2e1 => several things
@NAMES goal in an area without a main subject; a short name, which is never corrected; what the map does not know
Capture area => | area A => | nvc => | nvccc => | PyTorch 3 => | nvcc2 => | 2.5 => | / =>
pandas.DataFrame => | numpy.DataLoader => | how do I bake bread => | 为什么 => in English only
wie funktioniert der dispatcher => did you mean dispatcher?; questions are understood in English only
@FREE goal of few or foreign words, or of words that only ask
bread in memory of grandma => | dataloader mortgage =>
beginner => {JOURNEYS} | internals => {JOURNEYS}
"""


@pytest.mark.parametrize(("resolver", "wanted", "typed", "says"), asked(UNCLEAR))
def test_what_is_no_name_comes_with_what_may_be_meant(resolver: Resolver, wanted: Any, typed: str, says: str) -> None:
    with pytest.raises(UnknownName) as caught:
        resolver.resolve(typed, "goal" if wanted == "name" else wanted, words_too=wanted == "goal")
    assert says in str(caught.value) and len(caught.value.suggestions) <= 3


LEAKS = f'the episode "{LEAK}"'
UNDERSTOOD = f"""
@NAMES goal where an area comes after a concept of its name and before another name of a concept
dispatcher => name dispatcher => | `DISPATCHER` => name dispatcher => | strides? => name strides =>
#53 => number show/leak => | torch.compile => alias pt2 => "torch.compile" is another name of PyTorch 2.
dispacher => corrected dispatcher => I took "dispacher" for a typing slip of dispatcher. | Numbers => name numbers =>
Registry.cpp => identifier dispatcher => "Registry.cpp" to mean dispatcher (aten/core/Registry.c
aten/core/dispatch/x.cpp => identifier dispatcher => (aten/core/dispatch) | Data => area loader => Dataset
aten.core.DispatchKey => identifier dispatch-key => (aten/core/DispatchKey.h)
torch.ao.DataLoader => identifier loader => to mean DataLoader (DataLoader)
torch.ao.quantize.Config => identifier quantization => (torch.ao.quantize)
at::core::Registry::find => identifier dispatcher => "at::core::Registry::find" to mean dispatcher (aten/core/Registry
torch::jit::f => identifier dispatcher => (torch/csrc/jit)
many workers leaks memory => question show/leak => {LEAKS} | many worker leak memory => question show/leak => {LEAKS}
why is my memory leaking => question show/leak => {LEAKS} | {WHY[0]} => question show/leak => {LEAKS}
when does training run out of memory => question show/leak => {LEAKS}
what is torch.compile? => question pt2 => I took "what is torch.compile" to mean PyTorch 2.
quantizing => guess quantization => My best guess for "quantizing" is quantization. Other readings:
the area Data => area loader => took "the area Data" to mean the area Data: the main subjects of
@FREE goal by the longest name that stands in a question, two things, or what is far ahead in one subject
what is a graph break => question graph-break => what is a graph break | graph break => name graph-break =>
I want to understand graph breaks => question graph-break => graph breaks | the episode "graph break" => name break =>
is the FSDP needed => question FSDP => FSDP | how does compiled autograd work => question compiled-autograd => compiled
what is the graph break registry => question graph-break-registry => registry
what exactly is autograd in PyTorch, under the hood => question autograd => autograd
bf16 vs fp16 => question bfloat16 float16 => bf16 | how does bf16 compare to fp16 => question bfloat16 float16 => bf16
what is the difference between bf16 and fp16? => question bfloat16 float16 => bf16
fp16 or bf16 => question float16 bfloat16 => float16 and bfloat16 | area Compilation => area compiler-pass => area Comp
my dataloader leaks RAM every night => question leak => I took "my dataloader leaks RAM every night" to
"""


@pytest.mark.parametrize(("resolver", "wanted", "typed", "meant", "sentence"), asked(UNDERSTOOD))
def test_words_are_understood_as_told(resolver: Resolver, wanted: Any, typed: str, meant: str, sentence: str) -> None:
    found = resolver.resolve(typed, wanted)
    assert " ".join([found.how, *found.ids]) == meant
    assert sentence in found.sentence if sentence else found.sentence == ""


def test_readings_are_best_first_each_once_and_of_the_wanted_kind() -> None:
    found = NAMES.readings("why is my DataLoader leaking memory")
    assert found[0].ids == ("loader",) and found[0].sure and ("show/leak",) in [r.ids for r in found]
    assert len({r.ids for r in found}) == len(found)
    assert {r.kind for r in NAMES.readings("why is my DataLoader leaking memory", "concept")} == {"concept"}
    assert NAMES.readings("sourdough") == () and NAMES.resolve("Numbers").other[0].ids == ("quantization",)
    assert all(len(reading.ids) == 1 for reading in FREE.readings("bf16 vs sourdough"))
    # one that episodes explain comes before others, but not before one that fits far better or is named
    better = dict.fromkeys(("custom backend chip circuits", "steps of custom circuits take a chip"), "FPGA")
    better |= {"memory parameters of a TPU": "TPU", "saves the weights": "packed-format"}
    for typed, best in better.items():
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
    assert FREE.resolve(typed.replace(" ", " \t" * 50_000)).ids == FREE.resolve(typed).ids


def test_words_of_a_title_are_no_slip() -> None:
    both = Snapshot((Concept("rockets", "rocket", area="A"),), (Episode("s/a", "Why racket strings break", show="S"),))
    assert Resolver(both).named("rackets", "goal")[0].how == "corrected"
    assert Resolver(both).named("racket", "goal") == []


def test_everyday_and_unknown_words_count_less_than_names() -> None:
    forms = WordForms(["dataloader", "eat", "wrong"])
    assert forms.weight("takes") < forms.weight("eats") < forms.weight("dataloader") == 1 >= forms.weight("went")
    assert forms.weight("20gb") == 0
