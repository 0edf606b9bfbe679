"""Small graphs in a line or two, and whole ones as a build makes them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

from torchatlas.graph import model
from torchatlas.graph.build import complete_graph, join_graph
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Requires, Snapshot, Teaches


def build_graph(*arguments: Any) -> Snapshot:
    """Return the whole graph, with its layout and the nearest episodes of each, from the arguments of `join_graph`."""
    return complete_graph(join_graph(*arguments)[0])


@cache
def shipped() -> Snapshot:
    """Return the graph of the shipped vocabulary and catalogue, without what is found in texts."""
    from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
    from torchatlas.shipped import SHOW, bundled, bundled_file

    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    return build_graph(vocabulary, load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW), ())


def teaches(episode: str, *concepts: str) -> tuple[Teaches, ...]:
    """Main subjects, but those with a ~ are parts."""
    kinds: dict[bool, Any] = {True: ("part", 0.5), False: ("main", 1.0)}
    told = ((i, c.strip("~"), *kinds["~" in c]) for i, c in enumerate(concepts))
    return tuple(Teaches(episode, c, depth=depth, weight=most - i / 100, at=60 * i) for i, c, depth, most in told)


def _concept(name: str, area: str, _: int) -> Concept:
    return Concept(name, name.title(), area=area or "Area", definition=f"What {name} is.")


def _episode(name: str, minutes: str, number: int) -> Episode:
    return Episode(name, name.title(), show="Show", number=number, minutes=int(minutes) if minutes else None)


EDGES: dict[str, tuple[str, Callable[..., Iterable[Any]]]] = {  # what the two ends are, and how a row of words is read
    "teaches": ("ec", lambda _, *row: teaches(*row)),
    "assumes": ("ec", lambda _, e, *row: [model.Assumes(e, c, how="silent") for c in row]),
    "requires": ("cc", lambda note, a, b, need="hear": [Requires(a, b, need=need, reason=note or "r")]),
    "concept_relations": ("cc", lambda note, a, kind, b, *origin: [_relation(note, a, kind, b, *origin)]),
    "listen_after": ("ee", lambda note, a, b: [model.ListenAfter(a, b, quote=note)]),
    "refers_to": ("ee", lambda note, a, relation, b: [model.RefersTo(a, b, relation=relation, quote=note)]),
}


def _relation(note: str, a: str, kind: Any, b: str, origin: Any = "curated") -> ConceptRelation:
    return ConceptRelation(a, b, kind=kind, reason=note, origin=origin)


def edges(group: str, text: str) -> tuple[Any, ...]:
    """Read edges: "compiler tracing worth: why, tracing views", "goal compiler ~detail", "lost USES island"."""
    rows = [part.partition(": ") for part in text.split(", ") if part]
    return tuple(chain.from_iterable(EDGES[group][1](note, *words.split()) for words, _, note in rows))


def changed(graph: Snapshot, **groups: Any) -> Snapshot:
    """Return the graph with other nodes or edges: all of a group, or further ones where the text begins with a +.

    Of `teaches`, a text replaces what the episodes in it teach. Concepts are "name:area", episodes "name:minutes".
    """
    groups = {n: tuple(v) if not isinstance(v, str) else v for n, v in groups.items()}
    for name in groups.keys() & {"concepts", "episodes"}:
        if isinstance(groups[name], str):
            node: Callable[..., Any] = _concept if name == "concepts" else _episode
            words = groups[name].split()
            old = getattr(graph, name) if words[:1] == ["+"] else ()
            new = [word.partition(":") for word in words if word != "+"]
            groups[name] = (*old, *(node(n, fact, i) for i, (n, _, fact) in enumerate(new, len(old))))
    for name, text in groups.items():
        if isinstance(text, str):
            told = {row.split()[0] for row in text.split(", ") if row} if name == "teaches" else set()
            kept = [e for e in getattr(graph, name) if (name == "teaches" or text[:1] == "+") and e.source not in told]
            groups[name] = (*kept, *edges(name, text.removeprefix("+ ")))
    return replace(graph, **groups)


def graph(
    concepts: str | tuple[Concept, ...] = "", episodes: str | tuple[Episode, ...] = "", **groups: Any
) -> Snapshot:
    """Return a graph of these edges, with the nodes at their ends where they are not named before."""
    ends: dict[str, set[str]] = {"c": set(), "e": set()}
    for name in groups.keys() & EDGES.keys():
        groups[name] = edges(name, groups[name]) if isinstance(groups[name], str) else groups[name]
        for edge in groups[name]:
            ends[EDGES[name][0][0]].add(edge.source)
            ends[EDGES[name][0][1]].add(edge.target)
    for kind, name, given in (("c", "concepts", concepts), ("e", "episodes", episodes)):
        words = given.split() if isinstance(given, str) else []
        further = sorted(ends[kind] - {word.split(":")[0] for word in words})
        groups[name] = " ".join([*words, *further]) if isinstance(given, str) else given
    return changed(Snapshot(), **groups)
