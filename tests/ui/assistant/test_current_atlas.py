"""The atlas of a long-running program: loaded once for each stored graph."""

from contextlib import closing, nullcontext
from pathlib import Path

from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.assistant.current_atlas import CurrentAtlas

FEED = (
    """<rss version="2.0"><channel><title>Hum</title><item><title>Gears</title><guid>1</guid></item></channel></rss>"""
)


def test_a_graph_is_loaded_once_also_where_it_was_built_first(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    (tmp_path / "hum.xml").write_text(FEED, "utf-8")
    settings = load_settings(environment={"TORCHATLAS_HOME": str(tmp_path)})
    with closing(CurrentAtlas(settings, nullcontext)) as current:
        first = current.now()
        assert current.now() is first and not first.graph.episodes
        with Atlas(settings) as other:
            other.add(str(tmp_path / "hum.xml"))
        second = current.now()
        assert current.now() is second is not first
        assert [episode.title for episode in second.graph.episodes] == ["Gears"]
