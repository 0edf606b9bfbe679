"""The two fringes of a listener's knowledge, after Doignon and Falmagne (1985): what to hear next, what to refresh."""

from collections.abc import Collection, Iterable, Iterator

from torchatlas.graph.planning.declared import declared_before
from torchatlas.graph.planning.demands import Demands
from torchatlas.graph.planning.knowledge import known_concepts, main_subjects
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.answers import Named
from torchatlas.graph.values.listening import Ready, Refresh, WhatNext
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import closure


def what_next(snapshot: Snapshot, known: Collection[str], heard: Collection[str]) -> WhatNext:
    """Return the episodes that are ready for somebody who knows these concepts and has heard these episodes.

    Ready is an episode whose plan would have no step before it. Those that open most come first, then those that lead
    to most. To refresh are the heard episodes that no other heard one builds on, those that ready ones need first.

    Example: `what_next(snapshot, known=[], heard=["show/dispatcher"]).ready[0].opens`
    """
    teachers = Teachers(snapshot)
    left = [e.id for e in snapshot.episodes if e.kind == "episode" and e.id not in heard]
    concepts = known_concepts(snapshot, known, heard)
    missing = {e: _missing(teachers, e, concepts, heard) for e in left if main_subjects(snapshot, e)}
    ready = [e for e, needed in missing.items() if not needed]

    def opened(episode: str) -> tuple[Named, ...]:
        taught = {episode, *(t.target for t in snapshot.taught_by[episode])}
        likely = [e for e, needed in missing.items() if needed and needed <= taught]
        gained = known_concepts(snapshot, known, [*heard, episode]) if likely else concepts
        now = (e for e in likely if not _missing(teachers, e, gained, [*heard, episode]))
        return tuple(Named(e, snapshot.episode[e].title) for e in now)

    found = [
        Ready(
            id=e,
            name=snapshot.episode[e].title,
            minutes=snapshot.episode[e].minutes,
            opens=opened(e),
            leads_to=sum(not needed.isdisjoint([e, *main_subjects(snapshot, e)]) for needed in missing.values()),
        )
        for e in ready
    ]
    place = {e.id: (e.show, e.position, e.id) for e in snapshot.episodes}
    return WhatNext(
        tuple(sorted(found, key=lambda r: (-len(r.opens), -r.leads_to, place[r.id]))),
        tuple(sorted(_to_refresh(snapshot, heard, ready), key=lambda r: (-r.used_by, place[r.id]))),
    )


def _missing(teachers: Teachers, episode: str, known: frozenset[str], heard: Collection[str]) -> frozenset[str]:
    """Return the concepts, and the episodes asked for, that a plan for an episode has other episodes first for."""
    demands = Demands(teachers, known=known, heard=heard)
    demands.add(episode, [episode])
    about = main_subjects(teachers.snapshot, episode)
    first = [
        *demands.need(about, "hear", devoted=True),
        *demands.declare(declared_before(teachers.snapshot, [episode])),
        *demands.need(about[:1], "worth", devoted=True),
    ]
    able = {name: demands.found[name].teachers or () for name in first}
    return frozenset(name for name, episodes in able.items() if episodes and episode not in episodes)


def _to_refresh(snapshot: Snapshot, heard: Collection[str], ready: Iterable[str]) -> Iterator[Refresh]:
    mains = {e: set(main_subjects(snapshot, e)) for e in sorted(heard) if e in snapshot.episode}
    below = {e: closure(snapshot.required_by, mains[e]) - mains[e] for e in mains}
    wanted = [closure(snapshot.required_by, main_subjects(snapshot, e)) for e in ready]
    for episode, about in mains.items():
        if about and not any(about & below[other] for other in mains if other != episode):
            used_by = sum(not about.isdisjoint(needed) for needed in wanted)
            yield Refresh(id=episode, name=snapshot.episode[episode].title, used_by=used_by)
