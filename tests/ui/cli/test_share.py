"""torchatlas share: a page in a file, or a line that says why not."""

from pathlib import Path

import pytest

from tests.ui.cli.commands import run

pytestmark = pytest.mark.slow


def test_a_page_is_written_whole_and_replaces_the_one_before(home: Path) -> None:
    target = home / "sent" / "aotautograd.html"
    first = run(home, "share", str(target), "AOTAutograd")
    assert first.exit_code == 0, first.output
    assert first.stderr.splitlines()[-1] == f"{target}: {target.stat().st_size:,} bytes"
    page = target.read_text("utf-8")
    assert "<h1>The way to AOTAutograd</h1>" in page and str(home) not in page
    assert run(home, "share", str(target)).exit_code == 0
    assert "<h1>Map of PyTorch internals</h1>" in target.read_text("utf-8")


def test_what_cannot_be_shared_is_one_line_and_writes_nothing(home: Path) -> None:
    for arguments, code, words in (
        (["map.pdf"], 2, "does not end in .html"),
        (["map.html", "nothing of the kind"], 1, "nothing of the kind"),
        ([str(home / "atlas.lbug" / "map.html")], 1, "cannot be written"),
    ):
        done = run(home, "share", *arguments)
        assert done.exit_code == code
        assert words in done.stderr.splitlines()[-1]
    assert not Path("map.html").exists() and not Path("map.pdf").exists()
