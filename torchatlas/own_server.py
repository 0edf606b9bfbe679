"""The Neo4j server of the user's own."""

from typing import TYPE_CHECKING

from torchatlas.files import note
from torchatlas.open_map import OpenMap

if TYPE_CHECKING:
    from torchatlas.graph.stores.neo4j_server import Server


def start_server(atlas: OpenMap, port: int | None = None) -> "Server":
    """Start a Neo4j server of the user's own, on this computer only, or return the one that runs.

    `port`: for Bolt, by default 17687 where it is free. Raises StoreError where the server does not start.

    Example: atlas.start_server().uri
    """
    from torchatlas.graph.stores import neo4j_server as server

    return server.start(atlas.settings.server, note, port=port, stay=True)


def server(atlas: OpenMap) -> "Server | None":
    """Return the Neo4j server of the user's own, None where it does not run. Raises StoreError.

    Example: atlas.server() is None
    """
    from torchatlas.graph.stores import neo4j_server as server

    return server.status(atlas.settings.server)


def stop_server(atlas: OpenMap) -> bool:
    """End the Neo4j server of the user's own and say whether it ran; the graph in it stays.

    Example: atlas.stop_server()
    """
    from torchatlas.graph.stores import neo4j_server as server

    return server.stop(atlas.settings.server)
