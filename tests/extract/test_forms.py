import pytest

from torchatlas.extract.english import conjugated, plural, singular
from torchatlas.extract.forms import admits, derivations, forms


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("tensor subclass", {"tensor subclasses"}),
        ("vectorization", {"vectorize", "vectorized", "vectorizes", "vectorizing", "vectorise"}),
        ("fusion", {"fuse", "fused", "fusing", "fuses"}),
        ("tracing", {"trace", "traced", "traces"}),
        ("functionalization", {"functionalized"}),
        ("batching", {"batched"}),
        ("striding", {"stride"}),
        ("mixing", {"mix", "mixed"}),
        ("pinning", {"pin", "pinned"}),
        ("spilling", {"spill", "spilled"}),
        ("dependency", {"dependencies"}),
        ("CUDA graphs", {"CUDA graph"}),
        ("GPU", {"GPUs"}),
        ("__torch_function__", {"torch_function__", "__torch_function", "torch_function"}),
        ("thread safety", {"thread safe", "thread-safe"}),
        ("FakeTensor", {"fake tensor", "fake tensors"}),
        ("operator decomposition", {"operator decompose", "operator decomposed"}),
        ("argument parsing", {"arg parsing"}),
        ("forward graph", {"fw graph", "fwd graphs"}),
        ("decomposition", {"decomp", "decomps"}),
    ],
)
def test_derivations(name: str, some: set[str]) -> None:
    assert some <= {form.text for form in forms("x", name)} | set(derivations(name))


@pytest.mark.parametrize(
    ("name", "none"),
    [
        ("torch.fx", "torch.fxs"),
        ("code generation", "code generate"),
        ("strides", "stridess"),
        ("landing", "landed"),
        ("spilling", "spil"),
        ("batching", "batche"),
        ("drawing", "drawe"),
        ("pinning", "pinn"),
        ("evaluation", "eval"),
    ],
)
def test_no_derivation(name: str, none: str) -> None:
    assert none not in set(derivations(name))


def test_ubiquitous_words_are_no_names_of_their_own() -> None:
    assert [f.text for f in forms("kernel", "kernel")] == []
    assert "eager kernel" in [f.text for f in forms("kernel", "kernel", ["eager kernel"])]


def test_a_qualifier_is_no_part_of_the_spelling() -> None:
    assert [f.text for f in forms("rank", "rank (distributed)")] == ["rank", "ranks"]


@pytest.mark.parametrize(
    ("spelling", "seen", "expected"),
    [
        ("GIL", "gil", False),
        ("GIL", "GIL", True),
        ("TLS", "tls", False),
        ("TH", "th", False),
        ("FSDP", "fsdp", True),
        ("FSDPs", "fsdps", True),
        ("GILs", "gils", False),
        ("AOTAutograd", "aotautograd", True),
        ("NumPy", "Numpy", True),
        ("Variable", "variable", False),
        ("Dynamo", "dynamo", True),
        ("rank", "RANK", True),
        ("JIT schema", "jit schema", True),
        ("vmap", "Vmap", True),
    ],
)
def test_case(spelling: str, seen: str, expected: bool) -> None:
    assert admits(spelling, seen) is expected


def test_english() -> None:
    assert [plural(w) for w in ("view", "batch", "policy", "key", "JVP")] == [
        "views",
        "batches",
        "policies",
        "keys",
        "JVPs",
    ]
    assert [singular(w) for w in ("views", "caches", "policies", "class", "alias", "strides")] == [
        "view",
        "cache",
        "policy",
        None,
        None,
        "stride",
    ]
    assert [conjugated(w)[2] for w in ("fuse", "pin", "export", "box", "copy")] == [
        "fused",
        "pinned",
        "exported",
        "boxed",
        "copied",
    ]
    assert [conjugated(w)[3] for w in ("fuse", "pin", "export")] == ["fusing", "pinning", "exporting"]
