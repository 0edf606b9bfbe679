"""TOML files that people edit, read into a form: every mistake is one line that begins with the file and the line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from reprlib import repr as short
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from torchatlas.extract.curated.lines import KeyPath, line_of
from torchatlas.extract.toml_text import load_toml
from torchatlas.graph.errors import DataError
from torchatlas.graph.names import did_you_mean

Form = TypeVar("Form", bound=BaseModel)
_WORDS = {
    "missing": "is missing",
    "model_type": "must be a table",
    "dict_type": "must be a table: {name}.some-id = ...",
    "tuple_type": "must be a list",
}
"""From pydantic's kinds of errors to our words."""


@dataclass(frozen=True, slots=True)
class TomlFile(Generic[Form]):
    """A file's name, its text, and its content in the form that it must have."""

    name: str
    text: str
    _: KW_ONLY
    content: Form

    @classmethod
    def parse(cls, name: str, text: str, form: type[Form]) -> "TomlFile[Form]":
        """Read a text. Raises DataError for a text that is not TOML, and for one that breaks its form.

        Example: TomlFile.parse("mine.toml", text, CorrectionsForm).content.merge
        """
        try:
            return cls(name, text, content=form.model_validate(load_toml(text)))
        except tomllib.TOMLDecodeError as e:
            said = re.search(r"at line (\d+)", str(e))
            raise DataError(f"{name}:{said[1] if said else text.count(chr(10)) + 1}: not valid TOML: {e}") from e
        except ValidationError as e:
            errors = [(line_of(text, _path(error)), error) for error in e.errors(include_url=False)]
            line, first = min(errors, key=lambda found: found[0])
            more = f" ({len(errors) - 1} more in this file)" if errors[1:] else ""
            raise DataError(f"{name}:{line}: {_words(first)}{more}") from None

    def place(self, *path: str | int) -> str:
        """Return `name:line` of a value. Example: file.place("teaches", 2, "at")."""
        return f"{self.name}:{line_of(self.text, path)}"

    def mistake(self, what: str, *path: str | int) -> DataError:
        """Return an error that names the place of a value. Example: file.mistake("no such episode", "refers_to", 0)."""
        return DataError(f"{self.place(*path)}: {what}")


def _path(error: Mapping[str, Any]) -> KeyPath:
    """Return the path to the mistake of one of pydantic's errors."""
    unknown = (error["ctx"]["key"],) if error["type"] == "unknown" else ()
    return (*(part for part in error["loc"] if part != "[key]"), *unknown)


def _words(error: Mapping[str, Any]) -> str:
    """Return the sentence for one of pydantic's errors."""
    path = _path(error)
    kind, given, key = error["type"], error["input"], str(path[-1])
    name = ".".join(part for part in path if isinstance(part, str))
    if kind == "unknown":
        return f"unknown entry {key!r}{did_you_mean(key, error['ctx']['known'])}"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"{name} must be one of {', '.join(choices)}, not {given!r}{did_you_mean(str(given), choices)}"
    words = error["msg"] if kind == "rule" else _WORDS[kind].format(name=key)
    if kind == "tuple_type" and isinstance(given, dict):
        words += f": begin each entry with [[{key}]]"
    elif words.startswith("must"):
        words += f", not {short(given)}"
    return f"{'an item of ' if isinstance(path[-1], int) else ''}{name} {words}"
