from functools import cache
from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.concepts import FACTORY
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept

NAMES = {
    "vmap": (),
    "NumPy": (),
    "CMake": (),
    "TLS": ("thread-local storage",),
    "GIL": (),
    "torch.export": ("export",),
    "view": (),
    "functionalization": (),
    "fusion": (),
    "tracing": (),
    "__torch_function__": ("torch function",),
    "torch.fx": (),
    "Variable": (),
    "dispatcher": (),
    "Python dispatcher": (),
    "dispatch": (),
    "CMakeLists.txt": (),
    "ATen": (),
    "JIT schema": (),
    "forward graph": (),
    "backward graph": (),
    "eager mode": (),
    "backward pass": ("backward()", "backward"),
    "static scoping": (),
    "dynamic scoping": (),
    "lexical scoping": (),
    "DDP": (),
    "FSDP": (),
    "reduce-overhead": ('mode="reduce-overhead"',),
    "nn.Module": (),
    "kernel": (),
    "fused kernel": (),
    "dynamic library": (),
}
CONCEPTS = [Concept(name.lower().replace(" ", "-"), name, area="x", aliases=aliases) for name, aliases in NAMES.items()]


@cache
def extractor() -> Extractor:
    return Extractor(CONCEPTS)


BY_NAME = {c.name: c.id for c in CONCEPTS}


def found(text: str) -> list[str]:
    return [m.text for m in extractor().mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How vmap works; Vmap's rules", ["vmap", "Vmap"]),
        ("Numpy and cmake", ["Numpy", "cmake"]),
        ("TLS, not tls", ["TLS"]),
        ("the Variable class has variables", ["Variable"]),
        ("We exported it, then export two exports", ["exported", "export", "exports"]),
        ("functionalized, fused, traced, fusing", ["functionalized", "fused", "traced", "fusing"]),
        ("the Python dispatcher", ["Python dispatcher"]),
        ("the dispatcher extensibility mechanism", ["dispatcher"]),
        ("kernel and fused kernels", ["fused kernels"]),
        (
            "torch_function__ (its kin __torch_function ) and __torch_function__!",
            ["torch_function__", "__torch_function", "__torch_function__"],
        ),
        ("my_torch_function__x torch_function_mode", ["my_torch_function__x", "torch_function_mode"]),
        ("torch.fx, torch.fx. torch.fx.Graph", ["torch.fx", "torch.fx", "torch.fx.Graph"]),
        ("nn.Module or nn.module", ["nn.Module", "nn.module"]),
        ("see https://x.invalid/vmap/dispatcher-ATen (vmap)", ["vmap"]),
        ("parsing JIT\n      schema", ["JIT\n      schema"]),
        ("the eager\n\nmode. Eager. Mode", []),
        ("fused, forward and backward graphs", ["fused", "backward graphs"]),
        ("stale, forward, fused or backward graphs", ["fused", "backward graphs"]),
        ("static, dynamic and lexical scoping", ["lexical scoping"]),
        ("compiled DDP/FSDP as well", ["DDP", "FSDP"]),
        ('the "eager" mode', ['"eager" mode']),
        ('in "eager mode" now', ["eager mode"]),
        ("a backward() call, backward", ["backward()", "backward"]),
        ("defined in caffe2/CMakeLists.txt.", ["caffe2/CMakeLists.txt"]),
        ("a file, src/caffe2/CMakeLists.txt", ["src/caffe2/CMakeLists.txt"]),
        ("in aten/src/ATen/native.cpp or ATen/", ["aten/src/ATen/native.cpp"]),
        ("dynamic-library", ["dynamic-library"]),
        ('mode="reduce-overhead"', ['mode="reduce-overhead"']),
        ("an export-like use", ["export"]),
        ("", []),
    ],
)
def test_mentions(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_each_mention_has_its_concept() -> None:
    got = [m.concept_id for m in extractor().mentions("exported by torch_function__ in the backward graphs")]
    assert got == [BY_NAME[n] for n in ("torch.export", "__torch_function__", "backward graph")]


@pytest.mark.slow
def test_a_name_beats_an_alias_and_the_order_of_concepts_does_not_matter() -> None:
    concepts = [
        Concept("a", "storage pool", area="x", aliases=("arena",)),
        Concept("b", "arena", area="x"),
        Concept("c", "fusion", area="x"),
        Concept("d", "melting", area="x", aliases=("fused",)),
    ]
    for order in (concepts, concepts[::-1]):
        assert [m.concept_id for m in Extractor(order).mentions("an arena, fused")] == ["b", "d"]


def test_a_word_that_means_a_concept_in_texts_is_found_unless_it_names_another() -> None:
    loose = Concept("a", "autograd hook", area="x", in_texts=("hook",))
    assert [m.concept_id for m in Extractor([loose]).mentions("the hooks of a tensor")] == ["a"]
    named = Concept("b", "peg", area="x", aliases=("hook",))
    assert [m.concept_id for m in Extractor([loose, named]).mentions("a hook")] == ["b"]


def test_the_component_works_in_a_pipeline_of_ones_own_and_survives_its_config() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe(FACTORY, config={"concepts": [{"id": "v", "name": "vmap", "aliases": ["vectorizing map"]}]})
    again = spacy.util.load_model_from_config(nlp.config, auto_fill=False)
    for pipeline in (nlp, again):
        doc = pipeline("vmap, a vectorizing map http://localhost/vmap/x")
        assert [(s.text, s.label_) for s in doc.spans["concepts"]] == [("vmap", "v"), ("vectorizing map", "v")]


PIECES = st.sampled_from(
    [
        *NAMES,
        "exported",
        "\n",
        "\n\n",
        "  ",
        '"',
        "'",
        "(",
        ")",
        "/",
        ".",
        "_",
        "https://x.y/vmap",
        "é",
        "…",
        "forward",
        "and",
        "👍🏽",
        "\u200d",
        "-",
    ]
)


@given(st.text() | st.lists(st.one_of(PIECES, st.text(max_size=3))).map(" ".join) | st.lists(PIECES).map("".join))
def test_the_law_of_offsets(text: str) -> None:
    mentions = extractor().mentions(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@pytest.mark.slow
def test_no_word_is_too_long() -> None:
    assert found("(" * 300_000 + " vmap " + "a" * 300_000) == ["vmap"]


def test_code_that_no_vocabulary_knows_is_a_concept_of_its_own_and_known_code_is_not() -> None:
    named = {
        m.text: m.concept_id for m in extractor().mentions("set_output(), SetOutput, frob_all(True) and backward()")
    }
    assert (named["frob_all(True)"], named["SetOutput"], named["set_output()"]) == (
        "frob-all",
        "setoutput",
        "set-output",
    )
    assert named["backward()"] == "backward-pass"


def test_names_found_by_spelling_are_one_in_singular_and_plural() -> None:
    assert {m.concept_id for m in extractor().mentions("A ConfigMap. Two ConfigMaps.")} == {"configmap"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Andrew Lamb on sharp edges", []),
        ("the SHARP, LAMB and TLS", ["SHARP", "LAMB", "TLS"]),
        ("the Maxwell architecture", ["Maxwell"]),
        ("Debugging Maxwell", ["Maxwell"]),
        ("Other links", []),
        ("It links against the runtime", []),
        ("Torch. nn.Module is", ["nn.Module"]),
    ],
)
def test_capitals_people_and_headings(text: str, expected: list[str]) -> None:
    names = {"SHARP": (), "LAMB": (), "TLS": (), "Maxwell": (), "linker": (), "nn.Module": ("torch.nn.Module",)}
    own = Extractor([Concept(n.lower(), n, area="x", aliases=a) for n, a in names.items()])
    assert [m.text for m in own.mentions(text)] == expected


def test_general_terms_are_found_and_the_vocabulary_has_the_say() -> None:
    assert [m.concept_id for m in extractor().mentions("some static analysis")] == ["static-analysis"]
    own = Extractor([Concept("mine", "static analysis", area="Area")])
    assert [m.concept_id for m in own.mentions("some static analysis")] == ["mine"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tensor subclass", "tensor-subclass"),
        ("copy-on-write", "copy on write"),
        ("quantization-aware training", "quantization aware training"),
        ("JIT compilation", "JIT-compilation"),
    ],
)
def test_a_name_may_have_hyphens_or_spaces(name: str, text: str) -> None:
    own = Extractor([Concept("own", name, area="x")])
    assert [(m.text, m.concept_id) for m in own.mentions(f"the {text} here")] == [(text, "own")]
