'''The vocabulary of concepts: TOML files, one an area. `AreaForm` is their form.

>>> text = """
... area = "Compilation"
...
... [aotautograd]
... name = "AOTAutograd"
... aliases = ["AOT Autograd"]                        # other names, searched for in texts
... in_texts = ["AOT"]                                # means it in texts, though it is no name of it alone
... phrases = ["tracing ahead of time"]               # means it when asked for, too loose to search texts for
... definition = "Traces forward and backward ahead of time."
... source = ["torch/_functorch/aot_autograd.py"]     # where in PyTorch's tree
... hear.functionalization = "its graphs must be free of mutation"
... bridge.fx-graph = "it hands its graphs over in this form"
...
... [functionalization]
... name = "functionalization"
... definition = "Removes mutation."
...
... [fx-graph]
... name = "FX graph"
... definition = "A list of calls."
... part_of.functionalization = "for the example"
... """
>>> vocabulary = load_vocabulary([("compilation.toml", text)])
>>> [concept.name for concept in vocabulary.concepts]
['AOTAutograd', 'functionalization', 'FX graph']
>>> vocabulary.requires[0].reason
'its graphs must be free of mutation'

`hear`, `worth` and `bridge` say what a concept needs. Without a `hear` need its explanation collapses. A `worth` need
is worth an episode to somebody whose goal the concept is. For a `bridge` one sentence suffices. What `deepens` another
concept is worth an episode after that one's. The other relations have the names of their kinds in lower case. Each
names a concept by its id, from any file, with the reason.
A concept with `draft = true` came from notes and nobody has looked at it yet: its edges are "drafted", and what it
needs is inferred where no need is given.
'''

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import ConfigDict, RootModel

from torchatlas.extract.curated.forms import Flag, Id, Reason, Reasons, Remark, Text, TextList, TomlTable
from torchatlas.extract.curated.toml_file import TomlFile
from torchatlas.graph.findings import Vocabulary
from torchatlas.graph.model import Concept, ConceptRelation, ConceptRelationKind, Need, Origin, Requires
from torchatlas.graph.names import did_you_mean, spelling

NEEDS: tuple[Need, ...] = get_args(Need)
KINDS: Mapping[str, ConceptRelationKind] = {kind.lower(): kind for kind in get_args(ConceptRelationKind)}


class ConceptForm(TomlTable):
    """A section that describes a concept, in the vocabulary or in a user's corrections."""

    model_config = ConfigDict(extra="allow")
    besides = (*NEEDS, *KINDS)
    __pydantic_extra__: dict[str, Reasons]
    name: Text
    definition: Remark = ""
    aliases: TextList = ()
    in_texts: TextList = ()
    source: TextList = ()

    def concept(self, id_: str, area: str) -> Concept:
        """Return the section as a concept. Example: `entry.concept("vmap", "Transforms").name == "vmap"`"""
        facts = self.model_dump(include={"name", "definition", "aliases", "in_texts", "phrases"})
        return Concept(id_, area=area, source_paths=self.source, **facts)

    def edges(self) -> Iterator[tuple[str, str, str]]:
        """Yield the key, the other concept's id and the reason of each edge, the needs first.

        Example: `list(form.edges())` is `[("needs", "dispatcher", "vmap is a dispatch key")]`.
        """
        for key in self.besides:
            for target, reason in self.__pydantic_extra__.get(key, {}).items():
                yield key, target, reason


class VocabularyConcept(ConceptForm):
    """A section of the vocabulary."""

    definition: Text
    phrases: TextList = ()
    draft: Flag = False


class AreaForm(TomlTable):
    """A file of the vocabulary: the area of its concepts, and a section for each concept under its id."""

    model_config = ConfigDict(extra="allow")
    besides = None
    __pydantic_extra__: dict[Id, VocabularyConcept]
    area: Text

    @property
    def concepts(self) -> Mapping[str, VocabularyConcept]:
        """Return the sections by their ids."""
        return self.__pydantic_extra__


class UnplacedForm(RootModel[dict[str, Reason]]):
    """The file of wordings that are deliberately no concept, each with the reason."""


_Entry = tuple[TomlFile[AreaForm], str, VocabularyConcept]


def load_vocabulary(files: Iterable[tuple[str, str]], unplaced: tuple[str, str] = ("unplaced.toml", "")) -> Vocabulary:
    """Return the vocabulary in these (name, text) pairs. `unplaced`: the file of wordings that are no concept.

    Raises DataError with `file:line` for a text that breaks its form, for a name, alias, phrase or id claimed twice,
    and for an edge to an unknown concept. Cycles are found by `graph.values.prerequisites`.

    >>> load_vocabulary([]).concepts
    ()
    """
    areas = [TomlFile.parse(name, text, AreaForm) for name, text in files]
    entries = [(file, id_, entry) for file in areas for id_, entry in file.content.concepts.items()]
    nothing = TomlFile.parse(*unplaced, UnplacedForm)
    ids: dict[str, TomlFile[AreaForm]] = {}
    for file, id_, _ in entries:
        if (first := ids.setdefault(id_, file)) is not file:
            raise file.mistake(f"{id_} is defined in {first.place(id_)} too; keep one", id_)
    _refuse_second_claims(entries, nothing)
    edges = [edge for file, id_, entry in entries for edge in _edges(file, id_, entry, ids)]
    return Vocabulary(
        tuple(entry.concept(id_, file.content.area) for file, id_, entry in entries),
        tuple(e for e in edges if isinstance(e, Requires)),
        relations=tuple(e for e in edges if isinstance(e, ConceptRelation)),
        unplaced=nothing.content.root,
        drafts=frozenset(id_ for _, id_, entry in entries if entry.draft),
    )


def _refuse_second_claims(entries: Iterable[_Entry], nothing: TomlFile[UnplacedForm]) -> None:
    """Refuse a wording that two concepts claim, or that is unplaced besides."""
    owners: dict[str, str] = {}

    def claim(file: TomlFile[Any], wording: str, owner: str, *path: str | int) -> None:
        if (first := owners.setdefault(spelling(wording), owner)) != owner:
            raise file.mistake(f"{wording!r} is claimed by {first} too; keep one", owner, *path)

    for file, id_, entry in entries:
        claim(file, entry.name, id_, "name")
        for key in ("aliases", "in_texts", "phrases"):
            for place, wording in enumerate(getattr(entry, key)):
                claim(file, wording, id_, key, place)
        claim(file, id_, id_)
    for phrase in nothing.content.root:
        claim(nothing, phrase, phrase)


def _edges(
    file: TomlFile[AreaForm], id_: str, entry: VocabularyConcept, ids: Collection[str]
) -> Iterator[Requires | ConceptRelation]:
    origin: Origin = "drafted" if entry.draft else "curated"
    named = {(key, target) for key, target, _ in entry.edges()}
    for key, target, reason in entry.edges():
        if target not in ids or target == id_:
            problem = "itself" if target == id_ else f"the unknown concept {target!r}{did_you_mean(target, ids)}"
            raise file.mistake(f"{key} of {id_} names {problem}", id_, key, target)
        if key in NEEDS and (twice := [need for need in NEEDS if (need, target) in named])[0] != key:
            raise file.mistake(f"{target} is both {' and '.join(twice)} of {id_}; keep one", id_, key, target)
        if key in NEEDS:
            yield Requires(id_, target, need=key, reason=reason, origin=origin)
        else:
            yield ConceptRelation(id_, target, kind=KINDS[key], reason=reason, origin=origin)
