"""Compounds: names of a vocabulary that are two mentions, or one with a word too many. They are not searched for.

A vocabulary may name a concept by a phrase ("rank of a process", "JVP and VJP") or give an alias that puts another
concept before it ("Inductor lowering") or an empty word behind it ("attention mechanism"). In a text these are the
parts that count.
"""

import re
from collections.abc import Mapping, Sequence

from torchatlas.extract.english import EMPTY_HEADS, QUALIFIERS
from torchatlas.extract.inflection import singular
from torchatlas.extract.mentions.forms import Form

_PHRASE = re.compile(r"(.+?) (?:in|of|at|under|for|with|versus) .+")
_PAIR = re.compile(r"(.+?) (?:and|or|versus) (.+)")


def is_compound(form: Form, name: str, forms: Mapping[str, Sequence[Form]]) -> bool:
    """Return whether the parts of `form` are to be found instead of the whole.

    `name`: that of its concept, which stays whole where it begins with the qualifier ("Python dispatcher"; but
    "PyTorch" says nothing). `forms`: all forms of the vocabulary by their text in lower case.
    Example: "Inductor lowering" is a compound where "Inductor" and "lowering" are names.
    """
    text = form.text.lower()
    if pair := _PAIR.fullmatch(text):
        head = pair[2].split(" ")[-1]
        return _names(pair[2], form.concept_id, forms) or (
            pair[2] in forms and (pair[1] in forms or f"{pair[1]} {head}" in forms)
        )
    if phrase := _PHRASE.fullmatch(text):
        return phrase[1] in forms
    return _is_qualified(form, name.lower(), forms) or _has_empty_head(form, forms)


def _is_qualified(form: Form, name: str, forms: Mapping[str, Sequence[Form]]) -> bool:
    """Return whether another concept, or an empty word, stands before words that name the concept by themselves."""
    words = form.text.lower().split(" ")
    for i in range(1, len(words)):
        first, rest = " ".join(words[:i]), " ".join(words[i:])
        shortened = name.startswith(first) or name.endswith((f" {rest}", f" {singular(rest)}"))
        if not _names(rest, form.concept_id, forms) or (shortened and first != "pytorch"):
            continue
        overlaps = i + 1 < len(words) and f"{first} {words[i]}" in forms  # "CUDA stream" and "stream capture"
        other = first in QUALIFIERS or any(f.concept_id != form.concept_id for f in forms.get(first, ()))
        if other and not overlaps:
            return True
    return False


def _has_empty_head(form: Form, forms: Mapping[str, Sequence[Form]]) -> bool:
    """Return whether the last word says nothing: "attention mechanism"."""
    *before, head = form.text.lower().split(" ")
    if not before or not {head, singular(head)} & EMPTY_HEADS or before[-1].endswith("ed"):
        return False  # an adjective cannot stand alone: distributed computation
    return _names(" ".join(before), form.concept_id, forms)


def _names(text: str, concept_id: str, forms: Mapping[str, Sequence[Form]]) -> bool:
    """Return whether a text in lower case names a concept."""
    return any(form.concept_id == concept_id for form in forms.get(text, ()))
