"""A list of answers that a notebook shows as a table."""

from typing import SupportsIndex, TypeVar, overload

from torchatlas.graph.markdown import rows_markdown

T = TypeVar("T")


class Rows(tuple[T, ...]):
    """A tuple of values of one dataclass.

    >>> from torchatlas.graph.answers import Unmet
    >>> print(Rows([Unmet("vmap", 22)])._repr_markdown_())
    | goal | extra\\_minutes | estimated |
    | --- | --- | --- |
    | vmap | 22 | False |
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Rows[T]": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "T | Rows[T]":
        return Rows(super().__getitem__(place)) if isinstance(place, slice) else super().__getitem__(place)

    def _repr_markdown_(self) -> str:
        return rows_markdown(self)
