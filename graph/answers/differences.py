"""The nodes and edges that differ between two graphs, the most telling first."""

from collections.abc import Iterator, Mapping

from torchatlas.graph.values import schema
from torchatlas.graph.values.differences import CHANGE_KINDS, Change, ChangeKind
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import ORDERS, RELATED_TO, RELATIONS

_TELLING = ("Episode", "Concept", "Show", "REQUIRES", "TEACHES", "LISTEN_AFTER", "ASSUMES")
_DERIVED = ("Link", "CITES", "IN_SHOW", "MENTIONS", "RELATED_TO")
TABLES = (*_TELLING, *(table for table in schema.TABLES if table not in (*_TELLING, *_DERIVED)), *_DERIVED)
"""Labels and relationship types; what plans follow from comes first, what follows from the rest comes last."""

_Node = tuple[str, str]
"""Label and id: a show may have the id of a concept."""

_PLACES = {"x", "y"}
"""A new node moves others on the map, which says nothing about them."""

_VERBS: Mapping[str, str] = {
    **{str(kind): verb for kind, verb in ORDERS.items()},
    **{str(kind): words.verb for kind, words in RELATIONS.items()},
    "RELATED_TO": RELATED_TO,
    "REFERS_TO": "refers to",
    "MENTIONS": "mentions",
    "IN_SHOW": "is in",
    "CITES": "cites",
}


def changes(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """Return what is added, removed and changed from one graph to another; places on the map do not count.

    In a table, additions come first and changes last; edges that a node brings or takes along come after the others.

    >>> from torchatlas.graph.values.model import Episode
    >>> changes(Snapshot(), Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))[0].name
    'One'
    """
    named_before, named_after = _names(old), _names(new)
    names, shared = named_before | named_after, named_before.keys() & named_after.keys()
    before, after = schema.rows(old), schema.rows(new)
    found = [change for table in TABLES for change in _in_table(table, before[table], after[table], names)]
    place = {table: n for n, table in enumerate(TABLES)}

    def telling(change: Change) -> tuple[object, ...]:
        brought = len(change.ids) > 1 and not shared.issuperset(_nodes(change.table, change.ids))
        return place[change.table], brought, CHANGE_KINDS.index(change.how), change.name, change.ids

    return tuple(sorted(found, key=telling))


def _in_table(
    table: str, before: list[schema.Row], after: list[schema.Row], names: Mapping[_Node, str]
) -> Iterator[Change]:
    old, new = ({_ids(table, row): row for row in rows} for rows in (before, after))
    for ids in {**old, **new}:
        properties: tuple[str, ...] = ()
        if ids in old and ids in new:
            properties = tuple(k for k, v in old[ids].items() if v != new[ids][k] and k not in _PLACES)
            if not properties:
                continue
        how: ChangeKind = "changed" if properties else "added" if ids in new else "removed"
        name = f" {_VERBS.get(table, table)} ".join(names[node] for node in _nodes(table, ids))
        yield Change(how, table, ids=ids, name=name, properties=properties)


def _ids(table: str, row: schema.Row) -> tuple[str, ...]:
    return (row["id"],) if isinstance(schema.TABLES[table], schema.NodeTable) else (row["source"], row["target"])


def _nodes(table: str, ids: tuple[str, ...]) -> Iterator[_Node]:
    """Return the node of a row, or both ends of an edge."""
    of = schema.TABLES[table]
    return zip((of.label,) if isinstance(of, schema.NodeTable) else (of.source, of.target), ids, strict=True)


def _names(graph: Snapshot) -> dict[_Node, str]:
    """Return the name of every node."""
    named = {("Concept", c.id): c.name for c in graph.concepts} | {("Episode", e.id): e.label for e in graph.episodes}
    return (
        named | {("Show", s.id): s.title for s in graph.shows} | {("Link", link.id): link.url for link in graph.links}
    )
