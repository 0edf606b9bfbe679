"""Lengths that are estimated say so on the path page, also where they are sums."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.atlas import snapshot, stored
from tests.ui.web.conftest import Open, shown


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    graph = snapshot()
    episodes = tuple(replace(e, minutes=None) if e.id == "show-tensor" else e for e in graph.episodes)
    environment = stored(tmp_path, replace(graph, episodes=episodes))
    (tmp_path / "profile.toml").write_text('heard = ["show-tensor"]', "utf-8")
    return environment


def test_a_heard_step_and_the_sums_say_that_they_are_estimated(visit: Open) -> None:
    app = visit("path", goal="view")
    assert ":material/check: ~~On tensor~~ :small[~15 min]" in shown(app).replace("\\", "")
    assert app.get("progress")[0].proto.text.replace("\\", "") == "1 of 3 heard, ~15 min of ~40 min"
