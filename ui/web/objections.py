"""An edge that a person finds wrong: the correction that drops it, and words to report it."""

from torchatlas.build import program
from torchatlas.files import changing, read_text
from torchatlas.graph.formatting import VERBS
from torchatlas.graph.model import Edge, RelatedTo, Snapshot
from torchatlas.graph.names import one_line
from torchatlas.graph.views import ConceptCard, EpisodeCard
from torchatlas.graph.whole_files import write_whole
from torchatlas.settings import Settings

_LISTS = (*ConceptCard.headings, *EpisodeCard.headings, "Related episodes")
_OF_CONCEPTS = ("teaches", "requires", "requires", "concept_relations", "assumes", "mentions")
_OF_EPISODES = ("teaches", "listen_after", "assumes", "refers_to", "related_to")
_GROUPS = dict(zip(_LISTS, (*_OF_CONCEPTS, *_OF_EPISODES), strict=True))
_REASONS = ("reason", "why", "quote", "evidence", "reasons")


def edge_between(graph: Snapshot, heading: str, one: str, other: str) -> Edge:
    """Return the edge in a card's list, from `one` if there are two: `edge_between(graph, "Teaches", "e", "c")`."""
    found = (edge for edge in getattr(graph, _GROUPS[heading]) if {edge.source, edge.target} == {one, other})
    return min(found, key=lambda edge: edge.source != one, default=RelatedTo(one, other, score=0.0, reasons=()))


def drop(settings: Settings, edge: Edge, why: str) -> None:
    """Append to the person's corrections that an edge is wrong: `drop(settings, edge, "No.")`. Raises DataError."""
    import tomlkit

    from torchatlas.extract.catalogue import parse_corrections

    path, entry = settings.corrections, {"from": edge.source, "type": edge.kind, "to": edge.target}
    with changing(path):
        before = read_text(path, "fix it, or move it away to start again", missing="").rstrip()
        comment = f"# {one_line(why)}\n" if why else ""
        text = f"{before}\n\n{comment}{tomlkit.dumps({'drop': [entry]})}".lstrip()
        parse_corrections(str(path), text)
        write_whole(path, text.encode())


def issue(graph: Snapshot, edge: Edge, why: str) -> str:
    """Return words for an issue: `issue(graph, edge, "It does not.")`."""
    reasons = [getattr(edge, name) for name in _REASONS if getattr(edge, name, "")]
    said = "; ".join(reason if isinstance(reason, str) else "; ".join(reason) for reason in reasons)
    told = f"{graph.name_of(edge.source)} {VERBS[edge.kind]} {graph.name_of(edge.target)}"
    lines = f"Wrong: {told}", f"({edge.source})-[:{edge.kind}]->({edge.target})", f"The map says: {one_line(said)}"
    return "\n".join((*lines, f"Wrong because: {one_line(why) or '…'}", program()))
