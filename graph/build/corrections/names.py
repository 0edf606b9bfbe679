"""The names by which corrections call concepts and episodes."""

from collections import defaultdict
from collections.abc import Iterable

from torchatlas.graph.build.corrections.corrected import Corrected, Outdated
from torchatlas.graph.values.model import Concept, Episode
from torchatlas.graph.values.names import did_you_mean, fold, spelling
from torchatlas.graph.values.numbering import asked_number

_TOLD = 3  # episodes of one name


class EpisodeNames:
    """Id, title and number of an episode -> its id.

    >>> names = EpisodeNames([Episode("show/two", "On vmap", show="Show", number=2)])
    >>> names.episode("2"), names.episode("on vmap")
    ('show/two', 'show/two')
    """

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self._ids: set[str] = set()
        self._named: defaultdict[str, list[str]] = defaultdict(list)
        self._numbered: defaultdict[int, list[Episode]] = defaultdict(list)
        for e in episodes:
            self._ids.add(e.id)
            self._named[fold(e.title)].append(e.id)
            if e.number is not None:
                self._numbered[e.number].append(e)

    def episode(self, name: str) -> str:
        """Return the id of an episode, for example `names.episode("2")`.

        Raises Outdated for an unknown name, and for one of several episodes.
        """
        if name in self._ids:
            return name
        asked = asked_number(name)
        alike = self._numbered.get(asked.number, ()) if asked else ()
        meant = [e.id for e in alike if asked and asked.means(e.number, e.season)]
        found = list(dict.fromkeys(self._named.get(fold(name), []) + meant))  # the title may be "Episode 12"
        if not found:
            raise Outdated(f"no episode is called {name!r}{did_you_mean(fold(name), (*self._named, *self._ids))}")
        if len(found) > 1:
            raise Outdated(f"{name!r} may be {' or '.join(found[:_TOLD])}; name one by its id")
        return found[0]


class ConceptNames:
    """Names without corrections -> ids: id, name and aliases of a concept.

    >>> names = ConceptNames([Concept("vmap", "vmap", area="Functional", aliases=("torch.vmap",))])
    >>> names.concept("Torch.vmap")
    'vmap'
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._concepts: dict[str, str] = {}
        for concept in concepts:
            self.add(concept)

    def add(self, concept: Concept) -> None:
        """Add the names of a concept of the user's own, for example `names.add(concept)`."""
        self._concepts |= {spelling(name): concept.id for name in (concept.id, concept.name, *concept.aliases)}

    def concept(self, name: str) -> str:
        """Return the id of a concept, for example `names.concept("vmap")`. Raises Outdated for an unknown name."""
        if found := self._concepts.get(spelling(name)):
            return found
        raise Outdated(f"no concept is called {name!r}{did_you_mean(spelling(name), self._concepts)}")

    def current(self, corrected: Corrected, name: str) -> Concept:
        """Return the concept of this name, or the one that it has been merged into.

        Raises Outdated for an unknown name. Example: `names.current(corrected, "torch.vmap").area`.
        """
        id_ = corrected.current(self.concept(name))
        return next(c for c in corrected.vocabulary.concepts if c.id == id_)

    def two(self, corrected: Corrected, one: str, other: str) -> tuple[Concept, Concept]:
        """Return two concepts, for example `names.two(corrected, "vmap", "autograd")`.

        Raises Outdated where one is unknown, or both are the same.
        """
        first, second = self.current(corrected, one), self.current(corrected, other)
        if first == second:
            raise Outdated(f"{one!r} and {other!r} are one concept already")
        return first, second
