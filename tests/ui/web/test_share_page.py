"""The page to send around, as text: whole, the same each time, and silent about the person."""

import json
import re
from collections.abc import Collection
from typing import Any

from tests.atlas import HOSTILE, snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.ui.web.server import MAP_SCRIPTS, joined
from torchatlas.ui.web.share import share_page

GRAPH = snapshot()


def shared(*goals: str, known: Collection[str] = (), heard: Collection[str] = ()) -> tuple[str, dict[str, Any]]:
    """The page for these goals, and the data in it."""
    page = share_page(GRAPH, "PyTorch internals", make_plan(GRAPH, goals, set(known), set(heard)))
    found = re.search(r'<script type="application/json" id="shared">(.*?)</script>', page, re.DOTALL)
    assert found
    return page, json.loads(found[1])


def test_the_page_holds_everything_and_is_the_same_each_time() -> None:
    page, held = shared("aotautograd")
    assert page == shared("aotautograd")[0] and {"picture", "state", "title", "plan", "cards"} == set(held)
    assert not re.search(r"""<(script|link|img|iframe)[^>]*(src|href)=""", page.split("<script>")[0])
    assert "{{" not in page.split("<script")[0] and page.count("</script>") == 3 and "<!--" not in page


def test_hostile_text_cannot_end_a_script() -> None:
    page, held = shared("hostile")
    assert "<img" not in page.split("<script>")[0]
    assert HOSTILE in json.dumps(held, ensure_ascii=False).replace('\\"', '"')


def test_what_the_person_knows_and_has_heard_is_not_in_it() -> None:
    state = shared("aotautograd", known={"tensor"}, heard={"show-strides"})[1]["state"]
    assert state["known"] == state["heard"] == [] and "show-strides" not in {stop["id"] for stop in state["route"]}


def test_the_scripts_are_one_and_none_is_loaded() -> None:
    script = joined(*MAP_SCRIPTS, "share")
    assert "function mount(" in script and not re.search(r"^(import|export) ", script, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names))  # they share one scope
