"""The nearest things to hear and to read for a goal that no episode explains."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.answers import Nearby
from torchatlas.graph.values.grouping import by_source
from torchatlas.graph.values.model import ConceptRelation, Requires, Snapshot
from torchatlas.graph.values.wording import NEEDS, ORDERS, RELATIONS

_HEAR, _FAR, _READ = 4, 2, 2  # entries to hear, to hear where all are far, to read
_DEEP = 3  # levels below a goal; what lies deeper has little to do with it

Tie = tuple[str, str]
"""A concept, and in words how another one is tied to it: ("engine", "tape is a part of engine")."""


def nearest_to(
    snapshot: Snapshot, goal: str, without: Collection[str] = (), *, teachers: Teachers | None = None
) -> tuple[Nearby, ...]:
    """Return a few episodes near a concept that no episode explains, and pages to read where it has none of its own.

    The nearest come first: on what the concept is a part of, what it needs, other relations, what needs it; then the
    episodes that take it for granted or name it. Where there are none, those on the nearest that it builds on further
    below, else on what a concept between ties to it. `without`: episodes to leave out; `teachers`: those of the
    snapshot, where they are at hand.

    >>> from torchatlas.graph.values.model import Concept, ConceptRelation, Episode, Teaches
    >>> tape, engine = (Concept(name, name, area="Autograd") for name in ("tape", "engine"))
    >>> graph = Snapshot(
    ...     (tape, engine),
    ...     (Episode("show/e", "Engines", show="Show"),),
    ...     teaches=(Teaches("show/e", "engine", depth="main"),),
    ...     concept_relations=(ConceptRelation("tape", "engine", kind="PART_OF"),),
    ... )
    >>> [(near.name, near.why) for near in nearest_to(graph, "tape")]
    [('Engines', 'tape is a part of engine; this episode explains engine.')]
    """
    teachers = teachers or Teachers(snapshot)
    near, below = list(_ties(snapshot, goal)), list(_below(snapshot, goal))
    close = [*_on(teachers, goal, near), *_leaning(snapshot, goal)]
    hear = close or next(filter(None, ([*_on(teachers, goal, level)] for level in below)), [])
    most = _HEAR if hear else _FAR
    first: dict[str, Nearby] = {}
    for found in hear or _on(teachers, goal, [*near, *_between(snapshot, goal, near)], beside=True):
        first.setdefault(found.id, found)
    reading = _to_read(snapshot, goal, [*near, *chain.from_iterable(below)])
    return (*islice((n for n in first.values() if n.id not in without), most), *reading)


def _ties(snapshot: Snapshot, concept: str) -> Iterator[Tie]:
    """Yield the concepts tied to one, the nearest first, each with the tie in words."""
    strength = {need: place for place, need in enumerate(NEEDS)}
    relations = [r for r in snapshot.concept_relations if concept in (r.source, r.target)]
    wholes = [r for r in relations if r.kind == "PART_OF" and r.source == concept]
    needs = sorted(snapshot.required_by.get(concept, ()), key=lambda r: strength[r.need])
    others = [r for r in relations if r not in wholes]
    edges: Iterable[Requires | ConceptRelation] = (
        *wholes, *needs, *others, *(r for r in snapshot.requires if r.target == concept)
    )  # fmt: skip
    for edge in edges:
        verb = RELATIONS[edge.kind].verb if isinstance(edge, ConceptRelation) else ORDERS[edge.kind]
        other = edge.target if edge.source == concept else edge.source
        yield other, f"{snapshot.name_of(edge.source)} {verb} {snapshot.name_of(edge.target)}"


def _below(snapshot: Snapshot, concept: str) -> Iterator[list[Tie]]:
    """Yield what a concept builds on, level by level: what it is a part of or needs, and so on."""
    up = by_source((*snapshot.requires, *(r for r in snapshot.concept_relations if r.kind == "PART_OF")))
    found = level = {concept: None}
    for _ in range(_DEEP):
        level = {e.target: None for c in level for e in up.get(c, ()) if e.target not in found}
        found |= level
        yield [(c, f"{snapshot.name_of(concept)} builds on {snapshot.name_of(c)}") for c in level]


def _between(snapshot: Snapshot, goal: str, near: Iterable[Tie]) -> Iterator[Tie]:
    """Yield what is tied to the concepts tied to a goal, by way of the one with the fewest ties first."""
    ways = [(tie, [*_ties(snapshot, concept)]) for concept, tie in near]
    for tie, further in sorted(ways, key=lambda way: len(way[1])):
        yield from ((concept, f"{tie}; {more}") for concept, more in further if concept != goal)


def _on(teachers: Teachers, goal: str, ties: Iterable[Tie], *, beside: bool = False) -> Iterator[Nearby]:
    """Yield the best episode on each tied concept; with `beside` also one that explains it beside another subject."""
    snapshot = teachers.snapshot
    for concept, tie in ties:
        able = teachers.devoted_to(concept) or teachers.explaining(concept)
        for episode in (able or (teachers.saying_most(concept) if beside else ()))[:1]:
            yield _episode(snapshot, goal, episode, f"{tie}; this episode explains {snapshot.name_of(concept)}.")


def _leaning(snapshot: Snapshot, goal: str) -> Iterator[Nearby]:
    """Yield the episodes that take a goal for granted, then those that name the goal most often."""
    name = snapshot.name_of(goal)
    heard = {e.id for e in snapshot.episodes if e.kind == "episode"}
    for assumes in (a for a in snapshot.assumes if a.target == goal and a.source in heard):
        yield _episode(snapshot, goal, assumes.source, f"This episode takes {name} for granted.")
    named = (m for m in snapshot.mentions if m.target == goal and m.source in heard)
    for mention in sorted(named, key=lambda m: (-m.count, m.source)):
        yield _episode(snapshot, goal, mention.source, f"A description of this episode names {name}.")


def _episode(snapshot: Snapshot, goal: str, episode: str, why: str) -> Nearby:
    label = snapshot.label_of(episode)
    return Nearby(episode, label, goal=snapshot.name_of(goal), kind="hear", why=why)


def _to_read(snapshot: Snapshot, goal: str, ties: Iterable[Tie]) -> list[Nearby]:
    """Return a few tied concepts with a page to read, unless the goal has a page of its own."""
    readings = ReadingLinks(snapshot)
    if readings.of(goal):
        return []
    nearest = dict([*ties][::-1])
    found = (
        Nearby(c, snapshot.name_of(c), goal=snapshot.name_of(goal), kind="read", why=f"{nearest[c]}.", link=link)
        for c in dict.fromkeys(concept for concept, _ in ties)
        if (link := readings.of(c))
    )
    return [*islice(found, _READ)]
