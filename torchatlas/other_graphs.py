"""Graphs beside the one of this map, in a file that `export` wrote or in another store, and how two of them differ."""

import re
from pathlib import Path

from torchatlas.graph.answers import Differences
from torchatlas.graph.errors import DataError, shortened
from torchatlas.graph.model import Snapshot
from torchatlas.graph.planning.plan import plan_changes
from torchatlas.graph.stores.base import ENGINES, open_store
from torchatlas.graph.views import changes


def graph_at(place: str) -> Snapshot:
    """Return the graph in a JSON file of `export`, or at the address of a store. Nothing is built.

    Raises DataError where there is none, StoreError where the store does not open.

    Example: graph_at("before.json").episodes
    """
    if any(re.fullmatch(engine.pattern, place, re.DOTALL) for engine in ENGINES):
        with open_store(place) as store:
            if store.fingerprint() is None:
                raise DataError(f"{store.address} holds no graph of this version; name another store, or build it")
            return store.snapshot()
    from torchatlas.graph.export import read_node_link

    try:
        content = Path(place).expanduser().read_bytes()
    except (OSError, ValueError) as e:
        wanted = "name a file that `torchatlas export FILE.json` wrote, or the address of a store"
        reason = e.strerror if isinstance(e, OSError) else e
        raise DataError(f"{shortened(place)!r} cannot be read ({reason}); {wanted}") from e
    return read_node_link(content, place)


def differences(old: Snapshot, new: Snapshot) -> Differences:
    """Return what changes from one graph to another, and which plans.

    >>> differences(Snapshot(), Snapshot()).groups
    {}
    """
    plans, compared = plan_changes(old, new)
    return Differences(plans, changes(old, new), compared=compared)
