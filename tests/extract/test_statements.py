import pytest

from extract.feed import Entry
from extract.pipeline import Extractor
from graph.evidence import Statement
from graph.model import Concept, Episode

NAMES = (
    "vmap",
    "Dynamo",
    "Inductor",
    "AOTAutograd",
    "functorch",
    "Triton",
    "NCHW",
    "NHWC",
    "DTensor",
    "FP8",
    "dispatcher",
    "strides",
    "memory layout",
    "tensor subclass",
    "FX graph",
    "TorchScript",
    "torch.export",
    "shared library",
    "Liskov substitution principle",
)
TITLES = ("Widgets", "How the dispatcher works", "TensorIterator", "vmap", "Zero-one specialization")
EXTRACTOR = Extractor(
    [Concept(n.lower(), n, "x", aliases=("export",) if n == "torch.export" else ()) for n in NAMES], TITLES
)


def statements(notes: str, title: str = "Widgets") -> tuple[Statement, ...]:
    (extraction,) = EXTRACTOR.extract([Entry(Episode("s/w", title, "s"), notes)])
    for s in extraction.statements:
        assert extraction.text[s.start : s.start + len(s.quote)] == s.quote and s.quote
    return extraction.statements


def stated(notes: str) -> set[tuple[str, str, str]]:
    return {(s.relation, s.subject, s.object) for s in statements(notes)}


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Memory layout makes use of strides.", {("USES", "memory layout", "strides")}),
        ("Inductor uses the Triton compiler.", {("USES", "Inductor", "Triton")}),
        ("Triton is used by Inductor.", {("USES", "Inductor", "Triton")}),
        ("Dynamo relies on the FX graph.", {("USES", "Dynamo", "FX graph")}),
        ("AOTAutograd is implemented using the dispatcher.", {("IMPLEMENTED_WITH", "AOTAutograd", "dispatcher")}),
        (
            "Tensor subclasses are handy. They were used to build DTensor, FP8 and vmap.",
            {("IMPLEMENTED_WITH", n, "tensor subclass") for n in ("DTensor", "FP8", "vmap")},
        ),
        ("vmap is a sort of generalization of strides.", {("EXTENDS", "vmap", "strides")}),
        ("NCHW versus NHWC", {("ALTERNATIVE_TO", "NCHW", "NHWC")}),
        ("TorchScript is an alternative to torch.export.", {("ALTERNATIVE_TO", "TorchScript", "torch.export")}),
        ("Dynamo produces an FX graph.", {("PRODUCES", "Dynamo", "FX graph")}),
        (
            "Inductor is a tool that lets you export a model into a shared library.",
            {("PRODUCES", "Inductor", "shared library")},
        ),
        ("vmap is part of functorch.", {("PART_OF", "vmap", "functorch")}),
        ("AOTAutograd runs before Inductor.", {("RUNS_BEFORE", "AOTAutograd", "Inductor")}),
        ("AOTAutograd runs after Dynamo.", {("RUNS_AFTER", "AOTAutograd", "Dynamo")}),
        ("To understand vmap, you should know strides.", {("REQUIRES_KNOWING", "vmap", "strides")}),
        ("Dynamo (see also vmap) uses the FX graph.", {("USES", "Dynamo", "FX graph")}),
        ("Dynamo, which is new, uses Triton, and Inductor lowers it.", {("USES", "Dynamo", "Triton")}),
    ],
)
def test_what_is_stated(notes: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= stated(notes)
    assert len(stated(notes)) == len(expected)


@pytest.mark.parametrize(
    "notes",
    [
        "Does Inductor use Triton?",
        "What makes it that vmap is part of functorch?",
        "Inductor does not use Triton.",
        "Dynamo might use Triton.",
        "Perhaps vmap is part of functorch.",
        "Dynamo and Inductor",
        "Dynamo, AOTAutograd, Inductor: three words",
        "Inductor lowering. Uses of Triton.",
        "Old notes about strides in functorch https://x.invalid/a",
        "Inductor works. Triton uses registers.",
        "vmap extends to dispatcher",
        "Inductor uses Inductor.",
    ],
)
def test_what_is_not_stated(notes: str) -> None:
    assert stated(notes) == set()


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (
            'Please listen to "How the dispatcher works" first.',
            {("LISTEN_AFTER", "Widgets", "How the dispatcher works")},
        ),
        ("I recommend listening to TensorIterator before this one.", {("LISTEN_AFTER", "Widgets", "TensorIterator")}),
        (
            "Related episodes on TensorIterator and vmap.",
            {("RELATED_EPISODE", "Widgets", "TensorIterator"), ("RELATED_EPISODE", "Widgets", "vmap")},
        ),
        (
            "Further reading. The other one https://a-show.simplecast.com/episodes/zero-one-specialization",
            {("RELATED_EPISODE", "Widgets", "Zero-one specialization")},
        ),
        ("This podcast assumes you know about the dispatcher.", {("REQUIRES_KNOWING", "Widgets", "dispatcher")}),
    ],
)
def test_other_episodes(notes: str, expected: set[tuple[str, str, str]]) -> None:
    assert stated(notes) == expected


def test_an_episode_to_hear_first_is_not_also_related() -> None:
    notes = "Listen to TensorIterator first. Related episodes on TensorIterator: https://a-show.simplecast.com/episodes/tensoriterator"
    assert stated(notes) == {("LISTEN_AFTER", "Widgets", "TensorIterator")}
