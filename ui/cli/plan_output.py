"""The options that say in which format a plan is written, and where to."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.graph.errors import DataError, shortened
from torchatlas.ui.cli.options import tell
from torchatlas.ui.plans import FORMATS, format_of

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Plan

_STYLES = "; ".join(f"{each.name}: {each.about}" for each in FORMATS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutput:
    """A format (None: text for people), a file (None: standard output), and the day on which a calendar begins."""

    style: str | None
    target: Path | None
    start: date | datetime | None

    def put(self, atlas: "Atlas", plan: "Plan") -> None:
        """Write the plan in its format, which is no text for people; a line tells of a file. Raises AtlasError.

        Players show neither how the goals were understood nor what is left out: standard error says it.
        """
        if self.style and FORMATS[self.style].to_hear:
            for line in (*plan.readings, *plan.remarks):
                tell(line, err=True)
        start = self.start or (date.today() if self.style == "ics" else None)
        if self.target is None:
            click.echo(atlas.plan_text(plan, str(self.style), start).encode(), nl=False)
            return
        path = atlas.write_plan(plan, self.target, self.style, start)
        tell(f"{path}: {path.stat().st_size:,} bytes", err=True)


def output_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `output`, a PlanOutput, from the options --format, --output and --from."""

    @click.option(
        "--format",
        "style",
        type=click.Choice(["text", *FORMATS]),
        help=f"{_STYLES}. By default what FILE ends in, else text.",
    )
    @click.option("--output", "target", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE",
                  help="Write it to a file; the ending says the format.")  # fmt: skip
    @click.option("--from", "start", callback=_start, metavar="DAY",
                  help="A calendar's first day (default: today), or day and time: 2026-12-01T08:15.")  # fmt: skip
    @wraps(command)
    def run(*arguments: Any, style: str | None, target: Path | None, start: date | None, **options: Any) -> None:
        command(*arguments, output=_output(style, target, start), **options)

    return run


def _output(style: str | None, target: Path | None, start: date | datetime | None) -> PlanOutput:
    """Return what is asked for. Raises UsageError where the format is unclear, or the options contradict."""
    if target is not None and str(target) == "-":
        target = None
    if target is not None and style == "text":
        raise click.UsageError("text is for a terminal; for a file, name another --format, such as markdown")
    if target is not None and style is None:
        try:
            style = format_of(target)
        except DataError as e:
            raise click.BadParameter(str(e), param_hint="--output") from e
    if start is not None and style != "ics":
        raise click.UsageError("--from is the day on which a calendar begins; add --format ics")
    return PlanOutput(style=None if style == "text" else style, target=target, start=start)


def _start(_context: click.Context, _option: click.Parameter, value: str | None) -> date | datetime | None:
    """Return a day, or a local time: 2026-12-01, 2026-12-01T08:15."""
    if value is None:
        return None
    found = re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?", value, re.ASCII)
    try:
        if found:
            return datetime.fromisoformat(value) if found[1] else date.fromisoformat(value)
    except ValueError as e:
        raise click.BadParameter(f"{value} is no day: {e}") from e
    raise click.BadParameter(f"{shortened(value)!r} is no day; write 2026-12-01 or 2026-12-01T08:15")
