"""Which concepts are probably prerequisites of which, strongest first."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.build.inference.passages import Naming, Place, Subject
from torchatlas.graph.values.precedence import consistent

STRONG = 0.7
"""From this confidence on a candidate is an edge; what is below only orders and explains."""

_PREREQUISITE = {Place.FIRST: 0.9, Place.LEANING: 0.75, Place.LATER: 0.6, Place.ASIDE: 0.5}
_UNNAMED = 0.6  # at most
_METHOD = {
    Place.FIRST: "the first sentence of its definition names it",
    Place.LEANING: "its text says that it is built on it or uses it",
    Place.LATER: "its text names it, the more general of the two",
    Place.ASIDE: "its text names it in passing",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """`needed` is probably to be known before `concept`. `confidence`: the share of such candidates that are right,
    be it over others in between; `method` says in words what it rests on, `naming` where the text shows it.
    """

    concept: str
    needed: str
    _: KW_ONLY
    confidence: float
    method: str
    naming: Naming | None = None

    @property
    def tier(self) -> Literal["strong", "weak"]:
        return "strong" if self.confidence >= STRONG and self.naming else "weak"


def candidates(subjects: Sequence[Subject], of: Collection[str] | None = None) -> tuple[Candidate, ...]:
    """The likely prerequisites of the subjects, or of those in `of`: what their texts name and what is near, strongest
    first. Nothing is a strong candidate that the texts do not name.
    """
    from torchatlas.graph.build.inference.signals import certainty, read_signals

    signals = read_signals(subjects)
    sure = certainty(signals.vote)
    found = []
    for a, b in sorted({*signals.best, *zip(*(axis.tolist() for axis in signals.near.nonzero()), strict=True)}):
        naming = signals.best.get((a, b))
        ahead = naming is not None and naming.place is Place.AHEAD
        if ahead or signals.vote[a, b] <= 0 or (of is not None and subjects[a].id not in of):
            continue
        base = _PREREQUISITE[naming.place] if naming else min(_UNNAMED, signals.tie[a, b])
        method = _METHOD[naming.place] if naming else "their texts are alike, and it is the more general of the two"
        found.append(
            Candidate(
                subjects[a].id,
                subjects[b].id,
                confidence=round(float(base * sure[a, b]), 2),
                method=method,
                naming=naming,
            )
        )
    return tuple(sorted(found, key=_strongest))


def without_circles(
    found: Iterable[Candidate], firm: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The candidates that can hold together, and those set aside because stronger ones or `firm` say the contrary.

    `firm`: (concept, needed) pairs that people stated.
    """
    ordered = sorted(found, key=_strongest)
    stated = ((needed, concept) for concept, needed in firm)
    held = consistent((*stated, *((c.needed, c.concept) for c in ordered)))
    kept, aside = ([c for c in ordered if ((c.needed, c.concept) in held) is holds] for holds in (True, False))
    return tuple(kept), tuple(aside)


def _strongest(candidate: Candidate) -> tuple[float, str, str]:
    return -candidate.confidence, candidate.concept, candidate.needed
