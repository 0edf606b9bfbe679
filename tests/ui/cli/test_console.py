"""The console, typed into by a program at a real terminal, and fed from a pipe."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.atlas import stored
from tests.doc_sessions import ROOT
from torchatlas.ui.cli.ask import is_whole, statements


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**os.environ, **stored(tmp_path_factory.mktemp("console")), "NO_COLOR": "1", "TERM": "xterm"}


def piped(environment: dict[str, str], text: str, *options: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "torchatlas.ui.cli.program", "console", *options]
    return subprocess.run(run, input=text, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)


@pytest.mark.slow
def test_a_pipe_of_statements_is_run_one_by_one(environment: dict[str, str]) -> None:
    done = piped(
        environment,
        ":format csv\nMATCH (c:Concept {id: 'view'})\nRETURN c.area AS area;\n:param id tensor\n"
        "MATCH (c:Concept {id: $id}) RETURN c.name AS name;\n:ask where-explained concept='strides idea'\n",
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout.splitlines() == [
        "area", "Tensors", "name", "tensor idea",
        "id,title,depth,weight,second", "show-strides,On strides,main,1.0,266",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_cut_answer_is_told_for_statements_and_saved_questions(environment: dict[str, str]) -> None:
    texts = "MATCH (c:Concept) RETURN c.id ORDER BY c.id;\n:ask before concept=aotautograd\n"
    done = piped(environment, texts, "--limit", "2")
    assert done.stderr.splitlines() == 2 * ["2 rows, more were left out; --limit shows more"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CREATE (c:Concept);", "queries may only read"),
        (":nonsense", "there is no command :nonsense; :help lists them"),
        (":format xml", "not as 'xml'"),
        (":ask befor", "did you mean"),
        (":ask before 'x", "No closing quotation"),
        (":param 1x 3", "is not NAME=VALUE"),
        (":_init__", "there is no command :_init__"),
        ("RETURN $`a b`;", "the query wants a value for $a b: :param 'a b' VALUE"),
    ],
)
def test_from_a_pipe_a_mistake_ends_it_with_one_line(environment: dict[str, str], text: str, says: str) -> None:
    done = piped(environment, text + "\nRETURN 1;\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("RETURN 1;", True), ("RETURN 1", False), ("RETURN ';'", False), ("RETURN 'a;", False), ("RETURN 1\n", True),
        (":help", True), ("", True), ("RETURN 1 // ;", False), ("RETURN 1; // done", True),
    ],
)  # fmt: skip
def test_when_a_statement_is_whole(text: str, whole: bool) -> None:
    assert is_whole(text) == whole


def test_statements_end_with_a_semicolon_an_empty_line_or_the_file() -> None:
    lines = ["RETURN\n", "1;\n", "\n", ":help\n", "RETURN 2\n", "\n", "RETURN ';\n", "';\n", "RETURN 3"]
    assert list(statements(lines)) == ["RETURN\n1;", ":help", "RETURN 2", "RETURN ';\n';", "RETURN 3"]
    together = ["RETURN 1; RETURN ';' ;RETURN\r\n", "2; // ;\r\n", ":help\r\n", "RETURN 'a; RETURN 3"]
    assert list(statements(together)) == [
        "RETURN 1;", "RETURN ';' ;", "RETURN\r\n2;", ":help", "RETURN 'a; RETURN 3"
    ]  # fmt: skip


@pytest.fixture
def terminal(environment: dict[str, str]) -> Iterator[int]:
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "torchatlas.ui.cli.program", "console"],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    yield ours
    child.terminate()
    child.wait(10)
    os.close(ours)


def seen(terminal: int, what: str) -> str:
    """All that is printed until `what` is."""
    text, until = "", time.monotonic() + 30
    while what not in text:
        assert time.monotonic() < until, text
        if select.select([terminal], [], [], 0.5)[0]:
            text += os.read(terminal, 65536).decode("utf-8", "replace")
            if "\x1b[6n" in text:  # where is the cursor?
                os.write(terminal, b"\x1b[1;1R")
                text = text.replace("\x1b[6n", "")
    return text


@pytest.mark.slow
def test_a_person_types_completes_recalls_and_goes_on_after_a_mistake(
    terminal: int, environment: dict[str, str]
) -> None:
    seen(terminal, "cypher>")
    os.write(terminal, b"MATCH (c:Conc\t")
    seen(terminal, "ept")  # the completion, which the next key would end
    os.write(terminal, b" {id: 'view'}) RETURN c.area AS where_it_is;\r")
    assert "Tensors" in seen(terminal, "1 row")
    os.write(terminal, b"DELETE everything;\r")
    assert "may only read" in seen(terminal, "not 'DELETE'")
    seen(terminal, "cypher>")
    os.write(terminal, b"\x1b[A\x1b[A\r")  # the one before the last
    assert "Tensors" in seen(terminal, "1 row")
    seen(terminal, "cypher>")
    os.write(terminal, b":param 1x 3\r")
    seen(terminal, "is not NAME=VALUE")
    seen(terminal, "cypher>")
    os.write(terminal, b"\x1b[200~RETURN 11 AS one;\nRETURN 22 AS two;\x1b[201~\r")  # pasted
    assert "11 " in seen(terminal, "22 ")
    seen(terminal, "cypher>")
    os.write(terminal, b"\x04")
    history = Path(environment["TORCHATLAS_HOME"]) / "console-history"
    assert "where_it_is" in history.read_text("utf-8")
