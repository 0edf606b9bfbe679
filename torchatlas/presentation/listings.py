"""The names of concepts and episodes, in the order in which every list shows them."""

from collections import Counter

from torchatlas.graph.model import Snapshot
from torchatlas.graph.names import fold


def concept_names(graph: Snapshot) -> dict[str, str]:
    """Return id -> name of all concepts, by name.

    >>> from torchatlas.graph.model import Concept
    >>> concept_names(Snapshot((Concept("b", "Autograd", area="A"), Concept("a", "vmap", area="A"))))
    {'b': 'Autograd', 'a': 'vmap'}
    """
    return {c.id: c.name for c in sorted(graph.concepts, key=lambda c: c.name.casefold())}


def episode_names(graph: Snapshot) -> dict[str, str]:
    """Return id -> number and title of all episodes, by show, season, number and day.

    Where two have one title, the show stands behind it.

    >>> from torchatlas.graph.model import Episode
    >>> episode_names(Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7),)))
    {'show/why': '#7 Why autograd'}
    """
    title_counts = Counter(e.title for e in graph.episodes)
    return {
        e.id: e.label + (f" ({e.show})" if title_counts[e.title] > 1 else "")
        for e in sorted(graph.episodes, key=lambda e: (e.show, e.position, e.published or "", e.title))
    }


def other_names(graph: Snapshot) -> dict[str, str]:
    """Return other name -> name and other name of concepts, by name; none that means several things.

    >>> from torchatlas.graph.model import Concept
    >>> other_names(Snapshot((Concept("pt2", "PyTorch 2", area="A", aliases=("torch.compile", "pt2")),)))
    {'torch.compile': 'PyTorch 2 · torch.compile'}
    """
    exact = [*graph.concept, *(c.name for c in graph.concepts), *(e.title for e in graph.episodes), *graph.areas]
    owners = Counter({fold(name): 2 for name in exact})
    owners.update(folded for c in graph.concepts for folded in {fold(alias) for alias in c.aliases})
    named = sorted(graph.concepts, key=lambda c: c.name.casefold())
    return {a: f"{c.name} · {a}" for c in named for a in c.aliases if owners[fold(a)] == 1}
