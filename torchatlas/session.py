"""An open store, the places of one user, and how progress is shown."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Self

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.values.progress import Progress
from torchatlas.notes import note
from torchatlas.settings import Settings

Progressing = Callable[[], AbstractContextManager[Progress | None]]
"""Opens the display of a long task, such as a progress bar, for as long as its context lasts."""


class Session(AbstractContextManager["Session"]):
    """The store opens with the first call that needs it and closes with the session; then it may open again."""

    def __init__(self, settings: Settings, progressing: Progressing = nullcontext) -> None:
        self.settings = settings
        self.progressing = progressing
        self._store: Store | None = None

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

    def interrupt(self) -> None:
        """End a query under way, from another thread: it raises QueryError then. Without one, do nothing.

        Example: atlas.interrupt()
        """
        if self._store is not None:
            self._store.interrupt()

    def close(self) -> None:
        """Close the store if it is open; the next question opens it again.

        Example: atlas.close()
        """
        if self._store is not None:
            self._store.close()
            self._store = None
