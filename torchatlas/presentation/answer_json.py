"""Answers as JSON, in the shapes that other programs read."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from torchatlas.graph.answers import Explanation, Needed
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.graph.names import excerpt, seen

if TYPE_CHECKING:
    from torchatlas.extract.placing import Placed
    from torchatlas.inputs.feeds import Source

LONGEST = 71
"""The characters of an entry's text that name it where it has no title."""


def dumps(answer: object, indent: int | None = 2) -> str:
    """Return an answer, or a list of them, as one JSON text: the same for the same answer.

    A character that a terminal would obey or hide stands as \\uXXXX.

    >>> dumps(Table(("n",), ((83,),)), indent=None)
    '{"columns": ["n"], "rows": [[83]]}'
    """
    text = json.dumps(answer, ensure_ascii=False, indent=indent, default=_plain)
    return seen(text)


def concept_row(graph: Snapshot, concept: Concept) -> dict[str, Any]:
    """Return a concept with all its names and wordings and what it requires, as `torchatlas concepts` promises.

    >>> concept_row(Snapshot(), Concept("vmap", "vmap", area="Transforms"))["requires"]
    []
    """
    requires = graph.required_by.get(concept.id, ())
    return {
        "id": concept.id,
        "name": concept.name,
        "aliases": concept.aliases,
        "in_texts": concept.in_texts,
        "phrases": concept.phrases,
        "area": concept.area,
        "definition": concept.definition,
        "requires": [
            {"id": r.target, "need": r.need, "origin": r.origin, "confidence": r.confidence, "reason": r.reason}
            for r in requires
        ],
    }


def name_rows(names: Mapping[str, str | None]) -> list[dict[str, str | None]]:
    """Return id -> name as rows, as `torchatlas know` and `torchatlas heard` promise.

    >>> name_rows({"vmap": "vmap", "gone": None})
    [{'id': 'vmap', 'name': 'vmap'}, {'id': 'gone', 'name': None}]
    """
    return [{"id": id_, "name": name} for id_, name in names.items()]


def source_row(source: "Source") -> dict[str, Any]:
    """Return a feed or page, with its address as it may be shown.

    Example: [source_row(source) for source in atlas.sources()]
    """
    return asdict(source) | {"address": source.shown}


def placed_row(row: "Placed") -> dict[str, Any]:
    """Return what becomes of an entry of a saved page.

    Example: [placed_row(row) for row in atlas.import_pages("page.html", dry_run=True).rows]
    """
    return {
        "page": row.page,
        "title": row.entry.title,
        "text": excerpt(row.entry.text, LONGEST),
        "outcome": row.outcome,
        "episode_id": row.episode.id if row.episode else None,
        "episode": row.episode.title if row.episode else None,
        "evidence": row.evidence,
    }


def _plain(value: object) -> object:
    if isinstance(value, Table):
        body = {"columns": value.columns, "rows": value.rows}
        return body | ({"truncated": True} if value.truncated else {})
    if isinstance(value, Needed):
        return {"id": value.id, "name": value.name, "from": value.source}
    shallow = {f.name: getattr(value, f.name) for f in fields(value)} if is_dataclass(value) else str(value)
    if isinstance(value, Explanation) and isinstance(shallow, dict):
        return shallow | {"earlier": value.earlier[0], "later": value.later[0]}
    return shallow
