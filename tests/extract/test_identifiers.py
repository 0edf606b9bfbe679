import pytest

from tests.extract.cases import cases, pairs
from torchatlas.extract.forms import identifiers
from torchatlas.graph.names import concept_id

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


@pytest.mark.parametrize(("text", "code"), pairs(CODE))
def test_code_is_told_by_how_it_is_written(text: str, code: str) -> None:
    assert [text[start:end] for start, end in identifiers(text)] == code.split()


@pytest.mark.parametrize("text", cases(NO_CODE))
def test_examples_names_and_globs_are_no_code(text: str) -> None:
    assert not list(identifiers(text))


def test_a_spelling_gives_an_id() -> None:
    assert concept_id("torch::empty") == "torch-empty"
    assert concept_id("__frob__") == "frob"
