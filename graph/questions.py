"""Saved Cypher questions: a text whose first comments say what it asks and what it wants to know."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graph.cypher import parameters as named_in
from graph.errors import DataError, QueryError

ParameterType = Literal["string", "integer"]

_HEAD = re.compile(r"//\s*(?P<key>title|description|param)\s*:\s*(?P<value>.*\S)\s*", re.IGNORECASE)
_PARAMETER = re.compile(r"(?P<name>\w+) \((?P<type>string|integer), e\.g\. (?P<example>[^)]+)\): (?P<description>.+)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a question wants: `$name` in its text. `example` is one that has an answer in the shipped graph."""

    name: str
    type: ParameterType
    example: str
    description: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that both engines understand and answer alike. `name` is its file's, without the ending."""

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    cypher: str

    def bind(self, values: Mapping[str, object]) -> dict[str, object]:
        """The values for the parameters, in their types. Raises QueryError where one is missing, odd or unknown."""
        if unknown := sorted(set(values) - {p.name for p in self.parameters}):
            raise QueryError(f"the question {self.name} has no parameter {unknown[0]}; it has: {self._wanted()}")
        bound: dict[str, object] = {}
        for parameter in self.parameters:
            if str(values.get(parameter.name, "")) == "":
                raise QueryError(
                    f"the question {self.name} wants a value for {parameter.name}, e.g. {parameter.example}"
                )
            value = values[parameter.name]
            try:
                bound[parameter.name] = int(str(value)) if parameter.type == "integer" else str(value)
            except ValueError as e:
                raise QueryError(f"{parameter.name} is a whole number, e.g. {parameter.example}, not {value!r}") from e
        return bound

    def _wanted(self) -> str:
        return ", ".join(p.name for p in self.parameters) or "none"


def parse(text: str, name: str) -> Question:
    """Read a question's file. Raises DataError where its header lacks a title or tells of the wrong parameters.

    The header is made of comment lines: `// title: ...`, `// description: ...` and, for each parameter,
    `// param: NAME (string|integer, e.g. EXAMPLE): what it is`.
    """
    found: dict[str, str] = {}
    parameters: list[Parameter] = []
    lines = text.strip().splitlines()
    while lines and lines[0].startswith("//"):
        head = _HEAD.fullmatch(lines.pop(0))
        if head is None:
            raise DataError(f"question {name}: a comment of its header is no title:, description: or param:")
        key, value = head["key"].lower(), head["value"]
        if key != "param":
            found[key] = value
        elif parameter := _PARAMETER.fullmatch(value):
            parameters.append(Parameter(**parameter.groupdict()))  # type: ignore[arg-type]
        else:
            raise DataError(
                f"question {name}: write a parameter as NAME (string, e.g. EXAMPLE): what it is; not {value}"
            )
    if missing := sorted({"title", "description"} - set(found)):
        raise DataError(f"question {name}: its header has no {missing[0]}")
    cypher = "\n".join(lines).strip()
    used, told = named_in(cypher), {p.name for p in parameters}
    if odd := sorted(used ^ told):
        raise DataError(f"question {name}: the parameter {odd[0]} is {'not told of' if odd[0] in used else 'not used'}")
    return Question(name, found["title"], found["description"], tuple(parameters), cypher)
