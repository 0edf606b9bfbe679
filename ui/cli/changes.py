"""The command changes: notes on what has changed since episodes came out."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.files import write_file
from torchatlas.graph.formatting import listed
from torchatlas.ui.cli.program import command, tell, wrapped
from torchatlas.ui.plans import dumps

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@command("text", "json", "toml")
@click.argument("notes", nargs=-1, metavar="[NOTES]...")
@click.option("--write", type=click.Path(path_type=Path), metavar="FILE", help="Write them as corrections (TOML).")
def changes(atlas: "Atlas", notes: tuple[str, ...], style: str, write: Path | None) -> None:
    """Propose notes on what has changed since episodes came out.

    It reads what releases deprecate, remove or break: those in your feeds, or NOTES, which are addresses or files of
    a feed or a changelog. Nothing changes until you move what is right into your corrections.

    Example: torchatlas changes CHANGELOG.md --write notes.toml
    """
    import tomlkit

    found = atlas.changes(*notes)
    rows = [{"concept": row.concept, "note": row.note, "episodes": list(row.episodes)} for row in found]
    toml = tomlkit.dumps({"dated": rows})
    if write:
        file = write_file(write, toml.encode(), new=True)
        tell(f"{len(rows)} in {file}: move what is right into {atlas.settings.corrections}", err=True)
    elif style == "text":
        for row in found:
            tell(f"{row.note}\n{wrapped(listed([atlas.graph.label_of(id_) for id_ in row.episodes], 5))}")
    else:
        click.echo(dumps(rows) if style == "json" else toml)
