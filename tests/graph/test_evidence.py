import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

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
WHOLE = Snapshot(
    (
        Concept("a", "A", area="x", definition="It leans on B."),
        Concept("b", "B", area="x"),
        Concept("c", "C", area="x"),
        Concept("d", "D", area="x"),
    ),
    (Episode("one", "One", show="s"), Episode("two", "Two", show="s")),
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


def broken(group: str, ends: str, **changes: Any) -> Snapshot:
    edges = [replace(e, **changes) if f"{e.source} {e.target}" == ends else e for e in getattr(WHOLE, group)]
    assert edges != list(getattr(WHOLE, group))
    return replace(WHOLE, **{group: tuple(edges)})


def test_a_graph_with_evidence_everywhere_stays_as_it_is() -> None:
    assert with_evidence(WHOLE, TEXTS) == (WHOLE, ())


def the_only_wrong(graph: Snapshot, group: str, ends: str) -> str:
    """The line for the one edge that goes."""
    kept, (line,) = with_evidence(graph, TEXTS)
    gone = {(e.source, e.target) for e in getattr(graph, group)} - {(e.source, e.target) for e in getattr(kept, group)}
    assert gone == {tuple(ends.split())}
    assert re.match(r"\({}\)-\[:\w+\]->\({}\) ".format(*ends.split()), line) and "\n" not in line
    return line


@pytest.mark.parametrize(
    ("group", "ends", "taken"),
    [
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
    ],
)
def test_an_edge_that_loses_its_evidence_is_named(group: str, ends: str, taken: dict[str, Any]) -> None:
    assert "does not say where it comes from" in the_only_wrong(broken(group, ends, **taken), group, ends)


@pytest.mark.parametrize(
    ("group", "ends", "changed"),
    [
        ("teaches", "one b", {"start": 8}),
        ("teaches", "one b", {"start": None}),
        ("mentions", "one d", {"evidence": "one"}),
        ("requires", "c d", {"episode": "two"}),
        ("requires", "a b", {"quote": "It rests on B."}),
        ("listen_after", "two one", {"field": "title"}),
        ("refers_to", "two one", {"field": "description", "start": 0}),
        ("concept_relations", "a c", {"start": 1}),
    ],
)
def test_a_quote_that_does_not_stand_there_is_named(group: str, ends: str, changed: dict[str, Any]) -> None:
    assert " quotes " in the_only_wrong(broken(group, ends, **changed), group, ends)


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
def test_the_nearest_episodes_have_reasons(graph: Snapshot) -> None:
    assert all(edge.reasons and all(map(str.strip, edge.reasons)) for edge in nearest(graph))
