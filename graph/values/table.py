"""The answer to a Cypher query as a value."""

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.markdown import Shown, table

if TYPE_CHECKING:
    import pandas as pd


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
        drawn = table(self.columns, self.rows)
        return f"{drawn}\n\n{self.caption}" if self.truncated else drawn
