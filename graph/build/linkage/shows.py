"""Shows that several sources state, each as one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from torchatlas.graph.build.linkage.identity import fullest
from torchatlas.graph.values.addresses import bare_address
from torchatlas.graph.values.ids import show_id, stable_hash
from torchatlas.graph.values.model import MASK, InShow, Show
from torchatlas.graph.values.names import folded_title


def joined_shows(stated: Iterable[Show]) -> dict[Show, Show]:
    """Map each show, as a source states it, to the show that all of its sources make.

    Sources state one show by the same guid, the same address of the feed or the same title; titles alone do not count
    where two guids differ. The first source gives title and id, unknown facts are filled in from the others.

    >>> named, fed = Show("hum", "Hum"), Show("the-hum", "The Hum", feed_url="https://e.org/hum")
    >>> moved = Show("hum", "HUM", feed_url="http://e.org/hum/", author="Ada")
    >>> {(show.id, show.author) for show in joined_shows([named, fed, moved]).values()}
    {('hum', 'Ada')}
    """
    sources = list(dict.fromkeys(stated))
    guids: defaultdict[str, list[str]] = defaultdict(list)
    for show in sources:
        guids[folded_title(show.title)] += filter(None, [show.guid])
    first: dict[tuple[str, ...], Show] = {}
    same = {show: show for show in sources}  # each leads to another show of its group, in the end to one for all

    def leader(show: Show) -> Show:
        while (other := same[show]) != show:
            show = other
        return show

    for show in sources:
        for key in _keys(show, guids[folded_title(show.title)]):
            same[leader(show)] = leader(first.setdefault(key, show))
    found: dict[Show, Show] = {}
    for show in sources:
        group = leader(show)
        found[group] = fullest(found[group], show) if group in found else show
    named = dict(zip(found, _apart(found.values()), strict=True))
    return {show: named[leader(show)] for show in sources}


def named_show(title: str) -> Show:
    """Return a show of which only the title is known.

    >>> named_show("Widget Radio").id
    'widget-radio'
    """
    return Show(show_id(title), title)


def in_shows(filed: Iterable[tuple[str, Show]], joined: dict[Show, Show]) -> tuple[InShow, ...]:
    """Return an edge for each show that has a title and that an episode is in.

    `filed`: (episode id, its show as the source states it).

    Example: `in_shows([("hum/one", show)], joined_shows([show]))[0].target`
    """
    edges: dict[tuple[str, str], InShow] = {}
    for episode, show in filed:
        target = joined[show].id
        if show.title:
            edges.setdefault((episode, target), InShow(episode, target, quote=show.title))
    return tuple(edges.values())


def _keys(show: Show, guids: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the signs by which a show is known. `guids`: those that sources with its title state."""
    if show.guid:
        yield "guid", show.guid.casefold()
    if show.feed_url and MASK not in show.feed_url:
        yield "feed", bare_address(show.feed_url)
    # With a guid, so that shows of one title stay apart; without, that of the first source that states one.
    yield "title", folded_title(show.title), (show.guid or next(iter(guids), "")).casefold()


def _apart(shows: Iterable[Show]) -> Iterator[Show]:
    """Yield the shows; an id that another one has gets a mark that depends on the show alone."""
    taken: set[str] = set()
    for show in shows:
        mark = stable_hash(show.guid or "", show.feed_url or "", show.title)
        yield replace(show, id=f"{show.id}-{mark}") if show.id in taken else show
        taken.add(show.id)
