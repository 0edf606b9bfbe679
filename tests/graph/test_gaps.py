from dataclasses import replace

from torchatlas.graph.answers.gaps import find_gaps
from torchatlas.graph.values.model import (
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

GRAPH = Snapshot(
    (
        Concept("new", "new way", "Area"),
        Concept("old", "old way", "Area"),
        Concept("lone", "lone", "Area", source_paths=("aten/lone.cpp",)),
        Concept("taken", "taken for granted", "Area", source_paths=("aten/taken.cpp",)),
    ),
    (Episode("e1", "One", "Show"), Episode("e2", "Two", "Show", basis="title", url="https://example.org/2")),
    (Link("l", "https://example.org/new-way", "docs"),),
    teaches=(Teaches("e1", "old", "main"), Teaches("e2", "new", "main")),
    assumes=(Assumes("e1", "taken", "silent"), Assumes("e2", "taken", "silent"), Assumes("e2", "old", "silent")),
    requires=(Requires("new", "old", "bridge", "so it seems", "inferred", 0.6),),
    cites=(Cites("e1", "l"),),
    concept_relations=(ConceptRelation("SUPERSEDED_BY", "old", "new", reason="it is better"),),
)


def test_each_kind_of_gap_is_found_and_nothing_else() -> None:
    gaps = find_gaps(GRAPH)
    (untaught,) = gaps.untaught
    assert (untaught.id, untaught.count, untaught.words) == ("taken", 2, "assumed by One, Two")
    assert untaught.link == "https://github.com/pytorch/pytorch/blob/main/aten/taken.cpp"
    assert [(g.id, g.words) for g in gaps.thin] == [
        ("new", "inferred with a confidence of 0.60"),
        ("e2", "known by its title only"),
    ]
    assert [g.id for g in gaps.orphans] == ["lone"]
    assert [(g.id, g.words) for g in gaps.superseded] == [
        ("old", "superseded by new way, and still the subject of One")
    ]


def test_what_is_firm_taught_or_joined_is_no_gap() -> None:
    firm = replace(GRAPH.requires[0], confidence=0.9)
    taught = (*GRAPH.teaches, Teaches("e1", "taken", "part", 0.5), Teaches("e1", "lone", "part", 0.5))
    gaps = find_gaps(replace(GRAPH, requires=(firm,), teaches=taught))
    assert (gaps.untaught, [g.id for g in gaps.thin], gaps.orphans) == ((), ["e2"], ())
