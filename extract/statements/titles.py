"""Which of many titles a text may name, found without reading the text for anything else."""

import re
from collections import defaultdict
from collections.abc import Iterable


def fold(name: str) -> str:
    """Names are compared without case and marks: "Zero-one specialization" is "zero one specialization"."""
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


class Titles:
    """Titles by what is left of them when folded."""

    def __init__(self, titles: Iterable[str]) -> None:
        self.by_name = {fold(title): title for title in sorted(titles, reverse=True)}
        self.by_start: defaultdict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for name in sorted(self.by_name):
            if words := name.split():
                self.by_start[tuple(words[:2])].append(words)

    def of_name(self, *spellings: str) -> str | None:
        """The title that is one of these names, but for case, marks and the plural's s."""
        for spelling in spellings:
            for said in (spelling, spelling + "s", spelling.removesuffix("s")):
                if title := self.by_name.get(fold(said)):
                    return title
        return None

    def within(self, text: str, names: Iterable[tuple[str, str]] = ()) -> list[str]:
        """The titles that stand in a text, in an address, or are one of `names` (name, spelling), sorted."""
        words = fold(text).split()
        found = {self.of_name(*pair) for pair in names}
        for i, word in enumerate(words):
            for start in ((word,), tuple(words[i : i + 2])):
                found |= {self.by_name[" ".join(t)] for t in self.by_start.get(start, ()) if t == words[i : i + len(t)]}
        return sorted(title for title in found if title is not None)
