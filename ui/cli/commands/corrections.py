"""The command that shows what a user corrects: corrections."""

import click

from torchatlas.exports import dumps
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, progress, settings_option, tell


@click.command()
@format_option("text", "json")
@settings_option
def corrections(settings: Settings, style: str) -> None:
    """List your corrections of the graph, and which of them do not apply. The file is told on stderr.

    Example: torchatlas corrections
    """
    from torchatlas.extract.curated.corrections import parse_corrections
    from torchatlas.graph.build.corrections.kinds import describe
    from torchatlas.inputs import inputs
    from torchatlas.pipeline import assemble

    given = inputs(settings)
    found = parse_corrections(*given.corrections)
    click.echo(f"{settings.corrections}: {len(found) or 'no'} corrections", err=True)
    problems = {}
    if found:
        with progress() as report:
            problems = dict(assemble(given, report).problems)
    if style == "json":
        rows = [{"place": c.place, "correction": describe(c), "problem": problems.get(c.place)} for c in found]
        click.echo(dumps(rows))
        return
    for correction in found:
        problem = problems.get(correction.place)
        tell(f"{describe(correction)}{f'  (does not apply: {problem})' if problem else ''}")
