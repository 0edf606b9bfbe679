from functools import cache

import pytest

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.mentions.ellipsis import Elided, elided_concept, short_names
from torchatlas.extract.mentions.forms import Form
from torchatlas.graph.values.model import Concept

NAMES = {
    "CUDA": (),
    "CUDA stream": ("side stream",),
    "CMake": (),
    "CMake target": (),
    "DataLoader": (),
    "DataLoader worker": (),
    "FakeTensor": (),
    "conjugate bit": ("conjugate fallback",),
    "CUDA memory pool": (),
}


def test_a_term_that_no_concept_explains_has_no_short_name() -> None:
    cuda = Extractor([Concept("cuda", "CUDA", area="x")])
    assert [m.text for m in cuda.mentions("CUDA has a current stream, which is a stream")] == ["CUDA", "current stream"]


@cache
def extractor() -> Extractor:
    return Extractor([Concept(n.lower().replace(" ", "-"), n, area="x", aliases=a) for n, a in NAMES.items()])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a stream of words", []),
        ("CUDA has streams", ["CUDA", "streams"]),
        ("a CUDA stream, and this stream", ["CUDA stream"]),
        ("cmake builds targets", ["cmake", "targets"]),
        ("cmake is to target the host", ["cmake"]),
        ("The targets of PyTorch", []),
        ("DataLoader: workers", ["DataLoader", "workers"]),
        ("a conjugate tensor, a fallback", ["conjugate tensor"]),
        ("fake tensors", ["fake tensors"]),
        ("CUDA has a memory pool and a GPU pool", ["CUDA", "memory pool"]),
    ],
)
def test_a_head_stands_for_a_name_that_the_text_explains(text: str, expected: list[str]) -> None:
    assert [m.text for m in extractor().mentions(text)] == expected


def test_what_the_text_names_goes_before_what_it_could_name() -> None:
    pool, other = Elided("thread-pool", frozenset({"thread"})), Elided("memory-pool", frozenset({"memory"}))
    assert elided_concept([other, pool], {"thread-pool"}, {"memory"}) == "thread-pool"
    assert elided_concept([other, pool], set(), {"memory"}) == "memory-pool"
    assert elided_concept([other, pool], set(), {"swimming"}) is None


def test_what_is_a_name_itself_is_no_short_name() -> None:
    texts = {"cuda stream": "cuda-stream", "hook": "hook", "autograd hook": "autograd-hook"}
    forms = {text: [Form(text, concept, rank=0)] for text, concept in texts.items()}
    found = short_names(forms, {c: c.replace("-", " ") for c in texts.values()})
    whole = (Elided("cuda-stream", frozenset({"cuda"})),)
    assert found == {"stream": whole, "streams": whole, "hooks": (Elided("autograd-hook", frozenset({"autograd"})),)}
