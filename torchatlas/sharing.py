"""The page of its own that is sent to other people."""

from collections.abc import Callable
from pathlib import Path

from torchatlas.graph.cards import SharedMap, shared_map
from torchatlas.map_reader import plan
from torchatlas.open_map import OpenMap
from torchatlas.understanding import Name


def shared(atlas: OpenMap, *goals: Name) -> SharedMap:
    """Return what a page to send around says: the map, and with goals the plan for them.

    The plan leaves out what the person knows and has heard. Raises UnknownName.

    Example: atlas.shared("AOTAutograd").plan.steps[0].title
    """
    return shared_map(atlas.graph, atlas.subject, plan(atlas, *goals) if goals else None)


def share(atlas: OpenMap, target: Path | str, draw: Callable[[SharedMap], str], *goals: Name) -> Path:
    """Write the page that `draw` makes of it, and return the file. Raises DataError where it cannot be written.

    Example: atlas.share("map.html", lambda shared: f"<h1>{shared.title}</h1>", "AOTAutograd").name
    """
    from torchatlas.files import write_file

    return write_file(Path(target), draw(shared(atlas, *goals)).encode())
