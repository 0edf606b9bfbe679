"""Generated graphs: any text that a graph may hold, any nulls, any edges between nodes that are there."""

from dataclasses import fields
from operator import attrgetter
from typing import Any, get_args, get_type_hints

from hypothesis import settings
from hypothesis import strategies as st

from torchatlas.graph.model import EDGE_GROUPS, RELATIONSHIPS, Concept, Episode, Link, Show, Snapshot


def times(number: int) -> int:
    """How many examples a test draws that wants `number` of them: a tenth in the profile `quick`."""
    return max(1, number * settings().max_examples // 100)


# Neo4j orders texts by UTF-16, the others by code points: of U+E000 to U+FFFF the private ones are left out
texts = st.text(st.characters(exclude_categories=["Cs", "Co"]), max_size=12)
words = st.tuples() | st.tuples(texts) | st.tuples(texts, texts)
whole = st.integers(-(2**63), 2**63 - 1)
ids = st.text(st.sampled_from("abcäz-`'\"$;\\ 0"), min_size=1, max_size=4)
OWN = {str: texts, int: whole, float: st.floats(0, 1), tuple[str, ...]: words}


def _values(of: type, **fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of a dataclass, every field filled, with the types' whole ranges."""
    found = dict(fixed)
    for field in (field for field in fields(of) if field.name not in fixed):
        known = [h for h in get_args(field.type) if h is not type(None)]
        optional = len(known) < len(get_args(field.type))
        inner = known[0] if optional else field.type
        value = OWN[inner] if inner in OWN else st.sampled_from(get_args(inner))
        found[field.name] = st.none() | value if optional else value
    return st.builds(of, **found)


ENDS = {r.kind.lower(): (r.source, r.target) for r in RELATIONSHIPS} | {"concept_relations": ("Concept", "Concept")}


@st.composite
def snapshots(draw: st.DrawFn, max_nodes: int = 5) -> Snapshot:
    """A whole graph with up to `max_nodes` concepts, episodes, shows and links, and edges of every kind."""
    nodes, edges, hints = {}, {}, get_type_hints(Snapshot)
    resource: Any = _values(Episode, id=ids.map("r/".__add__), number=st.none(), season=st.none())
    kinds: dict[str, Any] = {kind.__name__: _values(kind, id=ids) for kind in (Concept, Episode, Show, Link)}
    for label, values in (kinds | {"Resource": resource}).items():
        nodes[label] = tuple(draw(st.lists(values, max_size=max_nodes, unique_by=lambda n: n.id)))
    for group in EDGE_GROUPS:
        sources, targets = ([n.id for label in end.split("|") for n in nodes[label]] for end in ENDS[group])
        if sources and targets:
            ends = {"source": st.sampled_from(sources), "target": st.sampled_from(targets)}
            unique = attrgetter("kind", "source", "target")
            values = st.lists(_values(get_args(hints[group])[0], **ends), max_size=4, unique_by=unique)
            edges[group] = tuple(draw(values))
    return Snapshot(*nodes.values(), **edges)
