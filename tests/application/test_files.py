"""Files are written whole or not at all, and a failure leaves nothing beside them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from torchatlas.user_files.files import write_whole

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
