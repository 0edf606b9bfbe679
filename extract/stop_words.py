"""spaCy's English stop words, read from their own file: to import them by their name loads all of spaCy."""

from importlib.util import find_spec
from pathlib import Path
from runpy import run_path


def _stop_words() -> frozenset[str]:
    spec = find_spec("spacy")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return frozenset(run_path(str(folder / "lang" / "en" / "stop_words.py"))["STOP_WORDS"])


STOP_WORDS = _stop_words()
"""Everyday words in lower case."""
