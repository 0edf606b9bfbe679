"""spaCy's stop words, read from their own files: to import them by their names loads all of spaCy."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the everyday words of a language in lower case.

    >>> "dieser" in stop_words("de")
    True
    """
    spec = find_spec("spacy")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return frozenset(run_path(str(folder / "lang" / language / "stop_words.py"))["STOP_WORDS"])


STOP_WORDS = stop_words("en")
