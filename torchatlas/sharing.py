"""The page of its own that is sent to other people."""

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path

from torchatlas.listening import Listening
from torchatlas.presentation.shared_map import SharedMap, shared_map
from torchatlas.understanding import Name


class Sharing(Listening):
    """A graph that can be put into one file, for people who have nothing but a browser."""

    @property
    @abstractmethod
    def subject(self) -> str:
        """Name what the map is of, in words."""

    def shared(self, *goals: Name) -> SharedMap:
        """Return what a page to send around says: the map, and with goals the plan for them.

        The plan leaves out what the person knows and has heard. Raises UnknownName.

        Example: atlas.shared("AOTAutograd").plan.steps[0].title
        """
        return shared_map(self.graph, self.subject, self.plan(*goals) if goals else None)

    def share(self, target: Path | str, draw: Callable[[SharedMap], str], *goals: Name) -> Path:
        """Write the page that `draw` makes of it, and return the file. Raises DataError where it cannot be written.

        Example: atlas.share("map.html", lambda shared: f"<h1>{shared.title}</h1>", "AOTAutograd").name
        """
        from torchatlas.user_files.files import write_file

        return write_file(Path(target), draw(self.shared(*goals)).encode())
