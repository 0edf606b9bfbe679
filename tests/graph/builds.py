"""A graph as a build makes it, in one call."""

from typing import Any

from torchatlas.graph.build.join import complete_graph, join_graph
from torchatlas.graph.values.model import Snapshot


def build_graph(*arguments: Any) -> Snapshot:
    """Return the whole graph, with its layout and the nearest episodes of each, from the arguments of `join_graph`."""
    return complete_graph(join_graph(*arguments).graph)
