"""Generated graphs to plan in, and questions to them."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st

from tests.graph.builds import teaches
from tests.strategies import times
from torchatlas.graph import model
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot

THOROUGH = settings(deadline=None, max_examples=times(300))


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    """Acyclic concepts, episodes with up to two main subjects; declared orders point to earlier numbers.

    Most concepts need others and most are taught, so that most plans have several steps.
    """
    concepts = [f"c{i}" for i in range(draw(st.integers(2, 6)))]
    episodes = [f"e{i}" for i in range(draw(st.integers(2, 7)))]
    needs: list[model.Need | None] = ["hear", "hear", "worth", "bridge", None, None]
    requires = [
        Requires(c, lower, need=need, reason="reason")
        for i, c in enumerate(concepts)
        for lower in concepts[:i]
        if (need := draw(st.sampled_from(needs)))
    ]
    taught = []
    for i, e in enumerate(episodes):
        mine = draw(st.lists(st.sampled_from(concepts), unique=True, max_size=2))
        mine = list(dict.fromkeys([concepts[i % len(concepts)], *mine]))
        mains = draw(st.sampled_from([1, 1, 2, 0]))
        taught += teaches(e, *(c if i < mains else f"~{c}" for i, c in enumerate(mine)))
    pairs = [(later, earlier) for i, later in enumerate(episodes) for earlier in episodes[:i]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=3)
    return Snapshot(
        tuple(Concept(c, c.upper(), area=draw(st.sampled_from("AB"))) for c in concepts),
        tuple(
            Episode(e, e.upper(), show="Show", number=i, minutes=draw(st.none() | st.integers(5, 30)))
            for i, e in enumerate(episodes)
        ),
        teaches=tuple(taught),
        requires=tuple(requires),
        listen_after=tuple(model.ListenAfter(a, b) for a, b in draw(some)),
        refers_to=tuple(model.RefersTo(a, b, relation="continues") for a, b in draw(some)),
    )


Question = tuple[Snapshot, list[str], list[str], list[str], int | None]
"""A graph, goals, what is known, what was heard, and a budget in minutes."""


@st.composite
def asked(draw: st.DrawFn) -> Question:
    graph = draw(graphs())
    concepts, episodes = sorted(graph.concept), sorted(graph.episode)
    goals = draw(st.lists(st.sampled_from(concepts[::-1] + episodes), unique=True, min_size=1, max_size=2))
    known = draw(st.just([]) | st.lists(st.sampled_from(concepts), max_size=1))
    heard = draw(st.just([]) | st.lists(st.sampled_from(episodes), max_size=1))
    return graph, goals, known, heard, draw(st.none() | st.integers(0, 90))


@st.composite
def with_parts(draw: st.DrawFn) -> Question:
    """A question to a graph in which some concepts are parts of others, also around in circles."""
    graph, *rest = draw(asked())
    ends = st.sampled_from(sorted(graph.concept))
    pairs = draw(st.lists(st.tuples(ends, ends).filter(lambda p: p[0] != p[1]), unique=True, max_size=4))
    parts = tuple(model.ConceptRelation(*pair, kind="PART_OF", reason="reason") for pair in pairs)
    return replace(graph, concept_relations=parts), *rest
