"""A graph as a build makes it, in one call."""

from functools import cache
from typing import Any

from torchatlas.graph.build import complete_graph, join_graph
from torchatlas.graph.model import Snapshot


def build_graph(*arguments: Any) -> Snapshot:
    """Return the whole graph, with its layout and the nearest episodes of each, from the arguments of `join_graph`."""
    return complete_graph(join_graph(*arguments).graph)


@cache
def shipped() -> Snapshot:
    """Return the graph of the shipped vocabulary and catalogue, without what is found in texts."""
    from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
    from torchatlas.shipped import SHOW, bundled, bundled_file

    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    return build_graph(vocabulary, load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW), ())
