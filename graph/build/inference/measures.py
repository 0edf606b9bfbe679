"""Measures over texts and over who names whom, as matrices: [a, b] speaks of b as a prerequisite of a.

Reference distance: Liang, Wu, Huang and Giles 2015, "Measuring prerequisite relations among concepts". Potential:
Jiang, Lim, Yao and Ye 2011, "Statistical ranking and combinatorial Hodge theory". PageRank: Brin and Page 1998.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from torchatlas.graph.build.inference.passages import Subject, told
from torchatlas.graph.values.names import without_s, words

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_NEIGHBOURS = 10
_NEAR = 0.9  # quantile of the cosine: from here on two concepts are near
_DAMPING, _ROUNDS = 0.85, 60
_ANCHOR = 0.2  # keeps what is tied to nothing in the middle


@dataclass(frozen=True, slots=True)
class Wordings:
    """`cosine` of the TF-IDF vectors; `covers`: how much of b's name, by idf, a's text holds; `common`: mean logarithm
    of how many texts hold a word of a name.
    """

    cosine: Matrix
    covers: Matrix
    _: KW_ONLY
    common: Vector


def wordings(subjects: Sequence[Subject]) -> Wordings:
    """What the words of the texts and the names show."""
    names = [list(dict.fromkeys(map(without_s, words(s.name)))) for s in subjects]
    texts = [Counter(map(without_s, words("\n".join((s.name, *map(told, s.passages)))))) for s in subjects]
    held = Counter(word for text in texts for word in text)
    idf = {word: math.log(len(subjects) / count) for word, count in held.items()}
    column = {word: i for i, word in enumerate(sorted(held))}

    def table(rows: Iterable[Mapping[str, float]]) -> sparse.csr_array:
        cells = [(value, i, column[word]) for i, row in enumerate(rows) for word, value in row.items()]
        values, rows_, columns = zip(*cells, strict=True) if cells else ((), (), ())
        return sparse.csr_array((values, (rows_, columns)), shape=(len(subjects), len(column)))

    weighed = (
        {word: (1 + math.log(count) + (word in name)) * idf[word] for word, count in text.items()}
        for name, text in zip(names, texts, strict=True)
    )
    unit = table(_divided(row, math.hypot(*row.values())) for row in weighed)
    spelt = table(_divided(row, sum(row.values())) for row in ({word: idf[word] for word in name} for name in names))
    cosine = (unit @ unit.T).toarray()
    covers = (table(dict.fromkeys(text, 1.0) for text in texts) @ spelt.T).toarray()
    np.fill_diagonal(cosine, 0)
    np.fill_diagonal(covers, 0)
    common = np.array([sum(math.log(held[w] + 1) for w in name) / max(len(name), 1) for name in names])
    return Wordings(cosine, covers, common=common)


def _divided(row: Mapping[str, float], by: float) -> dict[str, float]:
    return {word: value / max(by, 1e-9) for word, value in row.items()}


def nearest(cosine: Matrix) -> Matrix:
    """Each row with its ten largest values alone."""
    kept = np.zeros_like(cosine)
    for row, values in enumerate(cosine):
        best = np.argsort(-values, kind="stable")[:_NEIGHBOURS]
        kept[row, best] = values[best]
    return kept


def reference_distance(refers: Matrix, weight: Matrix) -> Matrix:
    """How much more what is close to a (by `weight`, and a itself) refers to b than what is close to b refers to a."""
    return twist(_shares(weight + np.eye(len(weight))) @ refers)


def page_rank(named: Matrix) -> Vector:
    """How often a reader meets each who follows names from text to text."""
    n, out = max(len(named), 1), named.sum(axis=1, keepdims=True)
    step = np.where(out > 0, _shares(named), 1 / n)
    rank = np.full(len(named), 1 / n)
    for _ in range(_ROUNDS):
        rank = (1 - _DAMPING) / n + _DAMPING * (rank @ step)
    return rank


def potential(vote: Matrix, weight: Matrix) -> Vector:
    """A height for each whose differences come closest to the votes, in units of their standard deviation."""
    laplacian = np.diag(weight.sum(axis=1)) - weight + _ANCHOR * np.eye(len(weight))
    height = np.linalg.solve(laplacian, (weight * vote).sum(axis=0))
    return np.asarray(height / max(float(height.std()), 1e-9))


def graded(signal: Matrix, cosine: Matrix) -> Matrix:
    """The signal between -1 and 1, its median over near pairs as the unit."""
    sizes = np.abs(signal[cosine > np.quantile(cosine, _NEAR)])
    sizes = sizes[sizes > 1e-9]
    return np.tanh(signal / np.median(sizes)) if sizes.size else np.zeros_like(signal)


def more(amount: Vector) -> Matrix:
    """How much more b has than a."""
    return amount[None, :] - amount[:, None]


def twist(matrix: Matrix) -> Matrix:
    """What points from a to b less what points back."""
    return matrix - matrix.T


def _shares(matrix: Matrix) -> Matrix:
    return np.asarray(matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-9))
