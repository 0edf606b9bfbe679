"""What former versions had is answered with one line that says what to use instead."""

from pathlib import Path

import pytest

from tests.ui.cli.commands import run
from torchatlas.ui.cli.removed import REMOVED


@pytest.mark.parametrize("words", REMOVED, ids=" ".join)
def test_a_removed_option_or_command_is_one_line_of_wrong_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(tmp_path, *words)
    assert done.exit_code == 2 and not done.stdout
    assert done.stderr == f"Error: {REMOVED[words]}\n" and len(done.stderr) < 240
