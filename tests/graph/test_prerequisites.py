import pytest

from graph.errors import CycleError
from graph.model import Concept, Need, Requires, Snapshot
from graph.prerequisites import below, chain, check_acyclic, closure, redundant, would_close_a_cycle


def graph(**edges: tuple[str, ...]) -> Snapshot:
    """`a=("b", "~c")`: a requires b to be heard, and c in a sentence."""
    names = sorted({*edges, *(t.strip("~") for ts in edges.values() for t in ts)})
    return Snapshot(
        tuple(Concept(n, n.upper(), "A") for n in names),
        requires=tuple(edge(s, t) for s, ts in edges.items() for t in ts),
    )


def edge(source: str, target: str) -> Requires:
    need: Need = "bridge" if target.startswith("~") else "hear"
    return Requires(source, target.strip("~"), need, f"{source} builds on it")


def test_what_is_below_comes_prerequisites_first() -> None:
    g = graph(d=("c", "~b"), c=("a",), b=("a",))
    assert below(g, "d") == ("a", "b", "c")
    assert below(g, "d", "hear") == ("a", "c")
    assert below(g, "a") == ()


def test_closure_holds_the_start() -> None:
    g = graph(d=("c",), c=("~a",))
    assert closure(g.requires, ["d"]) == {"d", "c", "a"}
    assert closure(g.requires, ["d"], "hear") == {"d", "c"}


def test_a_circle_is_named_with_its_edges_and_reasons() -> None:
    g = graph(a=("b",), b=("~c",), c=("a",))
    with pytest.raises(CycleError, match=r"b requires c \(bridge, curated: b builds on it\)"):
        check_acyclic(g.requires)
    with pytest.raises(CycleError):
        below(g, "a")


def test_an_edge_that_would_close_a_circle_is_seen_before() -> None:
    edges = graph(a=("b",), b=("c",)).requires
    assert would_close_a_cycle(edges, "c", "a")
    assert would_close_a_cycle(edges, "a", "a")
    assert not would_close_a_cycle(edges, "a", "c")
    assert not would_close_a_cycle(edges, "new", "a")


def test_an_edge_is_redundant_only_beside_a_chain_as_strong() -> None:
    assert redundant(graph(a=("b", "c"), b=("c",))) == (edge("a", "c"),)
    assert redundant(graph(a=("b", "c"), b=("~c",))) == ()
    assert redundant(graph(a=("b", "~c"), b=("~c",))) == (edge("a", "~c"),)


def test_the_chain_is_the_shortest_and_the_strongest() -> None:
    g = graph(a=("x", "~y", "z"), x=("g",), y=("g",), z=("~g",), g=("end",))
    assert chain(g, "a", "end") == (edge("a", "x"), edge("x", "g"), edge("g", "end"))
    assert chain(g, "end", "a") == ()
    assert chain(g, "a", "a") == ()
    assert chain(g, "a", "nowhere") == ()
