"""Tables of a benchmark, as Markdown between markers: <!-- benchmark: NAME --> and <!-- end -->."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PART = re.compile(r"(<!-- benchmark: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.S)


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
    """The findings of one part of the benchmark. `notes`: sentences that belong to the table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Return the table with its notes below.

        >>> print(BenchmarkTable(("a", "b"), (("x", "1.0"),)).markdown())
        | a | b |
        | --- | --- |
        | x | 1.0 |
        <BLANKLINE>
        """
        lines = [self.columns, ("---",) * len(self.columns), *self.rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "".join(f"\n{note}\n" for note in self.notes)


def written(page: str, tables: Mapping[str, BenchmarkTable]) -> str:
    """Return a page with these tables between its markers; others stay as they are.

    >>> written("<!-- benchmark: x -->\\nold\\n<!-- end -->", {"x": BenchmarkTable(("a",), ())})
    '<!-- benchmark: x -->\\n| a |\\n| --- |\\n<!-- end -->'
    """

    def anew(part: re.Match[str]) -> str:
        table = tables.get(part[2])
        return part[1] + table.markdown() + part[4] if table else part[0]

    return _PART.sub(anew, page)
