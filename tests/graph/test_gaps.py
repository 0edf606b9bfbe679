from dataclasses import replace

from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.views import find_gaps

GRAPH = Snapshot(
    (
        Concept("new", "new way", area="Area"),
        Concept("old", "old way", area="Area"),
        Concept("lone", "lone", area="Area", source_paths=("aten/lone.cpp",)),
        Concept("taken", "taken for granted", area="Area", source_paths=("aten/taken.cpp",)),
    ),
    (Episode("e1", "One", show="Show"), Episode("e2", "Two", show="Show", basis="title", url="https://example.org/2")),
    links=(Link("l", "https://example.org/new-way", type="docs"),),
    teaches=(Teaches("e1", "old", depth="main"), Teaches("e2", "new", depth="main")),
    assumes=(
        Assumes("e1", "taken", how="silent"),
        Assumes("e2", "taken", how="silent"),
        Assumes("e2", "old", how="silent"),
    ),
    requires=(Requires("new", "old", need="bridge", reason="so it seems", origin="inferred", confidence=0.6),),
    cites=(Cites("e1", "l"),),
    concept_relations=(ConceptRelation("old", "new", kind="SUPERSEDED_BY", reason="it is better"),),
)


def test_each_kind_of_gap_is_found_and_nothing_else() -> None:
    gaps = find_gaps(GRAPH)
    (untaught,) = gaps.untaught
    assert (untaught.id, untaught.count, untaught.words) == ("taken", 2, "assumed by One, Two")
    assert untaught.link == "https://github.com/pytorch/pytorch/blob/main/aten/taken.cpp"
    assert [(g.id, g.words) for g in gaps.thin] == [
        ("new", "inferred with a confidence of 0.60"),
        ("e2", "the map knows this episode only by its title"),
    ]
    assert [g.id for g in gaps.orphans] == ["lone"]
    assert [(g.id, g.words) for g in gaps.superseded] == [
        ("old", "superseded by new way, and still the subject of One")
    ]


def test_what_is_firm_taught_or_joined_is_no_gap() -> None:
    firm = replace(GRAPH.requires[0], confidence=0.9)
    taught = (
        *GRAPH.teaches,
        Teaches("e1", "taken", depth="part", weight=0.5),
        Teaches("e1", "lone", depth="part", weight=0.5),
    )
    gaps = find_gaps(replace(GRAPH, requires=(firm,), teaches=taught))
    assert (gaps.untaught, [g.id for g in gaps.thin], gaps.orphans) == ((), ["e2"], ())
