"""A map that is open: the places of one user, the store, and the graph in it, which is built where it is needed.

All that a user can do are functions over this state, one module for each subject; `torchatlas.atlas` lists them.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from typing import TYPE_CHECKING, Self

from torchatlas.build import Inputs, keep_notes, notes_of, read_inputs
from torchatlas.files import alone, note
from torchatlas.graph.cards import show_named
from torchatlas.graph.formatting import listed
from torchatlas.graph.model import Progress, Snapshot
from torchatlas.graph.questions import Resolver
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.profile import Profile, load_profile
from torchatlas.settings import Settings
from torchatlas.sources import load_sources

if TYPE_CHECKING:
    from torchatlas.extract.pipeline import Readers

Progressing = Callable[[], AbstractContextManager[Progress | None]]
"""Opens the display of a long task, such as a progress bar, for as long as its context lasts."""

_PATIENCE = 3600.0  # seconds that another program may take to build


class OpenMap(AbstractContextManager["OpenMap"]):
    """The store opens with the first call that needs it and closes with the map; then it may open again.

    The graph is that of the first question, until a build brings a new one. Every expected failure is an AtlasError.
    `ensure_fresh`, `rebuilt`, `inputs_changed` and `is_part` are for the functions over this state.
    """

    def __init__(self, settings: Settings, progressing: Progressing = nullcontext) -> None:
        self.settings = settings
        self.progressing = progressing
        self._store: Store | None = None
        self._graph: Snapshot | None = None
        self._fresh = False
        self._only: tuple[str, ...] = ()  # shows, all where there are none
        self._part: tuple[Snapshot, Snapshot] | None = None  # the whole graph, and that of these shows
        self._resolver: Resolver | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.settings.store}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    @property
    def store(self) -> Store:
        """The open store. Raises StoreError."""
        if self._store is None:
            self._store = open_store(self.settings.address(self.settings.store), note)
        return self._store

    def close(self) -> None:
        """Close the store if it is open; the next question opens it again.

        Example: atlas.close()
        """
        if self._store is not None:
            self._store.close()
            self._store = None

    def interrupt(self) -> None:
        """End a query under way, from another thread: it raises QueryError then. Without one, do nothing.

        What `of_shows` made before the store was open has a store of its own.

        Example: atlas.interrupt()
        """
        if self._store is not None:
            self._store.interrupt()

    def stamp(self) -> str:
        """Return a text that changes whenever the stored graph does, at little cost.

        Example: atlas.stamp() == atlas.stamp()
        """
        return self.store.stamp()

    @property
    def profile(self) -> Profile:
        """The concepts that the person knows and the episodes that they have heard, as the file says now."""
        return load_profile(self.settings)

    @property
    def subject(self) -> str:
        """Name what the map is of, in words. Raises DataError where sources.toml cannot be read."""
        return load_sources(self.settings).subject

    @property
    def title(self) -> str:
        """The title that the person gave the map, "" where there is none. Raises DataError."""
        return load_sources(self.settings).title

    @property
    def graph(self) -> Snapshot:
        """The graph as values, after `of_shows` without the other shows; built first where that is needed.

        Raises AtlasError.
        """
        whole = self.whole_graph
        if not self._only:
            return whole
        if self._part is None or self._part[0] is not whole:
            from torchatlas.graph.views import part_of_shows

            self._part = whole, part_of_shows(whole, self._only)
        return self._part[1]

    @property
    def whole_graph(self) -> Snapshot:
        """The graph of all shows; built first where it is missing or out of date. Raises AtlasError."""
        self.ensure_fresh()
        if self._graph is None:
            self._graph = self.store.snapshot()
        return self._graph

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

    @property
    def is_part(self) -> bool:
        """Whether it is a map of some shows alone, after `of_shows`."""
        return bool(self._only)

    @property
    def resolver(self) -> Resolver:
        """The resolver of the graph as it is now; it keeps its index for the next text."""
        graph = self.graph
        if self._resolver is None or self._resolver.snapshot is not graph:
            self._resolver = Resolver(graph)
        return self._resolver

    def ensure_fresh(self) -> None:
        """Build the graph where none is stored or it was made of other inputs, once for an open map.

        Example: atlas.ensure_fresh()
        """
        if not self._fresh:
            self._graph = self.refresh()

    def refresh(self) -> Snapshot | None:
        """Build the graph where none is stored or it was made of other inputs; return it if it was built.

        One program builds at a time; the others wait and take its graph. A note says so where another version of the
        program made the stored one.

        Example: atlas.refresh() is None
        """
        if self._is_fresh(read_inputs(self.settings)):
            return None
        with self._alone():
            inputs = read_inputs(self.settings)  # another program may have changed them meanwhile
            if self._is_fresh(inputs):
                return None
            stored = self.store.fingerprint()
            if stored and inputs.is_of_another_version(stored):
                note("the graph is of another version of torchatlas; it is built anew")
            return self._build(inputs)

    def rebuilt(self, readers: "Readers | None") -> Snapshot:
        """Build, unless the graph of these very inputs is stored: what was told of it is told again then.

        Example: atlas.rebuilt(None).size
        """
        with self._alone():
            inputs = read_inputs(self.settings)
            told = notes_of(inputs)
            if told is None or not self.store.holds(inputs.fingerprint):
                return self._build(inputs, readers)
            for line in told:
                note(line)
            self._graph, self._fresh = self.store.snapshot(), True
            return self._graph

    def inputs_changed(self) -> None:
        """Let the next question look whether the stored graph is still that of the inputs.

        Example: atlas.inputs_changed()
        """
        self._fresh = False

    def _is_fresh(self, inputs: Inputs) -> bool:
        self._fresh = self.store.fingerprint() == inputs.fingerprint
        return self._fresh

    def _alone(self) -> AbstractContextManager[None]:
        """Return the lock that a program holds from reading the inputs until their graph is stored."""
        return alone(self.settings.home / "build.lock", "another torchatlas is building the map", _PATIENCE)

    def _build(self, inputs: Inputs, readers: "Readers | None" = None) -> Snapshot:
        from torchatlas.build import build

        with self.progressing() as progress:
            built = build(inputs, self.store, progress, readers=readers)
        for line in built.notes:
            note(line)
        keep_notes(inputs, built.notes)
        self._graph, self._fresh = built.graph, True
        return built.graph
