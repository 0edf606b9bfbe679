"""The app without a browser, over a small graph in a store of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

APP = str(Path(__file__).parents[3] / "ui" / "web" / "app.py")
Open = Callable[..., Any]


@pytest.fixture
def visit(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a page: visit("path", goal=["view"])."""
    from streamlit.testing.v1 import AppTest

    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def opened(page: str = "explore", **parameters: Any) -> Any:
        app = AppTest.from_file(APP, default_timeout=60)
        if page != "explore":
            app.run()
            app.switch_page(f"screens/{page}.py")
        for name, value in parameters.items():
            app.query_params[name] = value
        return app.run()

    return opened
