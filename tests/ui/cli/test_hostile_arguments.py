"""Every option and argument of every command, with values that nobody means: no traceback, one line, in time."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.atlas import stored
from torchatlas.ui.cli.program import main

HOSTILE = [
    "", "  ", "nan", "inf", "1e300", "0", "-1", "9" * 5000, "-" + "9" * 5000, "9" * 19, "0x10", "1_000", "٣", "²", "½",
    "a" * 20_000, "\udcff", "a\udcffb", "/proc/self/mem", "/dev/null", "http://[", "http://a:b@[::1/x", "-", "%s", "\n",
    "\x1b[31m", "\u202e", "9h" * 3000, "a=b", "limit=" + "9" * 30, "limit=" + "9" * 5000, "concept=\udcff", "limit=nan",
    "=", "'", "," * 2000, "bolt://[", "bolt://h:99999999", f"neo4j://{'a' * 300}", "ladybug:/dev/null", "toy:",
]  # fmt: skip
ELSEWHERE = {"add", "import", "build", "console", "quiz", "start", "stop"}
"""They go to the network, change the graph, wait for input, or start a server."""
VIEW = {"cypher": "RETURN 1 AS x", "name": "before", "earlier": "tensor", "later": "view"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables under which a command finds a small graph that no other test uses."""
    return stored(tmp_path_factory.mktemp("hostile"))


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif name not in ELSEWHERE:
            yield (*path, name), command


def hostile_calls(path: tuple[str, ...], command: click.Command) -> Iterator[list[str]]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    meant = [VIEW.get(str(p.name), "view") for p in arguments]
    for value in HOSTILE:
        if arguments:
            yield [*path, "--", *([value] * len(arguments))]
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag:
                yield [*path, f"{option.opts[0]}={value}", *meant]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "command"), [pytest.param(p, c, id=" ".join(p)) for p, c in commands()])
def test_no_value_of_a_person_is_a_traceback(
    path: tuple[str, ...], command: click.Command, own: dict[str, str], tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for call in hostile_calls(path, command):
        done = CliRunner().invoke(main, call, env=own)
        assert done.exception is None or isinstance(done.exception, SystemExit), f"{call!a:.300}: {done.exception!a}"
        assert done.exit_code in (0, 1, 2)
        if done.exit_code == 1:
            last = done.stderr.rstrip("\n").rpartition("\n")[2]
            assert last.startswith("Error: ") and len(last) < 1100, f"{call!a:.300}: {done.stderr!a:.300}"


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        (["query", "RETURN 1 AS x", "--seconds", "nan"], 1, "the limit of seconds must be at least 0.001, not nan"),
        (["query", "RETURN 1 AS x", "--seconds", "inf"], 2, "not in the range 0.001<=x<=86400"),
        (["query", "RETURN 1 AS x", "--seconds", "1e300"], 2, "not in the range"),
        (["query", "RETURN 1 AS x", "--seconds", "0"], 2, "not in the range"),
        (["plan", "view", "--budget", "9" * 5000], 2, "is not a length; write 90m or 1h30m"),
        (["query", "RETURN $n AS n", "-p", "n=9223372036854775808"], 1, "write a longer number as text, with quotes"),
        (["ask", "beginnings", "-p", "limit=99999999999999999999999"], 1, "out of the range of an engine"),
        (["query", "RETURN $`set` AS x", "-p", "set=2", "--format", "csv"], 0, ""),
    ],
)
def test_numbers_out_of_range_are_one_line_with_a_remedy(
    call: list[str], code: int, says: str, own: dict[str, str]
) -> None:
    done = CliRunner().invoke(main, call, env=own)
    assert (done.exit_code, says in done.stderr) == (code, True), done.output
    assert code != 1 or done.stderr.count("\n") == 1
