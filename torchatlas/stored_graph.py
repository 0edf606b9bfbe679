"""The graph as the screen and the commands see it: built when it is missing or out of date, then read."""

import sys
from collections.abc import Mapping

from torchatlas.extract.characters import visible
from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress
from torchatlas.inputs import Inputs, inputs
from torchatlas.pipeline import assemble
from torchatlas.settings import Settings


def open_graph(settings: Settings) -> Store:
    """The store that the settings name. What takes long (starting a server) is said on stderr. Raises StoreError."""
    return open_store(settings.store, _say)


def _say(line: str) -> None:
    print(visible(line), file=sys.stderr, flush=True)


def stamp(settings: Settings) -> str:
    """Something cheap that changes whenever the stored graph does."""
    with open_graph(settings) as store:
        return f"{settings.store}:{store.stamp()}"


def read(settings: Settings, progress: Progress | None = None) -> Snapshot:
    """The whole graph; built first where there is none or its sources have changed."""
    with open_graph(settings) as store:
        return ensure(store, settings, progress) or store.snapshot()


def query(settings: Settings, cypher: str, parameters: Mapping[str, object] | None = None, rows: int = 1000) -> Table:
    """The rows of one reading Cypher statement. Raises QueryError, StoreError."""
    with open_graph(settings) as store:
        return store.query(cypher, parameters, rows=rows)


def ensure(store: Store, settings: Settings, progress: Progress | None = None) -> Snapshot | None:
    """Build the graph where the store has none, or one made of other inputs. Returns it if it was built."""
    wanted = inputs(settings)
    if store.fingerprint() == wanted.fingerprint:
        return None
    return _rebuild(store, wanted, progress)


def rebuild(store: Store, settings: Settings, progress: Progress | None = None) -> Snapshot:
    """Build the graph anew, whatever the store holds, and return it."""
    return _rebuild(store, inputs(settings), progress)


def _rebuild(store: Store, given: Inputs, progress: Progress | None) -> Snapshot:
    store.check()
    graph = snapshot_of(given, progress)
    store.replace(graph, given.fingerprint, progress)
    return graph


def snapshot_of(given: Inputs, progress: Progress | None = None) -> Snapshot:
    """The graph that these inputs make; what of the user's corrections does not apply is said on stderr."""
    from torchatlas.graph.build.join import complete_graph

    assembled = assemble(given, progress)
    for line in assembled.unread:
        _say(line)
    for place, problem in assembled.problems.items():
        _say(f"{place}: this correction does not apply: {problem}")
    for line in assembled.set_aside:
        _say(f"set aside: {line}")
    if progress:
        progress("Drawing the map", 0, 1)
    return complete_graph(assembled.graph)
