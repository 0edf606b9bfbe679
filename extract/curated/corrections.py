'''A user's corrections file: TOML, in the form `CorrectionsForm`. `graph.build.corrections` applies the corrections.

>>> text = """
... [topic.flex-attention]                  # a concept of your own, written as in the vocabulary
... name = "FlexAttention"
... definition = "Attention whose score you change in Python."
... bridge.inductor = "it is compiled"
...
... [[alias]]                               # names that a concept has besides, and names that it has not
... concept = "Dynamo"
... add = ["the frame evaluator"]
...
... [[rename]]
... concept = "Inductor"
... name = "TorchInductor"
...
... [[merge]]                               # two concepts are one
... concept = "grad mode"
... into = "autograd"
...
... [[split]]                               # one concept is two: what goes to the other one
... concept = "caching allocator"
... into = "expandable-segments"
... aliases = ["expandable segments"]
... episodes = ["6"]
... concepts = ["CUDA"]
...
... [[edge]]                                # an edge that is missing, with its reason
... from = "AOTAutograd"
... type = "REQUIRES"
... to = "vmap"
... need = "bridge"
... reason = "why"
...
... [[drop]]                                # an edge that is wrong
... from = "AOTAutograd"
... type = "USES"
... to = "minimum cut"
... """
>>> corrections = parse_corrections("corrections.toml", text)
>>> len(corrections)
8
>>> corrections[3]
Rename(place='corrections.toml:11', concept='Inductor', name='TorchInductor')
'''

# ruff: noqa: RUF012 (pydantic copies a default for each model)
from collections.abc import Callable, Iterator, Mapping

from pydantic import Field

from torchatlas.extract.curated.forms import Id, ListOf, Second, Text, TextList, TomlTable
from torchatlas.extract.curated.toml_file import TomlFile
from torchatlas.extract.curated.vocabulary import KINDS, NEEDS, ConceptForm
from torchatlas.graph.corrections import (
    AddedKind,
    Correction,
    DroppedEdge,
    EdgeKind,
    Merge,
    NewEdge,
    Realias,
    Rename,
    Split,
    Topic,
)
from torchatlas.graph.model import Depth, Need

AREA = "Yours"
"""The area of a topic that names none."""


class TopicForm(ConceptForm):
    """A section [topic.its-id]: a concept of the user's own."""

    area: Text = AREA


class AliasForm(TomlTable):
    """An entry [[alias]]."""

    concept: Text
    add: TextList = ()
    drop: TextList = ()


class RenameForm(TomlTable):
    """An entry [[rename]]."""

    concept: Text
    name: Text


class MergeForm(TomlTable):
    """An entry [[merge]]."""

    concept: Text
    into: Text


class SplitForm(MergeForm):
    """An entry [[split]]."""

    aliases: TextList = ()
    episodes: TextList = ()
    concepts: TextList = ()


class _Ends(TomlTable):
    source: Text = Field(alias="from")
    target: Text = Field(alias="to")


class DropForm(_Ends):
    """An entry [[drop]]."""

    kind: EdgeKind = Field(alias="type")


class EdgeForm(_Ends):
    """An entry [[edge]]: `need` counts for REQUIRES, `depth` and `at` (seconds) for TEACHES."""

    kind: AddedKind = Field(alias="type")
    reason: Text
    need: Need = "bridge"
    depth: Depth = "main"
    at: Second | None = None


class CorrectionsForm(TomlTable):
    """A file of corrections."""

    topic: dict[Id, TopicForm] = {}
    alias: ListOf[AliasForm] = ()
    rename: ListOf[RenameForm] = ()
    merge: ListOf[MergeForm] = ()
    split: ListOf[SplitForm] = ()
    edge: ListOf[EdgeForm] = ()
    drop: ListOf[DropForm] = ()


_NEED: Mapping[str, Need] = {need: need for need in NEEDS}
_KINDS: Mapping[str, Callable[..., Correction]] = {
    "alias": Realias, "rename": Rename, "merge": Merge, "split": Split, "edge": NewEdge, "drop": DroppedEdge,
}  # fmt: skip
"""The value that an entry becomes; its fields have the names of the form's."""


def parse_corrections(name: str, text: str) -> tuple[Correction, ...]:
    """Return the corrections in the file of this name, kind by kind. Raises DataError as `TomlFile.parse` does.

    >>> parse_corrections("corrections.toml", '[[merge]]\\nconcept = "a"\\ninto = "b"')
    (Merge(place='corrections.toml:1', concept='a', into='b'),)
    """
    return tuple(_corrections(TomlFile.parse(name, text, CorrectionsForm)))


def _corrections(file: TomlFile[CorrectionsForm]) -> Iterator[Correction]:
    for id_, topic in file.content.topic.items():
        yield Topic(file.place("topic", id_), topic.concept(id_, topic.area))
        for key, target, reason in topic.edges():
            place, need = file.place("topic", id_, key, target), _NEED.get(key, "bridge")
            yield NewEdge(place, KINDS.get(key, "REQUIRES"), source=id_, target=target, reason=reason, need=need)
    for key, kind in _KINDS.items():
        for index, entry in enumerate(getattr(file.content, key)):
            yield kind(file.place(key, index), **dict(entry))
