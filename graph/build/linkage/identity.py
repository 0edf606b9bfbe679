"""Entries that are one episode, and the facts that all of them give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta

from torchatlas.graph.values.model import Episode
from torchatlas.graph.values.names import folded_title

ABOUT = timedelta(days=3)
"""How much the dates of one episode may differ between sources: time zones, and when a page was made."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The episodes, each once. `ids`: the episode that each entry is, known entries first, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]


def merge_episodes(known: Iterable[Episode], found: Iterable[Episode]) -> Merged:
    """Join the entries of one episode: same guid, else same address, else same show and title.

    A title alone does not count where dates or guids contradict it. `known` come first: their ids stay, and their facts
    win. Unknown facts are filled in from the others. A new entry whose id is taken by another episode gets a number
    behind its own.

    >>> known = Episode("show/one", "One", show="Show", guid="g1")
    >>> merged = merge_episodes([known], [Episode("show/1", "The first", show="Show", guid="g1", minutes=20)])
    >>> merged.ids, merged.episodes[0].minutes
    (('show/one', 'show/one'), 20)
    """
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    by_key: dict[tuple[str, str], str] = {}
    for entry in (*known, *found):
        twin = next((by_key[key] for key in _keys(entry) if _same(episodes, by_key.get(key), entry, key)), None)
        if twin is None:
            id_ = free_id(entry.id, episodes)
            episodes[id_] = replace(entry, id=id_)
        else:
            id_ = twin
            episodes[id_] = fullest(episodes[id_], entry)
        ids.append(id_)
        for key in _keys(episodes[id_]):
            by_key.setdefault(key, id_)
    return Merged(tuple(episodes.values()), tuple(ids))


def _keys(entry: Episode) -> list[tuple[str, str]]:
    keys = [
        ("guid", entry.guid),
        ("url", entry.url),
        ("title", f"{folded_title(entry.show)}\n{folded_title(entry.title)}"),
    ]
    return [(kind, value) for kind, value in keys if value]


def _same(episodes: Mapping[str, Episode], id_: str | None, entry: Episode, key: tuple[str, str]) -> bool:
    """Return whether a key that two entries share makes them one: a title does where nothing contradicts it."""
    if id_ is None:
        return False
    other = episodes[id_]
    if key[0] != "title":
        return True
    if not other.published or not entry.published or other.published == entry.published:
        return True
    if other.guid and entry.guid:  # a daily show may call two episodes alike
        return False
    return abs(date.fromisoformat(other.published) - date.fromisoformat(entry.published)) <= ABOUT


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
