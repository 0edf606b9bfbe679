"""Which entries of feeds, pages and the catalogue are one episode, and which shows are one."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from datetime import date
from functools import lru_cache
from itertools import chain, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rapidfuzz.distance import OSA, Indel

from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Episode, InShow, Show
from torchatlas.graph.names import MASK, bare_address, folded_title, show_id, stable_hash, telling_words, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T", Episode, Show)
Match = tuple[int, tuple[str, ...]]
"""The place of an episode among the known ones, and by which evidence, in words."""

_FEWEST, _EQUAL = 8, 0.9  # words: a shorter text must be equal; the share that texts have in common, in their order
_BEGINNING, _LONG_WORD = 12, 5  # letters that a title cut short must show, and that a word with a typo must have
_DAYS = 3  # between the dates of one episode in two sources: time zones, and when a page was made
_SAME_SHOW = 3  # titles that two names of one show have in common at least
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.I)
_NUMBERED = re.compile(
    r"^(?:s(?:eason\s*)?(\d{1,4})[\s,]*)?(?:episode|ep|e|folge|part|no|#)?[\s.#]*(\d{1,4})\s*[:.)|–—-]\s+(?=\S)", re.I
)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*$")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)\w+)+|\w*_\w+|[A-Z]+[a-z]+[A-Z]\w*")
_STEM, _STEMMED = 6, 0.6  # letters in which forms of a word agree, and what they count beside 1 for the whole word
_LENGTH = 0.4  # exponent by which a long document is held back
_TITLE, _SUBJECTS = (0.1, 0.2), (0.1, 0.3)  # added to rank and proof of an episode for naming them
_LINK = 0.3  # for a link that no other known episode has, added to rank and proof
_OTHER_LINKS = 0.7  # factor of the rank where both have links and share none
_MINUTES_AGREE, _MINUTES_DIFFER = 1.15, 0.5  # factors
_NOBODY, _FORBIDDEN = 0.15, -1000.0  # the ranks of no known episode for a description, and of a pair that may not be
_COMMON = 0.25  # the share of the known episodes that a term of the show's subject exceeds
_ENOUGH, _MARGIN = 0.42, 0.25  # tuned for no wrong match


def same_text(a: str, b: str) -> bool:
    """Return whether one text is the other, or its beginning, but for a few words, addresses and marks.

    Example: `same_text("A short text.", "A short text: https://example.org")`
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
    """Return a title without show, number, spaces and marks: `bare_title("S2E1 | Views")` is "views"."""
    return "".join(words(_NUMBERED.sub("", _without_show(title, show))))


def may_be_one(a: str, b: str, show: str = "") -> bool:
    """Return whether no season and number say that two titles of a show are of two episodes.

    Example: `may_be_one("S2E1: Views", "S1E1: Views")` is False.
    """
    found = (_NUMBERED.match(_without_show(title, show)) for title in (a, b))
    return len({(int(number[1]), int(number[2])) for number in found if number and number[1]}) < 2


def _without_show(title: str, show: str) -> str:
    rest = title.strip()
    if show and rest.casefold().startswith(show.casefold()):
        return re.sub(r"^\s*[-–—:|]\s+", "", rest[len(show) :]) or rest
    return rest


def _is_cut(title: str, whole: str) -> bool:
    beginning = folded_title(_ELLIPSIS.sub("", title)) if _ELLIPSIS.search(title) else ""
    return len(beginning) >= _BEGINNING and folded_title(whole).startswith(beginning)


def _differ_by_typo(a: str, b: str) -> bool:
    """Return whether two titles differ in one long word by a typo; never where a number or a whole word differs."""
    ours, theirs = words(a), words(b)
    pairs = [(x, y) for x, y in zip(ours, theirs, strict=False) if x != y]
    if len(ours) != len(theirs) or len(pairs) != 1:
        return False
    ((x, y),) = pairs
    return x[0] == y[0] and (x + y).isalpha() and min(len(x), len(y)) >= _LONG_WORD and OSA.distance(x, y) == 1


@dataclass(frozen=True, slots=True)
class MergedSources:
    """The episodes and the shows that have some, each once. `ids`: the episode that each entry is, in their order."""

    episodes: tuple[Episode, ...]
    ids: tuple[str, ...]
    _: KW_ONLY
    shows: tuple[Show, ...]
    in_show: tuple[InShow, ...]


def merge_sources(catalogue: Catalogue, entries: Sequence[Any]) -> MergedSources:
    """Join the entries of one episode with the catalogue's, after the shows: two shows may have the same title.

    Entries are one episode by the same guid, else the same address, else the same show and title. A title alone does
    not count where dates differ, or guids without a date. Ids and facts of the first entry stay, unknown facts are
    filled in from the others; an id that another episode has gets a number. `entries` have an `episode` and a `show`,
    which is None where the source states the name alone.

    Example: `merge_sources(catalogue, extractions).episodes`
    """
    own = len(catalogue.episodes)
    every = (*catalogue.episodes, *(entry.episode for entry in entries))
    shows = chain(repeat(None, own), (entry.show for entry in entries))
    stated = [show or Show(show_id(e.show), e.show) for e, show in zip(every, shows, strict=True)]
    joined = joined_shows((*catalogue.shows, *stated))
    episodes, ids = _merged((e, joined[show].id) for e, show in zip(every, stated, strict=True))
    filed = [(id_, joined[show].id, show.title) for id_, show in zip(ids, stated, strict=True)]
    edges: dict[tuple[str, str], InShow] = {}
    for id_, show, title in (*filed[:own], *sorted(filed[own:], key=itemgetter(0))):
        if title:
            edges.setdefault((id_, show), InShow(id_, show, quote=title))
    several = {show for id_, show, _ in filed if (episodes[id_].season or 1) > 1}
    seasoned = {id_ for id_, show, _ in filed if show in several}  # apps show no season where there is but one
    for id_ in episodes.keys() - seasoned:
        episodes[id_] = replace(episodes[id_], season=None)
    used = {show for _, show in edges}
    found = {show.id: show for show in joined.values() if show.id in used}
    return MergedSources(
        tuple(episodes.values()), ids[own:], shows=tuple(found.values()), in_show=tuple(edges.values())
    )


def _merged(filed: Iterable[tuple[Episode, str]]) -> tuple[dict[str, Episode], tuple[str, ...]]:
    """Return the episodes by id, and the id of the one that each entry is. `filed`: with the id of the show."""
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    by_sign: dict[str, str] = {}
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
    return episodes, tuple(ids)


def _signs(entry: Episode) -> list[str]:
    return [f"{kind} {value}" for kind, value in (("guid", entry.guid), ("url", entry.url)) if value]


def _day(episode: Episode) -> int:
    return date.fromisoformat(episode.published).toordinal() if episode.published else -1


def _twins(entry: Episode, alike: Mapping[int, str], episodes: Mapping[str, Episode]) -> Iterator[str]:
    """Yield the episodes that an entry may be by its title, the nearest date first. `alike`: day -> episode."""
    days: Iterable[int] = alike  # thousands may have one title, so only those near the entry are looked at
    if alike and entry.published:
        days = (*(_day(entry) + off for off in sorted(range(-_DAYS, _DAYS + 1), key=abs)), -1)
    for other in (episodes[alike[day]] for day in days if day in alike):
        unlike = bool(other.published) != bool(entry.published) or not (other.guid and entry.guid)
        same_day = bool(other.published) and other.published == entry.published
        if same_day or (unlike and _days_apart(other, entry) <= _DAYS):
            yield other.id


def _days_apart(a: Episode, b: Episode) -> int:
    """Return how many days lie between the dates of two episodes, 0 where one is unknown."""
    return abs(_day(a) - _day(b)) if a.published and b.published else 0


def free_id(id_: str, taken: dict[str, int]) -> str:
    """Return the id, with a number where it is taken: `free_id("show/one", {"show/one": 2})` is "show/one-2".

    `taken`: each of these ids -> the next number to try.
    """
    free, number = id_, taken.get(id_, 2)
    while free in taken:
        free, number = f"{id_}-{number}", number + 1
    taken[id_] = number
    taken.setdefault(free, 2)
    return free


def fullest(first: T, second: T) -> T:
    """Return the first, with its unknown facts from the second, season and number only together: `fullest(a, b)`."""
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
    Example: `joined_shows([Show("hum", "Hum"), Show("hum", "HUM", author="Ada")])` has one value.
    """
    same = {show: show for show in stated}  # each leads to another show of its group, in the end to one for all
    guids = {folded_title(show.title): show.guid for show in reversed(same) if show.guid}  # of each title the first
    first: dict[tuple[str, ...], Show] = {}

    def leader(show: Show) -> Show:
        while (other := same[show]) != show:
            show = other
        return show

    for show in same:
        title = folded_title(show.title)
        guid = (show.guid or guids.get(title, "")).casefold()  # so that shows of one title stay apart
        keys = [("title", title, guid)] + [("guid", guid)] * bool(show.guid)
        if show.feed_url and MASK not in show.feed_url:
            keys.append(("feed", bare_address(show.feed_url)))
        for key in keys:
            same[leader(show)] = leader(first.setdefault(key, show))
    found: dict[Show, Show] = {}
    for show in same:
        found[leader(show)] = fullest(found.get(leader(show), show), show)
    taken: set[str] = set()
    for group, one in found.items():
        if one.id in taken:  # the mark depends on the show alone
            found[group] = replace(one, id=f"{one.id}-{stable_hash(one.guid or '', one.feed_url or '', one.title)}")
        taken.add(one.id)
    return {show: found[leader(show)] for show in same}


@dataclass(slots=True)
class KnownEpisode:
    """An episode with the texts that describe it: (where, text). Both grow while entries are identified."""

    episode: Episode
    texts: list[tuple[str, str]] = field(default_factory=list)

    def source_of(self, text: str) -> str | None:
        """Return where this text, or that of which it is the beginning, stands: `known.source_of("In short.")`."""
        return next((where for where, own in self.texts if same_text(own, text)), None)


class Identified(NamedTuple):
    """The episode that an entry is, and by which evidence, in words."""

    known: KnownEpisode
    evidence: tuple[str, ...] = ()


class KnownEpisodes:
    """The known episodes, in the order in which they became known."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._urls: dict[str, KnownEpisode] = {}
        self._shows: defaultdict[str, list[KnownEpisode]] = defaultdict(list)  # "": of all shows
        self._titles: defaultdict[tuple[str, str], list[KnownEpisode]] = defaultdict(list)

    def add(self, episode: Episode) -> KnownEpisode:
        """Make an episode known, for example `known.add(episode)`; an id that is taken gets a number behind it."""
        known = KnownEpisode(replace(episode, id=free_id(episode.id, self._ids)))
        show = folded_title(episode.show)
        self._titles[show, bare_title(episode.title, episode.show)].append(known)
        for name in {"", show}:
            self._shows[name].append(known)
        self.note_url(known, episode.url)
        return known

    def note_url(self, known: KnownEpisode, url: str | None) -> None:
        """Remember an address of an episode, for example `known.note_url(episode, "https://example.org/2")`."""
        if url:
            self._urls.setdefault(url, known)

    def of_show(self, show: str) -> Sequence[KnownEpisode]:
        """Return the episodes of a show, for example `known.of_show("Show")`; all of them for the show ""."""
        return self._shows.get(folded_title(show), ())

    def show_of(self, show: str, titles: Iterable[str]) -> str:
        """Return the known name of a page's show, by name or by half of its titles: `known.show_of(show, titles)`."""
        if show and (own := self.of_show(show)):
            return own[0].episode.show
        wanted = {bare_title(title, show) for title in titles}
        for group in (group for name, group in self._shows.items() if name):
            common = wanted & {bare_title(k.episode.title, k.episode.show) for k in group}
            if len(common) >= max(_SAME_SHOW, len(wanted) / 2):
                return group[0].episode.show
        return show

    def by_title(self, new: Episode, text: str) -> Identified | None:
        """Return the episode of this address or title; None where there is none: `known.by_title(episode, text)`.

        Where the title has a typo, a date, a length or the text must agree as well.
        """
        if new.url and (twin := self._urls.get(new.url)) and twin.episode.kind == new.kind:
            return Identified(twin, ("same address",))

        def near(alike: Iterable[KnownEpisode]) -> list[KnownEpisode]:
            return [k for k in alike if k.episode.kind == new.kind and _days_apart(k.episode, new) <= _DAYS]

        alike = near(self._titles.get((folded_title(new.show), bare_title(new.title, new.show)), ()))
        if same := [k for k in alike if may_be_one(k.episode.title, new.title, new.show)]:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return Identified(best, ("same title", *_agreeing(best, new, text)))
        own = near(self._shows.get(folded_title(new.show), ()))
        cut = [k for k in own if _is_cut(new.title, k.episode.title)]
        if len(cut) == 1:
            return Identified(cut[0], ("title cut short", *_agreeing(cut[0], new, text)))
        for k in own:
            if _differ_by_typo(k.episode.title, new.title) and (signs := _agreeing(k, new, text)):
                return Identified(k, (f"title {k.episode.title!r} but for a typo", *signs))
        return None

    def by_text(self, text: str, show: str) -> Identified | None:
        """Return the one episode, of its own show first, that has this text: `known.by_text(text, "Show")`."""
        found = [Identified(k, (f"same text as in {where}",)) for k in self.of_show("") if (where := k.source_of(text))]
        own = [one for one in found if folded_title(one.known.episode.show) == folded_title(show)] or found
        return own[0] if len(own) == 1 else None


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

    >>> terms_of("a tensor")
    {'word tensor': 1.0}
    """
    found: dict[str, float] = {}
    for word in telling_words(text):
        if len(word) > 1:
            found[f"word {word}"] = weight
            if len(word) > _STEM:
                found[f"stem {word[:_STEM]}"] = weight * _STEMMED
    return found | {f"code {name.casefold()}": weight for name in _IDENTIFIER.findall(text)}


def strongest(groups: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the terms of several texts, each with its greatest weight: `strongest([{"a": 0.5}, {"a": 1.0}])`."""
    merged: dict[str, float] = {}
    for term, weight in (pair for group in groups for pair in group.items()):
        merged[term] = max(weight, merged.get(term, 0.0))
    return merged


def matches(found: Sequence[Clues], known: Sequence[Clues]) -> list[Match | None]:
    """Return for each description the place of the episode that it is, and the evidence; None where that is not clear.

    All are decided at once, by the assignment with the highest total rank, so that no episode stands twice. The margin
    is the share of its rank that the best assignment without it loses.

    Example: `matches([Clues(terms_of(text))], [Clues(terms_of(known_text))])[0]`.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    result: list[Match | None] = [None] * len(found)
    if not found or not known:
        return result
    scores = _Scores(found, known)
    ranks = np.full((len(found), len(known) + len(found)), _NOBODY)  # the columns behind: no episode at all
    ranks[:, : len(known)] = scores.ranks
    rows, columns = linear_sum_assignment(ranks, maximize=True)
    total = ranks[rows, columns].sum()
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        if k >= len(known) or scores.proofs[i, k] < _ENOUGH:
            continue
        rank, ranks[i, k] = ranks[i, k], _FORBIDDEN
        margin = float((total - ranks[linear_sum_assignment(ranks, maximize=True)].sum()) / rank)
        ranks[i, k] = rank
        if margin >= _MARGIN:
            sure = f"margin {margin:.2f} over what else it could be"
            result[i] = k, (*scores.evidence(i, k), sure)
    return result


class _Scores:
    """Rank and proof of each known episode (a column) for each description (a row)."""

    def __init__(self, found: Sequence[Clues], known: Sequence[Clues]) -> None:
        import numpy as np

        self.found, self.known = found, known
        self.names = sorted({name for c in (*found, *known) for name in (*c.terms, *c.title, *c.subjects, *c.links)})
        place = {name: i for i, name in enumerate(self.names)}

        def table(rows: Iterable[Iterable[str] | Mapping[str, float]]) -> "NDArray[np.float64]":
            rows = list(rows)
            weights = np.zeros((len(rows), len(place)))
            for row, names in zip(weights, rows, strict=True):
                weight = names if isinstance(names, Mapping) else dict.fromkeys(names, 1.0)
                row[[place[name] for name in names]] = [weight[name] for name in names]
            return weights

        said, terms = table(c.terms for c in found), table(c.terms for c in known)
        here, there = (sum(table((*c.terms, *c.title, *c.subjects) for c in side)) for side in (found, known))
        number = len(known) + 1
        # A term is as rare as on the side where it is more common: words of show notes tell nothing, and nor does the
        # subject of the show, which stands in more than a quarter of the known episodes.
        rare = np.log(1 + number / (np.maximum(there, here - 1) + 0.5))
        rare[there > max(_COMMON * number, 1)] = 0.0
        self.telling, self.terms = said * rare, terms
        sizes, told = ((weights @ rare) for weights in (terms, said))
        sizes[sizes == 0], told[told == 0] = 1.0, 1.0
        share = self.telling @ terms.T / told[:, None]
        links, citing = table(c.links for c in found), table(c.links for c in known)
        linked = (links / np.maximum(citing.sum(axis=0), 1)) @ citing.T * _LINK
        self.ranks, self.proofs = share * (sizes.mean() / sizes) ** _LENGTH + linked, share + linked
        for named, (ranked, proves) in (([c.title for c in known], _TITLE), ([c.subjects for c in known], _SUBJECTS)):
            wanted = table(named) * rare
            part = (said > 0) @ wanted.T / np.maximum(wanted.sum(axis=1), 1e-9)
            self.ranks, self.proofs = self.ranks + ranked * part, self.proofs + proves * part
        other = np.outer(links.any(axis=1), citing.any(axis=1)) & (linked == 0)
        self.ranks = np.where(other, self.ranks * _OTHER_LINKS, self.ranks)
        minutes = (np.array([c.minutes for c in side], dtype=float) for side in (found, known))
        self.apart = np.abs(np.subtract.outer(*minutes))  # 2 may be rounded
        self.ranks *= np.where(self.apart < 2, _MINUTES_AGREE, np.where(self.apart > 2, _MINUTES_DIFFER, 1.0))
        self.proofs *= np.where(self.apart > 2, _MINUTES_DIFFER, 1.0)

    def evidence(self, i: int, k: int) -> Iterator[str]:
        """Yield the signs that agree, in words: the five rarest terms, two links, the length."""
        weights = zip((-self.telling[i] * self.terms[k]).tolist(), self.names, strict=True)
        told = [name for weight, name in sorted(weights) if weight and not name.startswith("stem ")]
        if names := list(dict.fromkeys(name.split(" ", 1)[1] for name in told))[:5]:
            yield f"rare terms: {', '.join(names)}"
        yield from (f"link: {link}" for link in sorted(self.found[i].links & self.known[k].links)[:2])
        if self.apart[i, k] < 2 and self.known[k].minutes:
            yield f"length: {self.known[k].minutes} min"
