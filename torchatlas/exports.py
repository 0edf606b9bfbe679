"""Plans and graphs for other programs, and what differs between two graphs."""

from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.files import note
from torchatlas.open_map import OpenMap

if TYPE_CHECKING:
    import networkx as nx

    from torchatlas.graph.answers import Differences, Plan


def plan_text(atlas: OpenMap, plan: "Plan", style: str, start: date | datetime | None = None) -> str:
    """Return a plan as the content of one file: rss, ics, markdown, html or json.

    `start`: the day of the first session in a calendar (ics), or its local time, on which sessions then begin. A
    note says how many episodes of a feed have no audio, and how to get it. Raises AtlasError for another style, and
    for a calendar without a start.

    Example: atlas.plan_text(atlas.plan("AOTAutograd"), "rss")
    """
    from torchatlas.ui.plans import playlist, text_in, without_audio

    found = playlist(atlas.graph, plan, start)
    text = text_in(style, found)
    if style == "rss" and (lacking := without_audio(found)):
        note(lacking)
    return text


def write_plan(
    atlas: OpenMap, plan: "Plan", target: Path | str, style: str | None = None, start: date | datetime | None = None
) -> Path:
    """Write a plan to a file and return that; the style is by default what the name ends in.

    Raises DataError where the style cannot be told or the file cannot be written, else as `plan_text` does.

    Example: atlas.write_plan(atlas.plan("AOTAutograd"), "plan.xml").name
    """
    from torchatlas.files import write_file
    from torchatlas.ui.plans import format_of

    text = plan_text(atlas, plan, style or format_of(Path(target)), start)
    return write_file(Path(target), text.encode())


def export(atlas: OpenMap, target: Path | str, style: str | None = None) -> tuple[Path, ...]:
    """Write the graph for other programs and return the files.

    `style`: graphml, gexf, json (node-link), cypher, or csv (a folder); by default what the name ends in. Raises
    DataError where it cannot be told or written.

    Example: atlas.export("atlas.graphml")
    """
    from torchatlas.presentation.graph_files import write_graph

    return write_graph(atlas.graph, Path(target), style)


def exported(atlas: OpenMap, style: str) -> bytes:
    """Return the graph as the content of one file, in any style of `export` but csv. Raises DataError.

    Example: atlas.exported("graphml")
    """
    from torchatlas.presentation.graph_files import graph_bytes, style_of

    return graph_bytes(atlas.graph, style_of(Path("-"), style))


def diff(atlas: OpenMap, old: Path | str, new: Path | str | None = None) -> "Differences":
    """Tell what changes from one graph to another, and which plans; `new` is by default the present one.

    A graph is a JSON file of `export` or the address of a store. The plans are those of somebody who knows nothing.
    Raises DataError where there is no graph.

    Example: atlas.diff(atlas.export("before.json")[0]).plans
    """
    from torchatlas.other_graphs import differences, graph_at

    before = graph_at(atlas.settings.address(str(old)))
    return differences(before, atlas.graph if new is None else graph_at(atlas.settings.address(str(new))))


def network(atlas: OpenMap) -> "nx.MultiDiGraph[str]":
    """Return the graph for networkx: nodes such as "Concept:vmap", edges with their type as key and `kind`.

    Example: atlas.network().nodes["Concept:vmap"]["area"]
    """
    from torchatlas.graph.export import to_network

    return to_network(atlas.graph)
