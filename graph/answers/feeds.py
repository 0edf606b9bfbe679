"""The feeds that an episode comes from, and the pictures of its shows."""

from collections.abc import Iterator

from torchatlas.graph.values.model import Show, Snapshot


def feeds_of(graph: Snapshot, episode_id: str) -> Iterator[str]:
    """Return the addresses of the feeds of an episode's shows, where known, those of the show that it names first.

    >>> from torchatlas.graph.values.model import Episode, InShow, Show
    >>> one, show = Episode("hum/one", "One", show="Hum"), Show("hum", "Hum", feed_url="https://e.org/hum")
    >>> list(feeds_of(Snapshot((), (one,), shows=(show,), in_show=(InShow("hum/one", "hum", quote="Hum"),)), "hum/one"))
    ['https://e.org/hum']
    """
    return filter(None, (show.feed_url for show in _shows(graph, episode_id)))


def pictures_of(graph: Snapshot, episode_id: str) -> Iterator[str]:
    """Return the addresses of the pictures of an episode's shows, where known, that of the named show first.

    Example: next(pictures_of(graph, "hum/one"), None)
    """
    return filter(None, (show.image_url for show in _shows(graph, episode_id)))


def _shows(graph: Snapshot, episode_id: str) -> list[Show]:
    shows = [graph.show[edge.target] for edge in graph.shows_of.get(episode_id, ())]
    return sorted(shows, key=lambda show: show.title != graph.episode[episode_id].show)
