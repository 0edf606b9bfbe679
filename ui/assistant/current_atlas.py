"""The atlas of a program that runs for days, while others build."""

from torchatlas.atlas import Atlas
from torchatlas.open_map import Progressing
from torchatlas.settings import Settings


class CurrentAtlas:
    """The atlas with the graph that is stored now. One question at a time may use it.

    Example: CurrentAtlas(settings, progress).now().plan("AOTAutograd")
    """

    def __init__(self, settings: Settings, progressing: Progressing) -> None:
        self._atlas = Atlas(settings, progressing)
        self._stamp: str | None = None

    def now(self) -> Atlas:
        """Return the atlas with its graph loaded, built where there is none. Raises AtlasError.

        Example: current.now().graph.size
        """
        if self._atlas.stamp() != self._stamp:
            self.close()
            self._atlas = Atlas(self._atlas.settings, self._atlas.progressing)
            self._atlas.refresh()  # a build changes the stamp
            stamp = self._atlas.stamp()
            self._atlas.graph  # noqa: B018 (loads it)
            self._stamp = stamp
        return self._atlas

    def interrupt(self) -> None:
        """End a query under way, for which nobody waits any more, for example `current.interrupt()`."""
        self._atlas.interrupt()

    def close(self) -> None:
        """End connections and helper processes, for example `current.close()`."""
        self._atlas.close()
