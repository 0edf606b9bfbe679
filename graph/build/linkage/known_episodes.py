"""The known episodes, and the one that an entry of a page is, by its title or by its text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from torchatlas.graph.build.linkage.identity import DAYS, days_apart, free_id
from torchatlas.graph.build.linkage.similarity import bare_title, differ_by_typo, is_cut, may_be_one, same_text
from torchatlas.graph.values.model import Episode
from torchatlas.graph.values.names import folded_title

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
        same = [k for k in alike if _fits(k, new) and may_be_one(k.episode.title, new.title, new.show)]
        if same:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return Identified(best, ("same title", *_agreeing(best, new, text)))
        own = [k for k in self._shows.get(folded_title(new.show), ()) if _fits(k, new)]
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


def _fits(known: KnownEpisode, new: Episode) -> bool:
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
