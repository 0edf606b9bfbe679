"""Known names: all that a text may spell a vocabulary's concepts and the general terms by, made once and kept."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torchatlas.extract.inflection import plural
from torchatlas.extract.mentions.compounds import is_compound
from torchatlas.extract.mentions.ellipsis import Elided, short_names
from torchatlas.extract.mentions.forms import IN_TEXTS, Form, forms
from torchatlas.extract.mentions.known_terms import general_terms, key_words, remote_terms
from torchatlas.extract.mentions.name_matcher import Index, token_index
from torchatlas.extract.remembering_tokenizer import Split

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The spellings of names. They take longer to make than a text takes to read, so they can be kept as JSON.

    `names`: id -> name, of all; `own`: the ids of the vocabulary; `forms`: by their text in lower case, the best first;
    `index`: what to search a text for; `key_words`: the ids that count only in a text on another field.
    """

    names: Mapping[str, str]
    own: frozenset[str]
    key_words: frozenset[str]
    forms: Mapping[str, Sequence[Form]]
    index: Index

    @classmethod
    def of(cls, split: Split, concepts: Iterable[Mapping[str, Any]]) -> "KnownNames":
        """Return the names of these concepts and of general terms; where both have a name, it means the concept.

        `concepts`: mappings with `id`, `name`, perhaps `aliases` and `in_texts`. `split`: splits the names.
        Example: `KnownNames.of(split, [{"id": "vmap", "name": "vmap"}]).forms["vmapped"][0].concept_id == "vmap"`
        """
        concepts = list(concepts)
        own = {concept["id"]: concept["name"] for concept in concepts}
        others = [term for term in general_terms() if term["id"] not in own]
        remote = [term for term in remote_terms() if term["id"] not in own]
        plain = [word for word in key_words() if word["id"] not in own]
        names = own | {term["id"]: term["name"] for term in (*plain, *others, *remote)}
        known = _remote_spellings(remote) | _spellings(others, names) | _spellings(concepts, own)
        spelled = _in_number(plain) | known
        keys = sorted({*spelled, *short_names(known, own)})
        index = token_index(split, {key: _cases(key, spelled.get(key, ())) for key in keys})
        return cls(names, frozenset(own), frozenset(word["id"] for word in plain), spelled, index)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "KnownNames":
        """Return the names of which this is `to_json`.

        >>> kept = {"names": {}, "own": [], "key_words": [], "forms": {"a": [["A", "id", 0]]}, "index": {}}
        >>> KnownNames.from_json(kept).forms["a"]
        [Form(text='A', concept_id='id', rank=0)]
        """
        spelled = {
            key: [Form(text, id_, rank=rank) for text, id_, rank in rows] for key, rows in value["forms"].items()
        }
        return cls(value["names"], frozenset(value["own"]), frozenset(value["key_words"]), spelled, value["index"])

    def to_json(self) -> dict[str, Any]:
        """Return the names as a JSON value.

        >>> KnownNames({}, frozenset(), frozenset(), {"a": [Form("A", "id", rank=0)]}, {}).to_json()["forms"]
        {'a': [('A', 'id', 0)]}
        """
        rows = {key: [(form.text, form.concept_id, form.rank) for form in group] for key, group in self.forms.items()}
        own, plain = sorted(self.own), sorted(self.key_words)
        return {"names": self.names, "own": own, "key_words": plain, "forms": rows, "index": self.index}

    @property
    def short(self) -> Mapping[str, Sequence[Elided]]:
        """The short names, which a text must explain, with the concepts that each may stand for."""
        known = {text: group for text, group in self.forms.items() if group[0].concept_id not in self.key_words}
        return short_names(known, {id_: self.names[id_] for id_ in self.own})


def _in_number(words: Iterable[Mapping[str, Any]]) -> dict[str, list[Form]]:
    """Return the forms of plain words by their text: singular and plural, since their verbs are everyday ones."""
    return {
        text: [Form(text, word["id"], rank=IN_TEXTS)] for word in words for text in (word["name"], plural(word["name"]))
    }


def _remote_spellings(terms: Iterable[Mapping[str, Any]]) -> dict[str, list[Form]]:
    """Return the forms of terms of other fields by their text in lower case; none tells how names are made of words.

    Hyphens in place of spaces are left out: they take long to make, and few texts write so of what is not their field.
    """
    spelled: dict[str, list[Form]] = {}
    for term in terms:
        hyphens = any("-" in name for name in (term["name"], *term["aliases"]))
        for form in forms(term["id"], term["name"], term["aliases"]):
            if hyphens or "-" not in form.text:
                rank = max(form.rank, IN_TEXTS)
                spelled.setdefault(form.text.lower(), []).append(Form(form.text, form.concept_id, rank=rank))
    return spelled


def _spellings(concepts: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, list[Form]]:
    """Return all forms by their text in lower case, the best first, without those that are compounds of others."""
    spelled: dict[str, list[Form]] = defaultdict(list)
    for concept in concepts:
        for form in forms(concept["id"], concept["name"], concept.get("aliases", ()), concept.get("in_texts", ())):
            spelled[form.text.lower()].append(form)
    kept = {}
    for key, group in sorted(spelled.items()):
        group.sort(key=lambda form: (form.rank, form.concept_id))
        if simple := [form for form in group if not is_compound(form, names[form.concept_id], spelled)]:
            kept[key] = simple
    return kept


def _cases(key: str, group: Iterable[Form]) -> list[str]:
    """Return the texts to search for in place of a key in lower case.

    The tokenizer splits nn.Module but not nn.module, so there each case that is admitted is a text of its own.
    """
    if "." not in key and not _DIGIT.search(key):
        return [key]
    written = {text for form in group for text in (form.text, form.text.capitalize(), form.text.title())}
    return sorted({key, *written})
