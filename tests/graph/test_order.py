from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.model import Precedence, consistent
from torchatlas.graph.planning import order
from torchatlas.graph.planning.order import arrange

Instance = tuple[list[str], frozenset[tuple[str, str]], dict[tuple[str, str], int]]


@st.composite
def instances(draw: st.DrawFn, most: int = 6) -> Instance:
    items = [f"e{i}" for i in range(draw(st.integers(0, most)))]
    hidden = draw(st.permutations(items))
    pairs = [(a, b) for i, a in enumerate(hidden) for b in hidden[i + 1 :]]
    before = draw(st.lists(st.sampled_from(pairs), max_size=5)) if pairs else []
    far = {p: draw(st.integers(0, 9)) for p in pairs}
    return items, frozenset(before), far | {(b, a): d for (a, b), d in far.items()}


def keeps(found: tuple[str, ...], before: frozenset[tuple[str, str]]) -> bool:
    return all(found.index(a) < found.index(b) for a, b in before)


@given(instances())
def test_the_order_is_the_least_jumping_and_the_first_of_these(instance: Instance) -> None:
    items, before, far = instance
    allowed = [p for p in permutations(items) if keeps(p, before)]
    assert arrange(items, before, far) == min(allowed, key=lambda p: (sum(far[x] for x in pairwise(p)), p))


@given(instances(most=9))
def test_beyond_the_exact_size_what_must_come_first_still_does(instance: Instance) -> None:
    items, before, far = instance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_IDEALS", 3)
        found = arrange(items, before, far)
    assert sorted(found) == items
    assert keeps(found, before)


def test_many_items_are_arranged() -> None:
    items = [f"e{i:02}" for i in range(40)]
    far = {(a, b): abs(int(a[1:]) - int(b[1:])) for a in items for b in items}
    assert arrange(items, [("e39", "e00")], far)[0] == "e39"


def test_of_pairs_that_contradict_the_first_ones_hold() -> None:
    assert consistent([("a", "b"), ("b", "c"), ("c", "a"), ("a", "a"), ("a", "c")]) == {
        ("a", "b"),
        ("b", "c"),
        ("a", "c"),
    }


def test_a_pair_that_would_close_a_circle_is_seen_before() -> None:
    order = Precedence([("a", "b"), ("b", "c")])
    assert not order.accept("c", "a") and not order.accept("a", "a")
    assert order.accept("a", "c")
    assert order.accept("c", "new") and not order.accept("new", "a")
