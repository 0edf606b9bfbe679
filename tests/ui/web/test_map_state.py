"""The small message that follows a picture."""

from tests.atlas import snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.profile import Profile
from torchatlas.ui.pictures import MapState, route_state


def test_a_route_is_the_plan_in_its_order_and_lights_what_it_carries_over() -> None:
    graph = snapshot()
    planned = make_plan(graph, ("view",))
    state = route_state(planned)
    assert [(stop["n"], stop["id"], stop["minutes"]) for stop in state.route] == [
        (1, "show-tensor", "11 min"),
        (2, "show-strides", "12 min"),
        (3, "show-view", "13 min"),
    ]
    assert state.route[0]["at"] == "4:26"
    assert set(state.lit) >= {str(stop["id"]) for stop in state.route} | {"tensor", "strides"}
    assert "dispatcher" not in state.lit


def test_who_has_heard_something_knows_what_lies_below_it() -> None:
    state = MapState(selected="view").of(snapshot(), Profile(heard=("show-view",)))
    assert state.known == ("strides", "tensor", "view") and state.heard == ("show-view",)
    assert state.selected == "view"
