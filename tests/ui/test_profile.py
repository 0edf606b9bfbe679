from pathlib import Path

import pytest

from graph.errors import DataError
from ui.profile import Profile, load_profile, save_profile


def test_what_is_saved_comes_back_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "profile.toml"
    profile = Profile().with_known(["vmap", "autograd", "vmap"]).with_heard(["show/one"])
    save_profile(path, profile)
    path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
    save_profile(path, profile.with_source("https://example.org/feed"))
    assert load_profile(path) == Profile(("vmap", "autograd"), ("show/one",), ("https://example.org/feed",))
    assert "# mine" in path.read_text("utf-8")


def test_no_file_is_an_empty_profile(tmp_path: Path) -> None:
    assert load_profile(tmp_path / "none.toml") == Profile()


@pytest.mark.parametrize("text", ["known = [", "konwn = []", "known = 'vmap'", "known = [1]"])
def test_a_broken_profile_is_named_and_never_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(text, "utf-8")
    for attempt in (lambda: load_profile(path), lambda: save_profile(path, Profile())):
        with pytest.raises(DataError, match=r"profile\.toml"):
            attempt()
    assert path.read_text("utf-8") == text


def test_forgetting_takes_out_wherever_it_stands() -> None:
    assert Profile(("a", "b"), ("a",), ()).without(["a"]) == Profile(("b",))
