"""The app without a browser, over a small graph in a store of its own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

APP = str(Path(__file__).parents[3] / "ui" / "web" / "app.py")
Open = Callable[..., Any]


def shown(app: Any) -> str:
    assert not app.exception, app.exception
    kinds = (
        app.markdown, app.caption, app.header, app.subheader, app.title, app.info, app.warning, app.error, app.success,
        app.code,
    )  # fmt: skip
    return "\n".join([str(e.value) for kind in kinds for e in kind] + [b.label for b in app.button])


def links(app: Any) -> dict[str, Any]:
    return {link.proto.label: link.proto for link in app.get("page_link")}


def press(app: Any, label: str) -> Any:
    """Click on the first button whose label or key begins so."""
    return next(b for b in app.button if b.label.startswith(label) or str(b.key).startswith(label)).click().run()


@pytest.fixture
def home(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pages and this process find in the environment."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Path(environment["TORCHATLAS_HOME"])


@pytest.fixture
def profile(home: Path) -> Iterator[Path]:
    """The file of the person's facts; it is empty before and after."""
    path = home / "profile.toml"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture
def visit(home: Path) -> Open:
    """Open a page: visit("path", goal=["view"])."""
    from streamlit.testing.v1 import AppTest

    def opened(page: str = "explore", **parameters: Any) -> Any:
        app = AppTest.from_file(APP, default_timeout=60)
        if page != "explore":
            app.run()
            app.switch_page(f"screens/{page}.py")
        for name, value in parameters.items():
            app.query_params[name] = value
        return app.run()

    return opened


def picture(app: Any) -> dict[str, Any]:
    """What the browser gets: the state, and the picture that it fetches by its revision."""
    from torchatlas.ui.web import server

    assert not app.exception, app.exception
    found = next(part.proto.json for part in app.get("bidi_component") if "picture" in part.proto.json)
    state: dict[str, Any] = json.loads(found)
    return state | dict(server.pictures.get(state["picture"], {}))
