"""What is ready and what to refresh, held against the demands of the plans for all episodes."""

from hypothesis import given

from tests.graph.plan_questions import THOROUGH, graphs
from tests.graph.plans import GRAPH, changed
from torchatlas.graph.model import ListenAfter, Requires, Snapshot
from torchatlas.graph.planning.demands import Teachers, main_subjects, scope_of
from torchatlas.graph.planning.quiz import what_next


@THOROUGH
@given(graphs())
def test_ready_is_what_a_plan_demands_nothing_else_for(graph: Snapshot) -> None:
    heard = [e.id for e in graph.episodes[::3]]
    ready = {r.id for r in what_next(graph, [], heard).ready}
    for episode in graph.episodes:
        if episode.id not in heard and main_subjects(graph, episode.id):
            scope = scope_of(Teachers(graph), [episode.id], [], heard)
            below, declared, worth, *_ = scope.wishes[1]
            teachers = [scope.demands[c].teachers or () for c in (*below, *declared, *worth)]
            assert (episode.id in ready) == all(episode.id in some for some in teachers if some)


def test_the_episode_that_opens_most_comes_first() -> None:
    found = what_next(GRAPH, [], [])
    assert [r.name for r in found.ready] == ["Base", "Again", "Aside"]
    assert [(r.leads_to, [o.name for o in r.opens]) for r in found.ready] == [(3, ["Middle"]), (3, ["Middle"]), (0, [])]
    assert not found.refresh


def test_what_is_worth_an_episode_keeps_the_listener_waiting_too() -> None:
    island = Requires("views", "island", need="worth", reason="views came from there")
    assert [r.name for r in what_next(changed(requires=[*GRAPH.requires, island]), [], []).ready] == ["Aside"]
    slight = Requires("views", "island", need="bridge", reason="views came from there")
    assert "Base" in [r.name for r in what_next(changed(requires=[*GRAPH.requires, slight]), [], []).ready]


def test_to_refresh_is_what_nothing_heard_builds_on() -> None:
    found = what_next(GRAPH, [], ["base", "middle", "aside"])
    assert [(r.name, r.used_by) for r in found.refresh] == [("Middle", 1), ("Aside", 0)]
    assert [r.name for r in found.ready] == ["Goal", "Again"]


def test_what_is_known_opens_as_what_is_heard_does() -> None:
    assert "Goal" in [r.name for r in what_next(GRAPH, ["tracing"], []).ready]


def test_what_a_text_asks_to_hear_first_keeps_the_listener_waiting_too() -> None:
    graph = changed(listen_after=[ListenAfter("base", "aside")])
    again, aside = what_next(graph, [], []).ready
    assert (again.name, aside.name) == ("Again", "Aside")
    assert [o.name for o in aside.opens] == ["Base"]
    assert "Base" in [r.name for r in what_next(graph, [], ["aside"]).ready]
