"""spaCy's stop words of English, read from their own file: to import them by their name loads all of spaCy."""

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path


def _stop_words() -> frozenset[str]:
    package = find_spec("spacy")
    file = Path(package.origin).with_name("lang") / "en" / "stop_words.py" if package and package.origin else Path()
    spec = spec_from_file_location("torchatlas_stop_words", file) if file.is_file() else None
    if spec is None or spec.loader is None:
        from spacy.lang.en import stop_words
    else:
        stop_words = module_from_spec(spec)
        spec.loader.exec_module(stop_words)
    return frozenset(stop_words.STOP_WORDS)


STOP_WORDS = _stop_words()
