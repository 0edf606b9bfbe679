from graph.answers import Needed, Plan, Primer, Step, Taught, Unmet
from ui.exports import plan_json, plan_markdown

STEP = Step(
    episode_id="s/a", number=21, title="__torch_function__", minutes=17, estimated=True, role="before",
    teaches=(Taught("tf", "__torch_function__", 266),), needs=(Needed("d", "dispatcher", "known"),),
    why="it explains [hooks]", caveats=("old *news*",), url="https://example.org/21",
)  # fmt: skip
PLAN = Plan(
    ("subclasses",), ("dispatcher",), 17, (STEP,), (Primer("gil", "GIL", "One lock.", None),), (), (Unmet("vmap", 75),)
)


def test_the_json_of_a_plan_keeps_the_contract() -> None:
    body = plan_json(PLAN)
    assert set(body) >= {"goals", "known", "minutes", "steps", "primer", "gaps", "unmet", "routes"}
    (step,) = body["steps"]
    facts = {"episode_id", "number", "title", "minutes", "estimated", "role", "url"}
    assert set(step) >= facts | {"teaches", "needs", "why", "caveats"}
    assert step["needs"] == [{"id": "d", "name": "dispatcher", "from": "known"}]
    assert step["teaches"] == ({"id": "tf", "name": "__torch_function__", "at": 266},)
    assert body["unmet"] == ({"goal": "vmap", "extra_minutes": 75},)


def test_markdown_shows_names_as_they_are() -> None:
    text = plan_markdown(PLAN)
    assert r"\_\_torch\_function\_\_" in text and r"\[hooks\]" in text and r"old \*news\*" in text
    assert "at 4:26" in text and "~17 min" in text and "1 h 15 min more" in text and "**GIL**" in text
