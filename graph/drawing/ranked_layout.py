"""A layout from top to bottom: a node stands above those that build on it (Sugiyama, Tagawa and Toda 1981)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

ACROSS, DOWN = 178, 84
"""The grid in pixels: a box with two or three lines of text, and air for the arrows."""

Point = tuple[int, int]
_Cell = tuple[str, int]  # a node at its own rank, or a place kept free where a long edge passes


def layers(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, Point]:
    """Return node -> (x, y) in pixels, centred on x = 0; every edge (earlier, later) points downwards.

    Rows are ordered by eight median sweeps and then straightened. The same input gives the
    same picture. Raises networkx.NetworkXUnfeasible where edges run in a circle.

    >>> layers("ab", [("a", "b")])
    {'a': (0, 0), 'b': (0, 84)}
    """
    nodes, edges = sorted(set(nodes)), sorted(set(edges))
    rank = ranks(nodes, edges)
    rows, down = _rows(nodes, edges, rank)
    up: dict[_Cell, list[_Cell]] = {}
    for a, below in down.items():
        for b in below:
            up.setdefault(b, []).append(a)
    for sweep in range(8):
        order = range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1)
        for r in order:
            beside = rows[r - 1] if sweep % 2 == 0 else rows[r + 1]
            place = {cell: i for i, cell in enumerate(beside)}
            near = up if sweep % 2 == 0 else down
            old = {cell: i for i, cell in enumerate(rows[r])}
            rows[r].sort(key=lambda cell: (median([place[n] for n in near.get(cell, [])] or [old[cell]]), old[cell]))
    across = _straightened(rows, up, down)
    middle = (max(across.values(), default=0.0) + min(across.values(), default=0.0)) / 2
    return {node: (round((across[node, rank[node]] - middle) * ACROSS), rank[node] * DOWN) for node in nodes}


def ranks(nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return ranks that rise along every edge: as many as the longest path has, each node next to the first after it.

    Raises networkx.NetworkXUnfeasible where edges run in a circle.

    >>> ranks("abcd", [("a", "b"), ("b", "d"), ("c", "d")])
    {'a': 0, 'b': 1, 'c': 1, 'd': 2}
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph(sorted(edges))
    graph.add_nodes_from(sorted(nodes))
    order = list(nx.lexicographical_topological_sort(graph))
    rank: dict[str, int] = {}
    for node in order:
        rank[node] = max((rank[before] + 1 for before in graph.pred[node]), default=0)
    for node in reversed(order):
        rank[node] = min((rank[after] - 1 for after in graph.succ[node]), default=rank[node])
    return rank


def _rows(
    nodes: Sequence[str], edges: Sequence[tuple[str, str]], rank: dict[str, int]
) -> tuple[list[list[_Cell]], dict[_Cell, list[_Cell]]]:
    """Return the rows of cells, with a free cell in each row that a long edge passes, and the cells below each cell."""
    rows: list[list[_Cell]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    down: dict[_Cell, list[_Cell]] = {}
    for node in nodes:
        rows[rank[node]].append((node, rank[node]))
    for a, b in edges:
        chain = [(a, rank[a]), *((f"{a}\0{b}", r) for r in range(rank[a] + 1, rank[b])), (b, rank[b])]
        for upper, lower in pairwise(chain):
            down.setdefault(upper, []).append(lower)
        for passing in chain[1:-1]:
            rows[passing[1]].append(passing)
    return rows, down


def _straightened(
    rows: Sequence[Sequence[_Cell]], up: dict[_Cell, list[_Cell]], down: dict[_Cell, list[_Cell]]
) -> dict[_Cell, float]:
    """Return each cell's column: near the mean of its neighbours, in the order of its row, at least one apart."""
    across = {cell: i - (len(row) - 1) / 2 for row in rows for i, cell in enumerate(row)}
    for turn in range(24):
        for row in rows if turn % 2 == 0 else reversed(rows):
            wanted = []
            for cell in row:
                near = up.get(cell, []) + down.get(cell, [])
                wanted.append(sum(across[n] for n in near) / len(near) if near else across[cell])
            across.update(zip(row, _spaced(wanted), strict=True))
    return across


def _spaced(wanted: Sequence[float]) -> list[float]:
    """Return the nearest places (least squares) that keep the order, one apart: pool adjacent violators."""
    blocks: list[tuple[float, int]] = []  # sum of (place - index), length
    for i, place in enumerate(wanted):
        total, size = place - i, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, many = blocks.pop()
            total, size = total + before, size + many
        blocks.append((total, size))
    shifts = [total / size for total, size in blocks for _ in range(size)]
    return [shift + i for i, shift in enumerate(shifts)]
