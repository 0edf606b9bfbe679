"""Findings in the shape of the command line's contract."""

from collections.abc import Mapping

from graph.evidence import Extraction


def to_json(extraction: Extraction, concept_names: Mapping[str, str]) -> dict[str, object]:
    """One line of `torchatlas extract --format jsonl`. `concept_names`: concept id -> name."""
    episode = extraction.episode
    return {
        "id": episode.guid or episode.id,
        "title": episode.title,
        "text": extraction.text,
        "mentions": [
            {
                "concept": concept_names[m.concept_id],
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
