"""Mistakes and attacks: every option and argument with values that nobody means is one line, in time, no traceback."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest

from tests.ui.cli.commands import COMMANDS, files, refused, run

HOSTILE = [
    "", "  ", "nan", "inf", "1e300", "0", "-1", "9" * 5000, "-" + "9" * 5000, "9" * 19, "0x10", "1_000", "٣", "²", "½",
    "a" * 2_000, "\udcff", "a\udcffb", "/proc/self/mem", "/dev/null", "http://[", "http://a:b@[::1/x", "-", "%s", "\n",
    "\x1b[31m", "\u202e", "9h" * 3000, "a=b", "limit=" + "9" * 30, "limit=" + "9" * 5000, "concept=\udcff", "limit=nan",
    "=", "'", "," * 2000, "bolt://[", "bolt://h:99999999", f"neo4j://{'a' * 300}", "ladybug:/dev/null", "toy:",
]  # fmt: skip
ELSEWHERE = {"add", "import", "build", "quiz", "start", "stop", "mcp"}
"""They go to the network, change the graph, wait for input, or start a server."""
VIEW = {"cypher": "RETURN 1 AS x", "name": "before", "earlier": "tensor", "later": "view"}


def commands(group: Mapping[str, click.Command], *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.items():
        if isinstance(command, click.Group):
            yield from commands(command.commands, *path, name)
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
@pytest.mark.parametrize(("path", "command"), [pytest.param(p, c, id=" ".join(p)) for p, c in commands(COMMANDS)])
def test_no_value_of_a_person_is_a_traceback(path, command: click.Command, small: Path, monkeypatch) -> None:
    if path == ("candidates",):
        (small / "sources.toml").write_text("shipped = false", "utf-8")  # to read all texts each time takes minutes
    (small / "work").mkdir()
    monkeypatch.chdir(small / "work")
    for call in hostile_calls(path, command):
        done = run(small, *call)
        assert done.exception is None or isinstance(done.exception, SystemExit), f"{call!a:.300}: {done.exception!a}"
        assert done.exit_code in (0, 1, 2)
        if done.exit_code == 1:
            last = done.stderr.rstrip("\n").rpartition("\n")[2]
            assert last.startswith("Error: ") and len(last) < 1100, f"{call!a:.300}: {done.stderr!a:.300}"


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("plan AOTAutogarden", 1, "did you mean aotautograd idea"),
        pytest.param(f"plan {'a' * 20_000}", 1, "no concept or episode is called 'aaa", marks=pytest.mark.slow),
        ("plan 'how do I bake bread'", 1, "no concept or episode is called 'how do I bake bread'"),
        ("plan strides --known 'how do functionalizations go'", 1, "did you mean functionalization idea"),
        ("heard --file /no/such/file", 2, "'/no/such/file': No such file or directory"),
        ("heard 2 --file -", 2, "name episodes, or a file with --file, not both"),
        ("plan", 2, "name a GOAL"),
        ("plan view --speed 9", 1, "the speed must be at most 4, not 9"),
        (f"plan view --budget {'9' * 5000}", 2, "is not a length; write 90m or 1h30m"),
        ("plan view --store postgres://x", 1, "use one of"),
        ("plan view --store bolt://127.0.0.1:1", 1, "127.0.0.1:1"),
        ("plan view --show 'The Shw'", 1, "no show is called 'The Shw'; did you mean The Show?"),
        ("plan view --output plan.doc", 1, "cannot tell the format of plan.doc; name one of rss, ics"),
        ("plan view --output plan.txt --format text", 2, "text is for a terminal"),
        ("plan view --output / --format rss", 1, "name another place"),
        ("plan view --format ics --from soon", 2, "'soon' does not match the formats '%Y-%m-%d'"),
        ("plan view --format rss --from 2026-12-01", 2, "add --format ics"),
        ("plan --query 'RETURN 1 AS x'", 1, "no concept and no episode in 1 row: RETURN nodes, or their ids"),
        ("query 'RETURN $id'", 1, "the query wants a value for $id: --param id=VALUE"),
        ("query 'RETURN $x' -p x", 2, "NAME=VALUE"),
        ("query 'RETURN \"\udcff\"'", 2, "UTF-8"),
        *((f"query RETURN --seconds {n}", 2, "not in the range 0.001<=x<=86400") for n in ("-1", "0", "1e300", "inf")),
        ("query 'RETURN $n AS n' -p n=9223372036854775808", 1, "write a longer number as text, with quotes"),
        ("extract /no/such/feed.xml", 1, "/no/such/feed.xml"),
        ("extract /no/such/feed.xml --on ''", 2, "--on': it is empty; write tcp://SCHEDULER:8786"),
        ("candidates --accept owl --draft more.toml", 2, "choose one of --accept TERM and --draft FILE"),
        ("share map.pdf", 2, "does not end in .html"),
        ("export /dev/null/map.json", 1, "cannot be written"),
    ],
)
def test_a_mistake_is_one_line_with_a_remedy_and_changes_nothing(small, monkeypatch, line, code: int, says) -> None:
    (small / "work").mkdir()
    monkeypatch.chdir(small / "work")
    before = files(small)
    assert says in refused(small, *shlex.split(line), code=code)
    assert files(small) == before
