"""The address of a Neo4j server: where it is, who signs in, and which database."""

from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from torchatlas.graph.errors import StoreError


def located(address: str, environment: Mapping[str, str]) -> tuple[str, tuple[str, str] | None, str | None]:
    """Return the address without its secrets, (user, password) if any, and the database if one is named.

    They are parts of the address (`bolt://user:password@host:7687/database`) or stand in NEO4J_USERNAME,
    NEO4J_PASSWORD and NEO4J_DATABASE. Raises StoreError for an address without a readable host or with an odd port.

    >>> located("neo4j+s://ann:secret@example.org/atlas", {})
    ('neo4j+s://example.org', ('ann', 'secret'), 'atlas')
    """
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")
    except ValueError as e:
        raise StoreError("the host in the address cannot be read; write bolt://HOST:7687") from e
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError as e:
        raise StoreError(f"the port in the address of {parts.hostname} is not a port number") from e
    if not parts.hostname:
        raise StoreError("the address names no host; write bolt://HOST:7687")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    user = unquote(parts.username or "") or environment.get("NEO4J_USERNAME", "neo4j")
    password = unquote(parts.password or "") or environment.get("NEO4J_PASSWORD", "")
    database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{host}{port}{query}", (user, password) if password else None, database
