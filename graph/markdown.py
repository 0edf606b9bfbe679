"""Values in Markdown, as notebooks show them: rows as a table, other values field by field.

Names come from feeds, so every mark that Markdown would obey is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from torchatlas.graph.formatting import counted, escaped, is_web, markdown_address

if TYPE_CHECKING:
    import pandas as pd

_PLACES = {"x", "y", "field", "start", "end"}  # on the map, or of a quote in its text: people have no use for them
_EMPTY = (None, "", ())


def cell(value: object) -> str:
    """Return a value on one line: a node by id and name, an edge by its properties, a path as a pattern.

    >>> cell({"_label": "Concept", "id": "vmap", "name": "vmap", "x": 1})
    '(:Concept {id: vmap, name: vmap})'
    """
    if value is None:
        return ""
    return ", ".join(map(_inner, value)) if isinstance(value, list) else _inner(value)


def _inner(value: Any) -> str:
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case {"_nodes": nodes, "_relationships": edges}:
            return _path(nodes, edges)
        case {"id": _, "_label": _}:
            return _node(value)
        case {"_label": label}:
            hidden = ("_label", "_source", "_target")
            return f"[:{label}{_properties({k: v for k, v in value.items() if k not in hidden and v != ''})}]"
        case Mapping():
            return _properties(value).strip() or "{}"
        case list():
            return f"[{', '.join(map(_inner, value))}]"
    return str(value)


def _node(node: Mapping[str, Any]) -> str:
    name = node.get("name") or node.get("title") or node.get("label") or ""
    return f"(:{node['_label']} {{id: {node['id']}{f', name: {name}' if name else ''}}})"


def _properties(properties: Mapping[str, Any]) -> str:
    return f" {{{', '.join(f'{key}: {_inner(value)}' for key, value in properties.items())}}}" if properties else ""


def _path(nodes: list[Mapping[str, Any]], edges: list[Mapping[str, Any]]) -> str:
    """Return (a) -[:KIND]-> (b) <-[:KIND]- (c)."""
    steps = [_node(node) for node in nodes[:1]]
    for (before, after), edge in zip(pairwise(nodes), edges, strict=False):
        backwards = edge.get("_target") == before.get("id") != after.get("id")
        steps += [f"<-[:{edge['_label']}]-" if backwards else f"-[:{edge['_label']}]->", _node(after)]
    return " ".join(steps)


class Shown:
    """A dataclass that a notebook shows in Markdown, its `sections` first: lists of rows under their headings."""

    __slots__ = ()

    @property
    def sections(self) -> Mapping[str, Sequence[Any]]:
        """Lists of rows under their headings; any other list stands under the name of its field."""
        return {}

    def _repr_markdown_(self) -> str:
        facts, sections = [], self.sections
        parts = [f"**{escaped(heading)}**\n\n{rows_markdown(rows)}" for heading, rows in sections.items()]
        for name in (field.name for field in fields(self)):  # type: ignore[arg-type]
            content, label = getattr(self, name), escaped(name.replace("_", " "))
            if isinstance(content, Shown):
                parts.append(f"**{label}**\n\n{content._repr_markdown_()}")
            elif isinstance(content, tuple) and content and is_dataclass(content[0]):
                if content not in sections.values():
                    parts.append(f"**{label}**\n\n{rows_markdown(content)}")
            elif content not in _EMPTY:
                facts.append(f"- {label}: {_cell(content)}")
        return "\n\n".join(filter(None, ("\n".join(facts), *parts))) or "nothing"


def rows_markdown(rows: Sequence[Any]) -> str:
    """Return values of one class as a table without the columns that are empty in every row; else a list of words.

    >>> rows_markdown(["vmap", "functorch"]), rows_markdown([])
    ('vmap, functorch', 'nothing')
    """
    if not rows or not is_dataclass(rows[0]):
        return ", ".join(map(_cell, rows)) or "nothing"
    names = [field.name for field in fields(rows[0]) if field.name not in _PLACES]
    told = [getattr(row, "cells", None) or {name: getattr(row, name) for name in names} for row in rows]
    filled = [name for name in told[0] if any(cells[name] not in _EMPTY for cells in told)]
    return markdown_table(filled, ([cells[name] for name in filled] for cells in told))


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a table in Markdown.

    >>> print(markdown_table(["title", "score"], [["Strides|views", 0.5]]))
    | title | score |
    | --- | --- |
    | Strides\\|views | 0.5 |
    """
    lines = [map(escaped, columns), ["---"] * len(columns), *(map(_cell, row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict) for v in value)):
        return escaped(cell(value))
    if isinstance(value, tuple | list):
        return "; ".join(map(_cell, value))
    if is_dataclass(value):
        return ", ".join(filter(None, (_cell(getattr(value, field.name)) for field in fields(value))))
    if isinstance(value, str) and is_web(value):
        return f"<{markdown_address(value)}>"
    return "" if value is None else escaped(str(value))


@dataclass(frozen=True, slots=True)
class Table(Shown):
    """The rows of a Cypher query as plain values, nodes and paths as dicts. `truncated`: there were more rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    _: KW_ONLY
    truncated: bool = False

    @property
    def caption(self) -> str:
        """How many rows there are, and whether more were left out: "2 rows, more were left out"."""
        return counted(len(self.rows), "row") + (", more were left out" if self.truncated else "")

    def to_df(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, for example `table.to_df()["area"].value_counts()`."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    def _repr_markdown_(self) -> str:
        drawn = markdown_table(self.columns, self.rows)
        return f"{drawn}\n\n{self.caption}" if self.truncated else drawn
