"""Ellipsis: short names that only the rest of the text explains, "streams" in a text on CUDA, "targets" on CMake.

The last word of a name stands for the whole name if it is the usual short one of such things, and the text names the
whole elsewhere, or the words that were left out.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from torchatlas.extract.english import SHORT_NAMES
from torchatlas.extract.inflection import plural, singular
from torchatlas.extract.mentions.forms import Form, admits

_ACCELERATOR = frozenset({"gpu", "gpus", "nvidia", "accelerator", "device", "devices", "hardware"})
"""Words that speak of what CUDA is the usual case of."""


@dataclass(frozen=True, slots=True)
class Elided:
    """A concept that a short name can stand for, and the words that it leaves out, in lower case."""

    concept_id: str
    left_out: frozenset[str]


def short_names(forms: Mapping[str, Sequence[Form]], names: Mapping[str, str]) -> dict[str, tuple[Elided, ...]]:
    """Return each short name, singular and plural, with the concepts that it may stand for.

    `names`: concept id -> name, of the concepts that may be named in short. No short name is a name of the vocabulary
    itself, or comes from an alias alone.
    Example: the name "CUDA stream" gives "stream" and "streams", which leave out "cuda".
    """
    found: dict[str, set[Elided]] = {}
    for text, group in forms.items():
        *before, head = text.split(" ")
        if not before or (one := singular(head) or head) not in SHORT_NAMES:
            continue
        for word in (one, plural(one)):
            if not any(admits(form.text, word) for form in forms.get(word, ())):
                whole = (form.concept_id for form in group if _shortens(one, before, names.get(form.concept_id, "")))
                found.setdefault(word, set()).update(Elided(id_, frozenset(before)) for id_ in whole)
    return {word: tuple(found[word]) for word in sorted(found) if found[word]}


def _shortens(head: str, left_out: Sequence[str], name: str) -> bool:
    """Return whether a concept's name has these words."""
    return all(word in name.lower() for word in (head, *left_out))


def elided_concept(candidates: Iterable[Elided], named: Set[str], words: Set[str]) -> str | None:
    """Return the concept that a short name stands for in a text, None where the text explains none.

    `named`: ids of the concepts that the text names. `words`: those of the text and of the names of these concepts.

    >>> elided_concept([Elided("cuda-stream", frozenset({"cuda"}))], set(), {"cuda", "streams"})
    'cuda-stream'
    """
    if words & _ACCELERATOR:
        words = words | {"cuda"}
    fit = (
        (c.concept_id not in named, c.concept_id) for c in candidates if c.concept_id in named or c.left_out <= words
    )
    return min(fit, default=(True, None))[1]
