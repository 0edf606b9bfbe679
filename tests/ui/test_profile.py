import subprocess
import sys
from pathlib import Path

import pytest

from torchatlas.graph.values.errors import DataError
from torchatlas.profile import Profile, change_profile, load_profile


def test_what_is_saved_comes_back_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "profile.toml"
    profile = Profile().with_known(["vmap", "autograd", "vmap"]).with_heard(["show/one"])
    change_profile(path, lambda _: profile)
    path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
    change_profile(path, lambda p: p.with_source("https://example.org/feed"))
    assert load_profile(path) == Profile(("vmap", "autograd"), ("show/one",), sources=("https://example.org/feed",))
    assert "# mine" in path.read_text("utf-8")


def test_no_file_is_an_empty_profile(tmp_path: Path) -> None:
    assert load_profile(tmp_path / "none.toml") == Profile()


@pytest.mark.parametrize("text", ["known = [", "konwn = []", "known = 'vmap'", "known = [1]"])
def test_a_broken_profile_is_named_and_never_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(text, "utf-8")
    for attempt in (lambda: load_profile(path), lambda: change_profile(path, lambda p: p.with_known(["a"]))):
        with pytest.raises(DataError, match=r"profile\.toml"):
            attempt()
    assert path.read_text("utf-8") == text


def test_forgetting_takes_out_wherever_it_stands() -> None:
    assert Profile(("a", "b"), ("a",), sources=()).without(["a"]) == Profile(("b",))


def test_changes_of_two_processes_at_once_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    code = "import sys; from pathlib import Path; from torchatlas.profile import change_profile; "
    code += "[change_profile(Path(sys.argv[1]), lambda p: p.with_known([f'{sys.argv[2]}{n}'])) for n in range(20)]"
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    assert set(load_profile(path).known) == {f"{name}{n}" for name in "ab" for n in range(20)}
