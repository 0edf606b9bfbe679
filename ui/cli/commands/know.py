"""The commands that keep what a person knows and has heard: know, heard."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.presentation.answer_json import name_rows
from torchatlas.ui.cli.options import atlas_option, format_option, print_answer

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas

_forget = click.option("--forget", is_flag=True, help="Take them out again.")


@click.command()
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@_forget
@format_option("text", "json")
@atlas_option
def know(atlas: "Atlas", names: tuple[str, ...], forget: bool, style: str) -> None:
    """Remember that you know these concepts, for every plan.

    Without a CONCEPT it lists what you know.

    Example: torchatlas know {known} {concept}
    """
    _list(
        atlas,
        atlas.know(*names, forget=forget),
        style,
        done=_done(names, forget=forget),
        nothing="You have not said yet that you know a concept: torchatlas know CONCEPT",
    )


@click.command()
@click.argument("names", nargs=-1, metavar="[EPISODE]...")
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What an app exports: episode actions of gPodder's API, PortCast, Overcast's OPML, AntennaPod's database.",
)
@_forget
@format_option("text", "json")
@atlas_option
def heard(atlas: "Atlas", names: tuple[str, ...], file: Path | None, forget: bool, style: str) -> None:
    """Remember that you have heard these episodes, for every plan.

    An EPISODE is a number, a title or an id. Without one it lists what you have heard.

    \b
    Example: torchatlas heard 2 7
             torchatlas heard --from AntennaPodBackup.db
    """
    if file is not None and names:
        raise click.UsageError("name episodes, or a file with --from, not both")
    if file is None:
        ids = atlas.heard(*names, forget=forget)
        nothing = "You have not said yet that you heard an episode: torchatlas heard EPISODE"
    else:
        ids = atlas.heard_from(file, forget=forget).changed
        nothing = f"{file}: {'none of it was remembered' if forget else 'nothing new in it that is on the map'}"
    _list(atlas, ids, style, done=_done(names or file, forget=forget), nothing=nothing)


def _list(atlas: "Atlas", ids: Iterable[str], style: str, *, done: str, nothing: str) -> None:
    """Print the facts of a profile by name: what was just `done` with them, or that there is `nothing`."""
    names = atlas.names_of(ids)
    lines = [
        done + (f"{id_}  (not in this graph)" if name is None else atlas.graph.label_of(id_))
        for id_, name in names.items()
    ]
    print_answer(name_rows(names), style, lines or [nothing])


def _done(given: tuple[str, ...] | Path | None, *, forget: bool) -> str:
    """Return what stands before each fact: nothing where all are only listed."""
    if not given:
        return ""
    return "Forgotten: " if forget else "Remembered: "
