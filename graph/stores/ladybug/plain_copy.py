"""A copy of a graph as plain text beside its file: to read the copy takes a fraction of the engine's time.

Every line is a JSON value: first what the graph is, then each table by its columns, with the rows in the order of the
snapshot. A copy counts only beside the very file that it was written with; without one that counts, the engine reads
the file itself. The values of a table are made when they are first asked for, since most questions need a part of a
graph only. A column of texts that repeat is written as each text once, and for each row the place of its text.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, starmap
from pathlib import Path
from typing import Any, BinaryIO

from torchatlas.graph.model import VERSION, Snapshot, columns_of, group_of, values_of

_LINES = 3  # the form of the lines; another number where it changes


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
    tables = {
        name: {column: _packed(values) for column, values in columns.items()}
        for name, columns in columns_of(snapshot).items()
    }
    head = {"of": stamp(graph), "form": _form(), "fingerprint": fingerprint, "tables": len(tables)}
    with copy.open("wb") as file:
        for part in chain([head], tables.items()):
            file.write(json.dumps(part, separators=(",", ":")).encode() + b"\n")


def stamp(graph: Path) -> str:
    """Return what tells the file of a graph from another one, also where both were written in one tick of the clock.

    Example: stamp(Path("atlas.lbug"))
    """
    found = graph.stat()
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"


def fingerprint(graph: Path) -> str | None:
    """Return the fingerprint of the graph in a file, None where no copy of it counts.

    >>> fingerprint(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError), place(graph).open("rb") as copy:
        return str(_head(copy, graph)["fingerprint"])
    return None


def snapshot(graph: Path) -> Snapshot | None:
    """Return the graph in a file, None where no copy of it counts.

    >>> snapshot(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError), place(graph).open("rb") as copy:
        head, tables = _head(copy, graph), dict(map(json.loads, copy))
        if len(tables) == head["tables"]:
            groups: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
            for name, columns in sorted(tables.items()):  # edges of several types are so in a group
                groups[group_of(name)].append((name, columns))
            return Snapshot.stored({group: partial(_values, of) for group, of in groups.items()})
    return None


def _head(copy: BinaryIO, graph: Path) -> dict[str, Any]:
    """Read what a copy says of itself. Raises ValueError where it does not count."""
    head: dict[str, Any] = json.loads(copy.readline())
    if (head.get("form"), head["of"]) != (_form(), stamp(graph)):
        raise ValueError("a copy of another file")
    return head


def _form() -> str:
    """Return what tells a copy by another version of the program: the schema, and the form of the lines."""
    return f"{VERSION}-{_LINES}"


def _values(tables: Iterable[tuple[str, Any]]) -> tuple[Any, ...]:
    """Return the values of tables, which are of one group."""
    columns = ((name, {column: _unpacked(values) for column, values in of.items()}) for name, of in tables)
    return tuple(chain.from_iterable(starmap(values_of, columns)))


def _packed(values: Sequence[Any]) -> Sequence[Any] | dict[str, Sequence[Any]]:
    """Return a column as it is written. Numbers stay as they are, since 1 and 1.0 are equal."""
    distinct = dict.fromkeys(values)
    if 2 * len(distinct) > len(values) or any(isinstance(value, int | float) for value in distinct):
        return values
    places = {value: place for place, value in enumerate(distinct)}
    return {"texts": list(distinct), "places": [places[value] for value in values]}


def _unpacked(column: Sequence[Any] | dict[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the values of a column as they were; equal texts are one object, so that to look them up is fast."""
    return list(map(column["texts"].__getitem__, column["places"])) if isinstance(column, dict) else column
