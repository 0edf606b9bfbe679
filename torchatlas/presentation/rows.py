"""A list of answers that a notebook shows as a table."""

from typing import TypeVar

from torchatlas.graph.values.markdown import rows_markdown

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
        return rows_markdown(self)
