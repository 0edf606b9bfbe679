"""Fetching a show's feed beside the pages."""

from pathlib import Path

import pytest

from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.web.jobs import Job


def test_a_feed_that_cannot_be_reached_is_one_line_and_changes_nothing(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    job = Job("http://127.0.0.1:9/feed.xml")
    job.run()
    assert not job.running and not job.came and "\n" not in job.wrong
    assert "could not be fetched, and the map is as it was" in job.wrong and "127.0.0.1:9" in job.wrong
    assert not (Path(environment["TORCHATLAS_HOME"]) / "sources.toml").exists()


def test_the_feed_of_the_bundled_show_is_known_and_that_of_another_is_not(environment: dict[str, str]) -> None:
    with Atlas(load_settings(environment=environment)) as atlas:
        assert str(atlas.feed_of("PyTorch Developer Podcast")).startswith("https://")
        assert atlas.feed_of("The Show") is None
