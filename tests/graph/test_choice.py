"""Which episodes are chosen, in which order, and where they are cut, held against all that could be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.model import Precedence, consistent
from torchatlas.graph.planning import choice, order
from torchatlas.graph.planning.choice import Choice, choose, shortest
from torchatlas.graph.planning.demands import Demand
from torchatlas.graph.planning.order import arrange
from torchatlas.graph.planning.sessions import Piece, Track, divide

EPISODES = ("e1", "e2", "e3", "e4", "e5")
LENGTHS = st.lists(st.integers(1, 4), min_size=5, max_size=5).map(lambda found: dict(zip(EPISODES, found, strict=True)))


@st.composite
def demands(draw: st.DrawFn) -> dict[str, Demand]:
    """Up to six demands, each needing only ones before it."""
    found: dict[str, Demand] = {}
    for i in range(draw(st.integers(1, 6))):
        teachers = draw(st.none() | st.lists(st.sampled_from(EPISODES), unique=True, min_size=1, max_size=3))
        needs = draw(st.lists(st.sampled_from(sorted(found)), unique=True, max_size=2)) if found else []
        best = draw(st.lists(st.sampled_from(teachers), unique=True, max_size=1)) if teachers else []
        found[f"d{i}"] = Demand(tuple(teachers) if teachers else None, tuple(needs), best=tuple(best))
    return found


def met(demands: Mapping[str, Demand], heard: frozenset[str]) -> frozenset[str]:
    got: set[str] = set()
    for name, demand in demands.items():  # needs come before what needs them
        if set(demand.needs) <= got and (demand.teachers is None or heard & set(demand.teachers)):
            got.add(name)
    return frozenset(got)


def every(episodes: Sequence[str]) -> Iterator[frozenset[str]]:
    return (frozenset(c) for n in range(len(episodes) + 1) for c in combinations(episodes, n))


def by_trying_all(
    demands: Mapping[str, Demand], wishes: Sequence[Sequence[str]], minutes: Mapping[str, int], budget: int | None
) -> frozenset[str]:
    used = [e for e in minutes if any(e in (d.teachers or ()) for d in demands.values())]
    return min(
        (c for c in every(used) if budget is None or sum(minutes[e] for e in c) <= budget),
        key=lambda c: (
            [-len(met(demands, c) & set(w)) for w in wishes],
            sum(minutes[e] for e in c),
            -sum(e in c for d in demands.values() for e in d.best),
            [e not in c for e in used],
        ),
    )


COMPETING = {e: Demand((e,)) for e in EPISODES}  # each has a teacher of its own, and there is time for some of them


@given(demands() | st.just(COMPETING), LENGTHS, st.none() | st.integers(0, 12), st.integers(0, 6))
def test_the_choice_is_the_best_of_all(demands, minutes, budget, cut) -> None:
    wishes = [sorted(demands)[:cut], sorted(demands)[cut:]]
    best = by_trying_all(demands, wishes, minutes, budget)
    assert choose(demands, wishes, minutes, budget) == Choice(best, met(demands, best), gap=0)


@given(demands(), LENGTHS, st.sets(st.integers(0, 5), min_size=1))
def test_the_fewest_minutes_are_those_of_the_shortest_of_all(demands, minutes, places) -> None:
    must = {f"d{i}" for i in places} & demands.keys()
    found = shortest(demands, minutes, [(must, len(must))])
    assert found is not None and must <= met(demands, found)
    enough = (c for c in every(EPISODES) if must <= met(demands, c))
    assert sum(minutes[e] for e in found) == min(sum(minutes[e] for e in c) for c in enough)


def test_what_is_kept_is_chosen_also_where_another_is_shorter() -> None:
    demands = {"d": Demand(("long", "short")), "extra": Demand(("long",))}
    minutes = {"long": 10, "short": 5}
    assert choose(demands, [["d"]], minutes).episodes == {"short"}
    assert choose(demands, [["d"]], minutes, kept=["long"]).episodes == {"long"}
    assert choose(demands, [["d"], ["extra"]], minutes, 15, kept=["short"]).episodes == {"long", "short"}


def test_where_the_time_runs_out_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_SECONDS", 0.0)
    demands = {"d": Demand(("e1",))}
    assert choose(demands, [["d"]], {"e1": 10}).gap == 1.0
    assert shortest(demands, {"e1": 10}, [(["d"], 1)]) in (None, {"e1"})  # the first look may find it at once


def test_more_episodes_than_one_solve_tells_apart_are_told_apart() -> None:
    """Twenty pairs of teachers as long as each other, behind one without a rival: the first of each pair is taken."""
    demands = {"d": Demand(("a",))} | {f"d{n:02}": Demand((f"a{n:02}", f"b{n:02}")) for n in range(20)}
    minutes = {"a": 10} | {f"{kind}{n:02}": 10 for n in range(20) for kind in "ab"}
    assert choose(demands, [list(demands)], minutes).episodes == {"a", *(f"a{n:02}" for n in range(20))}


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Stdout belongs to the answer, also where a limit of time or a hard program makes the solver speak."""
    many = {f"d{i}": Demand(tuple(f"e{j}" for j in range(i % 7, 40, 3))) for i in range(30)}
    choose(many, [sorted(many)], {f"e{j}": 10 + j % 9 for j in range(40)}, budget=35)
    assert capfd.readouterr() == ("", "")


Instance = tuple[list[str], frozenset[tuple[str, str]], dict[tuple[str, str], int]]


@st.composite
def instances(draw: st.DrawFn, most: int = 6) -> Instance:
    items = [f"e{i}" for i in range(draw(st.integers(0, most)))]
    hidden = draw(st.permutations(items))
    pairs = list(combinations(hidden, 2))
    before = draw(st.lists(st.sampled_from(pairs), max_size=5)) if pairs else []
    far = {p: draw(st.integers(0, 9)) for p in pairs}
    return items, frozenset(before), far | {(b, a): d for (a, b), d in far.items()}


def keeps(found: tuple[str, ...], before: Iterable[tuple[str, str]]) -> bool:
    return all(found.index(a) < found.index(b) for a, b in before)


@given(instances())
def test_the_order_is_the_least_jumping_and_the_first_of_these(instance: Instance) -> None:
    items, before, far = instance
    allowed = [p for p in permutations(items) if keeps(p, before)]
    assert arrange(items, before, far) == min(allowed, key=lambda p: (sum(far[x] for x in pairwise(p)), p))


@given(instances(most=9))
def test_beyond_the_exact_size_what_must_come_first_still_does(instance: Instance) -> None:
    items, before, _ = instance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_IDEALS", 3)
        found = arrange(*instance)
    assert sorted(found) == items and keeps(found, before)


def test_of_many_items_the_nearest_is_always_the_next() -> None:
    items = [f"e{i:02}" for i in range(40)]
    far = {(a, b): abs(int(a[1:]) - int(b[1:])) for a in items for b in items}
    assert arrange(items, [("e39", "e00")], far) == (*items[1:], items[0])


def test_of_pairs_that_contradict_the_first_ones_hold() -> None:
    ab, bc, ca, aa, ac = (tuple(pair) for pair in ("ab", "bc", "ca", "aa", "ac"))
    assert consistent([ab, bc, ca, aa, ac]) == {ab, bc, ac}
    order = Precedence([ab, bc])
    assert [order.accept(*pair) for pair in (ca, aa, ac)] == [False, False, True]
    assert order.accept("c", "new") and not order.accept("new", "a")


@st.composite
def tracks(draw: st.DrawFn, most: int = 400) -> list[Track]:
    lengths = draw(st.lists(st.integers(1, most), min_size=1, max_size=4))
    return [(f"t{n}", long, draw(st.lists(st.integers(0, long), max_size=3))) for n, long in enumerate(lengths)]


@given(tracks(), st.integers(20, 300), st.integers(1, 6))
def test_every_second_is_heard_once_in_order_and_no_session_is_too_long(found, seconds, count) -> None:
    sessions = divide(found, seconds, count)
    heard = [(id_, second) for session in sessions for id_, start, end in session for second in range(start, end)]
    assert heard == [(id_, second) for id_, long, _ in found for second in range(long)]
    assert all(sum(end - start for _, start, end in session) <= seconds for session in sessions)
    assert len(sessions) <= max(count, -(-sum(long for _, long, _ in found) // seconds))


def cost_of(found: list[Track], cuts: tuple[int, ...]) -> tuple[int, int, int, int]:
    starts = [sum(long for _, long, _ in found[:n]) for n in range(len(found))]
    places = [(cut - start, long, m) for cut in cuts for start, (_, long, m) in zip(starts, found, strict=True)]
    bare = [second for second, long, moments in places if 0 < second < long and second not in moments]
    inside = sum(0 < second < long for second, long, _ in places)
    return inside, len(bare), sum(second % 60 != 0 for second in bare), len(cuts) + 1


@given(tracks(most=9), st.integers(3, 14), st.integers(1, 3))
def test_there_is_no_division_with_fewer_cuts_or_better_ones(found: list[Track], seconds: int, count: int) -> None:
    total = sum(long for _, long, _ in found)
    most = max(count, -(-total // seconds))
    if most > 4:
        return
    ways = (cuts for number in range(most) for cuts in combinations(range(1, total), number))
    fitting = [cuts for cuts in ways if all(b - a <= seconds for a, b in pairwise((0, *cuts, total)))]
    ends = [sum(end - start for _, start, end in session) for session in divide(found, seconds, count)]
    mine = tuple(sum(ends[:n]) for n in range(1, len(ends)))
    assert cost_of(found, mine) == min(cost_of(found, cuts) for cuts in fitting)


def test_a_track_is_cut_at_a_moment_then_at_a_minute_then_at_the_second() -> None:
    def first(length: int, *moments: int) -> Piece:
        return divide([("a", 300, moments)], length, 2)[0][-1]

    assert (first(200, 130, 170), first(200, 30), first(150)) == (("a", 0, 170), ("a", 0, 180), ("a", 0, 150))
    assert divide([], 60, 3) == []
