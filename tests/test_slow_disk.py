"""On a slow disk readers have the old graph until the new one is whole; writers wait and say so; nothing is lost."""

from pathlib import Path

import pytest

from tests import slow_disk
from torchatlas.settings import Settings
from torchatlas.user_files.profile import load_profile

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(slow_disk.compiler() is None, reason="a C compiler makes the disk slow, on Linux"),
]


def test_readers_have_the_old_graph_and_a_second_writer_waits_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    said, seen, _ = slow_disk.write_slowly(folder, slow_disk.slow(folder, 1, tmp_path))
    assert said[0] == "" and said[1].endswith("waiting for it\n") and said[1].count("\n") == 1
    assert seen[0] == "old" and set(seen) <= {"old", "first", "second"}
    assert seen.count("old") > 2, "readers waited for the writer"
    assert sorted(path.name for path in folder.iterdir()) == ["g.lbug", "g.lbug.checksum", "g.lbug.copy", "g.lbug.lock"]


def test_changes_of_the_profile_wait_for_one_another_and_none_is_lost(tmp_path: Path) -> None:
    home, ids = tmp_path / "home", ("a", "b", "c")
    home.mkdir()
    said = slow_disk.know_slowly(home, slow_disk.slow(home, 600, tmp_path), ids)
    assert [line for line in said if "is changing" in line and "waiting for it" in line]
    assert sorted(load_profile(Settings("memory:", home, profile=home / "profile.toml")).known) == list(ids)
