"""Overcast's export of all data (OPML, from overcast.fm/account): below each feed, the episodes that were begun."""

from collections.abc import Iterable, Iterator

from torchatlas.extract.opml import Outline, feed_address
from torchatlas.extract.players.played import Played

EPISODE = "podcast-episode"
"""The type of an outline that is an episode; an export of the feeds alone has none."""


def played_in_overcast(outlines: Iterable[Outline]) -> Iterator[Played]:
    """Yield the episodes that are marked as played, in the order of the export.

    >>> feed = {"type": "rss", "xmlurl": "https://example.org/feed"}
    >>> episode = {"type": "podcast-episode", "title": "Strides", "played": "1"}
    >>> [(one.title, one.feed) for one in played_in_overcast([feed, episode, episode | {"played": "0"}])]
    [('Strides', 'https://example.org/feed')]
    """
    feed = ""
    for outline in outlines:
        if outline.get("type") != EPISODE:
            feed = feed_address(outline)
        elif outline.get("played") == "1":
            audio, page = outline.get("enclosureurl", ""), outline.get("url", "")
            yield Played(audio=audio, page=page, feed=feed, title=outline.get("title", ""))
