"""The first map of a very large graph is kept when it is built or drawn, and shown while the graph is read again."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from click.testing import CliRunner

from tests.atlas import snapshot
from tests.ui.web.conftest import Open, shown
from torchatlas.settings import Settings, load_settings
from torchatlas.ui.cli.program import main
from torchatlas.ui.pictures.first_map import first_map, keep_first_map, kept_first_map
from torchatlas.ui.web import cached, component


@pytest.fixture
def every_graph_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Any graph counts as very large; its map is kept outside of the home that tests share."""
    monkeypatch.setattr("torchatlas.graph.drawing.clusters.LARGE", -1)
    monkeypatch.setattr(Settings, "first_map", tmp_path / "kept" / "first-map.json")
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def test_what_is_kept_comes_back_for_the_same_graph_alone(tmp_path: Path) -> None:
    kept, drawn = tmp_path / "map.json", first_map(snapshot())
    assert kept_first_map(kept, "one") is None
    keep_first_map(kept, "one", drawn)
    assert kept_first_map(kept, "one") == drawn
    assert kept_first_map(kept, "two") is None


@pytest.mark.parametrize("harm", [b"", b"no map", b"{}\n{}"])
def test_a_damaged_file_is_no_map(tmp_path: Path, harm: bytes) -> None:
    kept = tmp_path / "map.json"
    keep_first_map(kept, "one", first_map(snapshot()))
    kept.write_bytes(harm or kept.read_bytes().replace(b"tensor", b"Tensor"))
    assert kept_first_map(kept, "one") is None


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keep_first_map(tmp_path / "file" / "map.json", "one", {})


@pytest.mark.usefixtures("every_graph_is_large")
def test_the_map_is_shown_before_the_graph_is_read_again(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def show_map(*arguments: object, key: str, **options: object) -> None:
        drawn.append(key)
        original(*arguments, key=key, **options)  # type: ignore[arg-type]

    original = component.show_map
    monkeypatch.setattr(component, "show_map", show_map)
    # Drawn by this program, drawn already, kept by another program.
    for wanted, forget in ((["map"], True), (["map"], False), (["first_map", "map"], True)):
        drawn.clear()
        if forget:
            st.cache_resource.clear()
            cached._READ.clear()
        page = visit()
        assert "Where to begin" in shown(page) and "Reading the rest" not in shown(page)
        assert drawn == wanted
        assert [element.key for element in page.get("bidi_component")] == ["map", "keys_listener"]
    drawn.clear()
    cached._READ.clear()
    visit(node="view")
    assert drawn == ["map"]  # the address asks for more than the first map


@pytest.mark.usefixtures("every_graph_is_large")
def test_a_build_keeps_the_map_for_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path))
    monkeypatch.setenv("TORCHATLAS_STORE", f"ladybug:{tmp_path / 'atlas.lbug'}")
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    ran = CliRunner().invoke(main, ["build", "--offline"])
    assert ran.exit_code == 0, ran.output
    kept = cached.kept_map()
    assert kept is not None and kept["nodes"] == []
    load_settings().first_map.unlink()
    assert cached.kept_map() is None


def test_the_collection_of_garbage_after_each_run_of_a_page_passes_over_the_graph(visit: Open) -> None:
    gc.unfreeze()
    st.cache_resource.clear()
    cached._READ.clear()
    visit()
    (stamp,) = cached._READ
    graph = cached._atlas(stamp).graph
    assert gc.is_tracked(graph) and all(thing is not graph for thing in gc.get_objects())
    gc.unfreeze()


def test_what_has_died_since_the_last_graph_is_collected_with_the_next(visit: Open) -> None:
    class Circle:
        def __init__(self) -> None:
            self.own = self

    circle = Circle()
    gone = weakref.ref(circle)
    gc.freeze()
    del circle
    st.cache_resource.clear()
    visit()
    assert gone() is None
    gc.unfreeze()


def test_a_box_offers_every_episode(visit: Open) -> None:
    offered = visit().selectbox(key="search_box").options
    assert any("On strides" in name for name in offered) and "strides idea" in offered


@pytest.mark.usefixtures("every_graph_is_large")
def test_a_box_of_a_very_large_graph_offers_no_episode_and_takes_its_title(visit: Open) -> None:
    app = visit()
    box = app.selectbox(key="search_box")
    assert not any("On strides" in name for name in box.options) and "strides idea" in box.options
    assert r"▶ \#2 On strides" in shown(visit(find="On strides"))
    heard = visit("path", goal=["view"]).selectbox(key="add_heard")
    assert not heard.options
