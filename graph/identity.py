"""Which entries are one episode: by titles and texts that may be one, and the facts that all of them give."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from datetime import date
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeVar

from rapidfuzz.distance import OSA, Indel

from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Episode, InShow, Show
from torchatlas.graph.names import MASK, bare_address, folded_title, show_id, stable_hash, telling_words, words

_FEWEST = 8  # words; a shorter text must be equal
_EQUAL = 0.9  # share of words in common, in their order
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.I)
_NUMBERED = re.compile(
    r"^(?:s(?:eason\s*)?(\d{1,4})[\s,]*)?(?:episode|ep|e|folge|part|no|#)?[\s.#]*(\d{1,4})\s*[:.)|–—-]\s+(?=\S)", re.I
)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*$")
_BEGINNING = 12  # letters that a title cut short must show
_LONG_WORD = 5  # letters that a word with a typo must have


def same_text(a: str, b: str) -> bool:
    """Return whether one text is the other, or its beginning, but for a few words. Addresses and marks do not count.

    >>> same_text("A short text.", "A short text: https://example.org")
    True
    """
    return _same(*sorted((_telling(a), _telling(b)), key=len))


def _same(short: Sequence[str], long: Sequence[str]) -> bool:
    if len(short) < _FEWEST:
        return bool(short) and tuple(short) == tuple(long)
    head = long[: len(short)]
    return short[:-1] == head[:-1] or Indel.normalized_similarity(short, head, score_cutoff=_EQUAL) >= _EQUAL


@lru_cache(maxsize=32_768)  # many feeds: each text without a title is compared with every known one
def _telling(text: str) -> tuple[str, ...]:
    return tuple(words(_ADDRESS.sub(" ", text)))


def bare_title(title: str, show: str = "") -> str:
    """Return a title for comparison, without the name of the show and a number before it, spaces and marks.

    >>> bare_title("Show - Episode 12: AOT Autograd!", "Show"), bare_title("S2E1 | Views")
    ('aotautograd', 'views')
    """
    return "".join(words(_NUMBERED.sub("", _without_show(title, show))))


def may_be_one(a: str, b: str, show: str = "") -> bool:
    """Return whether no season and number before two titles of a show say that they are of two episodes.

    >>> may_be_one("S2E1: Views", "S1E1: Views"), may_be_one("S2E1: Views", "Season 2, episode 1 - Views")
    (False, True)
    """
    found = (_NUMBERED.match(_without_show(title, show)) for title in (a, b))
    stated = {(int(number[1]), int(number[2])) for number in found if number and number[1]}
    return len(stated) < 2


def _without_show(title: str, show: str) -> str:
    rest = title.strip()
    if show and rest.casefold().startswith(show.casefold()):
        return re.sub(r"^\s*[-–—:|]\s+", "", rest[len(show) :]) or rest
    return rest


def is_cut(title: str, whole: str) -> bool:
    """Return whether a title ends in an ellipsis and is the beginning of another.

    >>> is_cut("How strides and views...", "How strides and views work")
    True
    """
    found = _ELLIPSIS.search(title)
    beginning = folded_title(title[: found.start()]) if found else ""
    return len(beginning) >= _BEGINNING and folded_title(whole).startswith(beginning)


def differ_by_typo(a: str, b: str) -> bool:
    """Return whether two titles differ in one long word by a typo; never where a number or a whole word differs.

    >>> differ_by_typo("Tensor subclasses", "Tensor subclases")
    True
    """
    ours, theirs = words(a), words(b)
    if len(ours) != len(theirs):
        return False
    pairs = [(x, y) for x, y in zip(ours, theirs, strict=True) if x != y]
    if len(pairs) != 1:
        return False
    x, y = pairs[0]
    return x[0] == y[0] and (x + y).isalpha() and min(len(x), len(y)) >= _LONG_WORD and OSA.distance(x, y) == 1


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


_SAME_SHOW = 3  # titles that two names of one show have in common at least


@dataclass(slots=True)
class KnownEpisode:
    """An episode with the texts that describe it: (where, text). Both grow while entries are identified."""

    episode: Episode
    texts: list[tuple[str, str]] = field(default_factory=list)

    def source_of(self, text: str) -> str | None:
        """Return where this text, or the whole of which it is the beginning, was found.

        >>> KnownEpisode(Episode("show/one", "One", show="Show"), [("a.html", "In short.")]).source_of("In short.")
        'a.html'
        """
        return next((where for where, own in self.texts if same_text(own, text)), None)


@dataclass(frozen=True, slots=True)
class Identified:
    """The episode that an entry is, and by which evidence, in words."""

    known: KnownEpisode
    evidence: tuple[str, ...] = ()


class KnownEpisodes:
    """The known episodes, in the order in which they became known.

    >>> known = KnownEpisodes()
    >>> two = known.add(Episode("show/two", "Episode 2: AOT Autograd", show="Show", url="https://example.org/2"))
    >>> known.by_title(Episode("show/x", "AOT autograd", show="Show"), "").evidence
    ('same title',)
    """

    def __init__(self) -> None:
        self.known: list[KnownEpisode] = []
        self._ids: dict[str, Episode] = {}
        self._numbers: dict[str, int] = {}
        self._urls: dict[str, KnownEpisode] = {}
        self._titles: defaultdict[tuple[str, str], list[KnownEpisode]] = defaultdict(list)
        self._shows: defaultdict[str, list[KnownEpisode]] = defaultdict(list)

    def add(self, episode: Episode) -> KnownEpisode:
        """Make an episode known, for example `known.add(episode)`; an id that is taken gets a number behind it."""
        known = KnownEpisode(replace(episode, id=free_id(episode.id, self._ids, self._numbers)))
        self._ids[known.episode.id] = episode
        self.known.append(known)
        self._titles[folded_title(episode.show), bare_title(episode.title, episode.show)].append(known)
        self._shows[folded_title(episode.show)].append(known)
        self.note_url(known, episode.url)
        return known

    def note_url(self, known: KnownEpisode, url: str | None) -> None:
        """Remember an address of an episode, for example `known.note_url(episode, "https://example.org/2")`."""
        if url:
            self._urls.setdefault(url, known)

    def show_of(self, show: str, titles: Iterable[str]) -> str:
        """Return the name by which the show of a page is known, by its name or by half of the titles; else `show`.

        Example: `known.show_of("The Show, weekly", ["One", "Two", "Three"])`
        """
        if folded_title(show) in self._shows:
            return self._shows[folded_title(show)][0].episode.show
        wanted = {bare_title(title, show) for title in titles}
        for group in list(self._shows.values()):
            common = wanted & {bare_title(k.episode.title, k.episode.show) for k in group}
            if len(common) >= max(_SAME_SHOW, len(wanted) / 2):
                return group[0].episode.show
        return show

    def by_title(self, new: Episode, text: str) -> Identified | None:
        """Return the episode of this address or title; None where there is none.

        Where the title has a typo, a date, a length or the text must agree as well.
        Example: `known.by_title(episode, text).evidence`.
        """
        if new.url and (twin := self._urls.get(new.url)) and twin.episode.kind == new.kind:
            return Identified(twin, ("same address",))
        alike = self._titles.get((folded_title(new.show), bare_title(new.title, new.show)), ())
        same = [k for k in alike if _may_be_entry(k, new) and may_be_one(k.episode.title, new.title, new.show)]
        if same:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return Identified(best, ("same title", *_agreeing(best, new, text)))
        own = [k for k in self._shows.get(folded_title(new.show), ()) if _may_be_entry(k, new)]
        begun = [k for k in own if is_cut(new.title, k.episode.title)]
        if len(begun) == 1:
            return Identified(begun[0], ("title cut short", *_agreeing(begun[0], new, text)))
        for k in own:
            if differ_by_typo(k.episode.title, new.title) and (signs := _agreeing(k, new, text)):
                return Identified(k, (f"title {k.episode.title!r} but for a typo", *signs))
        return None

    def by_text(self, text: str, show: str) -> Identified | None:
        """Return the one episode that has this text; of its own show where several shows have the same text.

        Example: `known.by_text(text, "Show").evidence`.
        """
        found = [(k, where) for k in self.known if (where := k.source_of(text))]
        own = [(k, where) for k, where in found if folded_title(k.episode.show) == folded_title(show)] or found
        return Identified(own[0][0], (f"same text as in {own[0][1]}",)) if len(own) == 1 else None

    def of_show(self, show: str) -> Iterator[KnownEpisode]:
        """Yield the episodes of a show, for example `known.of_show("Show")`; all of them for the show ""."""
        yield from self._shows.get(folded_title(show), ()) if show else self.known


def _may_be_entry(known: KnownEpisode, new: Episode) -> bool:
    """Return whether kind and date do not speak against one episode."""
    return known.episode.kind == new.kind and days_apart(known.episode, new) <= DAYS


def _agreeing(known: KnownEpisode, new: Episode, text: str) -> list[str]:
    """Return the other facts that agree, in words."""
    old = known.episode
    where = known.source_of(text)
    signs = [f"same text as in {where}"] if where else []
    if old.published and new.published:
        apart = days_apart(old, new)
        signs.append(f"dates {apart} days apart" if apart else "same date")
    if old.minutes is not None and new.minutes is not None and abs(old.minutes - new.minutes) <= 1:
        signs.append(f"length {new.minutes} min")
    return signs


_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)\w+)+|\w*_\w+|[A-Z]+[a-z]+[A-Z]\w*")
_STEM = 6  # letters in which forms of a word agree: serialize, serialization
_STEMMED = 0.6  # beside 1 for the whole word
_LENGTH = 0.4  # exponent by which a long document is held back
_TITLE, _SUBJECTS = 0.1, 0.1  # added to the rank of an episode for naming them
_TITLE_PROVES, _SUBJECTS_PROVE = 0.2, 0.3  # added to the proof
_LINK = 0.3  # for a link that no other known episode has, added to rank and proof
_OTHER_LINKS = 0.7  # factor of the rank where both have links and share none
_MINUTES_AGREE, _MINUTES_DIFFER = 1.15, 0.5
_NOBODY = 0.15  # the rank of a description that is none of the known episodes
_COMMON = 0.25  # the share of the known episodes that a term of the show's subject exceeds
_FORBIDDEN = -1000.0
_ENOUGH, _MARGIN = 0.42, 0.25  # tuned for no wrong match
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Clues:
    """Signs of one episode. `terms`: term -> weight; `title`, `subjects`: the terms of its title and its subjects."""

    terms: Mapping[str, float]
    title: frozenset[str] = frozenset()
    _: KW_ONLY
    subjects: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A known episode, by its place in the list, for a description.

    `margin`: the share of its rank that the best assignment without it loses.
    """

    known: int
    margin: float
    _: KW_ONLY
    evidence: tuple[str, ...]


class _Score(NamedTuple):
    rank: float
    proof: float
    evidence: tuple[str, ...]


def terms_of(text: str, weight: float = 1.0) -> dict[str, float]:
    """Return the telling words of a text, their stems and the code identifiers, each with its weight.

    >>> terms_of("a tensor, torch.view")
    {'word tensor': 1.0, 'word torch': 1.0, 'word view': 1.0, 'code torch.view': 1.0}
    """
    found: dict[str, float] = {}
    for word in telling_words(text):
        if len(word) > 1:
            found[f"word {word}"] = weight
            if len(word) > _STEM:
                found[f"stem {word[:_STEM]}"] = weight * _STEMMED
    return found | {f"code {name.casefold()}": weight for name in _IDENTIFIER.findall(text)}


def strongest(groups: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the terms of several texts together, each with its greatest weight.

    >>> strongest([{"word view": 0.5}, {"word view": 1.0}])
    {'word view': 1.0}
    """
    merged: dict[str, float] = {}
    for group in groups:
        for term, weight in group.items():
            merged[term] = max(weight, merged.get(term, 0.0))
    return merged


def matches(found: Sequence[Clues], known: Sequence[Clues]) -> list[Assignment | None]:
    """Return for each description the known episode that it is, None where that is not clear; no episode twice.

    All are decided at once, by the assignment with the highest total rank.
    Example: `matches([Clues(terms_of(text))], [Clues(terms_of(known_text))])[0].margin`.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    if not found or not known:
        return [None] * len(found)
    rare = _rarity(found, known)
    known_links = Counter(link for k in known for link in k.links)
    sizes = [sum(rare[t] * w for t, w in k.terms.items()) or 1.0 for k in known]
    factors = [(sum(sizes) / len(sizes) / size) ** _LENGTH for size in sizes]
    scores = [[_score(f, k, rare, known_links, c) for k, c in zip(known, factors, strict=True)] for f in found]
    ranks = np.full((len(found), len(known) + len(found)), _NOBODY)  # the columns behind: no episode at all
    ranks[:, : len(known)] = [[score.rank for score in row] for row in scores]
    rows, columns = linear_sum_assignment(ranks, maximize=True)
    total = ranks[rows, columns].sum()
    result: list[Assignment | None] = [None] * len(found)
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        if k >= len(known) or scores[i][k].proof < _ENOUGH:
            continue
        rank, ranks[i, k] = ranks[i, k], _FORBIDDEN
        without = ranks[linear_sum_assignment(ranks, maximize=True)].sum()
        ranks[i, k] = rank
        margin = float((total - without) / rank)
        if margin >= _MARGIN:
            result[i] = Assignment(k, round(margin, 2), evidence=scores[i][k].evidence)
    return result


def _rarity(found: Sequence[Clues], known: Sequence[Clues]) -> dict[str, float]:
    """Return term -> log of how rare it is on the side where it is more common: words of show notes tell nothing.

    Nor does the subject of the show, which stands in more than a quarter of the known episodes.
    """
    there, here = (Counter(t for c in side for t in {*c.terms, *c.title, *c.subjects}) for side in (known, found))
    number = len(known) + 1
    common = {t for t, times in there.items() if times > max(_COMMON * number, 1)}
    return {
        t: 0.0 if t in common else math.log(1 + number / (max(there[t], here[t] - 1) + 0.5)) for t in {*there, *here}
    }


def _score(
    found: Clues, known: Clues, rare: Mapping[str, float], known_links: Mapping[str, int], factor: float
) -> _Score:
    shared = {t: rare[t] * w * known.terms[t] for t, w in found.terms.items() if t in known.terms}
    share = sum(shared.values()) / (sum(rare[t] * w for t, w in found.terms.items()) or 1.0)
    title, subjects = (_named(names, found, rare) for names in (known.title, known.subjects))
    links = sorted(found.links & known.links)
    linked = sum(_LINK / known_links[link] for link in links)
    rank = share * factor + _TITLE * title + _SUBJECTS * subjects + linked
    if found.links and known.links and not links:
        rank *= _OTHER_LINKS
    near = None
    if found.minutes is not None and known.minutes is not None:
        apart = abs(found.minutes - known.minutes)  # one place counts whole minutes, another rounds them
        near = True if apart <= 1 else False if apart > 2 else None
        rank *= {True: _MINUTES_AGREE, False: _MINUTES_DIFFER, None: 1.0}[near]
    proof = share + _TITLE_PROVES * title + _SUBJECTS_PROVE * subjects + linked
    if near is False:
        proof *= _MINUTES_DIFFER
    return _Score(rank, proof, _evidence(shared, links, known.minutes if near else None))


def _named(names: frozenset[str], found: Clues, rare: Mapping[str, float]) -> float:
    """Return the share of these terms, by rarity, that a description names."""
    whole = sum(rare[t] for t in names)
    return sum(rare[t] for t in names if t in found.terms) / whole if whole else 0.0


def _evidence(shared: Mapping[str, float], links: Sequence[str], minutes: int | None) -> tuple[str, ...]:
    """Return the signs that agree, in words, the rarest terms first."""
    telling = sorted((t for t in shared if shared[t] and not t.startswith("stem ")), key=lambda t: (-shared[t], t))
    names = dict.fromkeys(t.split(" ", 1)[1] for t in telling)
    terms = [f"rare terms: {', '.join(list(names)[:_SHOWN])}"] if names else []
    return (*terms, *(f"link: {link}" for link in links[:2]), *([f"length: {minutes} min"] if minutes else []))
