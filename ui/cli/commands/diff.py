"""The command that says what changed from one graph to another: diff."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Differences

_SHOWN = 8


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@format_option("text", "json")
@atlas_option
def diff(atlas: "Atlas", old: str, new: str | None, style: str) -> None:
    """Say what changed between two graphs, and which plans differ.

    OLD and NEW are JSON files of `torchatlas export`, or addresses of stores; without
    NEW it is the map as it is now.

    Example: torchatlas diff before.json
    """
    found = atlas.diff(old, new)
    print_answer(found, style, _lines(found))


def _lines(found: "Differences") -> Iterator[str]:
    if not found.groups:
        yield "nothing has changed"
    for heading, rows in found.groups.items():
        yield heading
        for row in rows[:_SHOWN]:
            yield wrapped(str(row))
        if len(rows) > _SHOWN:
            yield f"  and {len(rows) - _SHOWN} more; --format json has them all"
