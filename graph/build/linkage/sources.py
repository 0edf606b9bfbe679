"""The entries of all sources as episodes in shows, each once."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from operator import itemgetter
from typing import Protocol

from torchatlas.graph.build.linkage.identity import merge_episodes
from torchatlas.graph.build.linkage.shows import in_shows, joined_shows, named_show
from torchatlas.graph.values.curated import Catalogue
from torchatlas.graph.values.model import Episode, InShow, Show


class Stated(Protocol):
    """An episode as a source states it."""

    @property
    def episode(self) -> Episode:
        """The facts of the episode."""

    @property
    def show(self) -> Show | None:
        """The facts of its show; None where the source states the name alone."""


@dataclass(frozen=True, slots=True)
class MergedSources:
    """The episodes and the shows that have some, each once. `ids`: the episode that each entry is, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]
    _: KW_ONLY
    shows: tuple[Show, ...]
    in_show: tuple[InShow, ...]


def merge_sources(catalogue: Catalogue, entries: Sequence[Stated]) -> MergedSources:
    """Join the entries of one episode with the catalogue's, after the shows: two shows may have the same title.

    >>> merged = merge_sources(Catalogue((Episode("hum/one", "One", show="Hum"),)), ())
    >>> merged.shows[0].id, merged.in_show[0].source
    ('hum', 'hum/one')
    """
    own = len(catalogue.episodes)
    stated = [named_show(episode.show) for episode in catalogue.episodes]
    stated += [entry.show or named_show(entry.episode.show) for entry in entries]
    joined = joined_shows((*catalogue.shows, *stated))
    episodes = (*catalogue.episodes, *(entry.episode for entry in entries))
    merged = merge_episodes(zip(episodes, (joined[show].id for show in stated), strict=True))
    filed = list(zip(merged.ids, stated, strict=True))
    edges = in_shows((*filed[:own], *sorted(filed[own:], key=itemgetter(0))), joined)
    used = {edge.target for edge in edges}
    shows = {show.id: show for show in joined.values() if show.id in used}
    counted = _in_seasons(merged.episodes, [(id_, joined[show].id) for id_, show in filed])
    return MergedSources(counted, merged.ids[own:], shows=tuple(shows.values()), in_show=edges)


def _in_seasons(episodes: Sequence[Episode], shows: Sequence[tuple[str, str]]) -> tuple[Episode, ...]:
    """Return the episodes, without their season where their show has had but one: apps show none there either.

    `shows`: (episode id, id of a show that it is in).

    >>> first = Episode("s/e", "E", show="S", number=7, season=1)
    >>> _in_seasons([first], [("s/e", "s")])[0].label
    '#7 E'
    """
    later = {e.id for e in episodes if (e.season or 1) > 1}
    several = {show for id_, show in shows if id_ in later}
    seasoned = {id_ for id_, show in shows if show in several}
    return tuple(e if e.season is None or e.id in seasoned else replace(e, season=None) for e in episodes)
