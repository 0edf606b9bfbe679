"""Links to read about a concept: the best page that an episode on it cites, else its place in PyTorch's source.

Code that an episode cites may have moved since. A place of today, where the vocabulary has one, goes first.
"""

from collections import defaultdict
from math import inf

from torchatlas.graph.values.model import Link, Snapshot
from torchatlas.graph.values.names import fold

_TREE = "https://github.com/pytorch/pytorch/blob/main"
_BEST = ("docs", "rfc", "blog", "github_wiki", "forum", "paper", "github_code", "github_issue", "github_pr")


class ReadingLinks:
    """Addresses to read about the concepts of a graph, looked up in indices that are made once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        links = {link.id: link for link in snapshot.links if link.type in _BEST}
        self.cited: defaultdict[str, list[Link]] = defaultdict(list)
        for cites in (c for c in snapshot.cites if c.target in links):
            self.cited[cites.source].append(links[cites.target])

    def of(self, concept: str) -> str | None:
        """Return the address of the best page whose words name the concept; None where neither page nor path is known.

        Example: `ReadingLinks(snapshot).of("vmap")`
        """
        c = self.snapshot.concept[concept]
        names = {fold(name) for name in (c.name, *c.aliases)}
        pages = (
            (_BEST.index(link.type), -t.weight, link.url)
            for t in self.snapshot.teachers.get(concept, ())
            for link in self.cited[t.source]
            if any(name in fold(f"{link.label} {link.url}") for name in names if len(name) > 3)
        )
        today = [(_BEST.index("github_code"), -inf, f"{_TREE}/{path}") for path in c.source_paths[:1]]
        best = min((*pages, *today), default=None)
        return best[2] if best else None
