"""Findings as JSON, in the shape that the command line promises."""

from collections.abc import Iterable, Mapping

from torchatlas.extract.candidates.ranking import TermCandidate
from torchatlas.extract.mentions.identifiers import plain
from torchatlas.graph.values.findings import Extraction, Mention


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
            {"concept": concept_named(m, concept_names)} | _facts(m, "concept_id text field start end")
            for m in extraction.mentions
        ],
        "links": [_facts(link, "url type label") for link in extraction.links],
        "statements": [_facts(s, "relation subject object quote") for s in extraction.statements],
    }
    if candidates is not None:
        row["candidates"] = [_facts(c, "text count score") for c in candidates]
    return row


def concept_named(mention: Mention, concept_names: Mapping[str, str]) -> str:
    """Return the name of the concept that a mention names, and the words of the mention where it has none.

    >>> concept_named(Mention("vmap", "title", start=0, end=4, text="Vmap"), {"vmap": "vmap"})
    'vmap'
    """
    return concept_names.get(mention.concept_id) or plain(mention.text)


def _facts(finding: object, names: str) -> dict[str, object]:
    return {name: getattr(finding, name) for name in names.split()}
