"""Files are written whole or not at all, and a failure leaves nothing beside them."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from tests.kills import kill_profiles
from torchatlas import files
from torchatlas.files import changing
from torchatlas.graph.errors import DataError
from torchatlas.graph.whole_files import write_whole

if sys.platform == "win32":
    pytest.skip("the limit of a file's size is one of Unix", allow_module_level=True)

import resource


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes: the system refuses the rest, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [10, 5_000, 100_000])
def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path, size: int) -> None:
    path = tmp_path / "profile.toml"
    write_whole(path, b"old")
    with pytest.raises(OSError), full_disk(5):
        write_whole(path, b"x" * size)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_is_taken_by_a_folder_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "profile.toml").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "profile.toml", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["profile.toml"]


def test_an_interrupt_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "answer"
    write_whole(kept, b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(kept, b"new")
    assert list(tmp_path.iterdir()) == [kept] and kept.read_bytes() == b"old"


def test_the_mode_of_a_file_is_that_of_others_and_the_process_keeps_its_own(tmp_path: Path, monkeypatch) -> None:
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")  # threads share it
            write_whole(tmp_path / "shared", b"x", private=False)
            write_whole(tmp_path / "own", b"x")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"shared": 0o640, "own": 0o600}


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_the_old_or_the_new_profile_and_no_litter_that_grows(tmp_path: Path) -> None:
    assert {outcome for *_, outcome in kill_profiles(tmp_path, times=1)} == {"old", "new"}


def test_files_of_other_programs_that_lie_beside_stay(tmp_path: Path) -> None:
    names = (".profile.toml.swp", ".profile.toml.new", ".profile.toml.a_b.new", ".profile.toml.short.new")
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    write_whole(tmp_path / "profile.toml", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((*names, "profile.toml"))


def test_who_waits_for_another_program_says_so(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(files, "_TOLD_AFTER", 0.05)
    monkeypatch.setattr(files, "_PATIENCE", 0.05)
    path = tmp_path / "profile.toml"
    says = pytest.raises(DataError, match=r"has not ended in 0\.05 seconds; end that")
    with FileLock(path.with_suffix(".lock")), says, changing(path):
        pass
    assert [record.message for record in caplog.records] == [f"another torchatlas is changing {path}; waiting for it"]
    with changing(path):
        pass
