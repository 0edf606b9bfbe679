"""Small graphs in a line or two, whole ones as a build makes them, and generated ones with questions to plan for."""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from itertools import chain
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tests.strategies import times
from torchatlas.graph import model
from torchatlas.graph.answers import Plan
from torchatlas.graph.build import complete_graph, join_graph
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Requires, Snapshot, Teaches
from torchatlas.graph.planning.plan import make_plan


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


def changed(graph: Any = None, *, trailers: str = "", unknown: str = "", origins: str = "", **groups: Any) -> Snapshot:
    """Return the graph with other nodes or edges: all of a group, or further ones where the text begins with a +.

    Of `teaches`, a text replaces what the episodes in it teach. Concepts are "name:area", episodes "name:minutes". Some
    may be trailers or of unknown length, or resources (`docs`); edges of other origins: "compiler tracing inferred".
    """
    docs = groups.pop("docs", "").split()
    graph = GRAPH if graph is None else graph
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
    graph = replace(graph, **groups)
    for group in ("teaches", "requires") if origins else ():
        of = {tuple(ends): origin for *ends, origin in map(str.split, origins.split(", "))}
        other = (replace(e, origin=of.get((e.source, e.target), e.origin)) for e in getattr(graph, group))
        graph = replace(graph, **{group: tuple(other)})
    episodes = [replace(e, kind="trailer") if e.id in trailers.split() else e for e in graph.episodes]
    episodes = [replace(e, minutes=None) if e.id in unknown.split() else e for e in episodes]
    pages = tuple(replace(e, kind="docs") for e in episodes if e.id in docs)
    return replace(graph, episodes=tuple(e for e in episodes if e.id not in docs), resources=(*graph.resources, *pages))


def graph(concepts: Any = "", episodes: Any = "", **groups: Any) -> Snapshot:
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


GRAPH = graph(  # Compiler needs Tracing, which needs Views; each has its episode
    "views tracing compiler partitioner detail nobody whole lost island",
    "base:10 again:11 middle:20 goal:30 deep:15 aside:5",
    teaches="base views ~compiler, again views, middle tracing ~detail, goal compiler ~partitioner, deep partitioner, "
    "aside island",
    assumes="goal nobody views",
    requires="compiler tracing: it compiles what was traced, tracing views: traces are full of views, "
    "compiler nobody bridge: a word on it is enough, partitioner compiler: it splits what the compiler made, "
    "lost tracing: it is found by tracing, whole lost: it is lost as a whole",
    concept_relations="compiler PART_OF whole: it is the heart of it",
    links=(model.Link("l", "https://docs.example/tracing", type="docs", label="Detail of tracing"),),
    cites=(model.Cites("middle", "l"),),
)
_PLACED = (replace(c, source_paths=("aten/src",)) if c.id == "detail" else c for c in GRAPH.concepts)
GRAPH = replace(GRAPH, concepts=tuple(_PLACED))


def plan(goals: str, graph: Snapshot = GRAPH, known: str = "", heard: str = "", **options: Any) -> Plan:
    """Plan for goals in a graph; options that `changed` knows change it first."""
    names = {f.name for f in fields(Snapshot)} | {"trailers", "unknown", "origins", "docs"}
    graph = changed(graph, **{name: options.pop(name) for name in names & options.keys()})
    return make_plan(graph, goals.split(), known.split(), heard.split(), **options)


def titles(plan: Plan) -> list[str]:
    return [s.title for s in plan.steps]


THOROUGH = settings(deadline=None, max_examples=times(300))


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    """Acyclic concepts, episodes with up to two main subjects; declared orders point to earlier numbers.

    Most concepts need others and most are taught, so that most plans have several steps.
    """
    concepts = [f"c{i}" for i in range(draw(st.integers(2, 6)))]
    episodes = [f"e{i}" for i in range(draw(st.integers(2, 7)))]
    kinds = st.sampled_from(["hear", "hear", "worth", "bridge", "", ""])
    needs = [f"{c} {low} {kind}" for i, c in enumerate(concepts) for low in concepts[:i] if (kind := draw(kinds))]
    taught = []
    for i, e in enumerate(episodes):
        mine = [concepts[i % len(concepts)], *draw(st.lists(st.sampled_from(concepts), unique=True, max_size=2))]
        mains = draw(st.sampled_from([1, 1, 2, 0]))
        taught.append(" ".join([e, *(c if n < mains else f"~{c}" for n, c in enumerate(dict.fromkeys(mine)))]))
    pairs = [(later, earlier) for i, later in enumerate(episodes) for earlier in episodes[:i]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=3)
    return graph(
        " ".join(f"{c}:{draw(st.sampled_from('AB'))}" for c in concepts),
        " ".join(f"{e}:{draw(st.just('') | st.integers(5, 30))}" for e in episodes),
        teaches=", ".join(taught),
        requires=", ".join(needs),
        listen_after=", ".join(f"{a} {b}" for a, b in draw(some)),
        refers_to=", ".join(f"{a} continues {b}" for a, b in draw(some)),
    )


def timed(question: tuple[Any, ...]) -> tuple[Any, ...]:
    """The question to a graph in which every length is known."""
    whole, *rest = question
    return replace(whole, episodes=tuple(replace(e, minutes=e.minutes or 15) for e in whole.episodes)), *rest


Question = tuple[Snapshot, list[str], list[str], list[str], int | None]
"""A graph, goals, what is known, what was heard, and a budget in minutes."""


@st.composite
def asked(draw: st.DrawFn) -> Question:
    whole = draw(graphs())
    concepts, episodes = sorted(whole.concept), sorted(whole.episode)
    goals = draw(st.lists(st.sampled_from(concepts[::-1] + episodes), unique=True, min_size=1, max_size=2))
    known, heard = (draw(st.just([]) | st.lists(st.sampled_from(of), max_size=1)) for of in (concepts, episodes))
    return whole, goals, known, heard, draw(st.none() | st.integers(0, 90))


@st.composite
def with_parts(draw: st.DrawFn) -> Question:
    """A question to a graph in which some concepts are parts of others, also around in circles."""
    whole, *rest = draw(asked())
    pairs = st.tuples(*[st.sampled_from(sorted(whole.concept))] * 2).filter(lambda p: p[0] != p[1])
    parts = ", ".join(f"{a} PART_OF {b}: reason" for a, b in draw(st.lists(pairs, unique=True, max_size=4)))
    return changed(whole, concept_relations=parts), *rest
