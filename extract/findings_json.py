"""Findings as JSON, in the shape that the command line promises."""

from collections.abc import Iterable, Mapping

from torchatlas.extract.candidates.ranking import TermCandidate
from torchatlas.extract.mentions.identifiers import plain
from torchatlas.graph.values.findings import Extraction


def to_json(
    extraction: Extraction, concept_names: Mapping[str, str], candidates: Iterable[TermCandidate] | None = None
) -> dict[str, object]:
    """Return one line of `torchatlas extract --format jsonl`.

    `concept_names`: concept id -> name. `candidates`: None leaves them out.

    >>> from torchatlas.graph.values.model import Episode
    >>> sorted(to_json(Extraction(Episode("s/e", "A title", show="s"), "A text"), {}))
    ['id', 'links', 'mentions', 'statements', 'text', 'title']
    """
    episode = extraction.episode
    row: dict[str, object] = {
        "id": episode.guid or episode.id,
        "title": episode.title,
        "text": extraction.text,
        "mentions": [
            {
                "concept": concept_names.get(m.concept_id) or plain(m.text),
                "concept_id": m.concept_id,
                "text": m.text,
                "field": m.field,
                "start": m.start,
                "end": m.end,
            }
            for m in extraction.mentions
        ],
        "links": [{"url": link.url, "type": link.type, "label": link.label} for link in extraction.links],
        "statements": [
            {"relation": s.relation, "subject": s.subject, "object": s.object, "quote": s.quote}
            for s in extraction.statements
        ],
    }
    if candidates is not None:
        row["candidates"] = [{"text": c.text, "count": c.count, "score": c.score} for c in candidates]
    return row
