"""A small graph with every kind of node and edge, for the tests of the stores."""

from torchatlas.graph.values.model import (
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

SMALL = Snapshot(
    concepts=(
        Concept("tensor", "Tensor", "Tensors", "Data with a shape.", ("array",), ("c10/core/TensorImpl.h",), 3, -4),
        Concept("stride", "Stride", "Tensors", "Steps in memory."),
        Concept("dispatcher", "Dispatcher", "Dispatch", "Picks a kernel; says \"it's\" \\ mine."),
        Concept("autograd", "Autograd", "Autograd", aliases=("", "back-\nward")),
    ),
    episodes=(
        Episode("s-1", "On tensors", "S", number=1, minutes=17, published="2021-05-01", questions=("Why?", "How?"),
                dated=("It has moved.",)),
        Episode("s-2", "On dispatch", "S", number=2, url="https://example.org/2", guests=("A. B.",)),
        Episode("tensor", "An id that a concept has too", "S", kind="post", basis="title"),
    ),
    links=(Link("https://example.org/x", "https://example.org/x", "docs", "the notes"),),
    teaches=(
        Teaches("s-1", "tensor", "main", 1.0, 30), Teaches("s-1", "stride", "part", 0.4),
        Teaches("s-2", "dispatcher", "main"),
    ),
    assumes=(Assumes("s-2", "tensor", "silent", 61, "Kernels take tensors."), Assumes("s-2", "autograd", "declared")),
    mentions=(Mentions("s-1", "autograd", 2, "summary", 4, 12, "autograd"),),
    requires=(
        Requires("dispatcher", "tensor", "hear", "It moves tensors."),
        Requires("tensor", "stride", "bridge", "Strides are in it.", "inferred", 0.25),
        Requires("autograd", "dispatcher", "hear", "It is a key."),
    ),
    listen_after=(ListenAfter("s-2", "s-1", quote="hear the other one first", at=5),),
    refers_to=(RefersTo("s-1", "s-2", "announces"),),
    related_to=(RelatedTo("s-1", "s-2", 0.75, ("both lean on tensor", "one show")),),
    cites=(Cites("s-1", "https://example.org/x", "the notes"),),
    concept_relations=(
        ConceptRelation("USES", "autograd", "dispatcher", reason="It does.", episode="s-2", at=9),
        ConceptRelation("PART_OF", "stride", "tensor", "declared", quote="a part of"),
        ConceptRelation("USES", "autograd", "autograd"),
        ConceptRelation("ALTERNATIVE_TO", "autograd", "stride", reason="for the test"),
        ConceptRelation("RUNS_BEFORE", "autograd", "dispatcher", reason="its key comes first"),
        ConceptRelation("SUPERSEDED_BY", "stride", "tensor", reason="so it is here"),
    ),
)  # fmt: skip
