"""A page is drawn from one graph, also where a build replaces the stored one while its script runs."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.atlas import stored


def script() -> None:
    """Count the episodes twice in one run of a page; the first run replaces the graph in between."""
    import time

    import streamlit as st

    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Episode, Snapshot
    from torchatlas.graph.stores.base import open_store
    from torchatlas.settings import load_settings
    from torchatlas.ui.web import cache

    cache.look()
    st.text(len(cache.atlas().graph.episodes))
    if "replaced" not in st.session_state:
        with open_store(load_settings().store) as store:
            store.replace(Snapshot(episodes=(Episode("new", "New", show="S"),)), str(store.fingerprint()))
        st.session_state["replaced"] = True
        time.sleep(2.5)  # longer than a look at the store counts
    st.text(next(kind.count for kind in cache.ask(Atlas.schema).nodes if "Episode" in kind.pattern))


@pytest.mark.slow
def test_a_build_in_the_middle_of_a_run_changes_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in stored(tmp_path).items():
        monkeypatch.setenv(name, value)
    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    assert [text.value for text in app.text] == ["12", "12"]
    assert [text.value for text in app.run().text] == ["1", "1"]
