"""A picture as plain JSON for vis-network: pyvis turns dots and lines into nodes, edges and options.

The page that pyvis itself would write is not used: it asks other hosts for scripts, and works out every place anew.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from torchatlas.ui.pictures.view import GROWTH, Picture

Payload = Mapping[str, Any]

PLAY = "▶ "
"""Before every episode's name, so that its kind shows without colour."""


def payload(picture: Picture) -> Payload:
    """Return the picture as vis-network takes it, what the map's own scripts need, and the revision `rev` of it all.

    Colours and fonts are not in the payload: the browser takes them from the theme.
    """
    from pyvis.edge import Edge
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="in_line")
    for dot in picture.dots:
        label = (PLAY if dot.kind == "episode" else "") + dot.label
        net.add_node(
            dot.id, label=label, tip=dot.tip, group=dot.kind, x=dot.x, y=dot.y, size=7 + min(GROWTH, dot.weight),
            shape="box" if picture.boxed else "custom", area=dot.area, weight=dot.weight,
            **({"behind": dot.behind} if dot.behind else {}),
        )  # fmt: skip
    for number, line in enumerate(picture.lines):
        # Network.add_edge looks for both ends in the list of all nodes, one after the other.
        edge = Edge(line.source, line.target, True, id=f"e{number}", kind=line.kind, quiet=line.quiet, tip=line.tip)
        net.edges.append(edge.options)
    net.set_options(json.dumps(_options(boxed=picture.boxed)))
    nodes, edges, *_, options = net.get_network_data()
    body = {
        "nodes": nodes,
        "edges": edges,
        "options": json.loads(options),
        "areas": [{"name": name, "hue": hue} for name, hue in picture.areas],
        "captions": [asdict(caption) for caption in picture.captions],
        "boxed": picture.boxed,
        "centre": picture.centre,
        "height": picture.height,
        "hidden": picture.hidden,
        "landmark": picture.landmark,
        "name": picture.name,
        "sizes": asdict(picture.sizes) if picture.sizes else None,
    }
    return body | {"rev": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]}


def _options(*, boxed: bool) -> dict[str, object]:
    smooth = {"enabled": boxed, "type": "cubicBezier", "forceDirection": "vertical", "roundness": 0.5}
    interaction = {
        "dragNodes": False, "hideEdgesOnDrag": False, "hover": False, "selectable": False, "zoomView": False,
        "keyboard": {"enabled": False},
    }  # fmt: skip
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "edges": {"smooth": smooth},
        "interaction": interaction,
    }
