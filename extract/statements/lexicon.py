"""The lexicon of English words that lemminflect ships, read word by word: few of them are asked for."""

import gzip
from bisect import bisect_left
from functools import cache, cached_property
from pathlib import Path
from typing import Any


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
    from lemminflect import Lemmatizer, config

    class WithTable(Lemmatizer):  # type: ignore[misc]  # it has no types
        lemma_dict = _Table(Path(config.lemma_lu_fn))

    return WithTable()


class _Table:
    """The lines of lemminflect's table, "built,verb,build", which are sorted by the word."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def lines(self) -> list[bytes]:
        with gzip.open(self.path) as file:
            return file.read().splitlines()

    def get(self, word: str, default: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Return the classes of a word, as lemminflect's own dictionary does."""
        from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec
        from lemminflect.core.LexicalUtils import categoryToUPos

        found, wanted = {}, word.encode("utf-8", "replace")
        for place in range(bisect_left(self.lines, wanted, key=_word), len(self.lines)):
            if _word(self.lines[place]) != wanted:
                break
            _, category, forms = LemmaLUCodec.fromString(self.lines[place].decode())
            found[categoryToUPos(category)] = forms
        return found or default


def _word(line: bytes) -> bytes:
    return line.partition(b",")[0]
