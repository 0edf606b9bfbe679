"""The episodes as a list that can be searched."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.drawing import areas_of
from torchatlas.graph.formatting import day, length
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.names import folded_title, words
from torchatlas.presentation.listings import episode_names


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode in a list: its number and title, its area, how long it is, and when it came out ("" where unknown)."""

    id: str
    name: str
    _: KW_ONLY
    area: str
    length: str
    day: str


def episode_rows(graph: Snapshot, text: str = "") -> tuple[EpisodeRow, ...]:
    """Return the episodes that hold all words of a text in title, summary, questions or subjects, by number and day.

    >>> graph = Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7, minutes=16),))
    >>> [row.length for row in episode_rows(graph, "WHY")]
    ['16 min']
    """
    area, wanted = areas_of(graph), words(text)
    return tuple(
        _row(graph.episode[id_], name, area[id_])
        for id_, name in episode_names(graph).items()
        if not wanted or all(word in _texts(graph, id_) for word in wanted)
    )


def _row(episode: Episode, name: str, area: str) -> EpisodeRow:
    lasts = "" if episode.minutes is None else length(episode.minutes)
    return EpisodeRow(episode.id, name, area=area, length=lasts, day=day(episode.published))


def _texts(graph: Snapshot, id_: str) -> str:
    """Return all that an episode says of itself, and the names of what it teaches."""
    episode = graph.episode[id_]
    taught = [graph.concept[t.target].name for t in graph.taught_by.get(id_, ())]
    return folded_title(" ".join((episode.label, episode.summary, *episode.questions, *episode.guests, *taught)))
