"""The shows of feeds as values."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from torchatlas.extract.feeds.entries import Entry, title_text, web
from torchatlas.extract.feeds.raw import RawFeed
from torchatlas.extract.feeds.secrets import without_secrets
from torchatlas.graph.build.linkage.shows import joined_shows
from torchatlas.graph.values.ids import show_id
from torchatlas.graph.values.model import Show

UNTITLED = "untitled show"
_LONGEST_GUID = 200


def stated_show(raw: RawFeed, address: str = "") -> Show:
    """Return the show with the facts that its feed states. `address`: where the feed was read, if on the web.

    >>> stated_show(RawFeed("Loops", (), author="Ada"), "https://example.org/feed.xml?token=12ab").feed_url
    'https://example.org/feed.xml?token=***'
    """
    title = title_text(raw.title) or UNTITLED
    base = web(raw.url) or web(address)
    return Show(
        show_id(title),
        title,
        guid=" ".join(raw.guid.split())[:_LONGEST_GUID] or None,
        author=title_text(raw.author) or None,
        url=_shown(raw.url, base),
        image_url=_shown(raw.image_url, base),
        feed_url=_shown(address) or _shown(raw.feed_url, base),
    )


def under_one_name(entries: Sequence[Entry], known: Iterable[Show]) -> tuple[Entry, ...]:
    """Return the entries; where feeds name one show differently, their episodes bear its first name.

    `known`: the shows whose names come before those of the feeds. Example: `under_one_name(feed.entries, ())`
    """
    joined = joined_shows((*known, *(entry.show for entry in entries if entry.show)))
    names = {show: one.title for show, one in joined.items()}
    return tuple(
        replace(e, episode=replace(e.episode, show=names[e.show])) if e.show and e.show.title != names[e.show] else e
        for e in entries
    )


def _shown(url: str, base: str = "") -> str | None:
    """Return an address as the graph may hold it, None where it leads to no page of the web."""
    return without_secrets(web(url.strip(), base)) or None
