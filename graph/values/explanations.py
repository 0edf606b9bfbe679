"""Why one thing comes before another, edge by edge."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.formatting import clock
from torchatlas.graph.values.markdown import Shown, explanation_markdown
from torchatlas.graph.values.model import Need, Origin
from torchatlas.graph.values.wording import ORDERS, ORIGINS, OrderKind


@dataclass(frozen=True, slots=True)
class ChainEdge:
    """An edge of a chain that says why one node comes before another: its two ends, its words and its origin.

    `at`: the second of the audio at which it is said or explained; `need` of a REQUIRES edge.
    """

    source: str
    source_name: str
    _: KW_ONLY
    kind: OrderKind
    target: str
    target_name: str
    words: str
    origin: Origin
    confidence: float
    need: Need | None = None
    at: int | None = None

    @property
    def verb(self) -> str:
        """The verb that joins the two ends in a sentence."""
        return ORDERS[self.kind]

    @property
    def evidence(self) -> str:
        """Where the edge comes from, when it is said and how sure that is: "said by the speaker at 0:25"."""
        sure = f", confidence {self.confidence:.2f}" if self.confidence < 1 else ""
        return ORIGINS[self.origin] + ("" if self.at is None else f" at {clock(self.at)}") + sure


@dataclass(frozen=True, slots=True)
class Explanation(Shown):
    """Why one thing comes before another, from `later` down; both are (id, name).

    `chain`: the edges that say so, empty where nothing does; `reverse`: those that say the opposite.
    """

    earlier: tuple[str, str]
    later: tuple[str, str]
    _: KW_ONLY
    chain: tuple[ChainEdge, ...]
    reverse: tuple[ChainEdge, ...]

    @property
    def verdict(self) -> str:
        """Which of the two comes first, in a sentence; a colon where edges follow.

        >>> Explanation(("a", "vmap"), ("b", "GIL"), chain=(), reverse=()).verdict
        'Nothing says that vmap comes before GIL, or GIL before vmap.'
        >>> Explanation(("a", "vmap"), ("a", "vmap"), chain=(), reverse=()).verdict
        'Both are vmap, so neither comes first.'
        """
        earlier, later = self.earlier[1], self.later[1]
        if self.earlier[0] == self.later[0]:
            return f"Both are {earlier}, so neither comes first."
        if self.chain:
            return f"{earlier} comes before {later}:"
        if self.reverse:
            return f"It is the other way round: {later} comes before {earlier}:"
        return f"Nothing says that {earlier} comes before {later}, or {later} before {earlier}."

    def _repr_markdown_(self) -> str:
        return explanation_markdown(self)
