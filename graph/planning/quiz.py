"""The quiz on a plan, the checklist, and what is ready or to refresh."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from heapq import merge

from torchatlas.graph.answers import QUESTIONS, Check, Checklist, Named, Ready, Refresh, Step, WhatNext
from torchatlas.graph.model import Snapshot, closure, reachable
from torchatlas.graph.planning.demands import Scope, Teachers, known_concepts, main_subjects
from torchatlas.graph.planning.sessions import lengths_of

Below = Mapping[str, frozenset[str]]  # item -> the items that are known with it


def quiz(
    graph: Snapshot, steps: Sequence[Step], yes: Collection[str], no: Collection[str]
) -> tuple[Check | None, tuple[Named, ...]]:
    """Return the next question, if any, and what to skip: `quiz(graph, plan.steps, [], [])`."""
    minutes = {step.episode_id: step.minutes or lengths_of(graph)[step.episode_id] for step in steps}
    below = episodes_below(graph, list(minutes))
    done = known_items(below, yes)
    skipped = tuple(Named(s.episode_id, s.title) for s in steps if s.episode_id in done)
    found = None if len(yes) + len(no) >= QUESTIONS else best_question(below, minutes, yes, no)
    if found is None:
        return None, skipped
    episode = graph.episode[found]
    about = graph.name_of(next(iter(main_subjects(graph, found)), found))
    asked, guess = next(iter(episode.questions), f"What is {about}?"), bool(episode.estimated or not episode.minutes)
    return Check(found, episode.title, question=asked, minutes=minutes[found], estimated=guess), skipped


def episodes_below(graph: Snapshot, episodes: Sequence[str]) -> Below:
    """Return episode -> those on its needs: `episodes_below(graph, [a, b])`."""
    mains = {e: frozenset(main_subjects(graph, e)) for e in episodes}
    needs = {e: closure(graph.required_by, mains[e]) - mains[e] for e in episodes}
    direct = {e: [f for f in episodes if mains[f] & needs[e] and not mains[e] & needs[f]] for e in episodes}
    return {e: reachable(direct.__getitem__, direct[e]) - {e} for e in episodes}


def best_question(below: Below, weight: Mapping[str, int], yes: Collection[str], no: Collection[str]) -> str | None:
    """Return the item that splits the states most evenly; None if all decided.

    Ties go to what decides more `weight` at worst, then the order of `below`.

    >>> best_question({"a": frozenset(), "b": frozenset("a"), "c": frozenset("ab")}, dict.fromkeys("abc", 1), [], [])
    'b'
    """
    known = known_items(below, yes)
    items = [i for i in below if i not in known and i not in no and below[i].isdisjoint(no)]
    down = {i: below[i].union({i}).intersection(items) for i in items}
    up = {i: frozenset(j for j in items if i in down[j]) for i in items}
    near = {i: down[i] | up[i] for i in items}

    @cache
    def states(items: frozenset[str]) -> int:
        """Count the sets of these items that hold all below each of their own."""
        if not items:
            return 1
        busiest = max(items, key=lambda i: len(near[i] & items))
        tied = reachable(lambda i: near[i] & items, [busiest])
        if tied != items:
            return states(tied) * states(items - tied)
        return states(items - down[busiest]) + states(items - up[busiest])

    def evenness(item: str) -> tuple[int, int]:
        ways = down[item], up[item]
        return min(states(frozenset(items) - way) for way in ways), min(sum(weight[i] for i in way) for way in ways)

    return max(items, key=evenness, default=None)


def known_items(below: Below, yes: Collection[str]) -> frozenset[str]:
    """Return `yes` and all below: `known_items({"b": frozenset("a")}, ["b"])`."""
    return frozenset(yes).union(*(below[item] for item in yes if item in below))


def what_next(graph: Snapshot, known: Collection[str], heard: Collection[str]) -> WhatNext:
    """Return episodes ready and to refresh: `what_next(graph, [], []).ready`."""
    graph = graph.without_resources
    teachers, mains = Teachers(graph), {e: set(main_subjects(graph, e)) for e in graph.episode}
    place = {e.id: (e.show, e.position, e.id) for e in graph.episodes}
    concepts, required_by = known_concepts(graph, known, heard), graph.required_by
    left = [e.id for e in graph.episodes if e.kind != "trailer" and e.id not in heard and mains[e.id]]
    missing = {e: _missing(teachers, e, concepts, heard) for e in left}
    ready, refresh = list[Ready](), list[Refresh]()
    for e in (e for e, needed in missing.items() if not needed):
        taught, then = {e, *(t.target for t in graph.taught_by[e])}, [*heard, e]
        likely = [other for other, needed in missing.items() if needed and needed <= taught]
        gained = known_concepts(graph, known, then) if likely else concepts
        opens = tuple(Named(o, graph.name_of(o)) for o in likely if not _missing(teachers, o, gained, then))
        leads_to = sum(not needed.isdisjoint({e, *mains[e]}) for needed in missing.values())
        ready.append(Ready(e, graph.name_of(e), minutes=graph.episode[e].minutes, opens=opens, leads_to=leads_to))
    about = {e: mains[e] for e in heard if mains.get(e)}
    below = {e: closure(required_by, of) - of for e, of in about.items()}
    wanted = [closure(required_by, mains[r.id]) for r in ready]
    for e, of in about.items():
        if not any(of & below[other] for other in about if other != e):
            used = sum(not of.isdisjoint(needed) for needed in wanted)
            refresh.append(Refresh(e, graph.name_of(e), used_by=used))
    ready.sort(key=lambda r: (-len(r.opens), -r.leads_to, place[r.id]))
    return WhatNext(tuple(ready), tuple(sorted(refresh, key=lambda r: (-r.used_by, place[r.id]))))


def _missing(teachers: Teachers, episode: str, known: frozenset[str], heard: Collection[str]) -> frozenset[str]:
    """Return the concepts and episodes that others must cover before this one."""
    scope, about = Scope(teachers, known, heard, (), False), main_subjects(teachers.graph, episode)
    scope.add(episode, [episode])
    below, declared = scope.need(about, "hear", mainly=True), scope.declare([episode])
    first = (*below, *declared, *scope.need(about[:1], "worth", mainly=True))
    able = {name: scope.demands[name].teachers or () for name in first}
    return frozenset(name for name, episodes in able.items() if episodes and episode not in episodes)


def checklist(left: Sequence[Step], whole: Sequence[Step], heard: Collection[str]) -> Checklist:
    """Return steps left and heard, in order: `checklist([], steps, ["s/1"])`."""
    order, ids = {step.episode_id: n for n, step in enumerate(whole)}, {step.episode_id for step in left}
    done = [step for step in whole if step.episode_id in heard and step.episode_id not in ids]
    steps = merge(done, left, key=lambda step: order.get(step.episode_id, -1))
    return Checklist(tuple(steps), tuple(step.episode_id for step in done))
