"""The commands that keep what a person knows and has heard: know, heard."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import click

from torchatlas.graph.errors import DataError, UnknownName
from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, split
from torchatlas.ui.plans import name_rows

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
    "--file",
    type=click.File("rb"),
    metavar="NUMBERS",
    help="A text file of episodes, one a line or several with commas; - is standard input.",
)
@_forget
@format_option("text", "json")
@atlas_option
def heard(atlas: "Atlas", names: tuple[str, ...], file: BinaryIO | None, forget: bool, style: str) -> None:
    """Remember that you have heard these episodes, for every plan.

    An EPISODE is a number, a title or an id. Without one it lists what you have heard.

    \b
    Example: torchatlas heard 2 7
             torchatlas heard --file numbers.txt
    """
    if file is not None and names:
        raise click.UsageError("name episodes, or a file with --file, not both")
    if file is not None:
        names = tuple(_episodes_in(atlas, file))
    _list(
        atlas,
        atlas.heard(*names, forget=forget),
        style,
        done=_done(names, forget=forget),
        nothing="You have not said yet that you heard an episode: torchatlas heard EPISODE",
    )


def _episodes_in(atlas: "Atlas", file: BinaryIO) -> Iterator[str]:
    """Yield the ids of the episodes that a file names. Raises DataError, which names the line, for any other word."""
    whole, empty = atlas.names_with_commas(), True
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig")
            numbers = text.replace(",", " ").split()
            for name in numbers if all(map(str.isdigit, numbers)) else split([text], whole):
                yield atlas.episode_id(name)
                empty = False
        except (UnknownName, UnicodeDecodeError) as e:
            told = e if isinstance(e, UnknownName) else "it is not a text in UTF-8"
            raise DataError(f"{file.name}, line {number}: {told}") from e
    if empty:
        raise DataError(f"{file.name}: it names no episode; write a number or a title on each line")


def _list(atlas: "Atlas", ids: Iterable[str], style: str, *, done: str, nothing: str) -> None:
    """Print the facts of a profile by name: what was just `done` with them, or that there is `nothing`."""
    names = atlas.names_of(ids)
    lines = [
        done + (f"{id_}  (not in this graph)" if name is None else atlas.graph.label_of(id_))
        for id_, name in names.items()
    ]
    print_answer(name_rows(names), style, lines or [nothing])


def _done(given: tuple[str, ...], *, forget: bool) -> str:
    """Return what stands before each fact: nothing where all are only listed."""
    if not given:
        return ""
    return "Forgotten: " if forget else "Remembered: "
