"""A copy of a graph as plain text beside its file: to read the copy takes a fraction of the engine's time.

Every line is a checksum and a JSON value: first what the graph is, then each table by its columns. A copy counts only
beside the very file that it was written with; without one that counts, the engine reads the file itself.
"""

import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from torchatlas.graph.stores.ladybug.checksum import checksum
from torchatlas.graph.stores.ladybug.force import force
from torchatlas.graph.values import schema
from torchatlas.graph.values.model import Snapshot


def place(graph: Path) -> Path:
    """Return where the copy of the graph in a file is.

    >>> place(Path("atlas.lbug")).name
    'atlas.lbug.copy'
    """
    return graph.with_name(f"{graph.name}.copy")


def write(copy: Path, graph: Path, snapshot: Snapshot, fingerprint: str) -> None:
    """Write the copy of a graph, which is in the file `graph`. Raises OSError.

    Example: write(Path("new/copy"), Path("new/graph"), snapshot, "made of these inputs")
    """
    tables = schema.columns(snapshot)
    head = {"of": checksum(graph), "schema": schema.VERSION, "fingerprint": fingerprint, "tables": len(tables)}
    with copy.open("wb") as file:
        for part in chain([head], tables.items()):
            value = json.dumps(part, separators=(",", ":")).encode()
            file.write(b"%08x %b\n" % (zlib.crc32(value), value))
    force(copy)


def fingerprint(graph: Path) -> str | None:
    """Return the fingerprint of the graph in a file, None where no copy of it counts.

    >>> fingerprint(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError):
        return str(next(_parts(graph))["fingerprint"])
    return None


def snapshot(graph: Path) -> Snapshot | None:
    """Return the graph in a file, None where no copy of it counts.

    >>> snapshot(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError):
        head, *tables = _parts(graph)
        return schema.from_columns(dict(tables)) if len(tables) == head["tables"] else None
    return None


def _parts(graph: Path) -> Iterator[Any]:
    """Yield the values of a copy. Raises OSError, and ValueError where the copy does not count."""
    with place(graph).open("rb") as file:
        head = _value(file.readline())
        if (head["schema"], head["of"]) != (schema.VERSION, checksum(graph)):
            raise ValueError("a copy of another file")
        yield head
        yield from map(_value, file)


def _value(line: bytes) -> Any:
    mark, _, value = line.partition(b" ")
    if int(mark, 16) != zlib.crc32(value.rstrip(b"\n")):
        raise ValueError("a damaged copy")
    return json.loads(value)
