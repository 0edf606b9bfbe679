"""Which entries of feeds, pages and the catalogue are one episode, and which shows are one."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from datetime import date
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Protocol, TypeVar

from rapidfuzz.distance import OSA, Indel

from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Episode, InShow, Show
from torchatlas.graph.names import MASK, bare_address, folded_title, show_id, stable_hash, telling_words, words

T = TypeVar("T", Episode, Show)

_FEWEST = 8  # words; a shorter text must be equal
_EQUAL = 0.9  # share of words in common, in their order
_BEGINNING = 12  # letters that a title cut short must show
_LONG_WORD = 5  # letters that a word with a typo must have
_DAYS = 3  # between the dates of one episode in two sources: time zones, and when a page was made
_SAME_SHOW = 3  # titles that two names of one show have in common at least
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.I)
_NUMBERED = re.compile(
    r"^(?:s(?:eason\s*)?(\d{1,4})[\s,]*)?(?:episode|ep|e|folge|part|no|#)?[\s.#]*(\d{1,4})\s*[:.)|–—-]\s+(?=\S)", re.I
)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*$")
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


def same_text(a: str, b: str) -> bool:
    """Return whether one text is the other, or its beginning, but for a few words. Addresses and marks do not count.

    >>> same_text("A short text.", "A short text: https://example.org")
    True
    """
    short, long = sorted((_words(a), _words(b)), key=len)
    if len(short) < _FEWEST:
        return bool(short) and short == long
    head = long[: len(short)]
    return short[:-1] == head[:-1] or Indel.normalized_similarity(short, head, score_cutoff=_EQUAL) >= _EQUAL


@lru_cache(maxsize=32_768)  # many feeds: each text without a title is compared with every known one
def _words(text: str) -> tuple[str, ...]:
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
    return len({(int(number[1]), int(number[2])) for number in found if number and number[1]}) < 2


def _without_show(title: str, show: str) -> str:
    rest = title.strip()
    if show and rest.casefold().startswith(show.casefold()):
        return re.sub(r"^\s*[-–—:|]\s+", "", rest[len(show) :]) or rest
    return rest


def _is_cut(title: str, whole: str) -> bool:
    """Return whether a title ends in an ellipsis and is the beginning of another."""
    found = _ELLIPSIS.search(title)
    beginning = folded_title(title[: found.start()]) if found else ""
    return len(beginning) >= _BEGINNING and folded_title(whole).startswith(beginning)


def _differ_by_typo(a: str, b: str) -> bool:
    """Return whether two titles differ in one long word by a typo; never where a number or a whole word differs."""
    ours, theirs = words(a), words(b)
    pairs = [(x, y) for x, y in zip(ours, theirs, strict=False) if x != y]
    if len(ours) != len(theirs) or len(pairs) != 1:
        return False
    x, y = pairs[0]
    return x[0] == y[0] and (x + y).isalpha() and min(len(x), len(y)) >= _LONG_WORD and OSA.distance(x, y) == 1


class _Stated(Protocol):
    """An episode as a source states it. `show`: the facts of its show, None where the source states the name alone."""

    @property
    def episode(self) -> Episode: ...

    @property
    def show(self) -> Show | None: ...


@dataclass(frozen=True, slots=True)
class MergedSources:
    """The episodes and the shows that have some, each once. `ids`: the episode that each entry is, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]
    _: KW_ONLY
    shows: tuple[Show, ...]
    in_show: tuple[InShow, ...]


def merge_sources(catalogue: Catalogue, entries: Sequence[_Stated]) -> MergedSources:
    """Join the entries of one episode with the catalogue's, after the shows: two shows may have the same title.

    Entries are one episode by the same guid, else the same address, else the same show and title. A title alone does
    not count where dates differ, or guids without a date. Ids and facts of the first entry stay, unknown facts are
    filled in from the others; an id that another episode has gets a number.

    >>> merged = merge_sources(Catalogue((Episode("hum/one", "One", show="Hum"),)), ())
    >>> merged.shows[0].id, merged.in_show[0].source
    ('hum', 'hum/one')
    """
    own = len(catalogue.episodes)
    stated = [_named(episode.show) for episode in catalogue.episodes]
    stated += [entry.show or _named(entry.episode.show) for entry in entries]
    joined = joined_shows((*catalogue.shows, *stated))
    every = (*catalogue.episodes, *(entry.episode for entry in entries))
    episodes, ids = _merged((e, joined[show].id) for e, show in zip(every, stated, strict=True))
    filed = list(zip(ids, stated, strict=True))
    edges: dict[tuple[str, str], InShow] = {}
    for id_, show in (*filed[:own], *sorted(filed[own:], key=itemgetter(0))):
        if show.title:
            edges.setdefault((id_, joined[show].id), InShow(id_, joined[show].id, quote=show.title))
    later = {e.id for e in episodes if (e.season or 1) > 1}
    several = {joined[show].id for id_, show in filed if id_ in later}
    seasoned = {id_ for id_, show in filed if joined[show].id in several}  # apps show no season where there is but one
    counted = (e if e.season is None or e.id in seasoned else replace(e, season=None) for e in episodes)
    used = {edge.target for edge in edges.values()}
    shows = {show.id: show for show in joined.values() if show.id in used}
    return MergedSources(tuple(counted), ids[own:], shows=tuple(shows.values()), in_show=tuple(edges.values()))


def _named(title: str) -> Show:
    return Show(show_id(title), title)


def _merged(filed: Iterable[tuple[Episode, str]]) -> tuple[list[Episode], tuple[str, ...]]:
    """Return the episodes, each once, and the id of the one that each entry is. `filed`: with the id of the show."""
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    by_sign: dict[tuple[str, str], str] = {}
    by_title: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)  # of each show -> day -> id
    taken: dict[str, int] = {}
    for entry, show in filed:
        signed = (by_sign[sign] for sign in _signs(entry) if sign in by_sign)
        titled = _twins(entry, by_title[show, folded_title(entry.title)], episodes)
        id_ = next(chain(signed, titled), None) or free_id(entry.id, taken)
        episode = episodes[id_] = fullest(episodes.get(id_, replace(entry, id=id_)), entry)
        ids.append(id_)
        for sign in _signs(episode):
            by_sign.setdefault(sign, id_)
        by_title[show, folded_title(episode.title)].setdefault(_day(episode), id_)
    return list(episodes.values()), tuple(ids)


def _signs(entry: Episode) -> list[tuple[str, str]]:
    return [(kind, value) for kind, value in (("guid", entry.guid), ("url", entry.url)) if value]


def _day(episode: Episode) -> int:
    return date.fromisoformat(episode.published).toordinal() if episode.published else -1


def _twins(entry: Episode, alike: Mapping[int, str], episodes: Mapping[str, Episode]) -> Iterator[str]:
    """Yield the episodes that an entry may be by its title, the nearest date first. `alike`: day -> episode."""
    days: Iterable[int] = alike  # thousands may have one title, so only those near the entry are looked at
    if alike and entry.published:
        days = (*(_day(entry) + off for off in sorted(range(-_DAYS, _DAYS + 1), key=abs)), -1)
    for other in (episodes[alike[day]] for day in days if day in alike):
        dated, guids = bool(other.published) == bool(entry.published), bool(other.guid and entry.guid)
        same_day = bool(other.published) and other.published == entry.published
        if same_day or (not (dated and guids) and _days_apart(other, entry) <= _DAYS):
            yield other.id


def _days_apart(a: Episode, b: Episode) -> int:
    """Return how many days lie between the dates of two episodes, 0 where one is unknown."""
    return abs(_day(a) - _day(b)) if a.published and b.published else 0


def free_id(id_: str, taken: dict[str, int]) -> str:
    """Return the id, with a number behind it where it is `taken`: each of these ids -> the next number to try.

    >>> taken: dict[str, int] = {}
    >>> free_id("show/one", taken), free_id("show/one", taken)
    ('show/one', 'show/one-2')
    """
    free, number = id_, taken.get(id_, 2)
    while free in taken:
        free, number = f"{id_}-{number}", number + 1
    taken[id_] = number
    taken.setdefault(free, 2)
    return free


def fullest(first: T, second: T) -> T:
    """Return the first, with its unknown facts taken from the second; season and number only together.

    >>> fullest(Episode("a", "One", show="Show"), Episode("b", "1", show="Show", minutes=20)).minutes
    20
    """
    unknown = {f.name for f in fields(first) if getattr(first, f.name) in (None, "", ())}
    if isinstance(first, Episode) and isinstance(second, Episode):
        numbers = {"number", "season"}  # one source may go on from season to season where the other begins anew
        if not (numbers <= unknown or first.number == second.number or first.season == second.season):
            unknown -= numbers
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
    guids: dict[str, str] = {}  # of each title the first one
    for show in (show for show in sources if show.guid):
        guids.setdefault(folded_title(show.title), show.guid or "")
    first: dict[tuple[str, ...], Show] = {}
    same = {show: show for show in sources}  # each leads to another show of its group, in the end to one for all

    def leader(show: Show) -> Show:
        while (other := same[show]) != show:
            show = other
        return show

    for show in sources:
        title = folded_title(show.title)
        guid = (show.guid or guids.get(title, "")).casefold()  # so that shows of one title stay apart
        keys = [("title", title, guid)] + [("guid", guid)] * bool(show.guid)
        if show.feed_url and MASK not in show.feed_url:
            keys.append(("feed", bare_address(show.feed_url)))
        for key in keys:
            same[leader(show)] = leader(first.setdefault(key, show))
    found: dict[Show, Show] = {}
    for show in sources:
        found[leader(show)] = fullest(found.get(leader(show), show), show)
    taken: set[str] = set()
    for group, one in found.items():
        if one.id in taken:  # the mark depends on the show alone
            found[group] = replace(one, id=f"{one.id}-{stable_hash(one.guid or '', one.feed_url or '', one.title)}")
        taken.add(one.id)
    return {show: found[leader(show)] for show in sources}


@dataclass(slots=True)
class KnownEpisode:
    """An episode with the texts that describe it: (where, text). Both grow while entries are identified."""

    episode: Episode
    texts: list[tuple[str, str]] = field(default_factory=list)

    def source_of(self, text: str) -> str | None:
        """Return where this text, or the whole of which it is the beginning, was found: `known.source_of("In short.")`.

        None where nothing has it.
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
        self._all: list[KnownEpisode] = []
        self._ids: dict[str, int] = {}
        self._urls: dict[str, KnownEpisode] = {}
        self._titles: defaultdict[tuple[str, str], list[KnownEpisode]] = defaultdict(list)
        self._shows: defaultdict[str, list[KnownEpisode]] = defaultdict(list)

    def add(self, episode: Episode) -> KnownEpisode:
        """Make an episode known, for example `known.add(episode)`; an id that is taken gets a number behind it."""
        known = KnownEpisode(replace(episode, id=free_id(episode.id, self._ids)))
        show = folded_title(episode.show)
        for group in (self._all, self._shows[show], self._titles[show, bare_title(episode.title, episode.show)]):
            group.append(known)
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
        for group in self._shows.values():
            common = wanted & {bare_title(k.episode.title, k.episode.show) for k in group}
            if len(common) >= max(_SAME_SHOW, len(wanted) / 2):
                return group[0].episode.show
        return show

    def by_title(self, new: Episode, text: str) -> Identified | None:
        """Return the episode of this address or title; None where there is none.

        Where the title has a typo, a date, a length or the text must agree as well.
        Example: `known.by_title(episode, text).evidence`.
        """

        def may_be(known: KnownEpisode) -> bool:
            return known.episode.kind == new.kind and _days_apart(known.episode, new) <= _DAYS

        if new.url and (twin := self._urls.get(new.url)) and twin.episode.kind == new.kind:
            return Identified(twin, ("same address",))
        show, title = folded_title(new.show), bare_title(new.title, new.show)
        alike = filter(may_be, self._titles.get((show, title), ()))
        if same := [k for k in alike if may_be_one(k.episode.title, new.title, new.show)]:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return Identified(best, ("same title", *_agreeing(best, new, text)))
        own = list(filter(may_be, self._shows.get(show, ())))
        cut = [k for k in own if _is_cut(new.title, k.episode.title)]
        if len(cut) == 1:
            return Identified(cut[0], ("title cut short", *_agreeing(cut[0], new, text)))
        for k in own:
            if _differ_by_typo(k.episode.title, new.title) and (signs := _agreeing(k, new, text)):
                return Identified(k, (f"title {k.episode.title!r} but for a typo", *signs))
        return None

    def by_text(self, text: str, show: str) -> Identified | None:
        """Return the one episode that has this text; of its own show where several shows have the same text.

        Example: `known.by_text(text, "Show").evidence`.
        """
        found = [(k, where) for k in self._all if (where := k.source_of(text))]
        own = [(k, where) for k, where in found if folded_title(k.episode.show) == folded_title(show)] or found
        return Identified(own[0][0], (f"same text as in {own[0][1]}",)) if len(own) == 1 else None

    def of_show(self, show: str) -> Iterable[KnownEpisode]:
        """Return the episodes of a show, for example `known.of_show("Show")`; all of them for the show ""."""
        return self._shows.get(folded_title(show), ()) if show else self._all


def _agreeing(known: KnownEpisode, new: Episode, text: str) -> list[str]:
    """Return the other facts that agree, in words."""
    old, where = known.episode, known.source_of(text)
    signs = [f"same text as in {where}"] if where else []
    if old.published and new.published:
        apart = _days_apart(old, new)
        signs.append(f"dates {apart} days apart" if apart else "same date")
    if old.minutes is not None and new.minutes is not None and abs(old.minutes - new.minutes) <= 1:
        signs.append(f"length {new.minutes} min")
    return signs


@dataclass(frozen=True, slots=True)
class Clues:
    """Signs of one episode. `terms`: term -> weight; `title`, `subjects`: the terms of its title and its subjects."""

    terms: Mapping[str, float]
    title: frozenset[str] = frozenset()
    _: KW_ONLY
    subjects: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    minutes: int | None = None


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
    for term, weight in (pair for group in groups for pair in group.items()):
        merged[term] = max(weight, merged.get(term, 0.0))
    return merged


def matches(found: Sequence[Clues], known: Sequence[Clues]) -> list[tuple[int, tuple[str, ...]] | None]:
    """Return for each description the place of the episode that it is, and the evidence; None where that is not clear.

    All are decided at once, by the assignment with the highest total rank, so that no episode stands twice. The margin
    is the share of its rank that the best assignment without it loses.

    Example: `matches([Clues(terms_of(text))], [Clues(terms_of(known_text))])[0]`.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    result: list[tuple[int, tuple[str, ...]] | None] = [None] * len(found)
    if not found or not known:
        return result
    rare = _rarity(found, known)
    citing = Counter(link for k in known for link in k.links)
    sizes = [sum(rare[t] * w for t, w in k.terms.items()) or 1.0 for k in known]
    factors = [(sum(sizes) / len(sizes) / size) ** _LENGTH for size in sizes]
    scores = [[_score(f, k, rare, citing, c) for k, c in zip(known, factors, strict=True)] for f in found]
    ranks = np.full((len(found), len(known) + len(found)), _NOBODY)  # the columns behind: no episode at all
    ranks[:, : len(known)] = [[rank for rank, _ in row] for row in scores]
    rows, columns = linear_sum_assignment(ranks, maximize=True)
    total = ranks[rows, columns].sum()
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        if k >= len(known) or scores[i][k][1] < _ENOUGH:
            continue
        rank, ranks[i, k] = ranks[i, k], _FORBIDDEN
        margin = float((total - ranks[linear_sum_assignment(ranks, maximize=True)].sum()) / rank)
        ranks[i, k] = rank
        if margin >= _MARGIN:
            sure = f"margin {margin:.2f} over what else it could be"
            result[i] = k, (*_evidence(found[i], known[k], rare), sure)
    return result


def _rarity(found: Sequence[Clues], known: Sequence[Clues]) -> dict[str, float]:
    """Return term -> log of how rare it is on the side where it is more common: words of show notes tell nothing.

    Nor does the subject of the show, which stands in more than a quarter of the known episodes.
    """
    there, here = (Counter(t for c in side for t in {*c.terms, *c.title, *c.subjects}) for side in (known, found))
    number = len(known) + 1
    common = {t for t, times in there.items() if times > max(_COMMON * number, 1)}
    rare = {t: math.log(1 + number / (max(there[t], here[t] - 1) + 0.5)) for t in {*there, *here}}
    return rare | dict.fromkeys(common, 0.0)


def _score(
    found: Clues, known: Clues, rare: Mapping[str, float], citing: Mapping[str, int], factor: float
) -> tuple[float, float]:
    """Return the rank of a known episode for a description, and the proof. `factor`: holds long texts back."""
    shared = sum(_shared(found, known, rare).values())
    share = shared / (sum(rare[t] * w for t, w in found.terms.items()) or 1.0)
    title, subjects = (_named_share(names, found, rare) for names in (known.title, known.subjects))
    linked = sum(_LINK / citing[link] for link in sorted(found.links & known.links))
    rank = share * factor + _TITLE * title + _SUBJECTS * subjects + linked
    proof = share + _TITLE_PROVES * title + _SUBJECTS_PROVE * subjects + linked
    if found.links and known.links and not linked:
        rank *= _OTHER_LINKS
    if (near := _near(found, known)) is False:
        return rank * _MINUTES_DIFFER, proof * _MINUTES_DIFFER
    return rank * (_MINUTES_AGREE if near else 1.0), proof


def _near(found: Clues, known: Clues) -> bool | None:
    """Return whether the lengths agree, None where one is unknown or the minutes may be rounded."""
    if found.minutes is None or known.minutes is None or abs(found.minutes - known.minutes) == 2:
        return None
    return abs(found.minutes - known.minutes) < 2


def _shared(found: Clues, known: Clues, rare: Mapping[str, float]) -> dict[str, float]:
    return {t: rare[t] * w * known.terms[t] for t, w in found.terms.items() if t in known.terms}


def _named_share(names: frozenset[str], found: Clues, rare: Mapping[str, float]) -> float:
    """Return the share of these terms, by rarity, that a description names."""
    whole = sum(rare[t] for t in names)
    return sum(rare[t] for t in names if t in found.terms) / whole if whole else 0.0


def _evidence(found: Clues, known: Clues, rare: Mapping[str, float]) -> tuple[str, ...]:
    """Return the signs that agree, in words, the rarest terms first."""
    shared = _shared(found, known, rare)
    telling = sorted((t for t in shared if shared[t] and not t.startswith("stem ")), key=lambda t: (-shared[t], t))
    names = list(dict.fromkeys(t.split(" ", 1)[1] for t in telling))[:_SHOWN]
    terms = [f"rare terms: {', '.join(names)}"] if names else []
    links = [f"link: {link}" for link in sorted(found.links & known.links)[:2]]
    length = [f"length: {known.minutes} min"] if _near(found, known) and known.minutes else []
    return (*terms, *links, *length)
