"""Entries that are one episode, and the facts that all of them give."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from itertools import chain
from typing import TypeVar

from torchatlas.graph.values.model import Episode, Show
from torchatlas.graph.values.names import folded_title

T = TypeVar("T", Episode, Show)
DAYS = 3
"""How far apart the dates of one episode may be in two sources: time zones, and when a page was made."""
_OFF = sorted(range(-DAYS, DAYS + 1), key=abs)
_UNDATED = -DAYS  # further from any day than that


@dataclass(frozen=True, slots=True)
class Merged:
    """The episodes, each once. `ids`: the episode that each entry is, known entries first, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]


def merge_episodes(filed: Iterable[tuple[Episode, str]]) -> Merged:
    """Join the entries of one episode: same guid, else same address, else same show and title.

    `filed`: each entry with the id of its show, known entries first. A title alone does not count where dates differ,
    or guids without a date. Ids and facts of the first entry stay; unknown facts are filled in from the others. An id
    that another episode has gets a number.

    >>> known = Episode("show/one", "One", show="Show", guid="g1")
    >>> found = Episode("show/1", "The first", show="Show", guid="g1", minutes=20)
    >>> merged = merge_episodes([(known, "show"), (found, "show")])
    >>> merged.ids, merged.episodes[0].minutes
    (('show/one', 'show/one'), 20)
    """
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    by_sign: dict[tuple[str, str], str] = {}
    by_title: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)  # of each show -> day -> id
    numbers: dict[str, int] = {}
    for entry, show in filed:
        signed = (by_sign[sign] for sign in _signs(entry) if sign in by_sign)
        titled = _nearest(by_title[show, folded_title(entry.title)], entry)
        twins = chain(signed, (id_ for id_ in titled if _fits(episodes[id_], entry)))
        id_ = next(twins, None) or free_id(entry.id, episodes, numbers)
        episode = episodes[id_] = fullest(episodes.get(id_, replace(entry, id=id_)), entry)
        ids.append(id_)
        for sign in _signs(episode):
            by_sign.setdefault(sign, id_)
        by_title[show, folded_title(episode.title)].setdefault(_day(episode), id_)
    return Merged(tuple(episodes.values()), tuple(ids))


def _signs(entry: Episode) -> list[tuple[str, str]]:
    return [(kind, value) for kind, value in (("guid", entry.guid), ("url", entry.url)) if value]


def _day(episode: Episode) -> int:
    return date.fromisoformat(episode.published).toordinal() if episode.published else _UNDATED


def _nearest(by_day: Mapping[int, str], entry: Episode) -> Iterator[str]:
    """Yield the episodes of a title that an entry may be: by how near their dates are, then one without a date.

    Thousands of episodes may have one title, so they are not gone through.
    """
    if not entry.published:
        yield from by_day.values()  # the first with a date fits
    elif by_day:
        day = _day(entry)
        yield from (by_day[near] for near in (*(day + off for off in _OFF), _UNDATED) if near in by_day)


def _fits(other: Episode, entry: Episode) -> bool:
    """Return whether two entries of one title are one episode: dates and guids may contradict that."""
    if other.published and other.published == entry.published:
        return True
    alike = bool(other.published) == bool(entry.published)
    if alike and other.guid and entry.guid:  # a daily show may call two episodes alike
        return False
    return days_apart(other, entry) <= DAYS


def days_apart(a: Episode, b: Episode) -> int:
    """Return how many days lie between the dates of two episodes, 0 where one is unknown.

    >>> one = Episode("show/one", "One", show="Show", published="2021-01-30")
    >>> days_apart(one, replace(one, published="2021-02-01"))
    2
    """
    if not a.published or not b.published:
        return 0
    return abs((date.fromisoformat(a.published) - date.fromisoformat(b.published)).days)


def free_id(id_: str, taken: Mapping[str, Episode], numbers: dict[str, int]) -> str:
    """Return the id, with a number behind it where it is taken.

    `numbers`: id -> the first number that may be free; it is changed, so that thousands of episodes of one title do not
    try all numbers again. Ids that are taken must stay so.

    >>> free_id("show/one", {"show/one": Episode("show/one", "One", show="Show")}, {})
    'show/one-2'
    """
    if id_ not in taken:
        return id_
    number = numbers.get(id_, 2)
    while f"{id_}-{number}" in taken:
        number += 1
    numbers[id_] = number + 1
    return f"{id_}-{number}"


def _counted_alike(a: Episode, b: Episode) -> bool:
    """Return whether two sources may count alike: one may go on from season to season where the other begins anew."""
    return (a.number, a.season) == (None, None) or a.number == b.number or a.season == b.season


def fullest(first: T, second: T) -> T:
    """Return the first, with its unknown facts taken from the second; season and number only together.

    >>> fullest(Episode("a", "One", show="Show"), Episode("b", "1", show="Show", minutes=20)).minutes
    20
    """
    unknown = {f.name for f in fields(first) if getattr(first, f.name) in (None, "", ())}
    if isinstance(first, Episode) and isinstance(second, Episode) and not _counted_alike(first, second):
        unknown -= {"number", "season"}
    return replace(first, **{name: getattr(second, name) for name in unknown})
