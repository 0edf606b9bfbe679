from dataclasses import replace
from typing import Any

import pytest

from graph.build import finished
from graph.errors import DataError
from graph.evidence_law import check_evidence, check_quotes
from graph.model import (
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

NOTES = "It names b. Hear the other one first."
TEXTS = {("one", "description"): [NOTES], ("one", "title"): ["One"]}
DECLARED = {"origin": "declared", "quote": "It names b.", "episode": "one", "field": "description", "start": 0}
WHOLE = Snapshot(
    (Concept("a", "A", "x", "It leans on B."), Concept("b", "B", "x"), Concept("c", "C", "x"), Concept("d", "D", "x")),
    (Episode("one", "One", "s"), Episode("two", "Two", "s")),
    (Link("l", "https://example.org", "other"),),
    (
        Teaches("one", "a", "main", at=0),
        Teaches("one", "b", "part", evidence="b", field="description", start=9),
        Teaches("one", "c", "part", why="its notes do"),
    ),
    (Assumes("one", "d", "curated", why="it leans on it"), Assumes("two", "d", "silent", at=3)),
    (Mentions("one", "d", 1, "title", 0, 3, "One"),),
    (
        Requires("b", "c", "hear", "because"),
        Requires("c", "d", "bridge", "as said", **DECLARED),  # type: ignore[arg-type]
        Requires("a", "b", "bridge", "its text says so", "inferred", 0.9, "It leans on B.", None, "definition", 0),
    ),
    (ListenAfter("two", "one", quote="Hear the other one first.", field="description", start=12),),
    (RefersTo("one", "two", "mentions", 4), RefersTo("two", "one", "mentions", None, "the first one")),
    (RelatedTo("one", "two", 0.7, ("both explain A",)),),
    (Cites("one", "l", quote="https://example.org"),),
    (
        ConceptRelation("USES", "a", "b", reason="it does"),
        ConceptRelation("USES", "a", "c", **DECLARED),  # type: ignore[arg-type]
        ConceptRelation("USES", "a", "d", "declared", episode="one", at=7),
    ),
)


def broken(group: str, ends: str, **changes: Any) -> Snapshot:
    edges = [replace(e, **changes) if f"{e.source} {e.target}" == ends else e for e in getattr(WHOLE, group)]
    assert edges != list(getattr(WHOLE, group))
    return replace(WHOLE, **{group: tuple(edges)})


def test_a_graph_with_evidence_everywhere_passes() -> None:
    check_evidence(WHOLE)
    check_quotes(WHOLE, TEXTS)


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
    source, target = ends.split()
    with pytest.raises(DataError, match="does not say where it comes from") as raised:
        check_evidence(broken(group, ends, **taken))
    assert f"({source})-[:" in str(raised.value)
    assert f"]->({target})" in str(raised.value)


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
    source, target = ends.split()
    with pytest.raises(DataError, match=rf"\({source}\)-\[:\w+\]->\({target}\) quotes .* quote verbatim"):
        check_quotes(broken(group, ends, **changed), TEXTS)


def test_a_build_without_evidence_fails() -> None:
    with pytest.raises(DataError, match="does not say where it comes from"):
        finished(replace(broken("teaches", "one a", at=None), related_to=()))
