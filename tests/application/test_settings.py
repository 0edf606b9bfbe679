from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from torchatlas.atlas import Atlas
from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import open_store
from torchatlas.settings import Settings, load_settings


def test_the_store_by_precedence(tmp_path: Path) -> None:
    environment = {"TORCHATLAS_HOME": str(tmp_path), "NEO4J_URI": "bolt://n", "TORCHATLAS_STORE": "memory:"}
    assert load_settings("ladybug:x", environment).store == "ladybug:x"
    assert load_settings(None, environment).store == "memory:"
    del environment["TORCHATLAS_STORE"]
    assert load_settings(None, environment).store == "bolt://n"
    del environment["NEO4J_URI"]
    assert load_settings(None, environment).store == f"ladybug:{tmp_path / 'atlas.lbug'}"


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    settings = load_settings(None, {"TORCHATLAS_HOME": str(tmp_path)})
    assert {settings.home, settings.profile.parent, settings.cache.parent} == {tmp_path}


@pytest.mark.parametrize("store", ["neo4j+local:", "bolt://h"])
def test_the_server_of_ones_own_lies_in_the_home_that_is_given(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path / "other"))
    monkeypatch.setattr("torchatlas.graph.stores.neo4j_server._NEEDS", ())
    place = tmp_path / "neo4j"
    place.write_text("not a folder", "utf-8")
    atlas = Atlas(Settings(store, tmp_path, profile=tmp_path / "profile.toml"))
    asked: list[Callable[[], object]] = [
        partial(ask, atlas.settings.server) for ask in (neo4j_server.status, neo4j_server.stop, neo4j_server.start)
    ]
    if store == "neo4j+local:":
        asked += [lambda: atlas.store, lambda: atlas.diff(store)]
    for ask in asked:
        with pytest.raises(StoreError, match=f"{place} is no folder for the Neo4j server"):
            ask()


def test_a_server_address_may_name_its_folder(tmp_path: Path) -> None:
    named = Settings(f"neo4j+local:{tmp_path / 'own'}", tmp_path, profile=tmp_path / "profile.toml")
    assert named.server == tmp_path / "own" and named.address(named.store) == named.store
    with pytest.raises(StoreError, match="names no folder"):
        open_store("neo4j+local:")
