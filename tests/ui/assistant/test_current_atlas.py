"""The atlas of a long-running program: loaded once for each stored graph."""

from pathlib import Path

from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.mcp import Tools

FEED = (
    """<rss version="2.0"><channel><title>Hum</title><item><title>Gears</title><guid>1</guid></item></channel></rss>"""
)


def test_a_graph_is_loaded_once_also_where_it_was_built_first(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    (tmp_path / "hum.xml").write_text(FEED, "utf-8")
    settings = load_settings(environment={"TORCHATLAS_HOME": str(tmp_path)})
    with Atlas(settings) as atlas:
        current = Tools(atlas, 8501)
        first = current.atlas.graph
        assert current.atlas.graph is first and not first.episodes
        with Atlas(settings) as other:
            other.add(str(tmp_path / "hum.xml"))
        second = current.atlas.graph
        assert current.atlas.graph is second is not first
        assert [episode.title for episode in second.episodes] == ["Gears"]
