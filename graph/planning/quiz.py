"""What a listener can skip, and what comes next: the quiz, the checklist and the two fringes of knowledge."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from torchatlas.graph.answers import QUESTIONS, Check, Checklist, Named, Plan, Ready, Refresh, Step, Tick, WhatNext
from torchatlas.graph.model import Snapshot, closure, reachable
from torchatlas.graph.planning.demands import Demands, Teachers, declared_before, known_concepts, main_subjects

Below = Mapping[str, frozenset[str]]
"""Item -> all the items that somebody who knows the item knows as well."""


def quiz(
    snapshot: Snapshot, steps: Sequence[Step], yes: Collection[str], no: Collection[str]
) -> tuple[Check | None, tuple[Named, ...]]:
    """Return the question to ask next about a plan's steps, None after the last one, and the episodes to skip.

    `yes` and `no`: ids of the episodes whose questions the listener could and could not answer.

    Example: `quiz(snapshot, plan.steps, yes=[], no=[])[0].question`
    """
    title = {step.episode_id: step.title for step in steps}
    minutes = {step.episode_id: step.minutes for step in steps}
    below = episodes_below(snapshot, list(title))
    known = known_items(below, yes)
    skipped = tuple(Named(e, title[e]) for e in title if e in known)
    asked_all = len(yes) + len(no) >= QUESTIONS
    found = None if asked_all else best_question(below, minutes, yes, no)
    if found is None:
        return None, skipped
    guessed = snapshot.episode[found].minutes is None
    question = _question(snapshot, found)
    check = Check(id=found, name=title[found], question=question, minutes=minutes[found], estimated=guessed)
    return check, skipped


def minutes_saved(whole: Plan, left: Plan) -> tuple[int, bool]:
    """Return how many minutes shorter a plan has become, and whether a length in that is unknown.

    Example: `minutes_saved(plan, plan)` is `(0, False)`
    """
    before, after = ({(step.episode_id, step.estimated) for step in plan.steps} for plan in (whole, left))
    return whole.minutes - left.minutes, any(estimated for _, estimated in before ^ after)


def episodes_below(snapshot: Snapshot, episodes: Sequence[str]) -> Below:
    """Return, for each of the episodes, those of them that are about what its main subjects need.

    Example: `episodes_below(snapshot, ["show/vmap", "show/dispatcher"])["show/vmap"]`
    """
    mains = {e: frozenset(main_subjects(snapshot, e)) for e in episodes}
    needs = {e: closure(snapshot.required_by, mains[e]) - mains[e] for e in episodes}
    direct = {e: [f for f in episodes if mains[f] & needs[e] and not mains[e] & needs[f]] for e in episodes}
    return {e: reachable(direct.__getitem__, direct[e]) - {e} for e in episodes}


def best_question(below: Below, weight: Mapping[str, int], yes: Collection[str], no: Collection[str]) -> str | None:
    """Return the undecided item that splits the possible states most evenly; None where all are decided.

    Of two that split alike the one that decides more `weight` in the worse case counts, then the order of `below`.

    >>> best_question({"a": frozenset(), "b": frozenset("a"), "c": frozenset("ab")}, dict.fromkeys("abc", 1), [], [])
    'b'
    """
    open_items = [i for i in below if i not in known_items(below, yes) and not below[i].union({i}).intersection(no)]
    if not open_items:
        return None
    above = {i: {j for j in open_items if i in below[j]} for i in open_items}
    count = _Count(open_items, below)

    def evenness(item: str) -> tuple[int, int]:
        known, unknown = {item, *below[item]} & above.keys(), {item, *above[item]}
        split = min(count.states(above.keys() - known), count.states(above.keys() - unknown))
        return split, min(sum(weight[i] for i in known), sum(weight[i] for i in unknown))

    return max(open_items, key=evenness)  # the first of several


def known_items(below: Below, yes: Collection[str]) -> frozenset[str]:
    """Return the items that somebody knows who knows those of `yes`.

    >>> sorted(known_items({"a": frozenset(), "b": frozenset("a")}, ["b"]))
    ['a', 'b']
    """
    return frozenset(yes).union(*(below[item] for item in yes if item in below))


def _question(snapshot: Snapshot, episode: str) -> str:
    """Return the first question that an episode answers; of an episode without any, one about its subject."""
    about = main_subjects(snapshot, episode)
    subject = snapshot.name_of(about[0]) if about else snapshot.episode[episode].title
    return next(iter(snapshot.episode[episode].questions), f"What is {subject}?")


class _Count:
    """The numbers of states that sets of items allow, each counted once. Items are bits, sets of them whole numbers."""

    def __init__(self, items: Sequence[str], below: Below) -> None:
        self._bit = {item: 1 << n for n, item in enumerate(items)}
        self._down = [self._mask({i, *below[i]} & self._bit.keys()) for i in items]
        self._up = [sum(self._bit[j] for j in items if i == j or i in below[j]) for i in items]
        self._counted = {0: 1}

    def states(self, items: Collection[str]) -> int:
        """Return the number of sets of these items that hold all below each of their own."""
        return self._states(self._mask(items))

    def _mask(self, items: Collection[str]) -> int:
        return sum(self._bit[item] for item in items)

    def _states(self, mask: int) -> int:
        if mask not in self._counted:
            ties = {n: (self._down[n] | self._up[n]) & mask for n in range(mask.bit_length()) if mask >> n & 1}
            busiest = max(ties, key=lambda n: ties[n].bit_count())
            part = self._connected(busiest, ties)
            if part == mask:  # with the busiest item, hence all below it; or without, hence none above it
                found = self._states(mask & ~self._down[busiest]) + self._states(mask & ~self._up[busiest])
            else:
                found = self._states(part) * self._states(mask & ~part)
            self._counted[mask] = found
        return self._counted[mask]

    @staticmethod
    def _connected(start: int, ties: Mapping[int, int]) -> int:
        """Return the set of all that is tied to an item, directly or not."""
        found, todo = 0, ties[start]
        while new := todo & ~found:
            found |= new
            todo = 0
            for n, tied in ties.items():
                if new >> n & 1:
                    todo |= tied
        return found


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


def checklist(left: Sequence[Step], whole: Sequence[Step], heard: Collection[str]) -> Checklist:
    """Return the steps that are left, in their order, and each heard step of the `whole` plan at its place.

    `whole` is the plan that was made as if nothing had been heard. A heard step stands before the first step left that
    comes after it there.

    Example: `checklist(plan.steps, anew.steps, heard=["show/strides"]).told`
    """
    order = {step.episode_id: place for place, step in enumerate(whole)}
    ids = {step.episode_id for step in left}
    done = [step for step in whole if step.episode_id in heard and step.episode_id not in ids]
    rows: list[Tick] = []
    for step in left:
        while done and order[done[0].episode_id] < order.get(step.episode_id, -1):
            rows.append(Tick(done.pop(0), heard=True))
        rows.append(Tick(step, heard=False))
    return Checklist((*rows, *(Tick(step, heard=True) for step in done)))
