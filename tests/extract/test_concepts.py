import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases, concepts, marked, pairs, vocabulary
from torchatlas.extract.concepts import FACTORY, general_terms
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept
from torchatlas.graph.names import spelling

NAMES = """vmap, NumPy, CMake, TLS = thread-local storage, GIL, torch.export = export, view, functionalization, fusion,
tracing, __torch_function__ = torch function, torch.fx, Variable, dispatcher, Python dispatcher, dispatch,
CMakeLists.txt, ATen, JIT schema, forward graph, backward graph, eager mode, backward pass = backward() = backward,
static scoping, dynamic scoping, lexical scoping, DDP, FSDP, reduce-overhead = mode="reduce-overhead", nn.Module,
kernel, fused kernel, dynamic library"""
CONCEPTS = concepts(NAMES)


@cache
def extractor() -> Extractor:
    return Extractor(CONCEPTS)


def found(text: str) -> list[str]:
    return [m.text for m in extractor().mentions(text)]


MENTIONS = r"""
    How [vmap] works; [Vmap]'s rules | [Numpy] and [cmake] | [TLS], not tls | the [Variable] class has variables
    We [exported] it, then [export] two [exports] | [functionalized], [fused], [traced], [fusing]
    the [Python dispatcher] | the [dispatcher] extensibility mechanism | kernel and [fused kernels]
    [torch_function__] (its kin [__torch_function] ) and [__torch_function__]!
    [my_torch_function__x] [torch_function_mode] | [torch.fx], [torch.fx]. [torch.fx.Graph]
    [nn.Module] or [nn.module] | see https://x.invalid/vmap/dispatcher-ATen ([vmap]) | parsing [JIT\n      schema]
    the eager\n\nmode. Eager. Mode | [fused], forward and [backward graphs]
    stale, forward, [fused] or [backward graphs] | static, dynamic and [lexical scoping] | compiled [DDP]/[FSDP] as well
    the ["eager" mode] | in "[eager mode]" now | a [backward()] call, [backward] | an [export]-like use
    defined in [caffe2/CMakeLists.txt]. | a file, [src/caffe2/CMakeLists.txt] | [dynamic-library]
    in [aten/src/ATen/native.cpp] or ATen/ | [mode="reduce-overhead"]
"""


@pytest.mark.parametrize("case", ["", *cases(MENTIONS)])
def test_mentions(case: str) -> None:
    text, expected = marked(case.replace(r"\n", "\n"))
    assert found(text) == expected


def test_each_mention_has_its_concept() -> None:
    text = "exported by torch_function__ in the backward graphs, backward(), set_output(), SetOutput and frob_all(True)"
    named = "torch.export __torch_function__ backward-graph backward-pass set-output setoutput frob-all"
    assert [m.concept_id for m in extractor().mentions(text)] == named.split()


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
    ["exported", "\n", "\n\n", "  ", *"\"'()/._é…-\u200d", "https://x.y/vmap", "forward", "and", "👍🏽"]
    + [c.name for c in CONCEPTS]
)


@given(st.text() | st.lists(st.one_of(PIECES, st.text(max_size=3))).map(" ".join) | st.lists(PIECES).map("".join))
def test_the_law_of_offsets(text: str) -> None:
    mentions = extractor().mentions(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@pytest.mark.slow
def test_no_word_is_too_long() -> None:
    assert found("(" * 300_000 + " vmap " + "a" * 300_000) == ["vmap"]


def test_names_found_by_spelling_are_one_in_singular_and_plural() -> None:
    assert {m.concept_id for m in extractor().mentions("A ConfigMap. Two ConfigMaps.")} == {"configmap"}


CAPITALS = """Andrew Lamb on sharp edges | the [SHARP], [LAMB] and [TLS] | the [Maxwell] architecture
    Debugging [Maxwell]
    Other links | It links against the runtime | Torch. [nn.Module] is"""


@pytest.mark.parametrize("case", cases(CAPITALS))
def test_capitals_people_and_headings(case: str) -> None:
    own = Extractor(concepts("SHARP, LAMB, TLS, Maxwell, linker, nn.Module = torch.nn.Module"))
    text, expected = marked(case)
    assert [m.text for m in own.mentions(text)] == expected


def test_general_terms_are_found_and_the_vocabulary_has_the_say() -> None:
    assert [m.concept_id for m in extractor().mentions("some static analysis")] == ["static-analysis"]
    own = Extractor([Concept("mine", "static analysis", area="Area")])
    assert [m.concept_id for m in own.mentions("some static analysis")] == ["mine"]


HYPHENS = """tensor subclass => tensor-subclass | copy-on-write => copy on write | JIT compilation => JIT-compilation
    quantization-aware training => quantization aware training"""


@pytest.mark.parametrize(("name", "text"), pairs(HYPHENS))
def test_a_name_may_have_hyphens_or_spaces(name: str, text: str) -> None:
    own = Extractor([Concept("own", name, area="x")])
    assert [(m.text, m.concept_id) for m in own.mentions(f"the {text} here")] == [(text, "own")]


@cache
def bare() -> Extractor:
    return Extractor([])


def introduced(text: str) -> dict[tuple[int, int], str]:
    return {(m.start, m.end): m.concept_id for m in bare().mentions(text)}


INTRODUCED = """
    [QUILL] is fast. The [QUILL] flag. | The QUILL layout | in the [QUILL] compiler | NOTE THE CHANGE, THIS IS LOUD
    as in S1E5, S02E01 and EP12 | written in HTML for the USA | a cosy lantern room ([CLQ]), and the [CLQ] of it
    a [cosy lantern quarter] ([CLQ]), and the [CLQ] of it | a lantern ([CLQ]) | Jane is a compiler engineer
    [Quill] is a small compiler. We like [Quill]. | This is a library | [MAX_QUILL] and https://quill.example/QUILL
"""


@pytest.mark.parametrize("case", cases(INTRODUCED))
def test_a_text_introduces_names(case: str) -> None:
    text, names = marked(case)
    assert [text[start:end] for start, end in introduced(text)] == names


def test_an_abbreviation_means_what_stands_before_it() -> None:
    text = "static analysis (TLX), and TLX again"
    assert introduced(text) == {(0, 15): "static-analysis", (17, 20): "static-analysis", (27, 30): "static-analysis"}


PATTERNS = [
    *concepts("fusion, sharding, tracing, quantization, Halo, GCX, intermediate representation = IR, unboxed"),
    # What a vocabulary's names are made of: "pattern" ends several, "woven" and "functional" begin several.
    *concepts("PyTorch Gathered = gathered, woven pattern, rewriting pattern, folding pattern, matching pattern"),
    *concepts("kneading pattern, woven loom, woven yarn, woven thread count, woven hall, functional loom"),
    *concepts("functional yarn, functional dye, functional hall, functional reed"),
]


@cache
def patterns() -> Extractor:
    return Extractor(PATTERNS)


TERMS_BESIDE = """
    a [fusion pattern:fusion] here | two [fusion patterns:fusion]. | the [fusion] patterns the code | [fusing] patterns
    [Fusion patterns:fusion] to [Halo]. | [fusion patterns:fusion] [GCX] | adds [fusion patterns:fusion] to [Halo]
    [Fusion patterns:fusion] to know
    [Fusion Patterns:fusion] To Know | a [fusion] error | the [gathered] API | the [woven sharding:sharding]
    [2D sharding:sharding] | new [sharding]
    [semi-automatic sharding:sharding] | the [Halo exporter:halo] | the [Halo core:halo]
    [fusion] cores of [Halo cores:halo] | [Halo] [IR]
    [Halo]-based and [GCX]-like code | It has a Dense [Woven Yarn] Object here
    the talk [Fusion] Internals And [Sharding] Design
    about [Woven Yarn] In Very Many Different Dense Objectifications today | and [Fusion] We love
    with [Halo] [Woven Yarn]
    about [Woven Yarn] Data Across Cables Nobody Objectifies today | A Guide: [Woven Yarn] Objects
    the [woven hall] cache
    a [Halo]-Only or [Halo]-Powered-By-Dense-Long-Lasting-Objectifications box | two [Halo] [ZYX]. One [ZYX]
    [Halo] [GCX]
    the [Halo] users | the [Halo Quilter:halo] is | the [Halo] Error is | per-thread [GCX] | [free-threaded GCX:gcx]
    [tracing] and [sharding] | a cosy functional pattern | a functional quilt
"""


@pytest.mark.parametrize("case", cases(TERMS_BESIDE))
def test_words_beside_a_name_make_a_longer_term(case: str) -> None:
    _, terms = marked(case)
    found = patterns().mentions(re.sub(r":\w+\]|[\[\]]", "", case))
    assert [f"{m.text}:{m.part}".removesuffix(":") for m in found] == terms


def test_singular_and_plural_of_a_term_are_one() -> None:
    assert {m.concept_id for m in patterns().mentions("A fusion pattern. Fusion patterns.")} == {"fusion-pattern"}


GENERAL, REMOTE = tuple(general_terms()), tuple(general_terms("glossary.txt"))
TERMS = (*GENERAL, *REMOTE)


def test_a_term_is_no_name_of_a_concept_and_stands_once() -> None:
    concepts = vocabulary().concepts
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
