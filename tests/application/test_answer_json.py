import json

from tests.example_plan import PLAN
from torchatlas.graph.answers import Explanation, Table
from torchatlas.ui.plans import dumps


def test_the_json_of_a_plan_keeps_the_contract() -> None:
    body = json.loads(dumps(PLAN))
    assert set(body) >= {"goals", "known", "minutes", "steps", "primer", "gaps", "unmet", "routes"}
    (step,) = body["steps"]
    facts = {"episode_id", "number", "title", "minutes", "estimated", "role", "url"}
    assert set(step) >= facts | {"teaches", "needs", "why", "caveats"}
    assert step["needs"] == [{"id": "d", "name": "dispatcher", "from": "known"}]
    assert step["teaches"] == [{"id": "tf", "name": "__torch_function__", "at": 266}]
    assert body["unmet"] == [{"goal": "vmap", "extra_minutes": 75, "estimated": False}]


def test_the_ends_of_an_explanation_are_ids_and_cut_rows_say_so() -> None:
    found = Explanation(("a", "vmap"), ("b", "GIL"), chain=(), reverse=())
    assert json.loads(dumps(found)) == {"earlier": "a", "later": "b", "chain": [], "reverse": []}
    assert json.loads(dumps(Table(("n",), ((1,),), truncated=True)))["truncated"] is True


def test_what_a_terminal_would_obey_is_written_as_a_code() -> None:
    assert dumps(["\x9b1m", "\u202e"], indent=None) == '["\\u009b1m", "\\u202e"]'
