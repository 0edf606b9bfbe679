"""The feeds that an episode comes from."""

from collections.abc import Iterator

from torchatlas.graph.values.model import Snapshot


def feeds_of(graph: Snapshot, episode_id: str) -> Iterator[str]:
    """Yield the addresses of the feeds of an episode's shows, where known, those of the show that it names first.

    >>> from torchatlas.graph.values.model import Episode, InShow, Show
    >>> one, show = Episode("hum/one", "One", show="Hum"), Show("hum", "Hum", feed_url="https://e.org/hum")
    >>> list(feeds_of(Snapshot((), (one,), shows=(show,), in_show=(InShow("hum/one", "hum", quote="Hum"),)), "hum/one"))
    ['https://e.org/hum']
    """
    shows = [graph.show[edge.target] for edge in graph.shows_of.get(episode_id, ())]
    for show in sorted(shows, key=lambda show: show.title != graph.episode[episode_id].show):
        if show.feed_url:
            yield show.feed_url
