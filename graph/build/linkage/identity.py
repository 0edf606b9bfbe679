"""Entries that are one episode, and the facts that all of them give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TypeVar

from torchatlas.graph.values.model import Episode, Show
from torchatlas.graph.values.names import folded_title

T = TypeVar("T", Episode, Show)
DAYS = 3
"""How far apart the dates of one episode may be in two sources: time zones, and when a page was made."""


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
    by_key: dict[tuple[str, str], str] = {}
    numbers: dict[str, int] = {}
    for entry, show in filed:
        twins = (
            by_key[key] for key in _keys(entry, show) if key in by_key and _fits(episodes[by_key[key]], entry, key[0])
        )
        id_ = next(twins, None) or free_id(entry.id, episodes, numbers)
        episodes[id_] = fullest(episodes.get(id_, replace(entry, id=id_)), entry)
        ids.append(id_)
        for key in _keys(episodes[id_], show):
            by_key.setdefault(key, id_)
    return Merged(tuple(episodes.values()), tuple(ids))


def _keys(entry: Episode, show: str) -> list[tuple[str, str]]:
    title = f"{show}\n{folded_title(entry.title)}"
    return [(kind, value) for kind, value in (("guid", entry.guid), ("url", entry.url), ("title", title)) if value]


def _fits(other: Episode, entry: Episode, kind: str) -> bool:
    """Return whether a key of this kind that two entries share makes them one: a title may be contradicted."""
    if kind != "title" or (other.published and other.published == entry.published):
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


def fullest(first: T, second: T) -> T:
    """Return the first, with its unknown facts taken from the second.

    >>> fullest(Episode("a", "One", show="Show"), Episode("b", "1", show="Show", minutes=20)).minutes
    20
    """
    unknown = {f.name for f in fields(first) if getattr(first, f.name) in (None, "", ())}
    return replace(first, **{name: getattr(second, name) for name in unknown})
