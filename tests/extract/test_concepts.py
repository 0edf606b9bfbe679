"""Names and terms in texts: which words mean which concept, which forms a name has, and what is code."""

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
import spacy

from tests.extract.cases import TEXTS, cases, claims, concepts, each, marked, pairs, vocabulary
from torchatlas.extract.concepts import FACTORY, general_terms
from torchatlas.extract.english import conjugated, plural, singular
from torchatlas.extract.forms import admits, derivations, forms, identifiers
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept
from torchatlas.graph.names import spelling

NAMES = """vmap, NumPy, CMake, TLS = thread-local storage, GIL, torch.export = export, view, functionalization, fusion,
tracing, __torch_function__ = torch function, torch.fx, Variable, dispatcher, Python dispatcher, dispatch,
CMakeLists.txt, ATen, JIT schema, forward graph, backward graph, eager mode, backward pass = backward() = backward,
static scoping, dynamic scoping, lexical scoping, DDP, FSDP, reduce-overhead = mode="reduce-overhead", nn.Module,
kernel, fused kernel, dynamic library"""
# What a vocabulary's names are made of: "pattern" ends several, "woven" and "functional" begin several.
PATTERNED = """fusion, sharding, tracing, quantization, Halo, GCX, intermediate representation = IR, unboxed,
PyTorch Gathered = gathered, woven pattern, rewriting pattern, folding pattern, matching pattern,
kneading pattern, woven loom, woven yarn, woven thread count, woven hall, functional loom,
functional yarn, functional dye, functional hall, functional reed"""
CONCEPTS, PATTERNS = concepts(NAMES), concepts(PATTERNED)
TABLES = {
    "mentions": CONCEPTS,
    "capitals, people and headings": concepts("SHARP, LAMB, TLS, Maxwell, linker, nn.Module = torch.nn.Module"),
    "names that a text introduces": [],
    "words beside a name": PATTERNS,
}


@cache
def extractor(*known: Concept) -> Extractor:
    return Extractor(known)


@pytest.mark.parametrize(
    ("of", "case"), [("mentions", ""), *((of, case) for of in TABLES for case in cases(TEXTS[of]))]
)
def test_mentions(of: str, case: str) -> None:
    """Each stands in brackets, the part that names a concept behind a colon."""
    case = case.replace(r"\n", "\n")
    text = re.sub(r":\w+\]|[\[\]]", "", case)
    found = extractor(*TABLES[of]).mentions(text)
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


GENERAL, REMOTE = tuple(general_terms()), tuple(general_terms("glossary.txt"))
TERMS = (*GENERAL, *REMOTE)


def test_a_term_is_no_name_of_a_concept_and_stands_once_in_the_order_of_one_list() -> None:
    concepts = vocabulary().concepts
    taken = {spelling(n): c.id for c in concepts for n in (c.id, c.name, *c.aliases, *c.in_texts)}
    worded = Counter(key for term in TERMS for key in {spelling(n) for n in (term["name"], *term["aliases"])})
    assert {wording: taken[wording] for wording in worded if wording in taken} == {}
    assert [wording for wording, times in worded.items() if times > 1] == []
    general, remote = (
        {re.sub(r"[\s-]|s$", "", name.lower()) for term in terms for name in (term["name"], *term["aliases"])}
        for terms in (GENERAL, REMOTE)
    )
    assert general & remote <= {"vite"}  # Vite; Vitess is another thing
    for terms in (GENERAL, REMOTE):
        names = [term["name"].casefold() for term in terms]
        assert names == sorted(names)


def test_a_remote_term_is_found_and_makes_no_word_a_part_of_other_terms() -> None:
    bare = extractor()
    text = "A copy-on-write B-tree, write-ahead logs, prefetched rows and a yarn"
    assert [m.text for m in bare.mentions(text)] == ["copy-on-write B-tree", "write-ahead logs", "prefetched"]
    remote = {word for term in REMOTE for word in term["name"].lower().split()}
    near = {word for term in GENERAL for name in (term["name"], *term["aliases"]) for word in name.lower().split()}
    finder: Any = bare.nlp.get_pipe("torchatlas_concepts")
    assert not (remote - near) & {*finder.heads, *finder.modifiers}


REFUSED = "GIL => gil | TLS => tls | TH => th | GILs => gils | Variable => variable"
PLURALS = "view: views | batch: batches | policy: policies | key: keys | JVP: JVPs"
SINGULARS = "views: view | caches: cache | policies: policy | strides: stride | class: None | alias: None"
PAST = "fuse: fused | pin: pinned | export: exported | box: boxed | copy: copied"
LASTING = "fuse: fusing | pin: pinning | export: exporting"


def turned(table: str) -> list[tuple[str, str]]:
    return [(word, form) for form, word in each(table)]


def of(name: str) -> set[str]:
    return {form.text for form in forms("x", name)} | set(derivations(name))


FORMS = [(pair, True) for pair in pairs(TEXTS["forms of names"])]
NO_FORMS = [(pair, False) for pair in pairs(TEXTS["no forms of names"])]
CASES = [(pair, table != REFUSED) for table in (TEXTS["admitted"], REFUSED) for pair in pairs(table)]
CODE = [*pairs(TEXTS["code"]), *((text, "") for text in cases(TEXTS["no code"]))]
test_words = claims(
    {
        "forms of a name": (lambda case: {*case[1].split(", ")} <= of(case[0]), FORMS),
        "no derivation": (lambda case: case[1] in {*derivations(case[0])}, NO_FORMS),
        "case of letters": (lambda case: admits(*case), CASES),
        "plurals": (plural, turned(PLURALS)),
        "singulars": (lambda word: str(singular(word)), turned(SINGULARS)),
        "past": (lambda word: conjugated(word)[2], turned(PAST)),
        "lasting": (lambda word: conjugated(word)[3], turned(LASTING)),
        "code, and no examples, names and globs": (lambda t: " ".join(t[a:b] for a, b in identifiers(t)), CODE),
    }
)


def test_ubiquitous_words_are_no_names_of_their_own() -> None:
    assert [f.text for f in forms("kernel", "kernel")] == []
    assert "eager kernel" in [f.text for f in forms("kernel", "kernel", ["eager kernel"])]
