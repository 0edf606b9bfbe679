"""`torchatlas plan` in the formats of other programs: to standard output and to files."""

import re
from datetime import date
from pathlib import Path

import feedparser
import pytest
import vobject

from tests.ui.cli.commands import run
from torchatlas.ui.plans import FORMATS

pytestmark = pytest.mark.slow

HOW = "to get it: torchatlas add https://feeds.simplecast.com/OB5FkIl8\n"


def test_a_format_is_printed_and_written_alike(home: Path) -> None:
    for name in ("rss", "ics", "markdown"):
        target = home / f"listening-path{FORMATS[name].endings[0]}"
        given = ("--from", "2026-12-01") if name == "ics" else ()
        printed = run(home, "plan", "vmap", "--format", name, *given)
        written = run(home, "plan", "vmap", "--output", str(target), *given)
        assert printed.exit_code == written.exit_code == 0
        assert target.read_bytes() == printed.stdout_bytes and not written.stdout
        assert re.search(r"listening-path\.\S+: [\d,]+ bytes\n$", written.stderr)


def test_without_audio_a_feed_is_made_and_one_line_says_how_to_get_it(home: Path) -> None:
    done = run(home, "plan", "vmap", "--format", "rss")
    assert done.exit_code == 0 and done.stderr == f"no audio is known for 3 episodes; {HOW}"
    read = feedparser.parse(done.stdout)
    assert len(read.entries) == 3 and all(e.link.startswith("https://") for e in read.entries if "link" in e)


def test_what_a_player_cannot_show_is_said_on_standard_error(home: Path) -> None:
    for name in ("ics", "rss"):
        done = run(home, "plan", "dispacher", "AOTAutograd", "--budget", "20m", "--format", name)
        assert 'I took "dispacher" for a typing slip of dispatcher.\nLeft out: AOTAutograd' in done.stderr
    known = run(home, "plan", "vmap", "--known", "vmap", "--format", "rss")
    assert known.exit_code == 0 and known.stderr == "vmap is already known, so the plan has no step for vmap.\n"
    assert not run(home, "plan", "dispacher", "--format", "markdown").stderr  # the list says it


def test_a_calendar_begins_today_or_when_it_is_told(home: Path) -> None:
    before = date.today()
    first = vobject.readOne(run(home, "plan", "vmap", "--split", "2x30m", "--format", "ics").stdout).vevent
    assert before <= first.dtstart.value <= date.today()
    timed = run(home, "plan", "vmap", "--split", "2x30m", "--format", "ics", "--from", "2026-12-01T08:15")
    assert vobject.readOne(timed.stdout).vevent.dtstart.value.isoformat() == "2026-12-01T08:15:00"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--output", "plan.doc"), 2, "cannot tell the format of plan.doc; name one of rss, ics"),
        (("--output", "plan.txt", "--format", "text"), 2, "text is for a terminal"),
        (("--output", "/dev/null/plan.ics"), 1, "cannot be written (File exists); name another place"),
        (("--format", "ics", "--from", "2026-02-30"), 2, "2026-02-30 is no day: day"),
        (("--format", "ics", "--from", "soon"), 2, "'soon' is no day; write 2026-12-01 or 2026-12-01T08:15"),
        (("--format", "ics", "--from", "9999-12-31"), 1, "must be at most 9000, not 9999"),
        (("--format", "rss", "--from", "2026-12-01"), 2, "add --format ics"),
        (("--format", "rss", "--output", "/"), 1, "name another place"),
    ],
)
def test_a_mistake_is_one_clear_line(home: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    done = run(home, "plan", "vmap", *arguments)
    assert done.exit_code == code and says in done.stderr.splitlines()[-1] and not done.stdout
