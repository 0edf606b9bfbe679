"""Saved Cypher questions: texts whose first comments give a title, a description and the parameters."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

from torchatlas.graph.answers.resolution import Resolver
from torchatlas.graph.cypher.parameters import parameters as named_in
from torchatlas.graph.cypher.parameters import plain_value, whole_number
from torchatlas.graph.values.errors import DataError, QueryError, UnknownName, shortened
from torchatlas.graph.values.names import fold, suggest

ParameterType = Literal["concept", "episode", "area", "string", "integer"]
OTHER = "More"
"""The job of a question whose header names none."""

_TYPES = "|".join(get_args(ParameterType))

_HEAD = re.compile(r"//\s*(?P<key>title|description|job|param)\s*:\s*(?P<value>.*\S)\s*", re.IGNORECASE)
_PARAMETER = re.compile(rf"(?P<name>\w+) \((?P<type>{_TYPES}), e\.g\. (?P<example>[^)]+)\): (?P<description>.+)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a question needs: `$name` in its text. The `example` has an answer in the shipped graph.

    The query gets a concept or an episode by its id; people may give its name, as in every command.
    """

    name: str
    type: ParameterType
    _: KW_ONLY
    example: str
    description: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that every Cypher engine answers alike.

    Its `name` is that of its file, without the ending; its `job` is a heading that it stands under.
    """

    name: str
    title: str
    _: KW_ONLY
    description: str
    parameters: tuple[Parameter, ...]
    cypher: str
    job: str = OTHER

    @property
    def cells(self) -> dict[str, object]:
        """The columns of a list of questions in a notebook: an example of each value instead of the Cypher."""
        examples = tuple(f"{p.name}={p.example}" for p in self.parameters)
        return {"name": self.name, "title": self.title, "parameters": examples}

    def bind(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the values for the parameters, in their types. Raises QueryError: one is missing, odd or unknown.

        Example: `question.bind({"limit": "9"})` returns `{"limit": 9}`
        """
        wanted = ", ".join(p.name for p in self.parameters) or "none"
        if unknown := sorted(set(values) - {p.name for p in self.parameters}):
            raise QueryError(f"the question {self.name} has no parameter {unknown[0]}; it has: {wanted}")
        bound: dict[str, object] = {}
        for parameter in self.parameters:
            value = plain_value(values.get(parameter.name, ""), parameter.name)
            if _is_missing(value):
                raise QueryError(
                    f"the question {self.name} wants a value for {parameter.name}, e.g. {parameter.example}"
                )
            bound[parameter.name] = _whole(str(value), parameter) if parameter.type == "integer" else str(value)
        return bound

    def resolve(self, values: Mapping[str, object], resolver: Resolver) -> dict[str, object]:
        """Return the values with ids in place of the names of concepts and episodes, and with the areas' own names.

        Raises UnknownName; missing values stay, for `bind` to tell.

        Example: `question.resolve({"concept": "the dispatcher"}, resolver)` returns `{"concept": "dispatcher"}`
        """
        by_type = {"concept": _concept, "episode": _episode, "area": _area}
        kinds = {p.name: by_type[p.type] for p in self.parameters if p.type in by_type}
        given = {name: plain_value(value, name) for name, value in values.items()}
        return {n: kinds[n](resolver, str(v)) if n in kinds and not _is_missing(v) else v for n, v in given.items()}


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _whole(text: str, parameter: Parameter) -> int:
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        return whole_number(text.strip())
    raise QueryError(f"{parameter.name} is a whole number, e.g. {parameter.example}, not {shortened(text)!r}")


def _concept(resolver: Resolver, name: str) -> str:
    return resolver.resolve(name, "concept", words_too=False).ids[0]


def _episode(resolver: Resolver, name: str) -> str:
    return resolver.resolve(name, "episode", words_too=False).ids[0]


def _area(resolver: Resolver, name: str) -> str:
    areas = resolver.snapshot.areas
    if found := [area for area in areas if fold(area) == fold(name)]:
        return found[0]
    raise UnknownName("area", name, suggest(name, areas) or areas)


def parse(text: str, name: str) -> Question:
    """Read the text of a question's file. Raises DataError: its header lacks a title or has other parameters.

    The header is made of comment lines: `// title: ...`, `// description: ...`, perhaps `// job: ...` and, for each
    parameter, `// param: NAME (TYPE, e.g. EXAMPLE): what it is`. TYPE is concept, episode, area, string or integer.

    >>> parse("// title: One\\n// description: The number one.\\nRETURN 1 AS x", "one").cypher
    'RETURN 1 AS x'
    """

    def wrong(what: str) -> DataError:
        return DataError(f"question {name}: {what}")

    found: dict[str, str] = {}
    parameters: list[Parameter] = []
    lines = text.strip().splitlines()
    while lines and lines[0].startswith("//"):
        head = _HEAD.fullmatch(lines.pop(0))
        if head is None:
            raise wrong("a comment in its header is no title:, description:, job: or param:")
        key, value = head["key"].lower(), head["value"]
        if key != "param":
            found[key] = value
        elif parameter := _PARAMETER.fullmatch(value):
            parameters.append(Parameter(**parameter.groupdict()))  # type: ignore[arg-type]
        else:
            raise wrong(f"write a parameter as NAME (string, e.g. EXAMPLE): what it is; not {value}")
    if missing := sorted({"title", "description"} - set(found)):
        raise wrong(f"its header has no {missing[0]}")
    cypher = "\n".join(lines).strip()
    used, told = named_in(cypher), {p.name for p in parameters}
    if odd := sorted(used ^ told):
        raise wrong(f"the parameter {odd[0]} is {'not described' if odd[0] in used else 'not used'}")
    return Question(
        name, found["title"], description=found["description"], parameters=tuple(parameters), cypher=cypher,
        job=found.get("job", OTHER),
    )  # fmt: skip
