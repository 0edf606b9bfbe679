"""What the map tells Python, and where the browser fetches its scripts."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.atlas import snapshot
from torchatlas.ui.pictures import MapState, map_picture, payload
from torchatlas.ui.web import parts
from torchatlas.ui.web.server import BASE, routes


def test_a_click_whose_state_is_gone_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    told: list[object] = []
    monkeypatch.setattr(parts, "_component", lambda _: lambda **options: given.update(options))
    parts.show_map(payload(map_picture(snapshot())), MapState(), key="gone", on_pick=told.append, on_area=told.append)
    given["on_picked_change"]()
    given["on_area_change"]()
    assert not told


@pytest.mark.parametrize("script", ["map.js", "vis/vis-network.min.js"])
def test_the_server_has_each_script(script: str) -> None:
    answer = TestClient(Starlette(routes=routes())).get(f"{BASE}/{script}")
    assert answer.status_code == 200 and "javascript" in answer.headers["content-type"]
