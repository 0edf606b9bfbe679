from pathlib import Path

from torchatlas.settings import load_settings


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
    assert {settings.home, settings.profile.parent, settings.copies.parent} == {tmp_path}
