"""Episodes as they become known, and which of them an entry of a page is, by its title or by its text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from torchatlas.graph.build.linkage.identity import free_id
from torchatlas.graph.build.linkage.similarity import bare_title, is_cut, same_text, slip_of_the_pen
from torchatlas.graph.values.model import Episode
from torchatlas.graph.values.names import folded_title

_DAYS = 3  # by which places differ that name one day: time zones, and when a directory took note
_SAME_SHOW = 3  # titles that two names of one show must have in common at least


@dataclass(slots=True)
class Known:
    """An episode with the texts in which it is described: (where, text)."""

    episode: Episode
    texts: list[tuple[str, str]] = field(default_factory=list)

    def source_of(self, text: str) -> str | None:
        """Where this text, or the whole of which it is the beginning, was found."""
        return next((where for where, own in self.texts if same_text(own, text)), None)


Found = tuple[Known, tuple[str, ...]]
"""An episode, and by which evidence it is meant."""


class KnownEpisodes:
    """The known episodes, in the order in which they became known."""

    def __init__(self) -> None:
        self.known: list[Known] = []
        self._ids: dict[str, Episode] = {}
        self._urls: dict[str, Known] = {}
        self._titles: defaultdict[tuple[str, str], list[Known]] = defaultdict(list)
        self._shows: defaultdict[str, list[Known]] = defaultdict(list)

    def add(self, episode: Episode) -> Known:
        known = Known(replace(episode, id=free_id(episode.id, self._ids)))
        self._ids[known.episode.id] = episode
        self.known.append(known)
        self._titles[folded_title(episode.show), bare_title(episode.title, episode.show)].append(known)
        self._shows[folded_title(episode.show)].append(known)
        self.note_url(known, episode.url)
        return known

    def note_url(self, known: Known, url: str | None) -> None:
        """Remember an address of an episode."""
        if url:
            self._urls.setdefault(url, known)

    def show_of(self, show: str, titles: Iterable[str]) -> str:
        """The name by which a page's show is known: the same, or the one with half of the page's titles; or its own."""
        if folded_title(show) in self._shows:
            return self._shows[folded_title(show)][0].episode.show
        wanted = {bare_title(title, show) for title in titles}
        for group in list(self._shows.values()):
            common = wanted & {bare_title(k.episode.title, k.episode.show) for k in group}
            if len(common) >= max(_SAME_SHOW, len(wanted) / 2):
                return group[0].episode.show
        return show

    def titled(self, new: Episode, text: str) -> Found | None:
        """The episode that bears this title, or nearly: then a date, a length or the text must agree as well."""
        if new.url and (twin := self._urls.get(new.url)) and twin.episode.kind == new.kind:
            return twin, ("same address",)
        same = [
            k for k in self._titles.get((folded_title(new.show), bare_title(new.title, new.show)), ()) if _fits(k, new)
        ]
        if same:
            best = min(same, key=lambda k: (k.episode.published != new.published, k.source_of(text) is None))
            return best, ("same title", *_agreeing(best, new, text))
        own = [k for k in self._shows.get(folded_title(new.show), ()) if _fits(k, new)]
        begun = [k for k in own if is_cut(new.title, k.episode.title)]
        if len(begun) == 1:
            return begun[0], ("title cut short", *_agreeing(begun[0], new, text))
        for k in own:
            if slip_of_the_pen(k.episode.title, new.title) and (signs := _agreeing(k, new, text)):
                return k, (f"title {k.episode.title!r} but for a typo", *signs)
        return None

    def described(self, text: str, show: str) -> Found | None:
        """The one episode that has this text; of its own show where the same text stands in several."""
        found = [(k, where) for k in self.known if (where := k.source_of(text))]
        own = [(k, where) for k, where in found if folded_title(k.episode.show) == folded_title(show)] or found
        return (own[0][0], (f"same text as in {own[0][1]}",)) if len(own) == 1 else None

    def of_show(self, show: str) -> Iterator[Known]:
        """The episodes of a show; all where the page does not name it."""
        yield from self._shows.get(folded_title(show), ()) if show else self.known


def _fits(known: Known, new: Episode) -> bool:
    """Whether kind and date do not speak against it."""
    return known.episode.kind == new.kind and _days_apart(known.episode, new) <= _DAYS


def _days_apart(a: Episode, b: Episode) -> int:
    if not a.published or not b.published:
        return 0
    return abs((date.fromisoformat(a.published) - date.fromisoformat(b.published)).days)


def _agreeing(known: Known, new: Episode, text: str) -> list[str]:
    """What else agrees, in words."""
    old = known.episode
    where = known.source_of(text)
    signs = [f"same text as in {where}"] if where else []
    if old.published and new.published:
        apart = _days_apart(old, new)
        signs.append(f"dates {apart} days apart" if apart else "same date")
    if old.minutes is not None and new.minutes is not None and abs(old.minutes - new.minutes) <= 1:
        signs.append(f"length {new.minutes} min")
    return signs
