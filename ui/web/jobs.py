"""A long task beside the pages: one at a time, in a thread of its own, so that clicks do not end it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, Thread

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.formatting import esc
from torchatlas.graph.model import Progress
from torchatlas.settings import load_settings
from torchatlas.ui.web import cached

_SHOWN = "job_shown"


@dataclass
class Job:
    """The fetching of a feed: how far it is, and in the end what came or what went wrong."""

    feed: str
    stage: str = "Fetching the feed"
    share: float = 0.0
    came: str = ""
    wrong: str = ""
    running: bool = True

    def run(self) -> None:
        """Add the feed to the person's sources and build the map with it."""
        try:
            with Atlas(load_settings(), self._progressing) as atlas:
                built = atlas.add(self.feed)
                trouble = [source.trouble for source in atlas.sources() if source.address == self.feed]
                if any(trouble):  # the copy of last time is in its place
                    self.wrong = f"The feed could not be fetched, and the map is as it was: {trouble[0]}"
                self.came = f"The feed is in the map: {built.graph.size}."
        except AtlasError as e:
            self.wrong = f"The feed could not be fetched, and the map is as it was: {e}"
        finally:  # a bug keeps its traceback, which Python prints for threads too
            self.wrong = self.wrong or ("" if self.came else "Fetching stopped; the terminal says why.")
            cached.look_anew()
            self.running = False

    @contextmanager
    def _progressing(self) -> Iterator[Progress]:
        def report(stage: str, done: int, total: int) -> None:
            self.stage, self.share = stage, done / total if total else 0.0

        yield report


@dataclass
class _Slot:
    """The one place of all sessions where the job stands. Each session is a thread: who changes it holds the lock."""

    now: Job | None = None
    lock: Lock = field(default_factory=Lock)


@st.cache_resource
def _place() -> _Slot:
    return _Slot()


def fetch_feed(feed: str) -> None:
    """Begin to fetch a feed, unless a job runs already. For callbacks."""
    place = _place()
    with place.lock:
        if place.now and place.now.running:
            return
        job = place.now = Job(feed)
    st.session_state[_SHOWN] = feed  # it may end before the page sees it run
    Thread(target=job.run, name="torchatlas-feed", daemon=True).start()


def show() -> None:
    """Draw how far the job is, or how it ended until that is closed."""
    job = _place().now
    if job and job.running:
        st.session_state[_SHOWN] = job.feed
        _watch()
    elif job and st.session_state.get(_SHOWN) == job.feed:
        told, icon = (st.error, ":material/cloud_off:") if job.wrong else (st.success, ":material/check_circle:")
        told(esc(job.wrong or job.came), icon=icon)
        st.button("Close", key="job_close", type="tertiary", on_click=_close)


@st.fragment(run_every=0.7)
def _watch() -> None:
    job = _place().now
    assert job
    st.progress(min(1.0, job.share), f"{esc(job.stage)} …")
    if not job.running:
        st.rerun()


def _close() -> None:
    st.session_state.pop(_SHOWN, None)
