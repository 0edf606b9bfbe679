"""The nodes of the graph in the rows of a query, so that any result can be a picture and a plan."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Snapshot

_DRAWN = {"Concept", "Episode"}


def nodes_in(table: Table, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of concepts and episodes in the rows, each once, in their order: nodes, paths' nodes, and texts.

    A column of texts counts where all of them are ids; where no column does, those whose texts all are names of
    concepts or all are titles. A few that happen to be ids would make a picture of a part and look like the whole. A
    title that several episodes have means all of them.

    >>> from torchatlas.graph.model import Concept
    >>> nodes_in(Table(("name",), (("GIL",),)), Snapshot((Concept("gil", "GIL", area="Background"),)))
    ('gil',)
    """
    return tuple(dict.fromkeys(chain.from_iterable(nodes_by_row(table, snapshot))))


def nodes_by_row(table: Table, snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """Return the same ids for each row.

    >>> nodes_by_row(Table(("n",), ((1,), (2,))), Snapshot())
    ((), ())
    """
    ids: Mapping[str, Sequence[str]] = {i: (i,) for i in (*snapshot.concept, *snapshot.episode)}
    names = _by_text((c.name, c.id) for c in snapshot.concepts)
    titles = _by_text((e.title, e.id) for e in snapshot.episodes)
    columns = range(len(table.columns))
    meant = {n: ids for n in columns if _all_in(table, n, ids)}
    if not meant:
        meant = {n: known for known in (titles, names) for n in columns if _all_in(table, n, known)}

    def found(row: tuple[object, ...]) -> Iterator[str]:
        for n, value in enumerate(row):
            yield from meant[n][value] if isinstance(value, str) and n in meant else _ids(value)

    return tuple(tuple(dict.fromkeys(id_ for id_ in found(row) if id_ in ids)) for row in table.rows)


def _by_text(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for text, id_ in pairs:
        found[text].append(id_)
    return found


def _all_in(table: Table, column: int, known: Collection[str]) -> bool:
    texts = [row[column] for row in table.rows if isinstance(row[column], str)]
    return bool(texts) and all(text in known for text in texts)


def _ids(value: object) -> Iterator[str]:
    """Yield the ids in a node, a path, a list or a map."""
    if isinstance(value, list):
        for item in value:
            yield from [item] if isinstance(item, str) else _ids(item)
    elif isinstance(value, Mapping):
        if "_nodes" in value:
            yield from _ids(value["_nodes"])
        elif "_label" in value:
            if _DRAWN.intersection(str(value["_label"]).split(":")):  # a show may have the id of a concept
                yield from _ids([value.get("id")])
        else:
            yield from _ids(list(value.values()))
