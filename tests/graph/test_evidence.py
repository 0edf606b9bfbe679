import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.graph.builds import graph
from tests.strategies import snapshots
from torchatlas.graph.build import join_graph, with_evidence
from torchatlas.graph.findings import Catalogue, Extraction, Mention, Vocabulary
from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.related import nearest

NOTES = "It names b. Hear the other one first."
TEXTS = {("one", "description"): [NOTES], ("one", "title"): ["One"]}
DECLARED = {"origin": "declared", "quote": "It names b.", "episode": "one", "field": "description", "start": 0}
WHOLE = graph(
    concepts=tuple(Concept(c, c.upper(), area="x", definition="It leans on B." if c == "a" else "") for c in "abcd"),
    episodes=(Episode("one", "One", show="s"), Episode("two", "Two", show="s")),
    links=(Link("l", "https://example.org", type="other"),),
    teaches=(
        Teaches("one", "a", depth="main", at=0),
        Teaches("one", "b", depth="part", evidence="b", field="description", start=9),
        Teaches("one", "c", depth="part", why="its notes do"),
    ),
    assumes=(Assumes("one", "d", how="curated", why="it leans on it"), Assumes("two", "d", how="silent", at=3)),
    mentions=(Mentions("one", "d", count=1, field="title", start=0, end=3, evidence="One"),),
    requires=(
        Requires("b", "c", need="hear", reason="because"),
        Requires("c", "d", need="bridge", reason="as said", **DECLARED),  # type: ignore[arg-type]
        Requires(
            "a",
            "b",
            need="bridge",
            reason="its text says so",
            origin="inferred",
            confidence=0.9,
            quote="It leans on B.",
            episode=None,
            field="definition",
            start=0,
        ),
    ),
    listen_after=(ListenAfter("two", "one", quote="Hear the other one first.", field="description", start=12),),
    refers_to=(
        RefersTo("one", "two", relation="mentions", at=4),
        RefersTo("two", "one", relation="mentions", at=None, quote="the first one"),
    ),
    related_to=(RelatedTo("one", "two", score=0.7, reasons=("both explain A",)),),
    cites=(Cites("one", "l", quote="https://example.org"),),
    concept_relations=(
        ConceptRelation("a", "b", kind="USES", reason="it does"),
        ConceptRelation("a", "c", kind="USES", **DECLARED),  # type: ignore[arg-type]
        ConceptRelation("a", "d", kind="USES", origin="declared", episode="one", at=7),
    ),
)


def test_a_graph_with_evidence_everywhere_stays_as_it_is() -> None:
    assert with_evidence(WHOLE, TEXTS) == (WHOLE, ())


LOST: list[tuple[str, str, dict[str, Any]]] = [
    ("teaches", "one a", {"at": None}),
    ("teaches", "one a", {"at": None, "evidence": "a wording that stands nowhere"}),
    ("teaches", "one b", {"field": ""}),
    ("teaches", "one b", {"evidence": " "}),
    ("teaches", "one c", {"why": ""}),
    ("assumes", "one d", {"why": " "}),
    ("assumes", "two d", {"at": None}),
    ("mentions", "one d", {"evidence": ""}),
    ("requires", "b c", {"reason": ""}),
    ("requires", "c d", {"quote": ""}),
    ("requires", "a b", {"confidence": 1.0}),
    ("requires", "a b", {"quote": ""}),
    ("requires", "a b", {"reason": ""}),
    ("listen_after", "two one", {"quote": ""}),
    ("refers_to", "one two", {"at": None}),
    ("refers_to", "two one", {"quote": ""}),
    ("related_to", "one two", {"reasons": ("",)}),
    ("cites", "one l", {"quote": ""}),
    ("concept_relations", "a b", {"reason": ""}),
    ("concept_relations", "a c", {"quote": ""}),
    ("concept_relations", "a d", {"episode": None}),
]
MISQUOTED: list[tuple[str, str, dict[str, Any]]] = [
    ("teaches", "one b", {"start": 8}),
    ("teaches", "one b", {"start": None}),
    ("mentions", "one d", {"evidence": "one"}),
    ("requires", "c d", {"episode": "two"}),
    ("requires", "a b", {"quote": "It rests on B."}),
    ("listen_after", "two one", {"field": "title"}),
    ("refers_to", "two one", {"field": "description", "start": 0}),
    ("concept_relations", "a c", {"start": 1}),
]


@pytest.mark.parametrize(
    ("says", "group", "ends", "other"),
    [*(("does not say where it comes from", *row) for row in LOST), *((" quotes ", *row) for row in MISQUOTED)],
)
def test_an_edge_without_evidence_or_quoted_wrongly_goes_and_is_named(
    says: str, group: str, ends: str, other: dict[str, Any]
) -> None:
    edges = tuple(replace(e, **other) if f"{e.source} {e.target}" == ends else e for e in getattr(WHOLE, group))
    kept, (line,) = with_evidence(replace(WHOLE, **{group: edges}), TEXTS)
    assert {f"{e.source} {e.target}" for e in {*edges} - {*getattr(kept, group)}} == {ends}
    assert re.match(r"\({}\)-\[:\w+\]->\({}\) ".format(*ends.split()), line) and "\n" not in line
    assert says in line


def test_a_text_that_was_not_quoted_verbatim_costs_one_edge_and_not_the_build() -> None:
    vocabulary, catalogue = Vocabulary(WHOLE.concepts, ()), Catalogue(WHOLE.episodes[:1])
    slips = (
        Mention("a", "description", start=0, end=1, text="X"),
        Mention("b", "description", start=9, end=10, text="b"),
    )
    joint = join_graph(vocabulary, catalogue, [Extraction(WHOLE.episodes[0], NOTES, mentions=slips)])
    assert [m.target for m in joint.graph.mentions] == ["b"]
    assert joint.set_aside == ("(one)-[:MENTIONS]->(a) quotes 'X', which is not at 0 of the description",)


@given(snapshots())
def test_the_nearest_episodes_have_reasons(whole: Snapshot) -> None:
    assert all(edge.reasons and all(map(str.strip, edge.reasons)) for edge in nearest(whole))
