"""A picture as plain JSON for vis-network: pyvis turns dots and lines into nodes, edges and options."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from torchatlas.ui.web.view import Picture

Payload = Mapping[str, Any]

PLAY = "▶ "
"""Before every episode's name, so that its kind shows without colour."""


def payload(picture: Picture) -> Payload:
    """Return `nodes`, `edges`, `options`, `areas`, `boxed`, `height` and `name`; `rev` changes with any of them.

    Colours and fonts are not in the payload: the browser takes them from the theme.
    """
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="in_line")
    for dot in picture.dots:
        label = (PLAY if dot.kind == "episode" else "") + dot.label
        net.add_node(
            dot.id, label=label, title=dot.tip, group=dot.kind, x=dot.x, y=dot.y, size=7 + min(10, dot.weight),
            area=dot.area, weight=dot.weight,
        )  # fmt: skip
    for number, line in enumerate(picture.lines):
        net.add_edge(
            line.source, line.target, id=f"e{number}", title=line.tip, kind=line.kind, quiet=line.quiet,
            dashes=line.kind == "RELATED_TO",
        )  # fmt: skip
    for node in net.nodes:
        del node["shape"]  # it comes from the group
    smooth = {"enabled": picture.boxed, "type": "cubicBezier", "forceDirection": "vertical", "roundness": 0.5}
    body = {
        "nodes": net.nodes,
        "edges": net.edges,
        "options": {
            "physics": {"enabled": False},
            "layout": {"improvedLayout": False},
            "edges": {"smooth": smooth, "selectionWidth": 0, "hoverWidth": 0},
            "interaction": {
                "hover": True, "dragNodes": False, "hideEdgesOnDrag": False, "zoomView": False, "tooltipDelay": 250,
                "selectConnectedEdges": False, "hoverConnectedEdges": False, "keyboard": {"enabled": False},
            },
        },
        "areas": list(picture.areas),
        "boxed": picture.boxed,
        "height": picture.height,
        "name": picture.name,
    }  # fmt: skip
    return body | {"rev": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]}
