"""How words that a person types become concepts and episodes of a graph; the same for every front end."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from torchatlas.graph.answers.resolution import Resolver, Wanted
from torchatlas.graph.values.errors import UnknownName, check_least
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.readings import Reading, Understood
from torchatlas.notes import note
from torchatlas.presentation.rows import Rows

Name = str | int
"""A name, an alias, an id, or the number of an episode."""


def as_text(name: Name) -> str:
    """Return a name, or the number of an episode, as text. Raises AtlasError for a number that no episode has.

    >>> as_text(61)
    '61'
    """
    if isinstance(name, int):
        check_least("the number of an episode", name, 0)
    return str(name)


class Understanding(ABC):
    """A graph that understands names, numbers, places in the source, areas and questions."""

    _resolver: Resolver | None = None

    @property
    @abstractmethod
    def graph(self) -> Snapshot:
        """The whole graph as values."""

    def understand(self, text: str, wanted: Wanted = "goal") -> Rows[Reading]:
        """List what words may mean, best first; what is `wanted` is a goal, a subject, a concept or an episode.

        The first one is taken for an answer where it is `sure`.

        Example: atlas.understand("why is my dataloader leaking")[0].name
        """
        return Rows(self.resolver.readings(text, wanted))

    def meaning(self, text: str, wanted: Wanted = "goal") -> Understood:
        """Return what words are taken to mean, and the sentence that says so; a goal may also be a journey's name.

        Raises UnknownName, with suggestions, where they mean nothing or several things.

        Example: atlas.meaning("how does backward work").sentence
        """
        from torchatlas.journeys import journey_named, journeys_about

        resolver = self.resolver
        if wanted != "goal" or resolver.named(text, wanted):
            return resolver.resolve(text, wanted)
        if journey := journey_named(self.graph, text):
            said = f"These are the goals of {journey.described}."
            return Understood(text, journey.goals, how="journey", sentence=said)
        try:
            return resolver.resolve(text, wanted)
        except UnknownName as unknown:
            for about in journeys_about(self.graph, text)[:1]:
                more = f"; or take {about.described}: torchatlas plan --journey {about.name}"
                raise unknown.with_more(more) from unknown
            raise

    def names_with_commas(self) -> list[str]:
        """Return the names of concepts and the titles of episodes that hold commas: in a list they are no list.

        Example: "vmap, autograd" in atlas.names_with_commas() is False
        """
        concepts = (name for concept in self.graph.concepts for name in (concept.name, *concept.aliases))
        return [name for name in (*concepts, *(e.title for e in self.graph.episodes)) if "," in name]

    @property
    def resolver(self) -> Resolver:
        """The resolver of the graph as it is now; it keeps its index for the next text."""
        graph = self.graph
        if self._resolver is None or self._resolver.snapshot is not graph:
            self._resolver = Resolver(graph)
        return self._resolver

    def _goals(self, names: Iterable[Name]) -> list[Understood]:
        """Return what names of goals are taken to mean, each name once."""
        return [self.meaning(name) for name in dict.fromkeys(map(as_text, names))]

    def _concept(self, name: str, *, words_too: bool = False) -> str:
        """Return the id of a concept; an id comes before another concept's name."""
        return self._one(name, "concept", words_too=words_too)

    def _episode(self, name: Name, *, words_too: bool = False) -> str:
        return self._one(as_text(name), "episode", words_too=words_too)

    def _subject(self, name: Name) -> str:
        """Return the id of a concept or an episode."""
        return self._one(as_text(name), "subject", words_too=True)

    def _one(self, text: str, wanted: Wanted, *, words_too: bool) -> str:
        """Return the id that a text means; a note says how it was understood where it is no exact name."""
        meant = self.resolver.resolve(text, wanted, words_too=words_too)
        if meant.sentence:
            note(meant.sentence)
        return meant.ids[0]
