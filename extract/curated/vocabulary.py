"""The vocabulary of concepts: TOML files, one an area, checked as they are read.

    area = "Compilation"

    [aotautograd]
    name = "AOTAutograd"
    aliases = ["AOT Autograd"]
    definition = "Traces forward and backward ahead of time ..."
    source = ["torch/_functorch/aot_autograd.py"]
    hear.functionalization = "the reason, as a teacher would say it"
    bridge.fx-graph = "..."
    part_of.pt2 = "..."

`hear` and `bridge` are REQUIRES edges by need; the other relations bear the names of their kinds in lower case.
`phrases` are wordings, of the catalogue among others, that mean this concept and are too loose to search texts for.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast, get_args

from torchatlas.extract.curated.toml import TomlFile
from torchatlas.graph.values.curated import Vocabulary
from torchatlas.graph.values.model import Concept, ConceptRelation, ConceptRelationKind, Need, Requires
from torchatlas.graph.values.names import did_you_mean, spelling

_NEEDS = get_args(Need)
_KINDS = {kind.lower(): cast(ConceptRelationKind, kind) for kind in get_args(ConceptRelationKind)}
_KEYS = {"name", "aliases", "definition", "source", "phrases", *_NEEDS, *_KINDS}


def load_vocabulary(files: Iterable[tuple[str, str]], unplaced: tuple[str, str] = ("unplaced.toml", "")) -> Vocabulary:
    """The vocabulary in these (name, text) pairs. `unplaced`: the file of wordings that are no concept.

    Raises DataError with `file:line` for an unknown entry or id, a name, alias or phrase claimed twice, a definition
    or a reason that is missing, and a text that is not TOML. Cycles are found by `graph.values.prerequisites`.
    """
    parsed = [TomlFile.parse(name, text) for name, text in files]
    entries = [(file, id_, entry) for file in parsed for id_, entry in file.content.items() if id_ != "area"]
    claims = _Claims()
    concepts: list[Concept] = []
    for file, id_, entry in entries:
        concepts.append(_concept(file, id_, entry))
        claims.add(file, concepts[-1])
    edges = [edge for file, id_, entry in entries for edge in _edges(file, id_, entry, claims.ids)]
    nothing = TomlFile.parse(*unplaced)
    for phrase in nothing.content:
        claims.claim(nothing, "", phrase)
    return Vocabulary(
        tuple(concepts),
        tuple(e for e in edges if isinstance(e, Requires)),
        relations=tuple(e for e in edges if isinstance(e, ConceptRelation)),
        unplaced={phrase: str(reason) for phrase, reason in nothing.content.items()},
    )


class _Claims:
    """Who bears which name or wording, so that nothing is claimed twice."""

    def __init__(self) -> None:
        self.ids: dict[str, TomlFile] = {}
        self._owner: dict[str, str] = {}

    def add(self, file: TomlFile, concept: Concept) -> None:
        if concept.id in self.ids:
            there = self.ids[concept.id].place(concept.id)
            raise file.mistake(f"{concept.id} is defined in {there} too; keep one", concept.id)
        self.ids[concept.id] = file
        for wording in (concept.name, *concept.aliases, *concept.phrases, concept.id):
            self.claim(file, concept.id, wording)

    def claim(self, file: TomlFile, id_: str, wording: str) -> None:
        if (owner := self._owner.setdefault(spelling(wording), id_)) != id_:
            raise file.mistake(f"{wording!r} is claimed by {owner} too; keep one", id_, wording)


def _concept(file: TomlFile, id_: str, entry: Any) -> Concept:
    if not isinstance(entry, Mapping):
        raise file.mistake(f"{id_!r} stands alone; a concept is a section [id]", words=id_)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id_):
        raise file.mistake(f"{id_!r} is no id: lower-case letters, digits and single hyphens", id_)
    file.check_keys(entry, _KEYS, id_)
    return Concept(
        id_,
        file.text_of(entry, "name", id_),
        area=file.text_of(file.content, "area"),
        definition=file.text_of(entry, "definition", id_),
        aliases=file.list_of(entry, "aliases", id_),
        source_paths=file.list_of(entry, "source", id_),
        phrases=file.list_of(entry, "phrases", id_),
    )


def _edges(
    file: TomlFile, id_: str, entry: Mapping[str, Any], ids: Mapping[str, object]
) -> Iterable[Requires | ConceptRelation]:
    for key in (*_NEEDS, *_KINDS):
        targets = entry.get(key, {})
        if not isinstance(targets, Mapping):
            raise file.mistake(f'{key} needs a target and a reason: {key}.other-id = "because ..."', id_, key)
        for target, reason in targets.items():
            if target not in ids or target == id_:
                problem = "itself" if target == id_ else f"the unknown concept {target!r}{did_you_mean(target, ids)}"
                raise file.mistake(f"{key} of {id_} names {problem}", id_, f"{key}.{target}")
            if not isinstance(reason, str) or not reason.strip():
                raise file.mistake(f"{key}.{target} of {id_} has no reason", id_, f"{key}.{target}")
            if key in _NEEDS and any(target in entry.get(other, {}) for other in _NEEDS if other != key):
                raise file.mistake(f"{target} is both hear and bridge of {id_}; keep one", id_, f"{key}.{target}")
            if key in _NEEDS:
                yield Requires(id_, target, need=cast(Need, key), reason=reason)
            else:
                yield ConceptRelation(id_, target, kind=_KINDS[key], reason=reason)
