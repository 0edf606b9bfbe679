"""The names by which corrections call concepts and episodes."""

from collections.abc import Iterable

from torchatlas.graph.build.corrections.corrected import Corrected, Key, Outdated
from torchatlas.graph.build.corrections.kinds import DroppedEdge, NewEdge
from torchatlas.graph.values.model import Concept, Episode
from torchatlas.graph.values.names import did_you_mean, fold, spelling

_FROM_EPISODES = ("TEACHES", "ASSUMES", "MENTIONS", "LISTEN_AFTER", "REFERS_TO")
_TO_EPISODES = ("LISTEN_AFTER", "REFERS_TO")


class Names:
    """Names without corrections -> ids: id, name and aliases of a concept; id, title and number of an episode.

    >>> vmap = Concept("vmap", "vmap", area="Functional", aliases=("torch.vmap",))
    >>> names = Names([vmap], [Episode("show/two", "On vmap", show="Show", number=2)])
    >>> names.concept("Torch.vmap"), names.episode("2")
    ('vmap', 'show/two')
    """

    def __init__(self, concepts: Iterable[Concept], episodes: Iterable[Episode]) -> None:
        self._concepts: dict[str, str] = {}
        for concept in concepts:
            self.add(concept)
        self._episodes = {word: e.id for e in episodes for word in (str(e.number or ""), fold(e.title), e.id) if word}

    def add(self, concept: Concept) -> None:
        """Add the names of a concept of the user's own, for example `names.add(concept)`."""
        self._concepts |= {spelling(name): concept.id for name in (concept.id, concept.name, *concept.aliases)}

    def concept(self, name: str) -> str:
        """Return the id of a concept, for example `names.concept("vmap")`. Raises Outdated for an unknown name."""
        if found := self._concepts.get(spelling(name)):
            return found
        raise Outdated(f"no concept is called {name!r}{did_you_mean(spelling(name), self._concepts)}")

    def episode(self, name: str) -> str:
        """Return the id of an episode, for example `names.episode("2")`. Raises Outdated for an unknown name."""
        if found := self._episodes.get(name) or self._episodes.get(fold(name)):
            return found
        raise Outdated(f"no episode is called {name!r}{did_you_mean(fold(name), self._episodes)}")

    def current(self, corrected: Corrected, name: str) -> Concept:
        """Return the concept of this name, or the one that it has been merged into.

        Raises Outdated for an unknown name. Example: `names.current(corrected, "torch.vmap").area`.
        """
        id_ = self.concept(name)
        while id_ in corrected.merged:
            id_ = corrected.merged[id_]
        return next(c for c in corrected.vocabulary.concepts if c.id == id_)

    def two(self, corrected: Corrected, one: str, other: str) -> tuple[Concept, Concept]:
        """Return two concepts, for example `names.two(corrected, "vmap", "autograd")`.

        Raises Outdated where one is unknown, or both are the same.
        """
        first, second = self.current(corrected, one), self.current(corrected, other)
        if first == second:
            raise Outdated(f"{one!r} and {other!r} are one concept already")
        return first, second

    def key(self, corrected: Corrected, edge: NewEdge | DroppedEdge) -> Key:
        """Return the key of the edge that a correction means. Raises Outdated where an end is unknown.

        Example: `names.key(corrected, drop)` is `("USES", "vmap", "dispatcher")`.
        """
        source = self.episode(edge.source) if edge.kind in _FROM_EPISODES else self.current(corrected, edge.source).id
        target = self.episode(edge.target) if edge.kind in _TO_EPISODES else self.current(corrected, edge.target).id
        return edge.kind, source, target
