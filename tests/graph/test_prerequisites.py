import pytest

from torchatlas.graph.errors import CycleError
from torchatlas.graph.model import Concept, Need, Requires, Snapshot
from torchatlas.graph.prerequisites import check_acyclic, closure


def graph(**edges: tuple[str, ...]) -> Snapshot:
    """`a=("b", "~c")`: a requires b to be heard, and c in a sentence."""
    names = sorted({*edges, *(t.strip("~") for ts in edges.values() for t in ts)})
    return Snapshot(
        tuple(Concept(n, n.upper(), area="A") for n in names),
        requires=tuple(edge(s, t) for s, ts in edges.items() for t in ts),
    )


def edge(source: str, target: str) -> Requires:
    need: Need = "bridge" if target.startswith("~") else "hear"
    return Requires(source, target.strip("~"), need=need, reason=f"{source} builds on it")


def test_closure_holds_the_start() -> None:
    g = graph(d=("c",), c=("~a",))
    assert closure(g.required_by, ["d"]) == {"d", "c", "a"}
    assert closure(g.required_by, ["d"], "hear") == {"d", "c"}


def test_a_circle_is_named_with_its_edges_and_reasons() -> None:
    g = graph(a=("b",), b=("~c",), c=("a",))
    edge = r"{0} requires {1} \({2}, curated: {0} builds on it\)"
    circle = "; ".join(edge.format(*e) for e in (("a", "b", "hear"), ("b", "c", "bridge"), ("c", "a", "hear")))
    with pytest.raises(CycleError, match=circle):
        check_acyclic(g.requires)
