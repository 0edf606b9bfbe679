"""A user's corrections file: TOML, checked as it is read. What each entry does is applied by `graph.build.corrections`.

[topic.flex-attention]              # a concept of your own, written as in the vocabulary
name = "FlexAttention"
definition = "..."
bridge.inductor = "why"

[[alias]]                           # names that a concept has besides, and those that are none
concept = "Dynamo"
add = ["the frame evaluator"]

[[rename]]
concept = "Inductor"
name = "TorchInductor"

[[merge]]                           # two concepts are one
concept = "grad mode"
into = "autograd"

[[split]]                           # one is two: what goes to the other one
concept = "caching allocator"
into = "expandable-segments"
aliases = ["expandable segments"]
episodes = ["6"]
concepts = ["CUDA"]

[[edge]]                            # one that is missing, with its reason
from = "AOTAutograd"
type = "REQUIRES"
to = "vmap"
need = "bridge"
reason = "why"

[[drop]]                            # one that is wrong
from = "AOTAutograd"
type = "USES"
to = "minimum cut"
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from torchatlas.extract.curated.toml import TomlFile
from torchatlas.graph.build.corrections.kinds import (
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
from torchatlas.graph.values.errors import DataError
from torchatlas.graph.values.model import Concept, ConceptRelationKind, Depth, Need
from torchatlas.graph.values.names import did_you_mean

AREA = "Yours"
"""The area of a topic that names none."""

_RELATIONS = {kind.lower(): kind for kind in get_args(ConceptRelationKind)}
_NEEDS = get_args(Need)
_TOPIC = ("name", "area", "aliases", "definition", "source", *_NEEDS, *_RELATIONS)
_MUST: Mapping[str, tuple[str, ...]] = {
    "alias": ("concept",),
    "rename": ("concept", "name"),
    "merge": ("concept", "into"),
    "split": ("concept", "into"),
    "edge": ("from", "type", "to", "reason"),
    "drop": ("from", "type", "to"),
}
_MAY: Mapping[str, tuple[str, ...]] = {
    "alias": ("add", "drop"),
    "split": ("aliases", "episodes", "concepts"),
    "edge": ("need", "depth", "at"),
}
_CHOICES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("edge", "type"): get_args(AddedKind),
    ("edge", "need"): _NEEDS,
    ("edge", "depth"): get_args(Depth),
    ("drop", "type"): get_args(EdgeKind),
}


def parse_corrections(name: str, text: str) -> tuple[Correction, ...]:
    """The corrections in the file of this name, in its order.

    Raises DataError with `file:line` for an unknown section or entry, a value out of its choices, and a text that is
    not TOML.
    """
    return tuple(_read(TomlFile.parse(name, text)))


def _read(file: TomlFile) -> Iterator[Correction]:
    file.check_keys(file.content, ("topic", *_MUST))
    topics = file.content.get("topic", {})
    if not isinstance(topics, Mapping) or not all(isinstance(entry, Mapping) for entry in topics.values()):
        raise file.mistake("a topic is a section [topic.its-id]", words="topic")
    for id_, entry in topics.items():
        yield from _topic(file, id_, entry)
    for kind in _MUST:
        entries = file.content.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
            raise file.mistake(f"a correction of this kind begins with [[{kind}]]", words=kind)
        for entry, line in zip(entries, _lines(file.text, kind), strict=False):
            yield _correction(file, kind, entry, f"{file.name}:{line}")


def _lines(text: str, kind: str) -> Iterator[int]:
    """The lines of the headers [[kind]]."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[\[\s*{kind}\s*\]\]", line):
            yield number


def _topic(file: TomlFile, id_: str, entry: Mapping[str, Any]) -> Iterator[Topic | NewEdge]:
    section = f"topic.{id_}"
    place = file.place(section)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id_):
        raise file.mistake(f"{id_!r} is no id: lower-case letters, digits and single hyphens", section)
    file.check_keys(entry, _TOPIC, section)
    yield Topic(
        place,
        Concept(
            id_,
            file.text_of(entry, "name", section),
            area=file.text_of(entry, "area", section, AREA),
            definition=file.text_of(entry, "definition", section, ""),
            aliases=file.list_of(entry, "aliases", section),
            source_paths=file.list_of(entry, "source", section),
        ),
    )
    for key in (*_NEEDS, *_RELATIONS):
        targets = entry.get(key, {})
        if not isinstance(targets, Mapping):
            raise file.mistake(f'{key} needs a target and a reason: {key}.other-id = "because ..."', section, key)
        for target in targets:
            there = file.place(section, f"{key}.{target}")
            reason = file.text_of(targets, target, section)
            if key in _NEEDS:
                yield NewEdge(there, "REQUIRES", source=id_, target=target, reason=reason, need=key)
            else:
                yield NewEdge(there, _RELATIONS[key], source=id_, target=target, reason=reason)


def _correction(file: TomlFile, kind: str, entry: Mapping[str, Any], place: str) -> Correction:
    must, may = _MUST[kind], _MAY.get(kind, ())
    for key, value in entry.items():
        if key not in (*must, *may):
            raise DataError(f"{place}: unknown entry {key!r}{did_you_mean(key, (*must, *may))}")
        choices = _CHOICES.get((kind, key))
        if choices and value not in choices:
            hint = did_you_mean(str(value), choices)
            raise DataError(f"{place}: {key} must be one of {', '.join(choices)}, not {value!r}{hint}")
    for key in must:
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise DataError(f"{place}: [[{kind}]] needs {key}, a text")
    lists = {key: file.list_of(entry, key) for key in may if key not in ("need", "depth", "at")}
    if kind == "alias":
        return Realias(place, entry["concept"], **lists)
    if kind == "rename":
        return Rename(place, entry["concept"], name=entry["name"])
    if kind == "merge":
        return Merge(place, entry["concept"], into=entry["into"])
    if kind == "split":
        return Split(place, entry["concept"], into=entry["into"], **lists)
    if kind == "drop":
        return DroppedEdge(place, entry["type"], source=entry["from"], target=entry["to"])
    if type(at := entry.get("at")) not in (int, type(None)):
        raise DataError(f"{place}: at must be whole seconds")
    need, depth = entry.get("need", "bridge"), entry.get("depth", "main")
    return NewEdge(
        place,
        entry["type"],
        source=entry["from"],
        target=entry["to"],
        reason=entry["reason"],
        need=need,
        depth=depth,
        at=at,
    )
