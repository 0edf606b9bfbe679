"""Episodes that were heard in a podcast app, found on the map by guid, audio or page."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.fetch import media_type, without_secrets
from torchatlas.extract.players.played import Played
from torchatlas.graph.answers.feeds import feeds_of
from torchatlas.graph.values.addresses import bare_address
from torchatlas.graph.values.characters import one_line
from torchatlas.graph.values.markdown import Shown
from torchatlas.graph.values.model import Episode, Snapshot
from torchatlas.graph.values.names import folded_title

_TELLING = 16
"""Characters from which a guid belongs to one feed alone; "12" is a guid in many."""

_NAMED = 3  # so many of those that were not found are named


@dataclass(frozen=True, slots=True)
class HeardElsewhere(Shown):
    """The ids of the heard episodes on the map, in the order of the file, and the names of those that are not there.

    `changed`: the ids that were new to the profile, or were taken out of it.
    """

    found: tuple[str, ...]
    missing: tuple[str, ...] = ()
    _: KW_ONLY
    changed: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """A line that names what was not found; "" where all was.

        >>> HeardElsewhere((), ("Strides", "Views")).told
        'not on the map: Strides, Views'
        """
        rest = len(self.missing) - _NAMED
        more = f" and {rest} more" if rest > 0 else ""
        return f"not on the map: {', '.join(self.missing[:_NAMED])}{more}" if self.missing else ""


def heard_elsewhere(graph: Snapshot, played: Iterable[Played]) -> HeardElsewhere:
    """Return which episodes of the graph were played, and the names of those that the graph does not have.

    An address counts without its scheme and fragment, and that of a media file without its query too. A short guid
    counts for an episode of the same feed or title only.

    >>> graph = Snapshot(episodes=(Episode("show/one", "One", show="Show", audio_url="https://example.org/1.mp3"),))
    >>> heard_elsewhere(graph, [Played(audio="http://example.org/1.mp3?from=app")]).found
    ('show/one',)
    """
    known = _Known(graph)
    places = [(one, known.place(one)) for one in played]
    found = dict.fromkeys(place for _, place in places if place)
    missing = dict.fromkeys(_name(one) for one, place in places if not place)
    return HeardElsewhere(tuple(found), tuple(missing))


def _name(played: Played) -> str:
    """Return the words for an episode that the graph does not have; where they are an address, without its secrets."""
    name = played.name if played.title else without_secrets(played.name)
    return one_line(name) or "an episode without a name"


class _Known:
    """The episodes of a graph by what apps know of them. What several episodes share tells none of them."""

    def __init__(self, graph: Snapshot) -> None:
        self._by_address: defaultdict[str, set[str]] = defaultdict(set)
        self._by_guid: defaultdict[str, list[Episode]] = defaultdict(list)
        self._graph = graph
        for episode in graph.episodes:
            for address in filter(None, (episode.audio_url, episode.url)):
                for key in _keys(address):
                    self._by_address[key].add(episode.id)
            if episode.guid:
                self._by_guid[episode.guid].append(episode)

    def place(self, played: Played) -> str | None:
        """Return the id of the episode that was played."""
        keys = [key for address in (played.audio, played.page) if address for key in _keys(address)]
        guided = {e.id for e in self._by_guid.get(played.guid, ()) if self._tells(e, played)}
        for ids in (*(self._by_address.get(key, set()) for key in keys), guided):
            if len(ids) == 1:
                return next(iter(ids))
        return None

    def _tells(self, episode: Episode, played: Played) -> bool:
        """Tell whether the same guid means the same episode."""
        same_feed = _key(played.feed) in map(_key, feeds_of(self._graph, episode.id))
        same_title = bool(played.title) and folded_title(played.title) == folded_title(episode.title)
        return len(played.guid) >= _TELLING or same_feed or same_title


def _keys(address: str) -> list[str]:
    """Return the keys of an address, the closest first; without its query only where that cannot name the episode.

    >>> _keys("https://example.org/1.mp3?x=1"), _keys("https://example.org/watch?v=1")
    (['example.org/1.mp3?x=1', 'example.org/1.mp3'], ['example.org/watch?v=1'])
    """
    return list(dict.fromkeys([_key(address), _key(address, query=not media_type(address))]))


def _key(address: str, *, query: bool = True) -> str:
    """Return what makes an address the same in two apps.

    >>> _key("http://www.Example.org/1.mp3?x=1#t=9"), _key("https://example.org/1.mp3/", query=False)
    ('example.org/1.mp3?x=1', 'example.org/1.mp3')
    """
    bare = bare_address(address)
    return bare if query else bare.partition("?")[0]
