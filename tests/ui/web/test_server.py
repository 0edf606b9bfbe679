"""The server (this machine only, nothing heavy before it answers), feeds fetched beside pages, the page to send."""

import hashlib
import json
import re
import socket
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.atlas import HOSTILE, snapshot
from torchatlas.atlas import Atlas
from torchatlas.graph.planning.plan import make_plan
from torchatlas.settings import load_settings
from torchatlas.ui.cli.program import main
from torchatlas.ui.local_server import is_taken
from torchatlas.ui.pictures import MapState, map_picture, payload
from torchatlas.ui.web import parts
from torchatlas.ui.web.parts import Job
from torchatlas.ui.web.server import BASE, DARK, LIGHT, MAP_SCRIPTS, configuration, display, joined, routes
from torchatlas.ui.web.share import share_page

Colour = tuple[float, float, float]


def rgb(colour: str) -> Colour:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours by WCAG 2.2."""

    def light(colour: Colour) -> float:
        parts = (c / 255 for c in colour)
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_can_be_read(theme: dict[str, str]) -> None:
    least = {"textColor": 7.0, "linkColor": 4.5, "blueColor": 3, "orangeColor": 3, "grayColor": 3, "primaryColor": 4.5}
    ground = rgb(theme["backgroundColor"])
    assert not {name for name, needed in least.items() if contrast(rgb(theme[name]), ground) < needed}


def test_it_listens_to_this_machine_sends_nothing_and_sets_what_streamlit_knows() -> None:
    from streamlit import config

    found = configuration(8501, browser=False)
    assert found["server.address"] == "127.0.0.1"
    assert found["server.allowedHosts"] == ["127.0.0.1", "localhost"]
    assert found["browser.gatherUsageStats"] is False and found["server.headless"] is True
    assert set(configuration(8501, browser=True)) <= set(config.get_config_options())


def test_a_taken_port_is_one_line_that_says_where_to_look(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = CliRunner().invoke(main, ["--port", str(port)], env={"TORCHATLAS_HOME": str(tmp_path)})
    assert done.exit_code == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    assert f"http://127.0.0.1:{port}" in done.stderr and "--port" in done.stderr
    assert not list(tmp_path.iterdir()) and not is_taken(port)  # it is found before anything is built


def test_no_browser_is_called_where_there_is_no_screen() -> None:
    assert not display({}, "linux") and display({}, "darwin") and display({}, "win32")
    assert display({"DISPLAY": ":0"}, "linux") and display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")


MAP = "from torchatlas.ui.web import cache; cache.load_ahead()"  # scipy takes longer than drawing the first map
SERVER = "from torchatlas.ui.web import cache, parts, screens, state, server; server.routes()"
HEAVY = "spacy pyvis networkx scipy ladybug numpy pydantic"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "there", "heavy"), [(MAP, "pyvis", "scipy spacy"), (SERVER, "torchatlas.ui.web.server", HEAVY)]
)
def test_nothing_heavy_is_loaded_before_the_server_answers(environment, code: str, there: str, heavy: str) -> None:
    code = f"import os, sys; os.environ.update({environment!r}); {code}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {*run.stdout.split()} & {there, *heavy.split()} == {there}


def test_a_click_whose_state_is_gone_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    told: list[object] = []
    monkeypatch.setattr(parts, "component", lambda _: lambda **options: given.update(options))
    parts.show_map(payload(map_picture(snapshot())), MapState(), key="gone", on_pick=told.append, on_area=told.append)
    given["on_picked_change"]()
    given["on_area_change"]()
    assert not told


@pytest.mark.parametrize("script", ["map.js", "vis/vis-network.min.js"])
def test_the_server_has_each_script_as_often_as_it_is_asked_compressed(script: str) -> None:
    browser = TestClient(Starlette(routes=routes(), middleware=[Middleware(GZipMiddleware)]))
    first, again = browser.get(f"{BASE}/{script}"), browser.get(f"{BASE}/{script}")
    assert first.status_code == 200 and "javascript" in first.headers["content-type"]
    assert again.content == first.content


def test_every_page_comes_with_its_style() -> None:
    browser = TestClient(Starlette(routes=routes()))
    for path in ("/", "/path", "/nowhere"):
        answer = browser.get(path)
        assert ".st-key-site" in answer.text and answer.headers["cache-control"] == "no-cache"


def page() -> None:
    """A page with the button that fetches a feed nobody serves."""
    import streamlit as st

    from torchatlas.ui.web import parts

    parts.show_job()
    st.button("Fetch", on_click=parts.fetch_feed, args=("http://127.0.0.1:9/feed.xml",))


class Hasty(Job):
    """A job that ends before its starter goes on."""

    def start(self) -> None:
        super().start()
        self.join()


def test_a_job_that_ends_before_the_page_is_drawn_is_told_in_a_line(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(parts, "Job", Hasty)
    app = AppTest.from_function(page, default_timeout=60).run()
    app.button[0].click().run()
    parts._jobs.clear()
    (told,) = app.error[0].value.splitlines()
    assert "could not be fetched, and the map is as it was" in told and "9/feed.xml" in told.replace("\\", "")
    assert app.button[0].label == "Close" and not (home / "sources.toml").exists()


def test_two_sessions_that_begin_at_once_begin_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    met = Barrier(2)
    ended, begun = Event(), list[str]()

    class Slow(Job):
        def __init__(self, feed: str) -> None:
            super().__init__(feed)
            with suppress(BrokenBarrierError):  # the other session waits outside
                met.wait(0.5)
            begun.append(feed)

        def run(self) -> None:
            ended.wait()

    monkeypatch.setattr(parts, "Job", Slow)
    with ThreadPoolExecutor() as sessions:
        sessions.map(parts.fetch_feed, ("one", "two"))
    ended.set()
    parts._jobs.clear()
    assert len(begun) == 1


def test_the_feed_of_the_bundled_show_is_known_and_that_of_another_is_not(environment: dict[str, str]) -> None:
    with Atlas(load_settings(environment=environment)) as atlas:
        assert str(atlas.feed_of("PyTorch Developer Podcast")).startswith("https://")
        assert atlas.feed_of("The Show") is None


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


def test_the_editor_is_served_as_it_was_built() -> None:
    (digest,) = re.findall(r"[0-9a-f]{64}", (Path(parts.__file__).parent / "vendor" / "README.md").read_text("utf-8"))
    served = TestClient(Starlette(routes=routes())).get(f"{BASE}/vendor/codemirror.js").content
    assert hashlib.sha256(served).hexdigest() == digest
