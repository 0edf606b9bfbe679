"""Entries that are one episode, and the facts that all of them give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date

from torchatlas.graph.values.model import Episode
from torchatlas.graph.values.names import folded_title

DAYS = 3
"""How far apart the dates of one episode may be in two sources: time zones, and when a page was made."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The episodes, each once. `ids`: the episode that each entry is, known entries first, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]


def merge_episodes(known: Iterable[Episode], found: Iterable[Episode]) -> Merged:
    """Join the entries of one episode: same guid, else same address, else same show and title.

    A title alone does not count where dates or guids differ. The ids and facts of `known` stay; unknown facts are
    filled in from the others. An id that another episode has gets a number.

    >>> known = Episode("show/one", "One", show="Show", guid="g1")
    >>> merged = merge_episodes([known], [Episode("show/1", "The first", show="Show", guid="g1", minutes=20)])
    >>> merged.ids, merged.episodes[0].minutes
    (('show/one', 'show/one'), 20)
    """
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    by_key: dict[tuple[str, str], str] = {}
    for entry in (*known, *found):
        twins = (by_key[key] for key in _keys(entry) if key in by_key and _fits(episodes[by_key[key]], entry, key[0]))
        id_ = next(twins, None) or free_id(entry.id, episodes)
        episodes[id_] = fullest(episodes.get(id_, replace(entry, id=id_)), entry)
        ids.append(id_)
        for key in _keys(episodes[id_]):
            by_key.setdefault(key, id_)
    return Merged(tuple(episodes.values()), tuple(ids))


def _keys(entry: Episode) -> list[tuple[str, str]]:
    title = f"{folded_title(entry.show)}\n{folded_title(entry.title)}"
    return [(kind, value) for kind, value in (("guid", entry.guid), ("url", entry.url), ("title", title)) if value]


def _fits(other: Episode, entry: Episode, kind: str) -> bool:
    """Return whether a key of this kind that two entries share makes them one: a title may be contradicted."""
    if kind != "title" or not other.published or not entry.published or other.published == entry.published:
        return True
    if other.guid and entry.guid:  # a daily show may call two episodes alike
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


def free_id(id_: str, taken: Mapping[str, Episode]) -> str:
    """Return the id, with a number behind it where it is taken.

    >>> free_id("show/one", {"show/one": Episode("show/one", "One", show="Show")})
    'show/one-2'
    """
    candidate, n = id_, 2
    while candidate in taken:
        candidate, n = f"{id_}-{n}", n + 1
    return candidate


def fullest(first: Episode, second: Episode) -> Episode:
    """Return the first, with its unknown facts taken from the second.

    >>> fullest(Episode("a", "One", show="Show"), Episode("b", "1", show="Show", minutes=20)).minutes
    20
    """
    unknown = {f.name for f in fields(Episode) if getattr(first, f.name) in (None, "", ())}
    return replace(first, **{name: getattr(second, name) for name in unknown})
