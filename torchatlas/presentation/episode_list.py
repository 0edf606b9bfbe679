"""The episodes as a list that can be searched."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.build.areas import areas_of
from torchatlas.graph.values.formatting import day, length
from torchatlas.graph.values.model import Episode, Snapshot
from torchatlas.graph.values.names import folded_title, words
from torchatlas.presentation.listings import episode_names


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode in a list: its number and title, its area, and short `facts`."""

    id: str
    name: str
    _: KW_ONLY
    area: str
    facts: str


def episode_rows(graph: Snapshot, text: str = "") -> tuple[EpisodeRow, ...]:
    """Return the episodes that hold all words of a text in title, summary, questions or subjects, by show and number.

    >>> graph = Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7, minutes=16),))
    >>> [row.facts for row in episode_rows(graph, "WHY")]
    ['16 min']
    """
    area, wanted = areas_of(graph), words(text)
    return tuple(
        EpisodeRow(id_, name, area=area[id_], facts=_facts(graph.episode[id_], area[id_]))
        for id_, name in episode_names(graph).items()
        if not wanted or all(word in _texts(graph, id_) for word in wanted)
    )


def _facts(episode: Episode, area: str) -> str:
    minutes = "" if episode.minutes is None else length(episode.minutes)
    return " · ".join(fact for fact in (minutes, day(episode.published), area) if fact)


def _texts(graph: Snapshot, id_: str) -> str:
    """Return all that an episode says of itself, and the names of what it teaches."""
    episode = graph.episode[id_]
    taught = [graph.concept[t.target].name for t in graph.taught_by.get(id_, ())]
    return folded_title(" ".join((episode.label, episode.summary, *episode.questions, *episode.guests, *taught)))
