"""The shows of a map as a list, and the one that a name means."""

from collections import Counter
from dataclasses import KW_ONLY, asdict, dataclass

from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Show, Snapshot
from torchatlas.graph.names import folded_title, suggest


@dataclass(frozen=True, slots=True)
class ShowRow(Show):
    """A show with its facts, and how many episodes of it are on the map."""

    _: KW_ONLY
    episodes: int

    @property
    def holds(self) -> str:
        """The number of episodes, in words."""
        return counted(self.episodes, "episode")


def show_rows(graph: Snapshot) -> tuple[ShowRow, ...]:
    """Return the shows of a graph by title.

    >>> [row.holds for row in show_rows(Snapshot(shows=(Show("hum", "Hum"),)))]
    ['0 episodes']
    """
    episodes = Counter(edge.target for edge in graph.in_show)
    rows = (ShowRow(**asdict(show), episodes=episodes[show.id]) for show in graph.shows)
    return tuple(sorted(rows, key=lambda row: (row.title.casefold(), row.id)))


def show_named(graph: Snapshot, name: str) -> str:
    """Return the id of the show with this id or title, or of the only one whose title holds the name.

    Raises UnknownName with the nearest titles.

    >>> show_named(Snapshot(shows=(Show("the-hum", "The Hum"),)), "hum")
    'the-hum'
    """
    if name in graph.show:
        return name
    wanted = folded_title(name)
    titles = {show.id: folded_title(show.title) for show in graph.shows}
    for found in (
        [id_ for id_, title in titles.items() if title == wanted],
        [id_ for id_, title in titles.items() if wanted and wanted in title],
    ):
        if len(found) == 1:
            return found[0]
    known = [show.title for show in graph.shows]
    raise UnknownName("show", name, suggest(name, known) or sorted(known)[:3])
