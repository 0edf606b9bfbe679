"""The limits of a plan on the path page: the address keeps them."""

import pytest

from tests.ui.web.conftest import Open
from tests.ui.web.test_screens import shown


@pytest.mark.slow
def test_sessions_and_speed_stand_in_the_address(visit: Open) -> None:
    app = visit("path", goal="autograd", split="2x20m", speed="2")
    text = shown(app).replace("\\", "")
    assert "4 episodes, 26 min at 2x" in text and "Session 1, " in text and "Session 2, " in text
    app.selectbox(key="url_split").set_value(None).run()
    assert "Session 1" not in shown(app) and "split" not in app.query_params
    app.selectbox(key="url_speed").set_value(None).run()
    assert "4 episodes, 50 min" in shown(app)
