"""Values in Markdown, as notebooks show them: rows as a table, other values field by field.

Names come from feeds, so every mark that Markdown would obey is escaped.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from torchatlas.graph.formatting import counted, is_web, markdown_address
from torchatlas.graph.names import one_line

if TYPE_CHECKING:
    import pandas as pd


def cell(value: object) -> str:
    """Return a value on one line: a node by id and name, an edge by its properties, a path as a pattern.

    >>> cell({"_label": "Concept", "id": "vmap", "name": "vmap", "x": 1})
    '(:Concept {id: vmap, name: vmap})'
    """
    if value is None:
        return ""
    return ", ".join(map(_inner, value)) if isinstance(value, list) else _inner(value)


def _inner(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        if "_nodes" in value:
            return _path(value["_nodes"], value["_relationships"])
        if "id" in value and "_label" in value:
            return _node(value)
        if "_label" in value:
            hidden = ("_label", "_source", "_target")
            return f"[:{value['_label']}{_properties({k: v for k, v in value.items() if k not in hidden and v != ''})}]"
        return _properties(value).strip() or "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inner, value))}]"
    return "null" if value is None else str(value)


def _node(node: Mapping[str, Any]) -> str:
    name = node.get("name") or node.get("title") or node.get("label") or ""
    return f"(:{node['_label']} {{id: {node['id']}{f', name: {name}' if name else ''}}})"


def _properties(properties: Mapping[str, Any]) -> str:
    return f" {{{', '.join(f'{key}: {_inner(value)}' for key, value in properties.items())}}}" if properties else ""


def _path(nodes: list[Mapping[str, Any]], edges: list[Mapping[str, Any]]) -> str:
    """Return (a) -[:KIND]-> (b) <-[:KIND]- (c)."""
    steps = [_node(nodes[0])] if nodes else []
    for (before, after), edge in zip(pairwise(nodes), edges, strict=False):
        backwards = edge.get("_target") == before.get("id") != after.get("id")
        steps.append(f"<-[:{edge['_label']}]-" if backwards else f"-[:{edge['_label']}]->")
        steps.append(_node(after))
    return " ".join(steps)


_PLACES = {"x", "y", "field", "start", "end"}
"""The fields that say where a node is on the map, or where a quote is in its text: people have no use for them."""


class Shown:
    """A dataclass that a notebook shows in Markdown."""

    __slots__ = ()

    @property
    def sections(self) -> Mapping[str, Sequence[Any]]:
        """Lists of rows under their headings; any other list stands under the name of its field."""
        return {}

    def _repr_markdown_(self) -> str:
        return fields_markdown(self)


@runtime_checkable
class Row(Protocol):
    """A value that tells its own cells in a table."""

    @property
    def cells(self) -> Mapping[str, object]:
        """The value of each column by the column's name."""


def fields_markdown(value: Any) -> str:
    """Return a dataclass field by field, lists of dataclasses as tables, its sections first; empty fields are left out.

    >>> from torchatlas.graph.answers import Gaps
    >>> fields_markdown(Gaps((), (), orphans=(), superseded=()))
    'nothing'
    """
    facts, sections = [], value.sections
    parts = [f"**{escaped(heading)}**\n\n{rows_markdown(rows)}" for heading, rows in sections.items()]
    for name in (field.name for field in fields(value)):
        content, label = getattr(value, name), escaped(name.replace("_", " "))
        if isinstance(content, Shown):
            parts.append(f"**{label}**\n\n{content._repr_markdown_()}")
        elif isinstance(content, tuple) and content and is_dataclass(content[0]):
            if content not in sections.values():
                parts.append(f"**{label}**\n\n{rows_markdown(content)}")
        elif content not in (None, "", ()):
            facts.append(f"- {label}: {_cell(content)}")
    return "\n\n".join(filter(None, ("\n".join(facts), *parts))) or "nothing"


def rows_markdown(rows: Sequence[Any]) -> str:
    """Return values of one class as a table without the columns that are empty in every row; else a list of words.

    >>> rows_markdown(["vmap", "functorch"]), rows_markdown([])
    ('vmap, functorch', 'nothing')
    """
    if not rows or not is_dataclass(rows[0]):
        return ", ".join(map(_cell, rows)) or "nothing"
    told = [row.cells if isinstance(row, Row) else _cells(row) for row in rows]
    filled = [name for name in told[0] if any(cells[name] not in (None, "", ()) for cells in told)]
    return markdown_table(filled, ([cells[name] for name in filled] for cells in told))


def _cells(row: Any) -> dict[str, object]:
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name not in _PLACES}


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a table in Markdown.

    >>> print(markdown_table(["title", "score"], [["Strides|views", 0.5]]))
    | title | score |
    | --- | --- |
    | Strides\\|views | 0.5 |
    """
    lines = [
        [escaped(name) for name in columns],
        ["---"] * len(columns),
        *([_cell(value) for value in row] for row in rows),
    ]
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


def escaped(text: str) -> str:
    """Return a text on one line that Markdown shows as it is, with few marks, since files are also read raw.

    >>> escaped("a_b <img>")
    'a\\\\_b \\\\<img\\\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", one_line(text))


@dataclass(frozen=True, slots=True)
class Table(Shown):
    """The rows of a Cypher query as plain values, nodes and paths as dicts. `truncated`: there were more rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    _: KW_ONLY
    truncated: bool = False

    @property
    def caption(self) -> str:
        """How many rows there are, and whether more were left out.

        >>> Table(("n",), ((1,), (2,)), truncated=True).caption
        '2 rows, more were left out'
        """
        return counted(len(self.rows), "row") + (", more were left out" if self.truncated else "")

    def to_df(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, for example `table.to_df()["area"].value_counts()`."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    def _repr_markdown_(self) -> str:
        drawn = markdown_table(self.columns, self.rows)
        return f"{drawn}\n\n{self.caption}" if self.truncated else drawn
