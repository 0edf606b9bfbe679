"""The walk of `nearness` for very many episodes, by way of the nodes that most ties lead to.

All that walks from any node to any other one meet is the inverse of B = D - (1 - r) A, where A holds the weights of the
ties, D their sums at each node, and r is how often the walker returns. Most walks pass a few thousand hubs, such as the
concepts of the vocabulary. Block elimination of the other nodes (Golub and Van Loan 2013, section 3.2.6) leaves one
dense matrix of the hubs' own size, whatever the number of episodes is, and a few figures for each episode.
"""

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from torchatlas.graph.answers.nearness import Nearness

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_HUBS = 2_500
_SMALLEST = 1e-5  # share of the walks from an episode: what is rarer is not followed further


@dataclass(frozen=True, slots=True)
class ThroughHubs:
    """The walks from all episodes, in parts whose product is their nearness. Rows are episodes, in the graph's order.

    `enter`: how walks enter each hub for the first time; `between`: how near two hubs are; `around`: how near two
    episodes are by walks that meet no hub; `total`: the weight of all ties, times how often the walker returns.
    """

    enter: "csr_array"
    between: "Floats"
    _: KW_ONLY
    around: "csr_array"
    total: float

    def profiles(self, block: slice) -> "Floats":
        """Return how near each hub is to each episode of a block, one row an episode.

        Example: `walks.profiles(slice(0, 256)).shape`
        """
        return np.asarray(self.enter[block] @ self.between)

    def lifts(self, rows: "Ints", others: "Ints", block: slice, profiles: "Floats") -> "Floats":
        """Return how much more often than by chance walks from `block.start + rows` meet `others`, pair by pair.

        Example: `walks.lifts(np.array([0]), np.array([7]), slice(0, 1), walks.profiles(slice(0, 1)))`
        """
        begins = self.enter.indptr[others].astype(np.int64)
        counts = self.enter.indptr[others + 1] - begins
        pair = np.repeat(np.arange(len(others)), counts)
        entries = np.arange(len(pair)) + (begins - np.cumsum(counts) + counts)[pair]
        met = self.enter.data[entries] * profiles[rows[pair], self.enter.indices[entries]]
        direct = _at(self.around[block], rows, others)
        return np.asarray(self.total * (np.bincount(pair, met, len(others)) + direct))


def through_hubs(walk: "Nearness", restart: float) -> ThroughHubs:
    """Return the walks of a prepared graph, which return with the probability `restart` at every step.

    Example: `through_hubs(Nearness(snapshot), 0.3).between.shape`
    """
    from scipy import sparse

    on, ties, degree = 1 - restart, walk.ties, walk.degree
    episodes = len(walk.episodes)
    many = np.diff(ties.indptr)[episodes:]
    hubs = episodes + np.sort(np.argsort(-many, kind="stable")[:_HUBS])
    others = np.setdiff1d(np.arange(len(degree)), hubs)  # episodes come first
    step = sparse.diags_array(on / degree[others]) @ ties[others][:, others]
    begin = sparse.diags_array(on / degree[others]) @ ties[others][:, hubs]
    start = sparse.csr_array(sparse.hstack([begin, sparse.eye_array(len(others), episodes)]))
    met = _followed(sparse.csr_array(step), start)
    enter, own = met[:, : len(hubs)].tocsr(), met[:episodes, len(hubs) :]
    left = sparse.diags_array(degree[hubs]) - on * (ties[hubs][:, hubs] + ties[hubs][:, others] @ enter)
    around = sparse.csr_array(own @ sparse.diags_array(1 / degree[:episodes]))
    between = np.linalg.inv(left.toarray())
    return ThroughHubs(enter[:episodes], between, around=around, total=restart * float(degree.sum()))


def _followed(step: "csr_array", start: "csr_array") -> "csr_array":
    """Return start + step @ start + step @ step @ start + ..., up to what is too small to matter."""
    met = term = start
    while term.nnz:
        term = (step @ term).tocsr()
        term.data[np.abs(term.data) < _SMALLEST] = 0.0
        term.eliminate_zeros()
        met = met + term
    return met.tocsr()


def _at(matrix: "csr_array", rows: "Ints", columns: "Ints") -> "Floats":
    """Return the entries at these places, 0 where there is none."""
    found, width = matrix.tocoo(), matrix.shape[1]
    keys = found.row.astype(np.int64) * width + found.col
    order = np.argsort(keys)
    keys, values = np.append(keys[order], -1), np.append(found.data[order], 0.0)
    wanted = rows * width + columns
    places = np.searchsorted(keys[:-1], wanted)
    return np.where(keys[places] == wanted, values[places], 0.0)
