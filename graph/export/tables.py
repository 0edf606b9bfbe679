"""A graph as the CSV files that `neo4j-admin database import` reads, for a graph that is too large for a script."""

from collections.abc import Iterable, Sequence

from torchatlas.graph.values import schema
from torchatlas.graph.values.model import Snapshot

SEPARATOR = "\x1f"
"""The character between the items of a list: no text of a graph holds it."""

_TYPES = {"string": "", "integer": ":long", "float": ":double", "strings": ":string[]"}


def csv_files(snapshot: Snapshot) -> dict[str, bytes]:
    """Map file names to contents: a file for each label and each relationship type, with a header as its first line.

    >>> csv_files(Snapshot())["Link.csv"]
    b'"id:ID(Link)","url","type","label",":LABEL"\\n'
    """
    files = {}
    for name, rows in schema.rows(snapshot).items():
        table = schema.TABLES[name]
        if isinstance(table, schema.NodeTable):
            ends, label = {"id": f"id:ID({name})"}, ":LABEL"
        else:
            ends, label = {"source": f":START_ID({table.source})", "target": f":END_ID({table.target})"}, ":TYPE"
        header = ends | {c.name: c.name + _TYPES[c.type] for c in table.columns if c.name not in ends}
        lines = ([*(row[column] for column in header), name] for row in rows)
        files[f"{name}.csv"] = _csv([*header.values(), label], lines)
    return files


def import_arguments(folder: str) -> list[str]:
    """Return the arguments of `neo4j-admin database import full DATABASE` that read the files from a folder.

    >>> import_arguments("/import")[0]
    '--nodes=/import/Concept.csv'
    """
    nodes = [f"--nodes={folder}/{node.label}.csv" for node in schema.NODES]
    edges = [f"--relationships={folder}/{edge.kind}.csv" for edge in schema.RELATIONSHIPS]
    return [*nodes, *edges, "--array-delimiter=U+001F", "--multiline-fields=true"]


def _csv(header: Sequence[object], rows: Iterable[Sequence[object]]) -> bytes:
    return "".join(",".join(map(_cell, row)) + "\n" for row in (header, *rows)).encode()


def _cell(value: object) -> str:
    """Write a cell, every text in quotes, because an empty cell without quotes is null.

    Python's own `csv.QUOTE_NOTNULL` needs Python 3.12.
    """
    if isinstance(value, list):
        value = SEPARATOR.join(value)
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return "" if value is None else repr(value)
