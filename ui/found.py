"""Which nodes of the graph the rows of a query speak of, so that any result can be a picture and a plan."""

from collections.abc import Iterator, Mapping

from graph.answers import Table
from graph.model import Snapshot


def nodes_in(table: Table, snapshot: Snapshot) -> tuple[str, ...]:
    """The ids of concepts and episodes in the rows, each once, in their order: nodes, paths' nodes, and bare ids."""
    known = {*snapshot.concept, *snapshot.episode}
    found = (id_ for row in table.rows for value in row for id_ in _ids(value) if id_ in known)
    return tuple(dict.fromkeys(found))


def _ids(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _ids(item)
    elif isinstance(value, Mapping):
        if "_nodes" in value:
            yield from _ids(value["_nodes"])
        elif "_label" in value:
            yield from _ids(value.get("id"))
        else:
            for item in value.values():
                yield from _ids(item)
