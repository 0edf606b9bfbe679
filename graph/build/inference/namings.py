"""Sentences in which the text on a concept names what the concept is built on."""

import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.findings import Field, Mention

FIRST, LEANING = 0.9, 0.75
"""Confidence of the two kinds of naming: the share that is right, as `benchmarks/prerequisites.py` measures."""

METHODS = {
    FIRST: "the first sentence of the definition names it",
    LEANING: "the text says that one is built on the other or uses it",
}

_BREAK = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]*[A-Z0-9])|\n+""")
_ASIDE = re.compile(
    r"\b(?:such as|like|unlike|including|e\.g\.|for example|instead of|rather than|compared (?:to|with)"
    r"|used (?:in|for|to)|see also|not|never|no longer|without)\s+(?:\S+\s+){0,3}$",
    re.I,
)
_LEANING = re.compile(
    r"\b(?:based on|built on|on top of|rel(?:y|ies) on|using|uses?|via|by means of|in terms of|requires?|needs?)"
    r"\s+(?:\S+\s+){0,3}$",
    re.I,
)
_MORE = re.compile(r"[:;\u2013\u2014]\s")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text on a concept, and the concepts that it names.

    `start`: offset of the piece in its field; the offsets of `mentions` are those of the field, too. `episode`: id of
    the episode whose notes the piece is from, which tell of much else; None for a text on the concept alone.
    """

    field: Field
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    start: int = 0
    episode: str | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """A sentence by which `needed` is probably a prerequisite of `concept`.

    `confidence`: a key of METHODS. `quote`: the sentence, from offset `start` of the passage's field on.
    """

    concept: str
    needed: str
    _: KW_ONLY
    confidence: float
    quote: str
    start: int
    passage: Passage


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each sentence, without the white space around it.

    >>> list(sentences("It is wet. It is warm."))
    [(0, 10), (11, 22)]
    """
    start = 0
    for end, following in [*(m.span() for m in _BREAK.finditer(text)), (len(text), len(text))]:
        if sentence := text[start:end].strip():
            start = text.index(sentence, start)
            yield start, start + len(sentence)
        start = following


def namings(concept: str, passage: Passage) -> Iterator[Naming]:
    """Yield the places of a passage on a concept (its id) that name what the concept is built on.

    These are the first sentence of a definition, up to a colon or the like (examples follow it), and phrases like
    "built on" and "uses"; in an episode's notes only right after the concept itself. An example, a contrast, a
    negation, a use, a question and a "see also" do not count.

    >>> clay = Mention("clay", "definition", start=10, end=14, text="clay")
    >>> [n.needed for n in namings("pot", Passage("definition", "A thing of clay.", mentions=(clay,)))]
    ['clay']
    """
    spans = list(sentences(passage.text))
    before = ""
    for mention in sorted(passage.mentions, key=lambda m: m.start):
        at = mention.start - passage.start
        index, (start, end) = next((i, s) for i, s in enumerate(spans) if at < s[1])
        quote, ahead_of_it = passage.text[start:end], passage.text[start:at]
        first = index == 0 and passage.field == "definition" and not _MORE.search(ahead_of_it)
        leaning = (passage.episode is None or before == concept) and _LEANING.search(ahead_of_it)
        before = mention.concept_id
        aside = _ASIDE.search(ahead_of_it) or quote.endswith("?")
        if mention.concept_id != concept and not aside and (first or leaning):
            yield Naming(
                concept,
                mention.concept_id,
                confidence=FIRST if first else LEANING,
                quote=quote,
                start=passage.start + start,
                passage=passage,
            )
