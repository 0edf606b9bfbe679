"""What texts say of a concept, and how they name another one in passing."""

import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum

from torchatlas.graph.values.findings import Field, Mention

_BREAK = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]*[A-Z0-9])|\n+""")
_AHEAD = re.compile(r"^\W*see also\b.*", re.I | re.M)
_ASIDE = re.compile(
    r"\b(?:such as|like|unlike|including|e\.g\.|for example|instead of|rather than|compared (?:to|with)"
    r"|used (?:in|for|to)|not|never|no longer|without)\s+(?:\S+\s+){0,3}$",
    re.I,
)
_LEANING = re.compile(
    r"\b(?:based on|built on|on top of|rel(?:y|ies) on|using|uses?|via|by means of|in terms of|requires?|needs?)"
    r"\s+(?:\S+\s+){0,3}$",
    re.I,
)
_MORE = re.compile(r"[:;\u2013\u2014]\s")


class Place(IntEnum):
    """How a text on a concept names another one; the higher, the surer it is a prerequisite."""

    AHEAD = 1  # on a line that begins with "see also": what comes after
    ASIDE = 2  # an example, a contrast, a use, a question
    LATER = 3
    LEANING = 4  # "built on", "using"; in an episode's notes, which tell of much else, right after the concept itself
    FIRST = 5  # in the first sentence of the definition, up to a colon or the like, after which examples begin


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text that tells of a concept, and the concepts that it names.

    `start`: where it begins in its field, which the offsets of `mentions` refer to as well.
    """

    field: Field
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    start: int = 0
    episode: str | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A concept and the passages that tell of it."""

    id: str
    name: str
    _: KW_ONLY
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Naming:
    """Where a passage names a concept: in `quote`, which begins at `start` of the passage's field."""

    concept: str
    place: Place
    _: KW_ONLY
    quote: str
    start: int
    passage: Passage


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text begin and end, white space left out."""
    start = 0
    for end, following in [*(m.span() for m in _BREAK.finditer(text)), (len(text), len(text))]:
        if sentence := text[start:end].strip():
            start = text.index(sentence, start)
            yield start, start + len(sentence)
        start = following


def told(passage: Passage) -> str:
    """The text without the lines that only point on."""
    return _AHEAD.sub("", passage.text)


def namings(subject: Subject) -> Iterator[Naming]:
    """Every place where the passages on a subject name another concept."""
    for passage in subject.passages:
        spans = list(sentences(passage.text))
        ahead = [m.span() for m in _AHEAD.finditer(passage.text)]
        before = ""
        for mention in sorted(passage.mentions, key=lambda m: m.start):
            at = mention.start - passage.start
            index, (start, end) = next((i, s) for i, s in enumerate(spans) if at < s[1])
            if mention.concept_id != subject.id:
                first = index == 0 and passage.field == "definition"
                about_it = passage.episode is None or before == subject.id
                quote = passage.text[start:end]
                points_on = any(a <= at < b for a, b in ahead)
                place = Place.AHEAD if points_on else _place(quote, at - start, first, about_it)
                yield Naming(mention.concept_id, place, quote=quote, start=passage.start + start, passage=passage)
            before = mention.concept_id


def _place(sentence: str, at: int, first: bool, about_it: bool) -> Place:
    before = sentence[:at]
    if _ASIDE.search(before) or sentence.endswith("?"):
        return Place.ASIDE
    if first and not _MORE.search(before):
        return Place.FIRST
    return Place.LEANING if about_it and _LEANING.search(before) else Place.LATER
