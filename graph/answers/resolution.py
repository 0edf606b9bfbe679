"""From a name that a person types to the concept or episode: an exact one first, then the one that is nearest."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TypeVar

from rapidfuzz.distance import OSA

from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Concept, Episode, Snapshot
from torchatlas.graph.values.names import fold, suggest

T = TypeVar("T", bound=Concept | Episode)
_NUMBER = re.compile(r"#?\s*(\d{1,9})")  # Python reads no whole number of thousands of digits


def resolve_concept(snapshot: Snapshot, text: str) -> Concept:
    """Return the concept whose id, name or alias the text is, or is a typo away from.

    Raises UnknownName, with up to three suggestions, where none or several fit.

    >>> resolve_concept(Snapshot((Concept("vmap", "vmap", area="Transforms"),)), "VMAP").id
    'vmap'
    """
    return _exact(_concept_tiers(snapshot, text)) or _nearest("concept", text, _concept_names(snapshot))


def resolve_episode(snapshot: Snapshot, text: str) -> Episode:
    """Return the episode whose number, id or title the text is, or is a typo away from.

    Raises UnknownName, with up to three suggestions, where none or several fit.

    >>> resolve_episode(Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7),)), "#7").id
    'show/why'
    """
    return _exact(_episode_tiers(snapshot, text)) or _nearest("episode", text, _episode_names(snapshot))


def resolve_goal(snapshot: Snapshot, text: str) -> Concept | Episode:
    """Return the concept, or else the episode, that a plan is asked for; an exact episode goes before a near concept.

    Raises UnknownName, with up to three suggestions, where none or several fit.

    Example: `resolve_goal(snapshot, "AOTAutograd").id`
    """
    exact: Concept | Episode | None = _exact(_concept_tiers(snapshot, text)) or _exact(_episode_tiers(snapshot, text))
    names: list[tuple[str, Concept | Episode]] = [*_concept_names(snapshot), *_episode_names(snapshot)]
    return exact or _nearest("concept or episode", text, names)


def _concept_tiers(snapshot: Snapshot, text: str) -> Iterator[list[Concept]]:
    typed, folded = text.strip().casefold(), fold(text)
    everyone = snapshot.concepts
    yield [c for c in everyone if text.strip() in (c.id, c.name)]
    yield [c for c in everyone if typed in (c.id.casefold(), c.name.casefold())]
    yield [c for c in everyone if typed in map(str.casefold, c.aliases)]
    yield [c for c in everyone if folded and folded in (fold(c.id), fold(c.name))]
    yield [c for c in everyone if folded and folded in map(fold, c.aliases)]
    yield [c for c in everyone if folded and folded in map(fold, c.phrases)]


def _episode_tiers(snapshot: Snapshot, text: str) -> Iterator[list[Episode]]:
    typed, folded = text.strip().casefold(), fold(text)
    everyone = snapshot.episodes
    if number := _NUMBER.fullmatch(text.strip()):
        numbered = [e for e in everyone if e.number == int(number[1])]
        if len(numbered) > 1:  # of several shows
            raise UnknownName("single episode", text, [e.id for e in numbered[:3]])
        yield numbered
    yield [e for e in everyone if typed in (e.id.casefold(), e.title.casefold())]
    yield [e for e in everyone if folded and folded in (fold(e.id), fold(e.title))]


def _concept_names(snapshot: Snapshot) -> list[tuple[str, Concept]]:
    return [(name, c) for c in snapshot.concepts for name in (c.name, *c.aliases)]


def _episode_names(snapshot: Snapshot) -> list[tuple[str, Episode]]:
    return [(e.title, e) for e in snapshot.episodes]


def _exact(tiers: Iterable[list[T]]) -> T | None:
    """Return the only match in the first tier that has any; None where there are several, or none at all."""
    first = next(filter(None, tiers), [])
    return first[0] if len(first) == 1 else None


def _nearest(kind: str, text: str, names: Sequence[tuple[str, T]]) -> T:
    """Return the only owner of a name within a typo or two of the text. Raises UnknownName where there is none."""
    owners, folded = {owner.id: owner for _, owner in names}, fold(text)
    distance: dict[str, float] = {}
    for name, owner in names:
        distance[owner.id] = min(OSA.distance(folded, fold(name)), distance.get(owner.id, inf))
    allowed = (len(folded) > 3) + (len(folded) > 8)
    near = sorted((d, isinstance(owners[i], Episode), i) for i, d in distance.items() if 0 < d <= allowed)
    if near and 0 not in distance.values() and (len(near) == 1 or near[0][:2] < near[1][:2]):
        return owners[near[0][2]]
    raise UnknownName(kind, text, _suggestions(text, names))


def _suggestions(text: str, names: Sequence[tuple[str, T]]) -> list[str]:
    """Return the names of the three owners whose names are most like a text; the id stands in where two share a name.

    An episode that is called like a concept is left out: its title means the concept.
    """
    concepts = {fold(o.name) for _, o in names if isinstance(o, Concept)}
    owners: defaultdict[str, dict[str, T]] = defaultdict(dict)
    for name, owner in names:
        if isinstance(owner, Concept) or fold(owner.title) not in concepts:
            owners[name][owner.id] = owner
    near = {id_: owner for name in suggest(text, owners, limit=None) for id_, owner in sorted(owners[name].items())}
    best = [(id_, _name(owner)) for id_, owner in near.items()][:3]
    return [name if [n for _, n in best].count(name) == 1 else id_ for id_, name in best]


def _name(owner: Concept | Episode) -> str:
    return owner.name if isinstance(owner, Concept) else owner.title
