"""Phrases of many words, looked for in a text all at once: by the first word, then by the words that go on from it."""

from collections.abc import Iterable, Sequence
from itertools import compress, count

Match = tuple[str, int, int]
"""(key, first word, word after the last)."""


class Branch:
    """The `keys` of the phrases that end with a word, and the words that are `following` in longer ones."""

    __slots__ = ("following", "keys")

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.following: dict[str, Branch] = {}


class PhraseMatcher:
    """A matcher of phrases, each a row of words. Phrases with one beginning share its branch of a tree.

    >>> phrases = PhraseMatcher()
    >>> phrases.add("id", ["fake", "tensor"])
    >>> phrases(["a", "fake", "tensor"])
    [('id', 1, 3)]
    """

    def __init__(self) -> None:
        self.first: dict[str, Branch] = {}

    def add(self, key: str, words: Sequence[str]) -> None:
        """Look for these words too, and call them so.

        Example: `phrases.add("fake tensor", ["fake", "tensor"])`
        """
        branches, branch = self.first, None
        for word in words:
            branch = branches.setdefault(word, Branch())
            branches = branch.following
        if branch and key not in branch.keys:
            branch.keys.append(key)

    def __call__(self, words: Sequence[str]) -> list[Match]:
        """Return the matches: by place, then by length, then as added."""
        branches = list(map(self.first.get, words))
        found: list[Match] = []
        closed = [*words, _END]
        for start in compress(count(), branches):
            after, branch = start + 1, branches[start]
            while branch:
                if branch.keys:
                    found += [(key, start, after) for key in branch.keys]
                branch = branch.following.get(closed[after])
                after += 1
        return found


_END = ""
"""What no phrase goes on with."""


def longest(matches: Iterable[Match]) -> list[Match]:
    """Return the matches in order without overlap: the longest come first, and of these those that begin first.

    >>> longest([("a", 0, 2), ("b", 1, 4), ("c", 4, 5)])
    [('b', 1, 4), ('c', 4, 5)]
    """
    taken: set[int] = set()
    kept = []
    for match in sorted(matches, key=lambda m: (m[1] - m[2], m[1])):
        inside = range(match[1], match[2])
        if taken.isdisjoint(inside):
            taken.update(inside)
            kept.append(match)
    return sorted(kept, key=lambda m: m[1])
