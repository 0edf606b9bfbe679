"""The server listens to this machine only, tells nobody, and its colours can be read; what the map tells Python."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.atlas import snapshot
from torchatlas.ui.cli.program import main
from torchatlas.ui.local_server import is_taken
from torchatlas.ui.pictures import MapState, map_picture, payload
from torchatlas.ui.web import parts
from torchatlas.ui.web.server import BASE, DARK, LIGHT, configuration, display, routes


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_it_listens_to_this_machine_and_sends_nothing() -> None:
    found = configuration(8501, browser=False)
    assert found["server.address"] == "127.0.0.1"
    assert found["server.allowedHosts"] == ["127.0.0.1", "localhost"]
    assert found["browser.gatherUsageStats"] is False and found["server.headless"] is True


def test_a_taken_port_is_one_line_that_says_where_to_look(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = CliRunner().invoke(main, ["--port", str(port)], env={"TORCHATLAS_HOME": str(tmp_path)})
    assert done.exit_code == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    assert f"http://127.0.0.1:{port}" in done.stderr and "--port" in done.stderr
    assert not list(tmp_path.iterdir())  # it is found before anything is built
    assert not is_taken(port)


def test_no_browser_is_called_where_there_is_no_screen() -> None:
    assert not display({}, "linux") and display({}, "darwin") and display({}, "win32")
    assert display({"DISPLAY": ":0"}, "linux") and display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")


def test_every_setting_is_one_that_streamlit_knows() -> None:
    from streamlit import config

    assert set(configuration(8501, browser=True)) <= set(config.get_config_options())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_can_be_read(theme: dict[str, str]) -> None:
    ground = theme["backgroundColor"]
    assert contrast(theme["textColor"], ground) >= 7
    assert contrast(theme["linkColor"], ground) >= 4.5
    for mark in ("blueColor", "orangeColor", "grayColor", "primaryColor"):
        assert contrast(theme[mark], ground) >= 3
    assert contrast(theme["primaryColor"], ground) >= 4.5  # the words of what is chosen


def imported(code: str) -> set[str]:
    code = f"import sys; {code}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_nothing_heavy_is_loaded_before_the_server_answers() -> None:
    page = "from torchatlas.ui.web import cache, parts, screens, state"
    served = "from torchatlas.ui.web.server import routes; routes()"
    heavy = {"spacy", "pyvis", "networkx", "scipy", "ladybug", "numpy", "pydantic"}
    assert not heavy & imported(f"{page}; {served}")


def test_the_first_map_needs_no_scipy(environment: dict[str, str]) -> None:
    """Importing it takes longer than drawing the map."""
    loaded = imported(
        f"import os; os.environ.update({environment!r}); from torchatlas.ui.web import cache; cache.load_ahead()"
    )
    assert "pyvis" in loaded and not {"scipy", "spacy"} & loaded


def test_a_click_whose_state_is_gone_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    told: list[object] = []
    monkeypatch.setattr(parts, "component", lambda _: lambda **options: given.update(options))
    parts.show_map(payload(map_picture(snapshot())), MapState(), key="gone", on_pick=told.append, on_area=told.append)
    given["on_picked_change"]()
    given["on_area_change"]()
    assert not told


@pytest.mark.parametrize("script", ["map.js", "vis/vis-network.min.js"])
def test_the_server_has_each_script(script: str) -> None:
    answer = TestClient(Starlette(routes=routes())).get(f"{BASE}/{script}")
    assert answer.status_code == 200 and "javascript" in answer.headers["content-type"]
