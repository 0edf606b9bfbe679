"""Which entries of feeds, pages and the catalogue are one episode, or one show."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import lru_cache, reduce
from itertools import chain, zip_longest
from typing import Any, TypeVar

from rapidfuzz.distance import OSA, Indel

from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Episode, InShow, Show, Value, each_once
from torchatlas.graph.names import MASK, bare_address, folded_title, show_id, stable_hash, telling_words, words

T = TypeVar("T", bound=Value)
_FEWEST, _EQUAL = 8, 0.9  # words: a shorter text must be equal; the share of equal words
_DAYS = 3  # between dates of one episode in two sources, by time zones
_NUMBERED = re.compile(
    r"^(?:s(?:eason\s*)?(\d{1,4})[\s,]*)?(?:episode|ep|e|folge|part|no|#)?[\s.#]*(\d{1,4})\s*[:.)|–—-]\s+", re.I
)
_UNIVERSAL = re.compile(r"(?:https?|tag):.|.*[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.I)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*$")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)\w+)+|\w*_\w+|[A-Z]+[a-z]+[A-Z]\w*")
_TITLE, _SUBJECTS = (0.1, 0.2), (0.1, 0.3)  # added to rank and proof of an episode for naming them
_NO_EPISODE, _FORBIDDEN = 0.15, -1000.0  # ranks of no known episode and of a pair that may not be
_ENOUGH, _MARGIN = 0.42, 0.25  # tuned for no wrong match


def same_text(a: str, b: str) -> bool:
    """Return whether one text nearly begins with the other: `same_text(a, b)`."""
    short, long = sorted((_words(a), _words(b)), key=len)
    if len(short) < _FEWEST:
        return bool(short) and short == long
    head = long[: len(short)]
    return short[:-1] == head[:-1] or Indel.normalized_similarity(short, head, score_cutoff=_EQUAL) >= _EQUAL


@lru_cache(maxsize=32_768)  # texts without a title meet every known one
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(re.sub(r"(?:https?://|www\.)\S+", " ", text, flags=re.I)))


def bare_title(title: str, show: str = "") -> str:
    """Drop show, number and marks: `bare_title("S2E1 | Views")` is "views"."""
    return "".join(words(_NUMBERED.sub("", _without_show(title, show))))


def may_be_one(a: str, b: str, show: str = "") -> bool:
    """Return whether season and number agree: `may_be_one("S2E1: Views", "Views")`."""
    found = (number_at_head(title, show) for title in (a, b))
    return len({(number, season) for number, season, _ in filter(None, found) if season is not None}) < 2


def number_at_head(title: str, show: str = "") -> tuple[int, int | None, bool] | None:
    """Return number, season, and whether marked: `number_at_head("#12: Views")`."""
    if not (found := _NUMBERED.match(rest := _without_show(title, show))):
        return None
    return int(found[2]), int(found[1]) if found[1] else None, rest[0] in "#sSeE"


def _without_show(title: str, show: str) -> str:
    rest = title.strip()
    if show and rest.casefold().startswith(show.casefold()):
        return re.sub(r"^\s*[-–—:|]\s+", "", rest[len(show) :]) or rest
    return rest


def merge_sources(
    catalogue: Catalogue, entries: Sequence[Any]
) -> tuple[tuple[Episode, ...], list[str], tuple[Show, ...], tuple[InShow, ...]]:
    """Join the entries of one episode: `episodes, ids, *_ = merge_sources(c, entries)`.

    Returns the episodes, the id of each entry's, and the shows with their episodes.
    Entries have an `episode`, and a `show` or None. They are one by guid (an address
    or UUID across shows), by title and audio, else, but never two of one feed, by an
    address or a title with its day that no two of a feed share. First facts stay.
    """
    sources = [*((e, None) for e in catalogue.episodes), *((entry.episode, entry.show) for entry in entries)]
    stated = [(e, show or Show(show_id(e.show), e.show)) for e, show in sources]
    joined = joined_shows((*catalogue.shows, *(show for _, show in stated)))
    pages = {(feed, bare_address(e.url), e.guid) for e, feed in sources if feed and e.url}
    shared = {page for (_, page), count in Counter(page[:2] for page in pages).items() if count > 1}
    shared |= {bare_address(show.url) for show in joined if show.url}
    episodes: dict[str, Episode] = {}
    ids: list[str] = []
    signed: dict[tuple[str, ...], str] = {}
    titled: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)  # of each show -> day -> id, "" if several
    guids: dict[tuple[Show | None, str], str | None] = {}  # of each feed's episodes
    taken: dict[str, int] = {}
    for (entry, feed), (_, named) in zip(sources, stated, strict=True):
        show = joined[named].id
        signs = [*_signs(entry, show, shared)]
        twins = _twins(entry, titled[show, folded_title(entry.title)], episodes)
        likely = chain((signed.get(sign, "") for sign in signs if sign[0] == "url"), twins)
        known = (signed[sign] for sign in signs if sign[0] != "url" and sign in signed)
        others = (id_ for id_ in likely if id_ and (not feed or guids.get((feed, id_), entry.guid) == entry.guid))
        id_ = next(chain(known, others), None) or free_id(entry.id, taken)
        episode = episodes[id_] = fullest(episodes.get(id_, replace(entry, id=id_)), entry)
        ids.append(id_)
        guids[feed, id_] = entry.guid
        for sign in (*_signs(episode, show, shared), *signs):
            signed.setdefault(sign, id_)
        days = titled[show, folded_title(episode.title)]
        if days.setdefault(_day(episode), id_) != id_:
            days[_day(episode)] = ""
    filed = [InShow(id_, joined[show].id, quote=show.title) for id_, (_, show) in zip(ids, stated, strict=True)]
    several = {edge.target for edge in filed if (episodes[edge.source].season or 1) > 1}
    for id_ in episodes.keys() - {edge.source for edge in filed if edge.target in several}:
        episodes[id_] = replace(episodes[id_], season=None)  # apps show no season where there is but one
    in_show = each_once(edge for edge in filed if edge.quote)
    used = {edge.target for edge in in_show}
    shows = {show.id: show for show in joined.values() if show.id in used}
    return tuple(episodes.values()), ids[len(catalogue.episodes) :], tuple(shows.values()), in_show


def _signs(e: Episode, show: str, shared: Collection[str]) -> Iterator[tuple[str, ...]]:
    if e.guid:
        yield "guid", e.guid, "" if _UNIVERSAL.match(e.guid) and e.guid != e.audio_url else show
    if e.audio_url:
        yield "audio", bare_address(e.audio_url), folded_title(e.title)
    if e.url and bare_address(e.url) not in shared:
        yield "url", e.url


def _day(episode: Episode) -> int:
    return date.fromisoformat(episode.published).toordinal() if episode.published else 0


def _twins(entry: Episode, alike: Mapping[int, str], episodes: Mapping[str, Episode]) -> Iterator[str]:
    """Yield ids that an entry may have, nearest date first. `alike`: day -> id."""
    day = _day(entry)
    near = sorted(range(day - _DAYS, day + _DAYS + 1), key=lambda other: abs(other - day))
    for id_ in (alike[at] for at in ((*near, 0) if day else alike) if at in alike):  # thousands may have one title
        if not id_:  # several have this title on this day
            return
        other = episodes[id_]  # its date may have come later
        unlike = bool(other.published) != bool(day) or not (other.guid and entry.guid)
        if (day and other.published == entry.published) or (unlike and _days_apart(other, entry) <= _DAYS):
            yield id_


def _days_apart(a: Episode, b: Episode) -> int:
    """Return the days between two episodes, 0 where a date is unknown."""
    return abs(_day(a) - _day(b)) if a.published and b.published else 0


def free_id(id_: str, taken: dict[str, int]) -> str:
    """Return the id, numbered if taken: `free_id("one", {"one": 2})` is "one-2".

    `taken`: each of these ids -> the next number to try.
    """
    free, number = id_, taken.get(id_, 2)
    while free in taken:
        free, number = f"{id_}-{number}", number + 1
    taken[id_] = number
    taken.setdefault(free, 2)
    return free


def fullest(first: T, second: T) -> T:
    """Fill in unknown facts, season and number only together: `fullest(a, b)`."""
    unknown = {f.name for f in fields(first) if getattr(first, f.name) in (None, "", ())}
    numbers = {"number", "season"}  # one source may count on where the other begins anew
    if not numbers <= unknown and all(getattr(first, n, 0) != getattr(second, n, 0) for n in numbers):
        unknown -= numbers
    unknown -= {"estimated"} if getattr(first, "minutes", None) else set()
    return replace(first, **{name: getattr(second, name) for name in unknown})


def joined_shows(stated: Iterable[Show]) -> dict[Show, Show]:
    """Map each show, as stated, to the joined one: `joined_shows(shows)[show].id`.

    Shows are one by guid, by feed address, or by title unless two guids differ.
    The first source gives title and id; the others fill in unknown facts.
    """
    from networkx.utils import UnionFind

    places = dict.fromkeys(stated)
    guids = {folded_title(show.title): show.guid for show in reversed(places) if show.guid}  # of each title the first
    sets: UnionFind[Any] = UnionFind(places)
    for show in places:
        title, url = folded_title(show.title), show.feed_url or MASK
        guid = (show.guid or guids.get(title, "")).casefold()  # so that shows of one title stay apart
        signs = [("title", title, guid)] + [("guid", guid)] * bool(show.guid)
        sets.union(show, *signs, *[("feed", bare_address(url))] * (MASK not in url))
    groups: defaultdict[Any, list[Show]] = defaultdict(list)
    for show in places:
        groups[sets[show]].append(show)
    found: dict[Show, Show] = {}
    taken: set[str] = set()
    for group in groups.values():
        one = reduce(fullest, group)
        if one.id in taken:  # the mark depends on the show alone
            one = replace(one, id=f"{one.id}-{stable_hash(one.guid or '', one.feed_url or '', one.title)}")
        taken.add(one.id)
        found |= dict.fromkeys(group, one)
    return found


@dataclass(slots=True)
class KnownEpisode:
    """An episode with the texts that describe it, as (where, text)."""

    episode: Episode
    texts: list[tuple[str, str]] = field(default_factory=list)

    def source_of(self, text: str) -> str | None:
        """Return where a text that begins so is: `known.source_of("In short.")`."""
        return next((where for where, own in self.texts if same_text(own, text)), None)


Identified = tuple[KnownEpisode, tuple[str, ...]]
"""The episode that an entry is, and by which evidence, in words."""


class KnownEpisodes:
    """The known episodes, in the order in which they became known."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self.urls: dict[str | None, KnownEpisode] = {}
        self._shows: defaultdict[str, list[KnownEpisode]] = defaultdict(list)  # "": of all shows
        self._titles: defaultdict[tuple[str, str], list[KnownEpisode]] = defaultdict(list)

    def add(self, episode: Episode) -> KnownEpisode:
        """Add an episode, with a number if its id is taken: `known.add(new)`."""
        known = KnownEpisode(replace(episode, id=free_id(episode.id, self._ids)))
        show = folded_title(episode.show)
        self._titles[show, bare_title(episode.title, episode.show)].append(known)
        for name in {"", show}:
            self._shows[name].append(known)
        self.urls.setdefault(episode.url, known)
        return known

    def of_show(self, show: str) -> Sequence[KnownEpisode]:
        """Return a show's episodes, for "" all of them: `known.of_show("Show")`."""
        return self._shows.get(folded_title(show), ())

    def show_of(self, show: str, titles: Iterable[str]) -> str:
        """Return a show's known name, by titles too: `known.show_of(show, titles)`."""
        if show and (own := self.of_show(show)):
            return own[0].episode.show
        wanted = {bare_title(title, show) for title in titles}
        for group in (group for name, group in self._shows.items() if name):
            common = wanted & {bare_title(k.episode.title, k.episode.show) for k in group}
            if len(common) >= max(3, len(wanted) / 2):
                return group[0].episode.show
        return show

    def show_titled(self, title: str) -> str:
        """Return the only show with an episode of a title, else "": `known.show_titled("vmap")`."""
        shows = (own[0].episode.show if name else "" for name, own in self._shows.items())
        found = {show for show in shows if (folded_title(show), bare_title(title, show)) in self._titles}
        return found.pop() if len(found) == 1 else ""

    def by_title(self, new: Episode, text: str) -> Identified | None:
        """Find one by address, title or likely typo: `known.by_title(new, "")`."""
        is_post = new.kind == "post"
        if new.url and (twin := self.urls.get(new.url)) and is_post == (twin.episode.kind == "post"):
            return twin, ("same address",)

        def near(alike: Iterable[KnownEpisode]) -> list[KnownEpisode]:
            return [k for k in alike if is_post == (k.episode.kind == "post") and _days_apart(k.episode, new) <= _DAYS]

        alike = near(self._titles.get((folded_title(new.show), bare_title(new.title, new.show)), ()))
        if same := [k for k in alike if may_be_one(k.episode.title, new.title, new.show)]:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return best, ("same title", *_agreeing(best, new, text))
        own, start = near(self.of_show(new.show)), folded_title(_ELLIPSIS.sub("", new.title))
        if len(start) >= 12 and _ELLIPSIS.search(new.title):
            cut = [k for k in own if folded_title(k.episode.title).startswith(start)]
            if len(cut) == 1:
                return cut[0], ("title cut short", *_agreeing(cut[0], new, text))
        for k in own:  # a typo is in one long word, not in a number
            pairs = zip_longest(words(k.episode.title), words(new.title), fillvalue="")
            (a, b), *others = [(a, b) for a, b in pairs if a != b] or [("", "")]
            long = min(len(a), len(b)) >= 5 and (a + b).isalpha() and not others
            if long and a[0] == b[0] and OSA.distance(a, b) == 1 and (signs := [*_agreeing(k, new, text)]):
                return k, (f"title {k.episode.title!r} but for a typo", *signs)
        return None

    def by_text(self, text: str, show: str) -> Identified | None:
        """Find the only one with a text, its show first: `known.by_text(text, "")`."""
        found = [(k, (f"same text as in {where}",)) for k in self.of_show("") if (where := k.source_of(text))]
        own = [one for one in found if folded_title(one[0].episode.show) == folded_title(show)] or found
        return own[0] if len(own) == 1 else None


def _agreeing(known: KnownEpisode, new: Episode, text: str) -> Iterator[str]:
    """Yield the other facts that agree, in words."""
    old = known.episode
    if where := known.source_of(text):
        yield f"same text as in {where}"
    if old.published and new.published:
        apart = _days_apart(old, new)
        yield f"dates {apart} days apart" if apart else "same date"
    if old.minutes is not None and new.minutes is not None and abs(old.minutes - new.minutes) <= 1:
        yield f"length {new.minutes} min"


class Clues(Value):
    """An episode's weighted terms, and those in its title and subjects."""

    terms: Mapping[str, float]
    title: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    minutes: int | None = None


def terms_of(text: str, weight: float = 1.0) -> dict[str, float]:
    """Weigh words, stems and code of a text: `terms_of("a tensor, torch.view")`."""
    telling = [word for word in telling_words(text) if len(word) > 1]
    found = {f"word {word}": weight for word in telling}
    found |= {f"stem {word[:6]}": weight * 0.6 for word in telling if len(word) > 6}
    return found | {f"code {name.casefold()}": weight for name in _IDENTIFIER.findall(text)}


def strongest(groups: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return each term's greatest weight: `strongest([{"a": 0.5}, {"a": 1.0}])`."""
    best: dict[str, float] = {}
    for group in groups:
        best |= {term: max(weight, best.get(term, 0.0)) for term, weight in group.items()}
    return best


def matches(found: Sequence[Clues], known: Sequence[Clues]) -> list[tuple[int, tuple[str, ...]] | None]:
    """Return (place, evidence) or None for each: `matches([clues], known)[0]`.

    The assignment of the highest total rank decides, each episode once. The margin
    is the share of its rank that the best assignment without it loses.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    result: list[tuple[int, tuple[str, ...]] | None] = [None] * len(found)
    if not found or not known:
        return result
    scores, proofs, evidence = _scores(found, known)
    ranks = np.hstack([scores, np.full((len(found),) * 2, _NO_EPISODE)])  # behind: no episode
    rows, columns = linear_sum_assignment(ranks, maximize=True)
    total = ranks[rows, columns].sum()
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        if k >= len(known) or proofs[i, k] < _ENOUGH:
            continue
        rank, ranks[i, k] = ranks[i, k], _FORBIDDEN
        margin = float((total - ranks[linear_sum_assignment(ranks, maximize=True)].sum()) / rank)
        ranks[i, k] = rank
        if margin >= _MARGIN:
            result[i] = k, (*evidence(i, k), f"margin {margin:.2f} over what else it could be")
    return result


def _scores(found: Sequence[Clues], known: Sequence[Clues]) -> tuple[Any, Any, Callable[[int, int], Iterator[str]]]:
    """Return rank and proof (rows: `found`, columns: `known`), and the reasons."""
    import numpy as np

    names = sorted({name for c in (*found, *known) for name in (*c.terms, *c.title, *c.subjects, *c.links)})
    place = {name: i for i, name in enumerate(names)}

    def table(rows: Iterable[Collection[str]]) -> Any:
        rows = list(rows)
        weights = np.zeros((len(rows), len(place)))
        for row, clues in zip(weights, rows, strict=True):
            row[[place[name] for name in clues]] = [*clues.values()] if isinstance(clues, Mapping) else 1.0
        return weights

    said, terms = table(c.terms for c in found), table(c.terms for c in known)
    here, there = (sum(table((*c.terms, *c.title, *c.subjects) for c in side)) for side in (found, known))
    number = len(known) + 1
    # Rare means on both sides; a show's subject is in over a quarter of episodes.
    rare = np.log(1 + number / (np.maximum(there, here - 1) + 0.5))
    rare[there > max(number / 4, 1)] = 0.0
    sizes, whole = (np.where(size := weights @ rare, size, 1.0) for weights in (terms, said))
    share = said * rare @ terms.T / whole[:, None]
    links, citing = table(c.links for c in found), table(c.links for c in known)
    linked = (links / np.maximum(citing.sum(axis=0), 1)) @ citing.T * 0.3
    ranks, proofs = share * (sizes.mean() / sizes) ** 0.4 + linked, share + linked
    for named, (ranked, proves) in (([c.title for c in known], _TITLE), ([c.subjects for c in known], _SUBJECTS)):
        wanted = table(named) * rare
        part = (said > 0) @ wanted.T / np.maximum(wanted.sum(axis=1), 1e-9)
        ranks, proofs = ranks + ranked * part, proofs + proves * part
    ranks[np.outer(links.any(axis=1), citing.any(axis=1)) & (linked == 0)] *= 0.7
    apart = np.abs(np.subtract.outer(*(np.array([c.minutes for c in side], dtype=float) for side in (found, known))))
    ranks[apart < 2] *= 1.15  # 2 may be rounded
    ranks[apart > 2] *= 0.5
    proofs[apart > 2] *= 0.5

    def evidence(i: int, k: int) -> Iterator[str]:
        """Yield signs in words: the five rarest terms, two links, the length."""
        weights = zip((-said[i] * rare * terms[k]).tolist(), names, strict=True)
        telling = [name for weight, name in sorted(weights) if weight and not name.startswith("stem ")]
        if shared := list(dict.fromkeys(name.split(" ", 1)[1] for name in telling))[:5]:
            yield f"rare terms: {', '.join(shared)}"
        yield from (f"link: {link}" for link in sorted(found[i].links & known[k].links)[:2])
        if apart[i, k] < 2 and known[k].minutes:
            yield f"length: {known[k].minutes} min"

    return ranks, proofs, evidence
