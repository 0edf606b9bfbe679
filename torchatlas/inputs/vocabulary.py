"""The vocabulary of concepts: as it ships, with the user's own files, and as the user corrects it."""

from collections.abc import Iterable

from torchatlas.extract.catalogue import load_vocabulary, parse_corrections
from torchatlas.graph.corrections import correct
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.inputs.inputs import read_corrections, read_vocabularies, unplaced_wordings
from torchatlas.settings import Settings
from torchatlas.user_files.sources import load_sources


def uncorrected_vocabulary(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """Return the shipped vocabulary, where it is wanted, with the user's own files and `more` files. Raises DataError.

    Example: uncorrected_vocabulary(load_settings()).concepts
    """
    sources = load_sources(settings)
    return load_vocabulary(read_vocabularies(sources, more), unplaced_wordings(sources))


def corrected_vocabulary(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """Return the vocabulary with the user's own files and `more` files, as the user corrects it. Raises DataError.

    Example: corrected_vocabulary(load_settings(), ["own.toml"]).concepts
    """
    corrections = parse_corrections(str(settings.corrections), read_corrections(settings))
    return correct(uncorrected_vocabulary(settings, more), Catalogue(), corrections).vocabulary
