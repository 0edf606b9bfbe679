"""The map that the pages show first, kept in a file from one start to the next.

To read the file takes less time than to draw, and than to load pyvis. The map of a very large graph is shown while the
graph is still being read.
"""

import hashlib
import json
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from torchatlas.atlas import Atlas
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.whole_files import write_whole
from torchatlas.inputs.inputs import code_fingerprint
from torchatlas.ui.pictures.clustered import clustered_map
from torchatlas.ui.pictures.draw import Payload, payload


def first_map(graph: Snapshot) -> Payload:
    """Return the map that the pages begin with: clusters of the concepts in episodes, and of the episodes.

    Example: first_map(atlas.graph)["name"]
    """
    return payload(clustered_map(graph, shown="met"))


def stamp_of(atlas: Atlas) -> str:
    """Return the stamp of an atlas's graph, which tells graphs of several stores apart.

    Example: stamp_of(atlas)
    """
    return f"{atlas.settings.store}:{atlas.stamp()}"


def keep_first_map(path: Path, stamp: str, drawn: Payload) -> None:
    """Keep a map in a file. `stamp`: that of its graph. A file that cannot be written is no error.

    Example: keep_first_map(settings.first_map, stamp_of(atlas), first_map(atlas.graph))
    """
    content = json.dumps(drawn, separators=(",", ":")).encode()
    with suppress(OSError):
        write_whole(path, _seal(stamp, content) + b"\n" + content)


def kept_first_map(path: Path, stamp: str) -> Payload | None:
    """Return the map that was kept for the graph with this stamp; None where there is none, or it came to harm.

    Example: kept_first_map(settings.first_map, stamp_of(atlas))
    """
    with suppress(OSError):
        seal, _, content = path.read_bytes().partition(b"\n")
        if seal == _seal(stamp, content):
            found: Payload = json.loads(content)
            return found
    return None


def _seal(stamp: str, content: bytes) -> bytes:
    """Return the line above a map: it tells another graph, another program, and bytes that came to harm."""
    return hashlib.sha256(b"\0".join((stamp.encode(), _program(), content))).hexdigest().encode()


@cache
def _program() -> bytes:
    """Return a hash of the modules that make and draw a graph, and of what they draw with."""
    digest = hashlib.sha256(f"{version('pyvis')} {code_fingerprint()}".encode())
    for module in sorted(files("torchatlas.ui.pictures").iterdir(), key=lambda file: file.name):
        if module.name.endswith(".py"):
            digest.update(module.read_bytes())
    return digest.digest()
