import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.concepts import FACTORY, general_terms
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept
from torchatlas.graph.names import spelling
from torchatlas.shipped import bundled

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


@cache
def bare() -> Extractor:
    return Extractor([])


def introduced(text: str) -> dict[tuple[int, int], str]:
    return {(m.start, m.end): m.concept_id for m in bare().mentions(text)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QUILL is fast. The QUILL flag.", ["QUILL", "QUILL"]),
        ("The QUILL layout", []),
        ("as in S1E5, S02E01 and EP12", []),  # numbers of episodes
        ("in the QUILL compiler", ["QUILL"]),
        ("NOTE THE CHANGE, THIS IS LOUD", []),
        ("written in HTML for the USA", []),
        ("a cosy lantern room (CLQ), and the CLQ of it", ["CLQ", "CLQ"]),
        ("a cosy lantern quarter (CLQ), and the CLQ of it", ["cosy lantern quarter", "CLQ", "CLQ"]),
        ("a lantern (CLQ)", ["CLQ"]),
        ("Quill is a small compiler. We like Quill.", ["Quill", "Quill"]),
        ("Jane is a compiler engineer", []),
        ("This is a library", []),
        ("MAX_QUILL and https://quill.example/QUILL", ["MAX_QUILL"]),
    ],
)
def test_a_text_introduces_names(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in introduced(text)] == names


def test_an_abbreviation_means_what_stands_before_it() -> None:
    text = "static analysis (TLX), and TLX again"
    assert introduced(text) == {(0, 15): "static-analysis", (17, 20): "static-analysis", (27, 30): "static-analysis"}


PATTERNS = {
    "fusion": (),
    "sharding": (),
    "tracing": (),
    "quantization": (),
    "Halo": (),
    "GCX": (),
    "intermediate representation": ("IR",),
    "unboxed": (),
    "PyTorch Gathered": ("gathered",),
    # What a vocabulary's names are made of: "pattern" ends several, "woven" and "functional" begin several.
    **{f"{word} pattern": () for word in ("woven", "rewriting", "folding", "matching", "kneading")},
    **{f"woven {word}": () for word in ("loom", "yarn", "thread count", "hall")},
    **{f"functional {word}": () for word in ("loom", "yarn", "dye", "hall", "reed")},
}


@cache
def patterns() -> Extractor:
    return Extractor([Concept(n.lower().replace(" ", "-"), n, area="x", aliases=a) for n, a in PATTERNS.items()])


def terms_in(text: str) -> list[tuple[str, str]]:
    return [(m.text, m.part) for m in patterns().mentions(text)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a fusion pattern here", [("fusion pattern", "fusion")]),
        ("two fusion patterns.", [("fusion patterns", "fusion")]),
        ("the fusion patterns the code", [("fusion", "")]),
        ("fusing patterns", [("fusing", "")]),
        ("Fusion patterns to Halo.", [("Fusion patterns", "fusion"), ("Halo", "")]),
        ("fusion patterns GCX", [("fusion patterns", "fusion"), ("GCX", "")]),
        ("adds fusion patterns to Halo", [("fusion patterns", "fusion"), ("Halo", "")]),
        ("Fusion patterns to know", [("Fusion patterns", "fusion")]),
        ("Fusion Patterns To Know", [("Fusion Patterns", "fusion")]),
        ("a fusion error", [("fusion", "")]),
        ("the gathered API", [("gathered", "")]),
        ("the woven sharding", [("woven sharding", "sharding")]),
        ("2D sharding", [("2D sharding", "sharding")]),
        ("semi-automatic sharding", [("semi-automatic sharding", "sharding")]),
        ("new sharding", [("sharding", "")]),
        ("the Halo exporter", [("Halo exporter", "halo")]),
        ("the Halo core", [("Halo core", "halo")]),
        ("fusion cores of Halo cores", [("fusion", ""), ("Halo cores", "halo")]),
        ("Halo IR", [("Halo", ""), ("IR", "")]),
        ("Halo-based and GCX-like code", [("Halo", ""), ("GCX", "")]),
        ("It has a Dense Woven Yarn Object here", [("Woven Yarn", "")]),
        ("about Woven Yarn In Very Many Different Dense Objectifications today", [("Woven Yarn", "")]),
        ("about Woven Yarn Data Across Cables Nobody Objectifies today", [("Woven Yarn", "")]),
        ("the talk Fusion Internals And Sharding Design", [("Fusion", ""), ("Sharding", "")]),
        ("and Fusion We love", [("Fusion", "")]),
        ("a Halo-Only or Halo-Powered-By-Dense-Long-Lasting-Objectifications box", [("Halo", ""), ("Halo", "")]),
        ("A Guide: Woven Yarn Objects", [("Woven Yarn", "")]),
        ("with Halo Woven Yarn", [("Halo", ""), ("Woven Yarn", "")]),
        ("the woven hall cache", [("woven hall", "")]),
        ("two Halo ZYX. One ZYX", [("Halo", ""), ("ZYX", ""), ("ZYX", "")]),
        ("Halo GCX", [("Halo", ""), ("GCX", "")]),
        ("the Halo users", [("Halo", "")]),
        ("the Halo Quilter is", [("Halo Quilter", "halo")]),
        ("the Halo Error is", [("Halo", "")]),
        ("per-thread GCX", [("GCX", "")]),
        ("free-threaded GCX", [("free-threaded GCX", "gcx")]),
        ("tracing and sharding", [("tracing", ""), ("sharding", "")]),
        ("a cosy functional pattern", []),
        ("a functional quilt", []),
    ],
)
def test_words_beside_a_name_make_a_longer_term(text: str, terms: list[tuple[str, str]]) -> None:
    assert terms_in(text) == terms


def test_singular_and_plural_of_a_term_are_one() -> None:
    assert {m.concept_id for m in patterns().mentions("A fusion pattern. Fusion patterns.")} == {"fusion-pattern"}


GENERAL, REMOTE = tuple(general_terms()), tuple(general_terms("glossary.txt"))
TERMS = (*GENERAL, *REMOTE)


def test_a_term_is_no_name_of_a_concept_and_stands_once() -> None:
    concepts = load_vocabulary(bundled("concepts", ".toml")).concepts
    taken = {spelling(n): c.id for c in concepts for n in (c.id, c.name, *c.aliases, *c.in_texts)}
    worded = Counter(key for term in TERMS for key in {spelling(n) for n in (term["name"], *term["aliases"])})
    assert {wording: taken[wording] for wording in worded if wording in taken} == {}
    assert [wording for wording, times in worded.items() if times > 1] == []


def test_the_two_lists_share_no_term_by_other_hyphens_or_spaces() -> None:
    general, remote = (
        {re.sub(r"[\s-]|s$", "", name.lower()) for term in terms for name in (term["name"], *term["aliases"])}
        for terms in (GENERAL, REMOTE)
    )
    assert general & remote <= {"vite"}  # Vite; Vitess is another thing


def test_the_terms_stand_in_order() -> None:
    for terms in (GENERAL, REMOTE):
        names = [term["name"].casefold() for term in terms]
        assert names == sorted(names)


def test_a_tool_is_found_that_a_text_names_once() -> None:
    assert [m.text for m in Extractor([]).mentions("Play it with Selenium, then tinygrad.")] == ["Selenium", "tinygrad"]


def test_a_remote_term_is_found_and_makes_no_word_a_part_of_other_terms() -> None:
    extractor = Extractor([])
    text = "A copy-on-write B-tree, write-ahead logs, prefetched buffers and a yarn"
    assert [m.text for m in extractor.mentions(text)] == ["copy-on-write B-tree", "write-ahead logs", "prefetched"]
    remote = {word for term in REMOTE for word in term["name"].lower().split()}
    near = {word for term in GENERAL for name in (term["name"], *term["aliases"]) for word in name.lower().split()}
    finder: Any = extractor.nlp.get_pipe("torchatlas_concepts")
    assert not (remote - near) & {*finder.heads, *finder.modifiers}
