"""The page to send around, as text: whole, the same each time, and silent about the person."""

import json
import re

from tests.atlas import HOSTILE, snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.ui.web.server import MAP_SCRIPTS, joined
from torchatlas.ui.web.share import share_page


def data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="shared">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def test_the_page_holds_everything_and_is_the_same_each_time() -> None:
    graph = snapshot()
    page = share_page(graph, "PyTorch internals", make_plan(graph, ["aotautograd"], set(), set()))
    assert page == share_page(graph, "PyTorch internals", make_plan(graph, ["aotautograd"], set(), set()))
    held = data(page)
    assert {"picture", "state", "title", "plan", "cards"} == set(held)
    assert not re.search(r"""<(script|link|img|iframe)[^>]*(src|href)=""", page.split("<script>")[0])
    assert "{{" not in page.split("<script")[0]
    assert page.count("</script>") == 3 and "<!--" not in page


def test_hostile_text_cannot_end_a_script() -> None:
    graph = snapshot()
    page = share_page(graph, "PyTorch internals", make_plan(graph, ["hostile"], set(), set()))
    assert "<img" not in page.split("<script>")[0]
    assert HOSTILE in json.dumps(data(page), ensure_ascii=False).replace('\\"', '"')


def test_what_the_person_knows_and_has_heard_is_not_in_it() -> None:
    graph = snapshot()
    plan = make_plan(graph, ["aotautograd"], {"tensor"}, {"show-strides"})
    state = data(share_page(graph, "PyTorch internals", plan))["state"]
    assert isinstance(state, dict) and state["known"] == state["heard"] == []
    assert "show-strides" not in {stop["id"] for stop in state["route"]}


def test_the_scripts_are_one_and_none_is_loaded() -> None:
    script = joined(*MAP_SCRIPTS, "share")
    assert "function mount(" in script and not re.search(r"^(import|export) ", script, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names))  # they share one scope
