from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.transcripts import WORD, ExplanationFinder, aloud
from torchatlas.graph.model import Concept

NAMES = {
    "aten": "ATen",
    "autograd": "autograd",
    "c10": "c10",
    "cmake": "CMake",
    "dispatcher": "dispatcher",
    "float16": "float16",
    "ghstack": "ghstack",
    "tensoriterator": "TensorIterator",
    "torch-function": "__torch_function__",
    "vec256": "Vec256",
    "version-counter": "version counter",
    "vmap": "vmap",
    "xla": "XLA",
    "cpp-frontend": "C++ frontend",
    "inference-mode": "inference mode",
    "gpu-kernel": "GPU kernel",
    "code-object": "__code__",
}
SPOKEN = ExplanationFinder(
    Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in NAMES.items()
)


def found(text: str) -> list[tuple[str, str]]:
    words = WORD.findall(text)
    return [(" ".join(words[h.first : h.last]), h.concept_id) for h in SPOKEN.find(words)]


@pytest.mark.parametrize(
    ("heard", "concept"),
    [
        ("a ten", "aten"),
        ("a 10", "aten"),
        ("auto grad", "autograd"),
        ("autograph", "autograd"),
        ("auto-grad", "autograd"),
        ("see ten", "c10"),
        ("C ten", "c10"),
        ("C10", "c10"),
        ("C make", "cmake"),
        ("see make", "cmake"),
        ("dispatch her", "dispatcher"),
        ("dispatchers", "dispatcher"),
        ("float sixteen", "float16"),
        ("G H stack", "ghstack"),
        ("tensor iterator", "tensoriterator"),
        ("sensor iterator", "tensoriterator"),
        ("torch function", "torch-function"),
        ("vec two fifty six", "vec256"),
        ("version countered", "version-counter"),
        ("V map", "vmap"),
        ("X L A", "xla"),
        ("C plus plus front end", "cpp-frontend"),
        ("C++ frontend", "cpp-frontend"),
        ("influence mode", "inference-mode"),
    ],
)
def test_garbled_names_are_found(heard: str, concept: str) -> None:
    written = " ".join(WORD.findall(heard))
    assert (written, concept) in found(f"now the thing is {heard} which we like")


@pytest.mark.parametrize(
    "text",
    [
        "we had ten of those and a tent",
        "a photograph of the car",
        "the CPU kernel",  # what is a known word was heard right
        "in version two the counter is gone",
        "write the code",
        "see the map",
        "",
    ],
)
def test_other_words_are_not_taken_for_names(text: str) -> None:
    assert found(text) == []


def test_what_is_written_as_the_name_is_surer_than_what_sounds_so() -> None:
    exact, garbled = SPOKEN.find(["autograd", "and", "autograph"])
    assert exact.likeness == 1 > garbled.likeness


@pytest.mark.parametrize(
    ("part", "said"),
    [("10", "ten"), ("256", "twofiftysix"), ("c", "see"), ("TLS", "teeelless"), ("vmap", "veemap"), ("grad", "grad")],
)
def test_names_are_read_aloud(part: str, said: str) -> None:
    assert aloud(part) == said


SAID = "a ten auto grad see c10 the V map 256 + x’s tensor iterator mode ß Ⅷ"


@given(st.lists(st.sampled_from(SAID.split(" "))))
def test_findings_are_spans_in_order_without_overlap(words: list[str]) -> None:
    heard = SPOKEN.find(words)
    assert all(0 <= h.first < h.last <= len(words) and 0 < h.likeness <= 1 for h in heard)
    assert all(a.last <= b.first for a, b in pairwise(heard))
