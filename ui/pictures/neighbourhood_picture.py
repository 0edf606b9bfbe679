"""The surroundings of a concept or an episode as a picture of their own: needs below, what builds on it above."""

from dataclasses import replace

from torchatlas.graph.drawing import ego_layout, neighbourhood
from torchatlas.graph.formatting import ORDERS, counted
from torchatlas.graph.model import Snapshot
from torchatlas.ui.pictures.view import Line, Picture, map_picture

ROOM = 120
"""Pixels for the legend and above the layers."""


def neighbourhood_picture(graph: Snapshot, centre: str, radius: int = 1) -> Picture:
    """Return the nodes within `radius` steps of `centre` and all lines between them; the name says how many are hidden.

    Raises KeyError where the graph lacks the centre.
    """
    around = neighbourhood(graph, centre, radius)
    layout = ego_layout(graph, around)
    found = map_picture(graph, only=around.steps)
    name = f"{counted(len(found.dots), 'node')} around {graph.name_of(centre)}"
    return Picture(
        tuple(replace(dot, x=layout.places[dot.id][0], y=layout.places[dot.id][1]) for dot in found.dots),
        tuple(replace(line, quiet=False) for line in (*found.lines, *_assumed(graph, centre))),
        name=f"{name}, {around.hidden} more are hidden" if around.hidden else name,
        sizes=found.sizes,
        centre=centre,
        height=max(480, layout.height + ROOM),
    )


def _assumed(graph: Snapshot, episode: str) -> list[Line]:
    name = graph.name_of
    return [
        Line(
            a.target,
            episode,
            kind=a.kind,
            tip=f"{name(episode)} {ORDERS[a.kind]} {name(a.target)}: {a.why}".rstrip(": "),
        )
        for a in graph.assumed_by.get(episode, ())
    ]
