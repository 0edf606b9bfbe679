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
    tables, files = schema.rows(snapshot), {}
    for node in schema.NODES:
        names = [c.name for c in node.columns]
        header = [f"{c.name}:ID({node.label})" if c.name == "id" else c.name + _TYPES[c.type] for c in node.columns]
        files[f"{node.label}.csv"] = _csv(
            [*header, ":LABEL"], ([*(r[n] for n in names), node.label] for r in tables[node.label])
        )
    for edge in schema.RELATIONSHIPS:
        names = ["source", "target", *(c.name for c in edge.columns)]
        header = [
            f":START_ID({edge.source})",
            f":END_ID({edge.target})",
            *(c.name + _TYPES[c.type] for c in edge.columns),
        ]
        files[f"{edge.kind}.csv"] = _csv(
            [*header, ":TYPE"], ([*(r[n] for n in names), edge.kind] for r in tables[edge.kind])
        )
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
