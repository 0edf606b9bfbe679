"""TOML files that people edit: read with a place for every mistake."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from torchatlas.graph.values.errors import DataError
from torchatlas.graph.values.names import did_you_mean


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file's name, text and content. Raises DataError with the line where it is not TOML."""

    name: str
    text: str
    _: KW_ONLY
    content: Mapping[str, Any]

    @classmethod
    def parse(cls, name: str, text: str) -> "TomlFile":
        try:
            return cls(name, text, content=tomllib.loads(text))
        except tomllib.TOMLDecodeError as e:
            line = re.search(r"at line (\d+)", str(e))
            raise DataError(f"{name}:{line[1] if line else text.count(chr(10)) + 1}: not valid TOML: {e}") from e

    def place(self, section: str = "", words: str = "") -> str:
        """`name:line` of the first line after the header of `section` that holds `words`; else of the header."""
        lines = self.text.splitlines()
        start = next((i for i, line in enumerate(lines) if section and line.startswith(f"[{section}]")), 0)
        for i in range(start, len(lines)):
            if i > start and section and lines[i].startswith("["):
                break
            if words and words in lines[i]:
                return f"{self.name}:{i + 1}"
        return f"{self.name}:{start + 1}"

    def mistake(self, what: str, section: str = "", words: str = "") -> DataError:
        """An error that names the place."""
        return DataError(f"{self.place(section, words)}: {what}")

    def check_keys(self, entry: Mapping[str, Any], known: Iterable[str], section: str = "") -> None:
        """Refuse a key that means nothing here, with the nearest that does."""
        known = sorted(known)
        for key in entry:
            if key not in known:
                raise self.mistake(f"unknown entry {key!r}{did_you_mean(key, known)}", section, key)

    def text_of(self, entry: Mapping[str, Any], key: str, section: str = "", default: str | None = None) -> str:
        """The text under `key`; without a default it must be there and not empty."""
        value = entry.get(key, default)
        if not isinstance(value, str) or not (value or default is not None):
            raise self.mistake(f"{key} must be a text", section, key)
        return value

    def list_of(self, entry: Mapping[str, Any], key: str, section: str = "") -> tuple[str, ...]:
        """The list of texts under `key`, empty where there is none."""
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.mistake(f"{key} must be a list of texts", section, key)
        return tuple(value)
