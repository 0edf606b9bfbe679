"""The lexicon of English words that lemminflect ships, read word by word: few of them are asked for.

lemminflect's own `__init__` loads spaCy, to add to it what nothing here asks for. So its modules are imported as those
of a package of another name, which has their folder and no `__init__`.
"""

import gzip
import sys
from bisect import bisect_left
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

_PACKAGE = "torchatlas_lemminflect"


def bases(word: str) -> dict[str, tuple[str, ...]]:
    """Return the classes that the lexicon has for a word -> its base forms; {} for a word that it lacks.

    >>> bases("built"), bases("flurbs")
    ({'VERB': ('build',)}, {})
    """
    found: dict[str, tuple[str, ...]] = _lemmatizer().getAllLemmas(word)
    return found


@cache
def _lemmatizer() -> Any:
    """Return lemminflect's lemmatizer with our table in place of its dictionary; its exceptions stay."""
    lemmatizer: Any = _module("core.Lemmatizer").Lemmatizer

    class WithTable(lemmatizer):  # type: ignore[misc]  # it has no types
        lemma_dict = _LemmaTable(Path(_module("config").lemma_lu_fn))

    return WithTable()


@cache
def _module(name: str) -> Any:
    """Return a module of lemminflect."""
    spec = find_spec("lemminflect")
    if _PACKAGE not in sys.modules and spec:
        package = ModuleType(_PACKAGE)
        package.__path__ = list(spec.submodule_search_locations or ())
        sys.modules[_PACKAGE] = package
    return import_module(f"{_PACKAGE}.{name}")


class _LemmaTable:
    """The lines of lemminflect's table, "built,verb,build", which are sorted by the word."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def lines(self) -> list[bytes]:
        with gzip.open(self.path) as file:
            return file.read().splitlines()

    def get(self, word: str, default: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Return the classes of a word, as lemminflect's own dictionary does."""
        codec, of_category = _module("codecs.LemmaLUCodec").LemmaLUCodec, _module("core.LexicalUtils").categoryToUPos
        found, wanted = {}, word.encode("utf-8", "replace")
        for place in range(bisect_left(self.lines, wanted, key=_word), len(self.lines)):
            if _word(self.lines[place]) != wanted:
                break
            _, category, forms = codec.fromString(self.lines[place].decode())
            found[of_category(category)] = forms
        return found or default


def _word(line: bytes) -> bytes:
    return line.partition(b",")[0]
