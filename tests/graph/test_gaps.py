from dataclasses import replace

from tests.graph.builds import edges, graph
from torchatlas.graph.model import Cites, Concept, Episode, Link, Requires
from torchatlas.graph.views import find_gaps

NAMES = {"new": "new way", "old": "old way", "lone": "lone", "taken": "taken for granted"}
GRAPH = graph(
    concepts=tuple(
        Concept(c, name, area="Area", source_paths=(f"aten/{c}.cpp",) if c in ("lone", "taken") else ())
        for c, name in NAMES.items()
    ),
    episodes=(
        Episode("e1", "One", show="Show"),
        Episode("e2", "Two", show="Show", basis="title", url="https://example.org/2"),
    ),
    links=(Link("l", "https://example.org/new-way", type="docs"),),
    teaches="e1 old, e2 new",
    assumes="e1 taken, e2 taken old",
    requires=(Requires("new", "old", need="bridge", reason="so it seems", origin="inferred", confidence=0.6),),
    cites=(Cites("e1", "l"),),
    concept_relations="old SUPERSEDED_BY new: it is better",
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
    taught = (*GRAPH.teaches, *edges("teaches", "e1 ~taken ~lone"))
    gaps = find_gaps(replace(GRAPH, requires=(firm,), teaches=taught))
    assert (gaps.untaught, [g.id for g in gaps.thin], gaps.orphans) == ((), ["e2"], ())
