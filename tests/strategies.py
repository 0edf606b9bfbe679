"""Generated graphs: any text that a graph may hold, any nulls, any edges between nodes that are there."""

from dataclasses import fields
from operator import attrgetter
from typing import Any, get_args

from hypothesis import settings
from hypothesis import strategies as st

from torchatlas.graph import model
from torchatlas.graph.model import Snapshot


def times(number: int) -> int:
    """How many examples a test draws that wants `number` of them: a tenth in the profile `quick`."""
    return max(1, number * settings().max_examples // 100)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
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


@st.composite
def snapshots(draw: st.DrawFn, max_nodes: int = 5) -> Snapshot:
    """A whole graph with up to `max_nodes` concepts, episodes, shows and links, and edges of every kind."""

    concepts, episodes, shows, links = (
        draw(st.lists(_values(kind, id=ids), max_size=max_nodes, unique_by=lambda n: n.id))
        for kind in (model.Concept, model.Episode, model.Show, model.Link)
    )

    def edges(of: type, sources: Any, targets: Any, *key: str) -> Any:
        if not sources or not targets:
            return ()
        one, other = (st.sampled_from([n.id for n in group]) for group in (sources, targets))
        unique = attrgetter(*key, "source", "target")
        return tuple(draw(st.lists(_values(of, source=one, target=other), max_size=4, unique_by=unique)))

    return Snapshot(
        tuple(concepts),
        tuple(episodes),
        shows=tuple(shows),
        links=tuple(links),
        teaches=edges(model.Teaches, episodes, concepts),
        assumes=edges(model.Assumes, episodes, concepts),
        mentions=edges(model.Mentions, episodes, concepts),
        requires=edges(model.Requires, concepts, concepts),
        listen_after=edges(model.ListenAfter, episodes, episodes),
        refers_to=edges(model.RefersTo, episodes, episodes),
        related_to=edges(model.RelatedTo, episodes, episodes),
        in_show=edges(model.InShow, episodes, shows),
        cites=edges(model.Cites, episodes, links),
        concept_relations=edges(model.ConceptRelation, concepts, concepts, "kind"),
    )
