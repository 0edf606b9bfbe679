"""The page to send around, as text: whole, the same each time, and silent about the person."""

import json
import re
from graphlib import CycleError

import pytest

from tests.atlas import HOSTILE, snapshot
from torchatlas.graph.cards import shared_map
from torchatlas.graph.planning.plan import make_plan
from torchatlas.ui.web.server import bundle
from torchatlas.ui.web.share import share_page


def data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="shared">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def test_the_page_holds_everything_and_is_the_same_each_time() -> None:
    graph = snapshot()
    page = share_page(shared_map(graph, "PyTorch internals", make_plan(graph, ["aotautograd"], set(), set())))
    assert page == share_page(shared_map(graph, "PyTorch internals", make_plan(graph, ["aotautograd"], set(), set())))
    held = data(page)
    assert {"picture", "state", "title", "plan", "cards"} == set(held)
    assert not re.search(r"""<(script|link|img|iframe)[^>]*(src|href)=""", page.split("<script>")[0])
    assert "{{" not in page.split("<script")[0]
    assert page.count("</script>") == 3 and "<!--" not in page


def test_hostile_text_cannot_end_a_script() -> None:
    graph = snapshot()
    page = share_page(shared_map(graph, "PyTorch internals", make_plan(graph, ["hostile"], set(), set())))
    assert "<img" not in page.split("<script>")[0]
    assert HOSTILE in json.dumps(data(page), ensure_ascii=False).replace('\\"', '"')


def test_what_the_person_knows_and_has_heard_is_not_in_it() -> None:
    graph = snapshot()
    plan = make_plan(graph, ["aotautograd"], {"tensor"}, {"show-strides"})
    state = data(share_page(shared_map(graph, "PyTorch internals", plan)))["state"]
    assert isinstance(state, dict) and state["known"] == state["heard"] == []
    assert "show-strides" not in {stop["id"] for stop in state["route"]}


def test_modules_have_scopes_of_their_own_and_run_after_what_they_import() -> None:
    modules = {
        "main.js": 'import { twice } from "./a.js";\nimport { LAST } from "./b.js";\nconst own = twice(LAST);',
        "a.js": 'import { add } from "./b.js";\nconst own = 20;\nexport function twice(n) { return add(n, n) + own; }',
        "b.js": "export const LAST = 10;\nexport function add(a, b) { return a + b; }",
        "other.js": "throw 1;",
    }
    script = bundle(modules, "main.js")
    assert script.index('modules["b.js"] =') < script.index('modules["a.js"] =') < script.index('modules["main.js"] =')
    assert "other" not in script and "import" not in script and "export" not in script


def test_a_circle_of_modules_and_a_missing_one_are_refused() -> None:
    with pytest.raises(CycleError):
        bundle({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "a.js")
    with pytest.raises(KeyError):
        bundle({"a.js": 'import { b } from "./b.js";\n'}, "a.js")
