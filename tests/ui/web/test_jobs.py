"""Fetching a show's feed beside the pages."""

from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest
from streamlit.testing.v1 import AppTest

from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.web import parts
from torchatlas.ui.web.parts import Job


def test_a_feed_that_cannot_be_reached_is_one_line_and_changes_nothing(home: Path) -> None:
    job = Job("http://127.0.0.1:9/feed.xml")
    job.run()
    assert not job.running and not job.came and "\n" not in job.wrong
    assert "could not be fetched, and the map is as it was" in job.wrong and "127.0.0.1:9" in job.wrong
    assert not (home / "sources.toml").exists()


def page() -> None:
    """A page with the button that fetches a feed nobody serves."""
    import streamlit as st

    from torchatlas.ui.web import parts

    parts.show_job()
    st.button("Fetch", on_click=parts.fetch_feed, args=("http://127.0.0.1:9/feed.xml",))


class Hasty(Thread):
    """A thread that ends before its starter goes on."""

    def start(self) -> None:
        super().start()
        self.join()


@pytest.mark.usefixtures("home")
def test_a_job_that_ends_before_the_page_is_drawn_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "Thread", Hasty)
    app = AppTest.from_function(page, default_timeout=60).run()
    app.button[0].click().run()
    parts._jobs.clear()
    assert "could not be fetched" in app.error[0].value and app.button[0].label == "Close"


def test_two_sessions_that_begin_at_once_begin_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    met = Barrier(2)
    begun: list[str] = []

    class Slow(Job):
        def __init__(self, feed: str) -> None:
            super().__init__(feed)
            with suppress(BrokenBarrierError):  # the other session waits outside
                met.wait(0.5)
            begun.append(feed)

        def run(self) -> None:
            pass

    monkeypatch.setattr(parts, "Job", Slow)
    sessions = [Thread(target=parts.fetch_feed, args=(feed,)) for feed in ("one", "two")]
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    parts._jobs.clear()
    assert len(begun) == 1


def test_the_feed_of_the_bundled_show_is_known_and_that_of_another_is_not(environment: dict[str, str]) -> None:
    with Atlas(load_settings(environment=environment)) as atlas:
        assert str(atlas.feed_of("PyTorch Developer Podcast")).startswith("https://")
        assert atlas.feed_of("The Show") is None
