"""The differences of two graphs as values: nodes, edges and plans."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

from torchatlas.graph.values.answers import Named
from torchatlas.graph.values.formatting import listed
from torchatlas.graph.values.markdown import Shown

ChangeKind = Literal["added", "removed", "changed"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
_MOVES = 8  # episodes of a plan that are named


@dataclass(frozen=True, slots=True)
class Change:
    """A node or an edge that differs. `table`: its label or type; `name`: its name, or the names of its two ends.

    `ids`: its id, or those of its ends; `properties`: the names of those that changed.
    """

    how: ChangeKind
    table: str
    _: KW_ONLY
    ids: tuple[str, ...]
    name: str
    properties: tuple[str, ...] = ()

    def __str__(self) -> str:
        facts = f" ({listed(self.properties)})" if self.properties else ""
        return f"{self.how}: {self.name}{facts}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange(Named):
    """A goal whose plan differs: the episodes that come in and go out. Without both only the order is another."""

    comes_in: tuple[Named, ...] = ()
    goes_out: tuple[Named, ...] = ()

    def __str__(self) -> str:
        """Return the goal and its first episodes that come and go, and how many more there are.

        >>> str(PlanChange("vmap", "vmap", comes_in=(Named("s/a", "#1 A"),), goes_out=(Named("s/b", "#2 B"),) * 9))
        'vmap: + #1 A, - #2 B, - #2 B, - #2 B, - #2 B, - #2 B, - #2 B, - #2 B and 2 more'
        """
        moves = [f"+ {e.name}" for e in self.comes_in] + [f"- {e.name}" for e in self.goes_out]
        more = f" and {len(moves) - _MOVES} more" if len(moves) > _MOVES else ""
        return f"{self.name}: {', '.join(moves[:_MOVES]) or 'in another order'}{more}"


@dataclass(frozen=True, slots=True)
class Differences(Shown):
    """The plans that differ between two graphs, and all changes from one to the other, the most telling first.

    `compared`: the number of goals whose plans were compared.
    """

    plans: tuple[PlanChange, ...]
    changes: tuple[Change, ...]
    _: KW_ONLY
    compared: int

    @property
    def groups(self) -> dict[str, Sequence[Change | PlanChange]]:
        """The changes under headings that count them, without the kinds that have none."""
        plans = {f"Plans: {len(self.plans)} of {self.compared} differ": self.plans} if self.plans else {}
        tables = dict.fromkeys(change.table for change in self.changes)
        groups = ([change for change in self.changes if change.table == table] for table in tables)
        return plans | {_heading(group): group for group in groups}


def _heading(changes: Sequence[Change]) -> str:
    """Return a heading such as "Episode: 2 added, 1 changed"."""
    counts = {how: sum(change.how == how for change in changes) for how in CHANGE_KINDS}
    return f"{changes[0].table}: {', '.join(f'{n} {how}' for how, n in counts.items() if n)}"
