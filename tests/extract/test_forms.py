from collections.abc import Callable

import pytest

from tests.extract.cases import cases, each, pairs
from torchatlas.extract.english import conjugated, plural, singular
from torchatlas.extract.forms import admits, derivations, forms, identifiers

DERIVED = """
    tensor subclass => tensor subclasses | vectorization => vectorize, vectorized, vectorizes, vectorizing, vectorise
    fusion => fuse, fused, fusing, fuses | tracing => trace, traced, traces | functionalization => functionalized
    batching => batched | striding => stride | mixing => mix, mixed | pinning => pin, pinned
    spilling => spill, spilled
    dependency => dependencies | CUDA graphs => CUDA graph | GPU => GPUs | thread safety => thread safe, thread-safe
    __torch_function__ => torch_function__, __torch_function, torch_function | FakeTensor => fake tensor, fake tensors
    operator decomposition => operator decompose, operator decomposed | argument parsing => arg parsing
    forward graph => fw graph, fwd graphs | decomposition => decomp, decomps
"""
UNDERIVED = """torch.fx => torch.fxs | code generation => code generate | strides => stridess | landing => landed
    spilling => spil | batching => batche | drawing => drawe | pinning => pinn | evaluation => eval"""


@pytest.mark.parametrize(("name", "some"), pairs(DERIVED))
def test_derivations(name: str, some: str) -> None:
    assert {*some.split(", ")} <= {form.text for form in forms("x", name)} | set(derivations(name))


@pytest.mark.parametrize(("name", "none"), pairs(UNDERIVED))
def test_no_derivation(name: str, none: str) -> None:
    assert none not in set(derivations(name))


def test_ubiquitous_words_are_no_names_of_their_own() -> None:
    assert [f.text for f in forms("kernel", "kernel")] == []
    assert "eager kernel" in [f.text for f in forms("kernel", "kernel", ["eager kernel"])]


def test_a_qualifier_is_no_part_of_the_spelling() -> None:
    assert [f.text for f in forms("rank", "rank (distributed)")] == ["rank", "ranks"]


ADMITTED = """GIL => GIL | FSDP => fsdp | FSDPs => fsdps | AOTAutograd => aotautograd | NumPy => Numpy
    Dynamo => dynamo
    rank => RANK | JIT schema => jit schema | vmap => Vmap"""
REFUSED = "GIL => gil | TLS => tls | TH => th | GILs => gils | Variable => variable"


@pytest.mark.parametrize(
    ("spelling", "seen", "expected"), [(*p, True) for p in pairs(ADMITTED)] + [(*p, False) for p in pairs(REFUSED)]
)
def test_case(spelling: str, seen: str, expected: bool) -> None:
    assert admits(spelling, seen) is expected


@pytest.mark.parametrize(
    ("inflected", "words"),
    [
        (plural, "view: views | batch: batches | policy: policies | key: keys | JVP: JVPs"),
        (singular, "views: view | caches: cache | policies: policy | strides: stride | class: None | alias: None"),
        (lambda w: conjugated(w)[2], "fuse: fused | pin: pinned | export: exported | box: boxed | copy: copied"),
        (lambda w: conjugated(w)[3], "fuse: fusing | pin: pinning | export: exporting"),
    ],
)
def test_english(inflected: Callable[[str], str | None], words: str) -> None:
    assert [(str(inflected(word)), word) for _, word in each(words)] == each(words)


CODE = r"""
    call set_output, then resize_ it => set_output resize_ | set FOO_BAR=1 => FOO_BAR=1
    Subclass TensorImpl or FunctionalTensors. => TensorImpl FunctionalTensors
    at::Device has an enum; torch::autograd::Function => at::Device torch::autograd::Function
    torch.fro.bnicate and backward() => torch.fro.bnicate backward() | pass --no-as-needed or not => --no-as-needed
    override __frob__ and _lazy_thing. => __frob__ _lazy_thing | `frob()`, (frobnicate_all) => frob() frobnicate_all
    in tools/codegen/gen.py, see variable.h. => tools/codegen/gen.py variable.h
    `tt.frob` in ``frob.nicate.all``; `frob-nicate`, `frobnicate` => tt.frob frob.nicate.all frob-nicate frobnicate
    `frob.all`/`frob_all()` => frob.all frob_all() | add `--frob-all` to it => --frob-all
    a **FrobGroup** of [`Frobnicate`] => FrobGroup Frobnicate
    Torchfrob is on torchao (torchfrob) => Torchfrob torchao torchfrob
"""
NO_CODE = """
    torch.add(x, y) and x.cos() | GitHub, PyTorch and YouTube; McDonald | e.g. this, i.e. that, U.S. and v1.2_3
    *.cmake and foo_* | if() else() | and/or, he/she, TCP/IP | a well-known read-only copy - really -- yes
    mail me@some_host or #some_channel | tt.frob, frob-nicate and frobnicate | f(*args) and `None`
    `x.frob`, `tt.add`, `frob`, `different` and ``models`` | Torches that torched torch, torching pytorch
    S1E5, S02E01, `s02e01` and S1:E4
"""


@pytest.mark.parametrize(("text", "code"), [*pairs(CODE), *((text, "") for text in cases(NO_CODE))])
def test_code_is_told_by_how_it_is_written_from_examples_names_and_globs(text: str, code: str) -> None:
    assert [text[start:end] for start, end in identifiers(text)] == code.split()
