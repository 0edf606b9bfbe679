"""A graph in files for other programs: networkx, Gephi, D3, Neo4j."""

from pathlib import Path

from torchatlas.files import write_file
from torchatlas.graph.errors import DataError
from torchatlas.graph.model import Snapshot

STYLES = {".graphml": "graphml", ".gexf": "gexf", ".json": "json", ".cypher": "cypher", "": "csv"}
"""The ending of a file -> the style that it asks for."""


def style_of(target: Path, style: str | None = None) -> str:
    """Return `style`, or the one that the target's name asks for; the target "-" is standard output.

    Raises DataError where neither says it, and for csv, which is several files, on standard output.

    >>> style_of(Path("atlas.gexf")), style_of(Path("ATLAS.GRAPHML"))
    ('gexf', 'graphml')
    """
    found = style or STYLES.get(target.suffix.lower())
    if found is None or found not in STYLES.values():
        raise DataError(f"cannot tell the format of {target}; name one of {', '.join(sorted(STYLES.values()))}")
    if found == "csv" and str(target) == "-":
        raise DataError(
            f"csv is several files; name a format of one: {', '.join(sorted({*STYLES.values()} - {'csv'}))}"
        )
    return found


def graph_bytes(graph: Snapshot, style: str) -> bytes:
    """Return the graph as one file's content in any style but csv.

    Example: graph_bytes(atlas.graph, "json")
    """
    if style == "cypher":
        from torchatlas.graph.export import cypher_script

        return cypher_script(graph)
    from torchatlas.graph.export import gexf, graphml, node_link

    return {"graphml": graphml, "gexf": gexf, "json": node_link}[style](graph)


def write_graph(graph: Snapshot, target: Path, style: str | None = None) -> tuple[Path, ...]:
    """Write the graph to a file, or in the style csv to a folder; return the files. Raises DataError.

    Example: write_graph(atlas.graph, Path("atlas.graphml"))
    """
    style = style_of(target, style)
    if style != "csv":
        return (write_file(target, graph_bytes(graph, style)),)
    from torchatlas.graph.export import csv_files, import_arguments

    arguments = "\n".join(import_arguments(".")) + "\n"
    contents = csv_files(graph) | {"import.args": arguments.encode()}
    return tuple(write_file(target / name, content) for name, content in contents.items())
