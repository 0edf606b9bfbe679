"""The table of formats. A new format is a module with `write(playlist)` and one entry here."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.errors import DataError, check_one_of, shortened

if TYPE_CHECKING:
    from torchatlas.presentation.plan_formats.playlist import Playlist


@dataclass(frozen=True, slots=True)
class PlanFormat:
    """A format: its name, what it is called on a button, and the endings of its files, the usual one first.

    `to_hear`: whether it is for what plays or reminds, not for readers.
    """

    name: str
    label: str
    _: KW_ONLY
    endings: tuple[str, ...]
    media_type: str
    about: str
    to_hear: bool = False

    @property
    def file_name(self) -> str:
        """The name under which a browser saves it."""
        return f"listening-path{self.endings[0]}"


_ALL = (
    PlanFormat(
        "rss", "Podcast feed", endings=(".xml", ".rss"), media_type="application/rss+xml", to_hear=True,
        about="a serial podcast feed with chapters, in the order of the plan",
    ),
    PlanFormat(
        "ics", "Calendar", endings=(".ics",), media_type="text/calendar", to_hear=True,
        about="a calendar with one session of listening a day",
    ),
    PlanFormat(
        "markdown", "Markdown", endings=(".md", ".markdown"), media_type="text/markdown", about="a list to tick off",
    ),
    PlanFormat(
        "html", "Page to print", endings=(".html", ".htm"), media_type="text/html",
        about="the same as a page without scripts, to print or to mail",
    ),
    PlanFormat("json", "JSON", endings=(".json",), media_type="application/json", about="the plan for programs"),
)  # fmt: skip
FORMATS = {each.name: each for each in _ALL}
"""Name -> format, in the order in which lists show them."""


def format_of(target: Path) -> str:
    """Return the name of the format that a file's ending asks for. Raises DataError where it asks for none.

    >>> format_of(Path("commute.ics"))
    'ics'
    """
    name = target.name.lower()
    found = [(len(ending), each.name) for each in _ALL for ending in each.endings if name.endswith(ending)]
    if not found:
        raise DataError(f"cannot tell the format of {shortened(str(target))}; name one of {', '.join(FORMATS)}")
    return max(found)[1]


def text_in(name: str, playlist: "Playlist") -> str:
    """Return a playlist as the text of one file in a format. Raises AtlasError for another name.

    Example: text_in("rss", playlist(graph, plan))
    """
    check_one_of("the format", name, FORMATS)
    module = import_module(f"{__package__}.{name}_format")
    write: Callable[[Playlist], str] = module.write
    return write(playlist)
