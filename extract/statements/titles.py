"""Titles that a text may name, out of many, found without reading the text for anything else."""

from collections import defaultdict
from collections.abc import Iterable

from torchatlas.graph.values.names import folded_title


class Titles:
    """Titles by their folded form, and by the form without "+" that an address has."""

    def __init__(self, titles: Iterable[str]) -> None:
        ordered = sorted(titles, reverse=True)
        self.by_name = {folded_title(title.replace("+", " ")): title for title in ordered}
        self.by_name |= {folded_title(title): title for title in ordered}
        self.by_start: defaultdict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for name in sorted(self.by_name):
            if words := name.split():
                self.by_start[tuple(words[:2])].append(words)

    def of_name(self, *spellings: str) -> str | None:
        """Return the title that is one of these names, but for case, marks and the plural's s.

        >>> Titles(["C++ frontend"]).of_name("c-frontend")
        'C++ frontend'
        """
        for spelling in spellings:
            for said in (spelling, spelling + "s", spelling.removesuffix("s")):
                if title := self.by_name.get(folded_title(said)):
                    return title
        return None

    def within(self, text: str, names: Iterable[tuple[str, str]] = ()) -> list[str]:
        """Return the titles that stand in a text, in an address, or are one of `names` (name, spelling), sorted.

        >>> Titles(["vmap", "Strides"]).within("Listen to VMAP first.")
        ['vmap']
        """
        words = folded_title(text).split()
        found = {self.of_name(*pair) for pair in names}
        for i, word in enumerate(words):
            for start in ((word,), tuple(words[i : i + 2])):
                found |= {self.by_name[" ".join(t)] for t in self.by_start.get(start, ()) if t == words[i : i + len(t)]}
        return sorted(title for title in found if title is not None)
