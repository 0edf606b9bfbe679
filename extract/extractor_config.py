"""The configuration of an extractor, as a value: cheap to compare and to send to another process, without spaCy."""

import re
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.values.errors import DataError
from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from spacy.language import Language

    from torchatlas.extract.extractor import Extractor
    from torchatlas.extract.mentions.known_names import KnownNames
    from torchatlas.extract.spacy_pipeline import Answers

_STATED = re.compile(r'^__version__ = "([^"]+)"', re.M)


@dataclass(frozen=True, slots=True)
class ExtractorConfig:
    """The vocabulary and the settings of an extractor.

    `titles`: episodes that a statement may name. `model`: the installed package or the folder of a spaCy pipeline, ""
    for a blank English one. `code`: a hash of the code that extracts.
    """

    concepts: tuple[Concept, ...]
    titles: tuple[str, ...] = ()
    _: KW_ONLY
    model: str = ""
    code: str = ""

    def build(self, known: "KnownNames | None" = None, answers: "Answers | None" = None) -> "Extractor":
        """Build the extractor. Raises DataError where the model cannot be loaded.

        `known`: the names of the concepts, and `answers`: what spaCy said, where an extractor of this config has made
        them before.

        Example: `ExtractorConfig(vocabulary.concepts).build().mentions("How vmap works")`
        """
        from torchatlas.extract.extractor import Extractor

        return Extractor(self.concepts, self.titles, load_model(self.model) if self.model else None, known, answers)

    @property
    def fingerprint(self) -> str:
        """Return a hash of all that the findings depend on, except for the titles: see `CachedExtractor`.

        >>> ExtractorConfig(()).fingerprint == ExtractorConfig((), ("A title",)).fingerprint
        True
        """
        concepts = sorted((c.id, c.name, c.aliases, c.in_texts) for c in self.concepts)
        facts = self.code, self.model, reader_version(self.model), concepts
        return sha256(repr(facts).encode("utf-8", "replace")).hexdigest()


def load_model(name: str) -> "Language":
    """Return the spaCy pipeline of an installed package or a folder; nothing is downloaded.

    Raises DataError, with the remedy, where there is no pipeline or it does not load.
    Example: `load_model("en_core_web_sm").pipe_names`
    """
    import spacy

    try:
        return spacy.load(name)
    except (OSError, ValueError, ImportError) as e:
        if Path(name).exists():
            raise DataError(f"{name}: no spaCy pipeline of this version ({' '.join(str(e).split())[:200]})") from e
        raise DataError(
            f"{name!r} is not an installed spaCy pipeline or a folder; install it into this Python "
            f"(python -m spacy download {name}), or name a folder that nlp.to_disk wrote"
        ) from e


def reader_version(model: str) -> str:
    """Return a text that changes with spaCy, and with the model: a package by its version, a folder by its files.

    Files count by size and time of change, since models are large.

    >>> reader_version("") == reader_version("no such model") != ""
    True
    """
    folder, facts = Path(model), [_spacy_version()]
    if model and folder.is_dir():
        files = sorted(f for f in folder.rglob("*") if f.is_file())
        facts += [f"{f.relative_to(folder).as_posix()} {f.stat().st_size} {f.stat().st_mtime_ns}" for f in files]
    elif model:
        from importlib.metadata import PackageNotFoundError, version

        with suppress(PackageNotFoundError, ValueError):  # a name that no package can have is a ValueError
            facts.append(version(model))
    return "\n".join(facts)


def _spacy_version() -> str:
    """Return spaCy's version as its own file states it: to start, `importlib.metadata` loads a parser of e-mails."""
    spec = find_spec("spacy")
    about = Path(spec.origin).with_name("about.py") if spec and spec.origin else Path()
    stated = _STATED.search(about.read_text("utf-8")) if about.is_file() else None
    if stated:
        return stated[1]
    from importlib.metadata import version

    return version("spacy")
