"""A small graph with every kind of node and edge, for the tests of the stores."""

from dataclasses import replace

from tests.graph.builds import edges
from torchatlas.graph import model as m

CONCEPT = ("tensor", "Tensor", "Tensors", "Data with a shape.", ("array",), ("c10/core/TensorImpl.h",))
FACTS = {"minutes": 17, "published": "2021-05-01", "questions": ("Why?", "How?"), "dated": ("It has moved.",)}
SITE = {"author": 'Ada "A." \\', "url": "https://example.org", "feed_url": "https://example.org/feed"}
SMALL = m.Snapshot(
    concepts=(
        m.Concept(*CONCEPT, x=3, y=-4),
        m.Concept("stride", "Stride", area="Tensors", definition="Steps in memory."),
        m.Concept("dispatcher", "Dispatcher", area="Dispatch", definition='Picks a kernel; says "it\'s" \\ mine.'),
        m.Concept("autograd", "Autograd", area="Autograd", aliases=("", "back-\nward")),
    ),
    episodes=(
        m.Episode("s-1", "On tensors", "S", number=1, **FACTS),
        m.Episode("s-2", "On dispatch", show="S", number=2, url="https://example.org/2", guests=("A. B.",)),
        m.Episode("tensor", "An id that a concept has too", show="S", kind="post", basis="title"),
    ),
    shows=(m.Show("s", "S", guid="9d1c", **SITE), m.Show("tensor", "An id that a concept has too")),
    links=(m.Link("https://example.org/x", "https://example.org/x", type="docs", label="the notes"),),
    teaches=(
        m.Teaches("s-1", "tensor", depth="main", weight=1.0, at=30),
        m.Teaches("s-1", "stride", depth="part", weight=0.4),
        m.Teaches("s-2", "dispatcher", depth="main"),
        m.Teaches("s-r", "autograd", depth="main", why="Layout"),
    ),
    resources=(m.Episode("s-r", "On autograd", show="N", kind="docs", url="https://example.org/n", basis="text"),),
    assumes=(
        m.Assumes("s-2", "tensor", how="silent", at=61, why="Kernels take tensors."),
        m.Assumes("s-2", "autograd", how="declared"),
        m.Assumes("s-r", "dispatcher", how="curated", why="Calls go through it."),
    ),
    mentions=(m.Mentions("s-1", "autograd", count=2, field="summary", start=4, end=12, evidence="autograd"),),
    requires=(
        *edges("requires", "dispatcher tensor: It moves tensors., autograd dispatcher: It is a key."),
        m.Requires("tensor", "stride", need="bridge", reason="Strides are in it.", origin="inferred", confidence=0.25),
    ),
    listen_after=(m.ListenAfter("s-2", "s-1", quote="hear the other one first", at=5),),
    refers_to=(m.RefersTo("s-1", "s-2", relation="announces"),),
    related_to=(m.RelatedTo("s-1", "s-2", score=0.75, reasons=("both lean on tensor", "one show")),),
    in_show=(*(m.InShow(f"s-{n}", "s", quote="S") for n in (1, 2)), m.InShow("s-2", "tensor", quote="the S")),
    cites=(m.Cites("s-1", "https://example.org/x", label="the notes"),),
    concept_relations=(
        m.ConceptRelation("autograd", "dispatcher", kind="USES", reason="It does.", episode="s-2", at=9),
        m.ConceptRelation("stride", "tensor", kind="PART_OF", origin="declared", quote="a part of"),
        *edges("concept_relations", "autograd USES autograd, autograd ALTERNATIVE_TO stride: for the test"),
        *edges("concept_relations", "autograd RUNS_BEFORE dispatcher: its key comes first"),
        *edges("concept_relations", "stride SUPERSEDED_BY tensor: so it is here"),
    ),
)
OTHER = replace(
    SMALL,
    concepts=(*SMALL.concepts[:3], m.Concept("new", "New", area="x"), replace(SMALL.concepts[3], definition="changed")),
    requires=(*SMALL.requires[:2], *edges("requires", "new autograd: r, stride new: s")),
)
