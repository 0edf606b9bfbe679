"""The few episodes of a very large map that each episode is compared with."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torchatlas.graph.answers.hubs import Floats, Ints, ThroughHubs

_HUBS = 24
"""Hubs that lead from an episode to others: those that can add most to the nearness of another episode."""
_STRONGEST, _CLOSEST = 24, 8
"""How many episodes each of these hubs leads to: those tied to it most, and those told next before and after."""


class Candidates:
    """For each episode those that are tied to the same hubs, or to hubs near these, strongly or at about its time.

    What walks reach without any hub, such as an episode that the notes name, is there as well. No episode has more than
    a fixed number of candidates by hubs, so the work grows with the number of episodes and not with its square.
    `in_order`: the places of the episodes as their shows told them.
    """

    def __init__(self, walks: "ThroughHubs", in_order: "Ints") -> None:
        self._walks = walks
        told = walks.enter[in_order].tocsc()  # within a hub, the episodes as their shows told them
        hub = np.repeat(np.arange(told.shape[1]), np.diff(told.indptr))
        self._begin = told.indptr.astype(np.int64)
        self._told = in_order[told.indices]
        self._tied = self._told[np.lexsort((self._told, -told.data, hub))]
        self._most = np.zeros(told.shape[1])
        np.maximum.at(self._most, hub, told.data)
        self._rank = np.empty(len(in_order), dtype=np.int64)
        self._rank[in_order] = np.arange(len(in_order))
        self._keys = self._key(hub, self._told)

    def pairs(self, block: slice, profiles: "Floats") -> "tuple[Ints, Ints]":
        """Return the candidates of a block of episodes as (row in the block, place of the candidate), in order.

        Example: `rows, others = candidates.pairs(slice(0, 256), walks.profiles(slice(0, 256)))`
        """
        rows, hubs = self._main_hubs(profiles)
        strong = self._listed(self._tied, hubs, self._begin[hubs], np.arange(_STRONGEST))
        here = np.searchsorted(self._keys, self._key(hubs, rows + block.start))
        close = self._listed(self._told, hubs, here, np.arange(-_CLOSEST, _CLOSEST + 1))
        around, count = self._walks.around[block].tocoo(), len(self._rank)
        shared = (rows[:, None] * count + np.hstack([strong, close])).ravel()
        keys = np.sort(np.concatenate([shared, around.row.astype(np.int64) * count + around.col]))
        found, others = np.divmod(keys[np.diff(keys, prepend=-1) > 0], count)
        apart = others != found + block.start
        return found[apart], others[apart]

    def _main_hubs(self, profiles: "Floats") -> "tuple[Ints, Ints]":
        """Return (row, hub) of the hubs that may add most: near to the episode, and strongly tied to another one."""
        most = profiles * self._most
        top = np.argsort(-most, axis=1, kind="stable")[:, :_HUBS]
        rows, places = np.nonzero(np.take_along_axis(most, top, axis=1) > 0)
        return rows, top[rows, places]

    def _key(self, hubs: "Ints", episodes: "Ints") -> "Ints":
        return np.asarray(hubs * len(self._rank) + self._rank[episodes])

    def _listed(self, episodes: "Ints", hubs: "Ints", middle: "Ints", steps: "Ints") -> "Ints":
        """Return for each hub the episodes so many steps from the middle of its list; its ends where there are none."""
        begin, end = self._begin[hubs][:, None], self._begin[hubs + 1][:, None] - 1
        return np.asarray(episodes[np.clip(middle[:, None] + steps, begin, end)])
