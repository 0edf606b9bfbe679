"""The shows of a map, and a map of some of them alone."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Self

from torchatlas.collection import Collection
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.formatting import listed
from torchatlas.graph.values.model import Snapshot
from torchatlas.map_reader import MapReader
from torchatlas.presentation.rows import Rows
from torchatlas.presentation.show_list import ShowRow, show_named, show_rows
from torchatlas.understanding import Name
from torchatlas.user_files.profile import Profile

if TYPE_CHECKING:
    from torchatlas.graph.cypher.questions import Question


class MapOfShows(Collection, MapReader):
    """A graph whose questions can be asked of some shows alone."""

    _only: tuple[str, ...] = ()
    _part: tuple[Snapshot, Snapshot] | None = None  # the whole graph, and the part that the shows `_only` make

    @property
    def graph(self) -> Snapshot:
        """The graph as values, after `of_shows` without the other shows; built first where that is needed.

        Raises AtlasError.
        """
        whole = self.whole_graph
        if not self._only:
            return whole
        if self._part is None or self._part[0] is not whole:
            from torchatlas.graph.answers.part import part_of_shows

            self._part = whole, part_of_shows(whole, self._only)
        return self._part[1]

    @property
    def whole_graph(self) -> Snapshot:
        """The graph of all shows; built first where it is missing or out of date. Raises AtlasError."""
        self._ensure_fresh()
        if self._graph is None:
            self._graph = self.store.snapshot()
        return self._graph

    def shows(self) -> Rows[ShowRow]:
        """List the shows on the map with their facts, by title.

        Example: [show.title for show in atlas.shows()]
        """
        return Rows(show_rows(self.whole_graph))

    def of_shows(self, *shows: str) -> Self:
        """Return the same atlas with the episodes of these shows alone (title, a part of it, or id); all without names.

        Its plans, lists and searches know no other episodes. Of the others, those that the person has heard count by
        their subjects, which are known. Raises UnknownName.

        Example: atlas.of_shows("PyTorch Developer Podcast").plan("AOTAutograd").steps[0].title
        """
        only = tuple(dict.fromkeys(show_named(self.whole_graph, name) for name in shows))
        chosen = copy(self)
        chosen._only = only
        chosen._part = chosen._resolver = None
        return chosen

    @property
    def of_chosen(self) -> str:
        """The words " of SHOW, SHOW and SHOW" after `of_shows`, "" for all shows.

        Example: atlas.of_shows("hum").of_chosen is " of The Hum"
        """
        return f" of {listed([show.title for show in self.graph.shows])}" if self._only else ""

    def _fitting(self, *questions: "Question") -> "Sequence[Question]":
        """Return saved questions with examples from this map."""
        from torchatlas.queries.own_examples import fitting

        return fitting(questions, self.settings, lambda: self.graph)

    def _listener(self, known: Iterable[str] = (), heard: Iterable[Name] = ()) -> Profile:
        """Return what counts of a profile here: of episodes of other shows, the subjects."""
        if not self._only:
            return super()._listener(known, heard)
        from torchatlas.graph.planning.knowledge import main_subjects

        whole = self.of_shows()
        profile = whole.profile.within(whole.graph).having("heard", (self._heard(whole, name) for name in heard))
        elsewhere = (e for e in profile.heard if e not in self.graph.episode)
        subjects = (concept for episode in elsewhere for concept in main_subjects(whole.graph, episode))
        return profile.within(self.graph).having("known", (*map(self._concept, known), *subjects))

    def _heard(self, whole: Self, name: Name) -> str:
        """Return the id of an episode of any show; a name that several shows have means the one of these shows."""
        try:
            return whole._episode(name)
        except UnknownName:  # of several shows, perhaps
            with suppress(UnknownName):
                return self._episode(name)
            raise

    def _ensure_fresh(self) -> None:
        if not self._fresh:
            self._graph = self.refresh()
