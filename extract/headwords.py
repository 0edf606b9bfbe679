"""Headwords: the one name under which an entry speaks of a thing that the vocabulary lacks."""

import re
from collections.abc import Container, Iterable

from torchatlas.extract.inflection import singular
from torchatlas.extract.mentions.identifiers import plain
from torchatlas.graph.values.findings import Mention

_JOINT = re.compile(r"[\s-]+")


def headwords(mentions: Iterable[Mention], listed: Container[str]) -> dict[str, str]:
    """Return the fullest spelling of each concept that is not `listed` (ids), by its id.

    Of "WAL" and "write-ahead logging" that is the one with more words; of others the longest, in lower case if there
    is one, the first of equals.

    >>> texts = ("WAL", "Write-ahead logging", "write-ahead logging")
    >>> headwords((Mention("wal", "title", start=0, end=3, text=text) for text in texts), ())
    {'wal': 'write-ahead logging'}
    """
    found: dict[str, str] = {}
    for mention in mentions:
        if mention.concept_id not in listed:
            spelled = plain(mention.text)
            before = found.setdefault(mention.concept_id, spelled)
            if _fullness(spelled) > _fullness(before):
                found[mention.concept_id] = spelled
    return found


def _fullness(spelled: str) -> tuple[int, int, bool]:
    *_, head = spelled.split() or [""]
    length = len(spelled) - len(head) + len(singular(head) or head)
    return len(_JOINT.split(spelled)), length, spelled.islower()
