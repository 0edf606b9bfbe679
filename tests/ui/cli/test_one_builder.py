"""Programs that need a graph at the same time: one builds, the others wait for it and answer from it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.doc_sessions import ROOT, environment
from tests.ui.cli.commands import run

FEED = '<rss version="2.0"><channel><title>Show</title><item><title>One</title><guid>1</guid></item></channel></rss>'


@pytest.mark.slow
def test_one_program_builds_and_the_others_answer_from_its_graph(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")
    assert run(tmp_path, "add", str(tmp_path / "feed.xml")).exit_code == 0
    (tmp_path / "atlas.lbug").unlink()
    command = [sys.executable, "-m", "torchatlas", "plan", "One"]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    asked = [subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path), **piped) for _ in range(3)]
    answers = [process.communicate(timeout=300) for process in asked]
    assert [process.returncode for process in asked] == [0, 0, 0]
    assert len({stdout for stdout, _ in answers}) == 1
    assert sum("Writing the graph" in stderr for _, stderr in answers) == 1


def test_a_home_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = run(tmp_path / "file", "concepts")
    assert done.exit_code == 1 and str(tmp_path / "file") in done.output and "Traceback" not in done.output
