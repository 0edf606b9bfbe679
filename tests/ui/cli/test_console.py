"""The console, typed into by a program at a real terminal, and fed from a pipe."""

import os
import pty
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doc_sessions import ROOT
from tests.ui.cli.commands import done, refused
from torchatlas.ui.cli.ask import is_whole, statements


def test_a_pipe_of_statements_is_run_one_by_one_and_a_cut_answer_told(small: Path) -> None:
    texts = (
        ":format csv\nMATCH (c:Concept {id: 'view'})\nRETURN c.area AS area;\n:param id tensor\n"
        "MATCH (c:Concept {id: $id}) RETURN c.name AS name;\n:ask where-explained concept='strides idea'\n"
    )
    shown = "area Tensors name 'tensor idea' id,title,depth,weight,second 'show-strides,On strides,main,1.0,266'"
    assert done(small, "console", given=texts.encode()).stdout.splitlines() == shlex.split(shown)
    many = b"MATCH (c:Concept) RETURN c.id ORDER BY c.id;\n:ask before concept=aotautograd\n"
    told = done(small, "console", "--limit", "2", given=many).stderr
    assert told.splitlines() == 2 * ["2 rows, more were left out; --limit shows more"]


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
        ("RETURN $`a b`;", "the query wants a value for $a b: --param NAME=VALUE, or :param NAME VALUE in"),
    ],
)
def test_from_a_pipe_a_mistake_ends_it_with_one_line(small: Path, text: str, says: str) -> None:
    assert says in refused(small, "console", given=f"{text}\nRETURN 1;\n".encode())


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
    lines = "RETURN\n1;\n\n:help\nRETURN 2\n\nRETURN ';\n';\nRETURN 3".splitlines(keepends=True)
    assert list(statements(lines)) == ["RETURN\n1;", ":help", "RETURN 2", "RETURN ';\n';", "RETURN 3"]
    together = "RETURN 1; RETURN ';' ;RETURN\r\n2; // ;\r\n:help\r\nRETURN 'a; RETURN 3".splitlines(keepends=True)
    found = ["RETURN 1;", "RETURN ';' ;", "RETURN\r\n2;", ":help", "RETURN 'a; RETURN 3"]
    assert list(statements(together)) == found


@pytest.fixture
def terminal(small: Path) -> Iterator[int]:
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TORCHATLAS_HOME": str(small), "NO_COLOR": "1", "TERM": "xterm"}
    child = subprocess.Popen(
        [sys.executable, "-m", "torchatlas", "console"],
        stdin=theirs, stdout=theirs, stderr=theirs, env=variables, cwd=ROOT, start_new_session=True,
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
def test_a_person_types_completes_recalls_and_goes_on_after_a_mistake(terminal: int, small: Path) -> None:
    def typed(keys: bytes, until: str) -> str:
        os.write(terminal, keys)
        return seen(terminal, until)

    seen(terminal, "cypher>")
    typed(b"MATCH (c:Conc\t", "ept")  # the completion, which the next key would end
    assert "Tensors" in typed(b" {id: 'view'}) RETURN c.area AS where_it_is;\r", "1 row")
    assert "may only read" in typed(b"DELETE everything;\r", "not 'DELETE'")
    seen(terminal, "cypher>")
    assert "Tensors" in typed(b"\x1b[A\x1b[A\r", "1 row")  # the one before the last
    seen(terminal, "cypher>")
    typed(b":param 1x 3\r", "is not NAME=VALUE")
    seen(terminal, "cypher>")
    assert "11 " in typed(b"\x1b[200~RETURN 11 AS one;\nRETURN 22 AS two;\x1b[201~\r", "22 ")  # pasted
    seen(terminal, "cypher>")
    os.write(terminal, b"\x04")
    assert "where_it_is" in (small / "console-history").read_text("utf-8")
