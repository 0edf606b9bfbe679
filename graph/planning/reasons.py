"""The steps of a plan in words, and what is nearest to unexplained goals."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import get_args

from torchatlas.graph.answers import Nearby, Needed, Primer, Step, Taught
from torchatlas.graph.formatting import BASES, NEEDS, RELATIONS, VERBS, clock, listed, worded
from torchatlas.graph.model import ConceptRelation, ListenAfter, Origin, Requires, Snapshot, by_source
from torchatlas.graph.names import fold
from torchatlas.graph.planning.demands import Scope, Teachers, main_subjects
from torchatlas.graph.views import reading_links

_SUREST_FIRST: tuple[Origin, ...] = get_args(Origin)
_HEAR, _FAR, _READ = 4, 2, 2  # to hear, to hear where all are far, to read
_TOLD = 3  # names in a sentence
Tie = tuple[str, str]  # an id, and in words why it is near


def least_sure(origins: Iterable[Origin | None]) -> Origin | None:
    """Return the least sure origin, if any: `least_sure(["declared", None])`."""
    return max(filter(None, origins), key=_SUREST_FIRST.index, default=None)


def steps_of(scope: Scope, order: Sequence[str]) -> tuple[Step, ...]:
    """Return a step for each episode: `steps_of(scope, ["s/1"])`."""
    graph, steps = scope.graph, list[Step]()
    goal_of = {e: goal for goal in reversed(list(scope.goals)) for e in scope.goals[goal]}
    able = {c: set(scope.demands[c].teachers or ()) for c in (*scope.needs, *scope.declared, *scope.deepenings)}
    for place, episode in enumerate(map(graph.episode.__getitem__, order)):
        goal, teaches = goal_of.get(episode.id), graph.taught_by.get(episode.id, ())
        mine = [c for c, teachers in able.items() if episode.id in teachers]
        only = [c for c in mine if able[c].intersection(order) == {episode.id}] or mine
        first = (c for c in only if c not in scope.needs or scope.needs[c].source not in only)
        met = goal or next(first, only[0])  # the first demand that it meets, best one that no other meets
        why, origin = _why(scope, met, episode.id, goal=bool(goal))
        needs, earlier = list[Needed](), order[:place]
        for concept in _leans_on(graph, episode.id):  # known, or taught earlier
            edges = (t for t in graph.teachers.get(concept, ()) if t.source in earlier)
            best = sorted(edges, key=lambda t: (t.depth, -t.weight, earlier.index(t.source)))
            sources = ["known"] if concept in scope.known else [t.source for t in best[:1]]
            needs += [Needed(concept, graph.name_of(concept), source=source) for source in sources]
        told = sorted(teaches, key=lambda t: t.target not in scope.demands)
        step = Step(
            episode.id,
            minutes=None if episode.minutes is None else scope.minutes[episode.id],
            estimated=bool(episode.estimated),
            role="goal" if goal else "deepens" if met in scope.deepenings else "before",
            teaches=tuple(Taught(t.target, graph.name_of(t.target), at=t.at) for t in told),
            needs=tuple(needs),
            why=worded(why, episode.kind),
            caveats=(*episode.dated, *([BASES["title"][0]] if episode.basis == "title" else ())),
            nearest=bool(goal) and goal != episode.id and all(t.target != goal for t in teaches),
            origin=origin,
            **{name: getattr(episode, name) for name in ("number", "season", "title", "kind", "url", "audio_url")},
        )
        steps.append(step)
    return tuple(steps)


def _leans_on(graph: Snapshot, episode: str) -> list[str]:
    """Return concepts that an episode assumes or requires but does not teach."""
    taught = {t.target for t in graph.taught_by.get(episode, ())}
    required = (r.target for c in main_subjects(graph, episode) for r in graph.required_by.get(c, ()))
    assumed = (a.target for a in graph.assumed_by.get(episode, ()))
    return [c for c in dict.fromkeys((*required, *assumed)) if c not in taught]


def _why(scope: Scope, demand: str, episode: str, *, goal: bool) -> tuple[str, Origin | None]:
    """Return why an episode meets a demand, and how sure that is."""
    name_of, name = scope.graph.name_of, scope.graph.name_of(demand)
    taught = {t.target: t for t in scope.graph.taught_by.get(episode, ())}
    own = taught[demand].origin if demand in taught else None
    if goal:
        return _why_goal(scope, demand, episode)
    if declared := scope.declared.get(demand):
        quote = f': "{declared.quote.rstrip(".")}"' if fold(declared.quote) not in ("", fold(name)) else ""
        sure = declared.origin if isinstance(declared, ListenAfter) else "declared"
        return f"{name_of(declared.source)} asks to hear {name} first{quote}.", sure
    edge: Requires | ConceptRelation | None = scope.needs.get(demand)
    if need := scope.needs.get(demand):
        source = name_of(need.source)
        why = f"{source} {VERBS[need.kind]} {name}" if need.need == "hear" else f"{name} helps with {source}"
    else:
        subject, edge = scope.deepenings[demand]
        verb = RELATIONS[edge.kind].verb if isinstance(edge, ConceptRelation) else "builds on"
        why = f"{name} {verb} {name_of(edge.target if edge else subject)}"
    tie = edge or next((r for r in scope.graph.required_by.get(demand, ()) if r.target == subject), None)
    return f"{why}{_because(edge)}.", least_sure([own, tie.origin if tie else None])


def _because(edge: Requires | ConceptRelation | None) -> str:
    return f": {edge.reason.rstrip('.')}" if edge and edge.reason else ""


def _why_goal(scope: Scope, goal: str, episode: str) -> tuple[str, Origin | None]:
    """Return what one hears of a goal and from when on, and how sure that is."""
    graph, mains = scope.graph, main_subjects(scope.graph, episode)
    name_of, name = graph.name_of, graph.name_of(goal)
    taught = {t.target: t for t in graph.taught_by.get(episode, ())}
    if goal == episode:
        about = f"is about {listed([*map(name_of, mains)], _TOLD)}" if mains else "is the nearest to your words"
        return f"This episode {about}." if goal in scope.taken else "You asked for this episode.", None
    if goal in mains:
        return f"This episode is about {name}.", taught[goal].origin
    if goal in taught:
        start = f"From {clock(at)} this" if (at := taught[goal].at) else "This"
        beside = f", beside {name_of(mains[0])}, its main subject" if mains else ""
        return f"{start} episode explains {name}{beside}.", taught[goal].origin
    edges = [e for e in _edges_of(graph, goal) if taught.keys() & {e.source, e.target}]
    if not edges:
        return f"No episode explains {name}; a description of this episode names it.", "inferred"
    edge = min(edges, key=lambda e: {e.source, e.target}.isdisjoint(mains))
    tied = edge.target if edge.source == goal else edge.source
    said = _said(graph, edge, tied)
    return f"No episode explains {name}; {said}{_because(edge)}.", least_sure([taught[tied].origin, edge.origin])


def leaning(scope: Scope, order: Sequence[str]) -> list[str]:
    """Return needs not taught, the commonest first: `leaning(scope, ["e"])`."""
    elsewhere = {t.target for e in order for t in scope.graph.taught_by.get(e, ())}.union(scope.known, scope.gaps)
    wanted = Counter(c for e in order for c in _leans_on(scope.graph, e) if c not in elsewhere)
    required = {r.target for c in scope.demands for r in scope.graph.required_by.get(c, ())}
    return sorted(wanted, key=lambda c: (c not in required, -wanted[c], c))


def primers(scope: Scope, order: Sequence[str], concepts: Iterable[str]) -> tuple[Primer, ...]:
    """Define concepts, with links: `primers(scope, order, ["view"])`."""
    graph, link_of = scope.graph, reading_links(scope.graph)
    subjects = dict.fromkeys((*(c for e in order for c in main_subjects(graph, e)), *scope.demands))
    edges = (edge for c in subjects for edge in graph.required_by.get(c, ()))
    surest_last = sorted(edges, key=lambda edge: -_SUREST_FIRST.index(edge.origin))
    origins = {edge.target: edge.origin for edge in surest_last}
    return tuple(
        Primer(c.id, c.name, definition=c.definition, link=link_of(c.id), origin=origins.get(c.id))
        for c in map(graph.concept.__getitem__, concepts)
    )


def nearest_to(teachers: Teachers, goal: str, without: Collection[str] = ()) -> tuple[Nearby, ...]:
    """Return a few episodes near an unexplained concept, and pages to read.

    First come those on its ties, then those that assume or name it; else on
    what it builds on, else on what is two ties away. `without`: episodes.
    Example: `nearest_to(teachers, "tape")[0].why`
    """
    graph, link_of = teachers.graph, reading_links(teachers.graph)
    name, most, near = graph.name_of(goal), _HEAR, list(_ties(graph, goal))
    up = by_source((*graph.requires, *(r for r in graph.concept_relations if r.kind == "PART_OF")))
    levels = [[goal]]
    for _ in range(3):
        above = dict.fromkeys(e.target for c in levels[-1] for e in up.get(c, ()))
        levels.append([c for c in above if not any(c in level for level in levels)])
    below = [[(c, f"{name} builds on {graph.name_of(c)}") for c in level] for level in levels[1:]]
    assuming = [(a.source, f"This episode takes {name} for granted.") for a in graph.assumes if a.target == goal]
    named = sorted((-m.count, m.source) for m in graph.mentions if m.target == goal)
    naming = [*assuming, *((e, f"A description of this episode names {name}.") for _, e in named)]
    hear = [*_on(teachers, near), *(tie for tie in naming if tie[0] in teachers.episodes)]
    hear = hear or next(filter(None, ([*_on(teachers, level)] for level in below)), [])
    if not hear:  # by way of what has the fewest ties
        ways = sorted(((tie, [*_ties(graph, c)]) for c, tie in near), key=lambda way: len(way[1]))
        between = [(c, f"{tie}; {more}") for tie, further in ways for c, more in further if c != goal]
        hear, most = [*_on(teachers, [*near, *between], beside=True)], _FAR
    ties = [] if link_of(goal) else [*near, *chain.from_iterable(below)]
    hears, reads = (dict(found) | dict(reversed(found)) for found in (hear, ties))  # the first of each, in order
    found = [Nearby(e, graph.label_of(e), goal=name, kind="hear", why=w) for e, w in hears.items() if e not in without]
    linked = ((c, tie, link) for c, tie in reads.items() if (link := link_of(c)))
    pages = [Nearby(c, graph.name_of(c), goal=name, kind="read", why=f"{tie}.", link=link) for c, tie, link in linked]
    return (*found[:most], *pages[:_READ])


def _edges_of(graph: Snapshot, concept: str) -> list[Requires | ConceptRelation]:
    """Return the edges that tie a concept to others, the nearest first."""
    relations = [r for r in graph.concept_relations if concept in (r.source, r.target)]
    wholes = [r for r in relations if r.kind == "PART_OF" and r.source == concept]
    needs = sorted(graph.required_by.get(concept, ()), key=lambda r: list(NEEDS).index(r.need))
    needing = (r for r in graph.requires if r.target == concept)
    return [*wholes, *needs, *(r for r in relations if r not in wholes), *needing]


def _said(graph: Snapshot, edge: Requires | ConceptRelation, explained: str = "") -> str:
    """Return an edge in words; of one end they may say that an episode explains it."""
    ends = (
        f"{graph.name_of(c)}{', which this episode explains,' * (c == explained)}" for c in (edge.source, edge.target)
    )
    return f" {VERBS[edge.kind]} ".join(ends).rstrip(",")


def _ties(graph: Snapshot, concept: str) -> Iterator[Tie]:
    """Yield the concepts tied to one, the nearest first, each with the tie in words."""
    for edge in _edges_of(graph, concept):
        yield edge.target if edge.source == concept else edge.source, _said(graph, edge)


def _on(teachers: Teachers, ties: Iterable[Tie], *, beside: bool = False) -> Iterator[Tie]:
    """Yield the best episode on each concept; `beside`: also where it is a part."""
    for concept, tie in ties:
        able = teachers.mainly_about(concept) or teachers.explaining(concept)
        for episode in (able or (teachers.saying_most(concept) if beside else ()))[:1]:
            yield episode, f"{tie}; this episode explains {teachers.graph.name_of(concept)}."
