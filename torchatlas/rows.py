"""A list of answers that a notebook shows as a table."""

from dataclasses import fields, is_dataclass
from typing import TypeVar

from torchatlas.graph.values import markdown

T = TypeVar("T")


class Rows(tuple[T, ...]):
    """A tuple of values of one dataclass.

    >>> from torchatlas.graph.values.answers import Unmet
    >>> print(Rows([Unmet("vmap", 22)])._repr_markdown_())
    | goal | extra_minutes |
    | --- | --- |
    | vmap | 22 |
    """

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        if not self or not is_dataclass(self[0]):
            return ", ".join(markdown.escaped(str(item)) for item in self) or "nothing"
        names = [field.name for field in fields(self[0])]
        return markdown.table(names, ([getattr(row, name) for name in names] for row in self))
