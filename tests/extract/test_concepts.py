import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases, concepts, marked, vocabulary
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


PATTERNS = [
    *concepts("fusion, sharding, tracing, quantization, Halo, GCX, intermediate representation = IR, unboxed"),
    # What a vocabulary's names are made of: "pattern" ends several, "woven" and "functional" begin several.
    *concepts("PyTorch Gathered = gathered, woven pattern, rewriting pattern, folding pattern, matching pattern"),
    *concepts("kneading pattern, woven loom, woven yarn, woven thread count, woven hall, functional loom"),
    *concepts("functional yarn, functional dye, functional hall, functional reed"),
]
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
CAPITALS = """Andrew Lamb on sharp edges | the [SHARP], [LAMB] and [TLS] | the [Maxwell] architecture
    Debugging [Maxwell]
    Other links | It links against the runtime | Torch. [nn.Module] is"""
INTRODUCED = """
    [QUILL] is fast. The [QUILL] flag. | The QUILL layout | in the [QUILL] compiler | NOTE THE CHANGE, THIS IS LOUD
    as in S1E5, S02E01 and EP12 | written in HTML for the USA | a cosy lantern room ([CLQ]), and the [CLQ] of it
    a [cosy lantern quarter] ([CLQ]), and the [CLQ] of it | a lantern ([CLQ]) | Jane is a compiler engineer
    [Quill] is a small compiler. We like [Quill]. | This is a library | [MAX_QUILL] and https://quill.example/QUILL
"""
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
WRITTEN = concepts("SHARP, LAMB, TLS, Maxwell, linker, nn.Module = torch.nn.Module")
TABLES = {
    "names": (CONCEPTS, MENTIONS),
    "capitals, people and headings": (WRITTEN, CAPITALS),
    "names that a text introduces": ([], INTRODUCED),
    "words beside a name that make a longer term": (PATTERNS, TERMS_BESIDE),
}


@cache
def extractor(*known: Concept) -> Extractor:
    return Extractor(known)


@pytest.mark.parametrize(("of", "case"), [("names", ""), *((of, c) for of in TABLES for c in cases(TABLES[of][1]))])
def test_mentions(of: str, case: str) -> None:
    """Each stands in brackets, the part that names a concept behind a colon."""
    case = case.replace(r"\n", "\n")
    text = re.sub(r":\w+\]|[\[\]]", "", case)
    found = extractor(*TABLES[of][0]).mentions(text)
    assert [f"{m.text}:{m.part}".removesuffix(":") for m in found] == marked(case)[1]


def own(name: str, id_: str = "own", **more: tuple[str, ...]) -> Concept:
    return Concept(id_, name, area="Area", **more)


HYPHENATED = concepts("tensor subclass, copy-on-write, JIT compilation, quantization-aware training")
RENAMED = [own(concept.name, f"own{n}") for n, concept in enumerate(HYPHENATED)]
HOOK = own("autograd hook", in_texts=("hook",))
POOLS = [own("storage pool", "a", aliases=("arena",)), own("arena", "b"), own("fusion", "c")]
POOLS.append(own("melting", "d", aliases=("fused",)))
MEANT = [
    (CONCEPTS, "[exported] by [torch_function__] in [backward()]", "torch.export __torch_function__ backward-pass"),
    (CONCEPTS, "[backward graphs], [set_output()] and [SetOutput]", "backward-graph set-output setoutput"),
    (CONCEPTS, "a call of [frob_all(True)]", "frob-all"),
    (CONCEPTS, "A [ConfigMap]. Two [ConfigMaps].", "configmap configmap"),
    (PATTERNS, "A [fusion pattern]. [Fusion patterns].", "fusion-pattern fusion-pattern"),
    ([HOOK], "the [hooks] of a tensor", "own"),
    ([HOOK, own("peg", "peg", aliases=("hook",))], "a [hook]", "peg"),
    ([own("static analysis")], "some [static analysis]", "own"),
    ([], "some [static analysis] ([TLX]), and [TLX] again", "static-analysis static-analysis static-analysis"),
    ([], "Play it with [Selenium], then [tinygrad].", "selenium tinygrad"),
    (POOLS, "an [arena], [fused]", "b d"),
    (POOLS[::-1], "an [arena], [fused]", "b d"),
    (RENAMED, "the [tensor-subclass] here, and the [copy on write] there", "own0 own1"),
    (RENAMED, "the [JIT-compilation] here, and the [quantization aware training] there", "own2 own3"),
]


@pytest.mark.parametrize(("known", "text", "ids"), MEANT)
def test_a_mention_means_the_concept_that_has_the_best_claim(known: list[Concept], text: str, ids: str) -> None:
    plain, named = marked(text)
    found = extractor(*known).mentions(plain)
    assert [(m.text, m.concept_id) for m in found] == [*zip(named, ids.split(), strict=True)]


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
    mentions = extractor(*CONCEPTS).mentions(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@pytest.mark.slow
def test_no_word_is_too_long() -> None:
    long = "(" * 300_000 + " vmap " + "a" * 300_000
    assert [m.text for m in extractor(*CONCEPTS).mentions(long)] == ["vmap"]


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


def test_a_remote_term_is_found_and_makes_no_word_a_part_of_other_terms() -> None:
    bare = extractor()
    text = "A copy-on-write B-tree, write-ahead logs, prefetched buffers and a yarn"
    assert [m.text for m in bare.mentions(text)] == ["copy-on-write B-tree", "write-ahead logs", "prefetched"]
    remote = {word for term in REMOTE for word in term["name"].lower().split()}
    near = {word for term in GENERAL for name in (term["name"], *term["aliases"]) for word in name.lower().split()}
    finder: Any = bare.nlp.get_pipe("torchatlas_concepts")
    assert not (remote - near) & {*finder.heads, *finder.modifiers}
