"""What texts show of the order of concepts: a vote over the signals, and how strongly one leads to another.

The weights are round numbers set by hand. benchmarks/prerequisites.py measures what comes of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from torchatlas.graph.build.inference.measures import (
    Matrix,
    Vector,
    graded,
    more,
    nearest,
    page_rank,
    potential,
    reference_distance,
    twist,
    wordings,
)
from torchatlas.graph.build.inference.passages import Naming, Place, Subject, namings

_COVERED = 0.5  # of a name: from here on a text is about what the name says


@dataclass(frozen=True, slots=True)
class Signals:
    """Matrices over n subjects: [a, b] speaks of b as a prerequisite of a.

    `vote` (antisymmetric): positive where b comes before a; the larger, the surer. `tie`: how strongly a's texts lead
    to b, by which candidates are ranked. `near`: cosine where one is a neighbour of the other, else 0. `generality`:
    highest for what is learnt first. `best`: (a, b) -> the most telling place that names b in a text on a.
    """

    vote: Matrix
    tie: Matrix
    _: KW_ONLY
    near: Matrix
    generality: Vector
    best: Mapping[tuple[int, int], Naming]


def read_signals(subjects: Sequence[Subject]) -> Signals:
    """The signals of these subjects' texts. n subjects cost some twenty matrices of n * n numbers."""
    best = _best_namings(subjects)
    named, first, ahead = np.zeros((3, len(subjects), len(subjects)))
    for pair, naming in best.items():
        named[pair] = naming.place is not Place.AHEAD
        first[pair] = naming.place is Place.FIRST
        ahead[pair] = naming.place is Place.AHEAD
    said = wordings(subjects)
    cosine, covers = said.cosine, said.covers
    top = nearest(cosine)
    vote = (
        3 * np.sign(twist(named))
        + 2 * twist(first)
        - 2 * twist(ahead)
        + 2 * graded(reference_distance(named, top), cosine)
        + 2 * graded(reference_distance(named, np.where(covers > _COVERED, covers, 0)), cosine)
        + 2 * graded(reference_distance(covers, top), cosine)
        + graded(more(np.log(page_rank(named))), cosine)
        + graded(more(said.common), cosine)
        + graded(twist(covers), cosine) / 2
    )
    generality = potential(vote, top + top.T)
    vote = vote + 0.7 * more(generality)
    tie = cosine * certainty(0.6 * vote) + 0.2 * covers + 0.1 * (named + first)
    return Signals(vote, tie, near=np.maximum(top, top.T), generality=generality, best=best)


def certainty(vote: Matrix) -> Matrix:
    """How surely b comes before a, given that one of them does: in (0, 1)."""
    return np.asarray(1 / (1 + np.exp(-vote / 2)))


def _best_namings(subjects: Sequence[Subject]) -> dict[tuple[int, int], Naming]:
    index = {s.id: i for i, s in enumerate(subjects)}
    best: dict[tuple[int, int], Naming] = {}
    for a, subject in enumerate(subjects):
        for naming in namings(subject):
            if (b := index.get(naming.concept)) is not None:
                known = best.setdefault((a, b), naming)
                if naming.place > known.place:
                    best[a, b] = naming
    return best
