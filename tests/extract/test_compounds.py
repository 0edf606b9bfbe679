from functools import cache

import pytest

from torchatlas.extract.extractor import Extractor
from torchatlas.graph.values.model import Concept

NAMES = {
    "Inductor": (),
    "lowering": ("Inductor lowering",),
    "TLS": ("thread-local storage",),
    "rank (distributed)": ("rank of a process",),
    "JVP and VJP": (),
    "joint pass": ("forward and backward pass", "tracing and lowering"),
    "forward pass": (),
    "JVP": (),
    "VJP": (),
    "attention": ("attention mechanism",),
    "distributed": ("distributed computation",),
    "Python dispatcher": (),
    "dispatcher": ("PyTorch dispatcher",),
    "reference counting": ("Python reference counting",),
    "autograd hook": ("hook", "backward hook"),
    "backward pass": ("backward",),
    "tracing": (),
    "locality of reference": (),
    "CUDA stream": (),
    "stream capture": ("CUDA stream capture",),
    "CUDA": (),
}


@cache
def extractor() -> Extractor:
    return Extractor([Concept(n.lower().replace(" ", "-"), n, area="x", aliases=a) for n, a in NAMES.items()])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Inductor lowering", ["Inductor", "lowering"]),
        ("the rank of a process", ["rank"]),
        ("JVP and VJP", ["JVP", "VJP"]),
        ("forward and backward pass", ["forward", "backward pass"]),
        ("tracing and lowering", ["tracing", "lowering"]),
        ("the attention mechanism", ["attention"]),
        ("distributed computation", ["distributed computation"]),
        ("the Python dispatcher", ["Python dispatcher"]),
        ("the PyTorch dispatcher", ["dispatcher"]),
        ("Python reference counting", ["reference counting"]),
        ("backward hooks", ["backward hooks"]),
        ("locality of reference", ["locality of reference"]),
        ("CUDA stream capture", ["CUDA stream capture"]),
    ],
)
def test_a_phrase_of_two_terms_is_two_mentions(text: str, expected: list[str]) -> None:
    assert [m.text for m in extractor().mentions(text)] == expected
