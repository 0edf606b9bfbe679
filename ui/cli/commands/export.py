"""The commands that take the graph out: export, schema."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.errors import DataError
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, settings_option, snapshot, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.graph.answers.census import Census
    from torchatlas.graph.values.model import Snapshot

_SUFFIXES = {".graphml": "graphml", ".gexf": "gexf", ".json": "json", ".cypher": "cypher", "": "csv"}


@click.command()
@click.argument("target", metavar="FILE|FOLDER|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "style", type=click.Choice(sorted(_SUFFIXES.values())), help="By default what FILE ends in.")
@settings_option
def export(settings: Settings, target: Path, style: str | None) -> None:
    """Write the graph for other programs: .graphml, .gexf (Gephi), .json (node-link: networkx, D3), .cypher (a script
    for Neo4j Browser or cypher-shell), or a FOLDER of CSV for neo4j-admin. `-` is standard output.

    Example: torchatlas export atlas.graphml
    """
    style = style or _SUFFIXES.get(target.suffix)
    if style is None or (str(target) == "-" and style == "csv"):
        raise click.BadParameter(f"cannot tell the format of {target}; name it with --format", param_hint="FILE")
    graph = snapshot(settings)
    if style == "csv":
        _write_folder(graph, target)
        return
    content = _content(graph, style)
    if str(target) == "-":
        click.echo(content, nl=False)
    else:
        _write(target, content)
        tell(f"{target}: {len(content):,} bytes", err=True)


def _content(graph: "Snapshot", style: str) -> bytes:
    if style == "cypher":
        from torchatlas.graph.export.script import cypher_script

        return cypher_script(graph)
    from torchatlas.graph.export.network import gexf, graphml, node_link

    return {"graphml": graphml, "gexf": gexf, "json": node_link}[style](graph)


def _write_folder(graph: "Snapshot", folder: Path) -> None:
    from torchatlas.graph.export.tables import csv_files, import_arguments

    files = csv_files(graph)
    for name, content in files.items():
        _write(folder / name, content)
    arguments = "\n".join(import_arguments(".")) + "\n"
    _write(folder / "import.args", arguments.encode())
    tell(f"{folder}: {len(files)} files; there, run: neo4j-admin database import full neo4j @import.args", err=True)


def _write(path: Path, content: bytes) -> None:
    from torchatlas.files import write_whole

    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no file; name another place, or - for standard output")
    try:
        write_whole(path, content, private=False)
    except OSError as e:
        raise DataError(f"{path}: cannot be written ({e.strerror}); name another place") from e


@click.command()
@format_option("text", "json")
@settings_option
def schema(settings: Settings, style: str) -> None:
    """Print what there is to ask in Cypher: labels, relationship types and properties, with counts and examples.

    Example: torchatlas schema
    """
    from torchatlas.graph.answers.census import census

    counted = census(snapshot(settings))
    if style == "json":
        click.echo(dumps(asdict(counted)))
        return
    tell("\n".join(census_text(counted)))


def census_text(counted: "Census") -> Iterable[str]:
    """The schema for people: a pattern, its properties (with a count where not all have it), an example."""
    for kind in (*counted.nodes, *counted.relationships):
        yield f"{kind.count:6,}  {kind.pattern}"
        properties = (f"{p.name}" + (f" ({p.count:,})" if p.count < kind.count else "") for p in kind.properties)
        yield wrapped(", ".join(properties), "        ")
        if kind.example:
            yield f"        such as {kind.example}"
