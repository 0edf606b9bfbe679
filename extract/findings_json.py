"""Findings as JSON, in the shape that the command line promises."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from torchatlas.extract.candidates import TermCandidate
from torchatlas.extract.english import singular, spelled_out
from torchatlas.extract.forms import plain
from torchatlas.graph.findings import Extraction, Statement


def to_json(
    extraction: Extraction, concept_names: Mapping[str, str], candidates: Iterable[TermCandidate] | None = None
) -> dict[str, object]:
    """Return a line of `extract --format jsonl`. `concept_names`: id -> name.

    >>> from torchatlas.graph.model import Episode
    >>> sorted(to_json(Extraction(Episode("s/e", "A title", show="s"), "A text"), {}))
    ['id', 'links', 'mentions', 'statements', 'text', 'title']
    """
    episode, names = extraction.episode, named(extraction, concept_names)
    mentions = (
        {"concept": names[m.concept_id]} | _facts(m, "concept_id text field start end") for m in extraction.mentions
    )
    row: dict[str, object] = {
        "id": episode.guid or episode.id,
        "title": episode.title,
        "text": extraction.text,
        "mentions": list(mentions),
        "links": [_facts(link, "url type label") for link in extraction.links],
        "statements": [_facts(s, "relation subject object quote") for s in stated(extraction, concept_names)],
    }
    return row if candidates is None else row | {"candidates": [_facts(c, "text count score") for c in candidates]}


def named(extraction: Extraction, concept_names: Mapping[str, str]) -> dict[str, str]:
    """Return id -> concept name: `named(extraction, {})["hidden-class"]`."""
    own: dict[str, str] = {}
    for m in extraction.mentions:
        own[m.concept_id] = max(own.get(m.concept_id, ""), plain(m.text), key=_fullness)
    return {id_: concept_names.get(id_) or _headword(written) for id_, written in own.items()}


def stated(extraction: Extraction, concept_names: Mapping[str, str]) -> Iterator[Statement]:
    """Yield statements with concept names: `list(stated(extraction, {}))`."""
    names = named(extraction, concept_names)
    own = {plain(m.text): names[m.concept_id] for m in extraction.mentions if m.concept_id not in concept_names}
    for s in extraction.statements:
        yield replace(s, subject=own.get(s.subject, s.subject), object=own.get(s.object, s.object))


def _fullness(spelled: str) -> tuple[int, int, bool]:
    *_, head = spelled.split() or [""]
    length = len(spelled) - len(head) + len(singular(head) or head)
    return len(re.split(r"[\s-]+", spelled)), length, spelled.islower()


def _headword(written: str) -> str:
    """Return a mention as within a sentence, in the singular."""
    *before, head = written.split() or [""]
    if before and head.istitle():
        head = head.lower()  # of a title: Halide Backend
    if head.islower() and head.replace("-", "").isalpha():
        head = singular(head) or head
    elif head[:-1].isupper():
        head = head.removesuffix("s")
    return spelled_out(" ".join((*before, head)))


def _facts(finding: object, names: str) -> dict[str, object]:
    return {name: getattr(finding, name) for name in names.split()}
