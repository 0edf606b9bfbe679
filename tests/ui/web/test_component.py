"""What the map tells Python."""

from typing import Any

import pytest

from tests.atlas import snapshot
from torchatlas.ui.pictures.draw import payload
from torchatlas.ui.pictures.view import map_picture
from torchatlas.ui.web import component


def test_a_click_whose_state_is_gone_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    told: list[object] = []
    monkeypatch.setattr(component, "_renderer", lambda: lambda **options: given.update(options))
    component.show_map(payload(map_picture(snapshot())), key="gone", on_pick=told.append, on_area=told.append)
    given["on_picked_change"]()
    given["on_area_change"]()
    assert not told
