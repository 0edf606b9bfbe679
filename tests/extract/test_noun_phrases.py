from functools import cache

import pytest

from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept

NAMES = {
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
def extractor() -> Extractor:
    return Extractor([Concept(n.lower().replace(" ", "-"), n, area="x", aliases=a) for n, a in NAMES.items()])


def found(text: str) -> list[tuple[str, str]]:
    return [(m.text, m.part) for m in extractor().mentions(text)]


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
    assert found(text) == terms


def test_singular_and_plural_of_a_term_are_one() -> None:
    assert {m.concept_id for m in extractor().mentions("A fusion pattern. Fusion patterns.")} == {"fusion-pattern"}
