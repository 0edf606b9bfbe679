"""A map of very many nodes as one that a browser can draw, and that says what it hides."""

from dataclasses import replace

from torchatlas.graph.drawing.clusters import MOST, Mark, clusters
from torchatlas.graph.values.formatting import counted
from torchatlas.ui.web.view import Dot, Picture


def clustered(picture: Picture, most: int = MOST) -> Picture:
    """Return the picture with about `most` dots at the most; the number beside a name is how many stand behind it.

    Example: clustered(map_picture(graph)).hidden
    """
    if len(picture.dots) <= most:
        return picture
    marks = [Mark(d.id, x=d.x, y=d.y, area=d.area, weight=d.weight) for d in picture.dots]
    behind = clusters(marks, most)
    dots = tuple(_numbered(dot, len(behind[dot.id])) for dot in picture.dots if dot.id in behind)
    hidden = len(picture.dots) - len(dots)
    return replace(
        picture,
        dots=dots,
        lines=tuple(line for line in picture.lines if line.source in behind and line.target in behind),
        name=f"{picture.name}; {counted(hidden, 'node')} stand behind others",
        hidden=hidden,
    )


def _numbered(dot: Dot, behind: int) -> Dot:
    if not behind:
        return dot
    return replace(dot, label=f"{dot.label} +{behind}", tip=f"{dot.tip}\n{counted(behind, 'node')} behind it")
