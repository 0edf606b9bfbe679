"""Sound: nothing is asked for before Play, then it plays from its second on every page; a failure is one clear line."""

import io
import re
import time
import wave
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.atlas import snapshot, stored
from tests.screen import opened, served, soon

pytestmark = pytest.mark.browser
PLACES = {"show-tensor": "one", "show-strides": "gone", "show-view": "slow", "show-autograd": "moved"}


class Host(BaseHTTPRequestHandler):
    """Has 400 seconds of sound, with ranges: "moved" lies on another host, and of "slow" comes only the beginning."""

    file, asked = io.BytesIO(), list[str]()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        whole, (begin,) = self.file.getvalue(), re.findall(r"\d+", self.headers.get("Range") or "0")[:1]
        self.send_response({"/gone": 404, "/moved": 302}.get(self.path, 206))
        self.send_header("Location", f"http://localhost:{self.server.server_address[1]}/one")
        self.send_header("Content-Range", f"bytes {begin}-{len(whole) - 1}/{len(whole)}")
        self.send_header("Content-Type", "audio/wav")
        self.end_headers()
        with suppress(OSError):  # the browser has enough
            self.wfile.write(whole[int(begin) :][: 9000 if self.path == "/slow" else None])
        time.sleep(20 * (self.path == "/slow"))


@pytest.fixture
def host() -> Iterator[str]:
    with wave.open(Host.file, "wb") as sound:
        sound.setparams((1, 1, 3000, 0, "NONE", ""))
        sound.writeframes(bytes(range(120, 136)) * 75_000)
    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_moment_plays_on_every_page_and_a_failure_is_one_line(browser: Browser, host: str, tmp_path: Path) -> None:
    graph, page = snapshot(), browser.new_page()
    audio = {id_: f"{host}/{place}" for id_, place in PLACES.items()}
    heard = replace(graph, episodes=tuple(replace(e, audio_url=audio.get(e.id)) for e in graph.episodes))
    line = page.get_by_label("Player").get_by_role("status")

    def press(*names: str) -> None:
        for name in names:
            page.get_by_role("button", name=name).click()

    def plays(after: float, still: bool = False) -> bool:
        """Whether the audio comes to play, or to stand `still`, within a minute after a second."""
        at = "audio => [audio.currentTime, audio.paused]"
        sound = page.locator("audio")
        return soon(page, lambda: (found := sound.evaluate(at))[1] == still and after <= found[0] < after + 60)

    with served(stored(tmp_path, heard)) as address:
        opened(page, f"{address}/path?goal=view", drawn=False)
        assert not Host.asked and urlopen(address).headers["Content-Security-Policy"].endswith(f" 'self' {host}")
        page.get_by_text("Only the minutes that matter (4)").click()
        press("4:26 tensor idea in #1 On tensor")
        assert plays(266.5) and set(Host.asked) == {"/one"}
        page.get_by_role("link", name="Episodes", exact=True).click()
        expect(page.get_by_role("heading", name="Episodes", exact=True)).to_be_visible()
        page.get_by_label("Speed").select_option("2×")
        assert plays(268)
        page.reload()
        Host.asked.clear()
        assert plays(267, still=True) and not Host.asked
        press("Chapters", "5:00 extra 0")
        assert plays(300.5) and page.locator("audio").evaluate("audio => audio.playbackRate") == 2
        press("Mark as heard, next: On strides")
        expect(line).to_contain_text(f"{host}/gone answers 404 (there is nothing there).")
        press("Close player")
        expect(line).to_be_hidden()
        opened(page, f"{address}/episode?episode=show-view", drawn=False)
        press("Listen")
        expect(line).to_contain_text("Nothing more comes from 127.0.0.1")
        opened(page, f"{address}/episode?episode=show-autograd", drawn=False)
        with page.expect_event("load"):  # the page that is loaded then may play from the other host
            press("Listen")
        assert plays(0.5) and not line.inner_text()
    page.close()
