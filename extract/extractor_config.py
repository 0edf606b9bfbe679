"""The configuration of an extractor, as a value: cheap to compare and to send to another process, without spaCy."""

import re
from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from torchatlas.extract.extractor import Extractor
    from torchatlas.extract.mentions.known_names import KnownNames
    from torchatlas.extract.spacy_pipeline import Answers

_STATED = re.compile(r'^__version__ = "([^"]+)"', re.M)


@dataclass(frozen=True, slots=True)
class ExtractorConfig:
    """The vocabulary and the settings of an extractor.

    `titles`: episodes that a statement may name. `code`: a hash of the code that extracts.
    """

    concepts: tuple[Concept, ...]
    titles: tuple[str, ...] = ()
    _: KW_ONLY
    code: str = ""

    def build(self, known: "KnownNames | None" = None, answers: "Answers | None" = None) -> "Extractor":
        """Build the extractor.

        `known`: the names of the concepts, and `answers`: what spaCy said, where an extractor of this config has made
        them before.

        Example: `ExtractorConfig(vocabulary.concepts).build().mentions("How vmap works")`
        """
        from torchatlas.extract.extractor import Extractor

        return Extractor(self.concepts, self.titles, None, known, answers)

    @property
    def fingerprint(self) -> str:
        """Return a hash of all that the findings depend on, except for the titles: see `CachedExtractor`.

        >>> ExtractorConfig(()).fingerprint == ExtractorConfig((), ("A title",)).fingerprint
        True
        """
        concepts = sorted((c.id, c.name, c.aliases, c.in_texts) for c in self.concepts)
        facts = self.code, spacy_version(), concepts
        return sha256(repr(facts).encode("utf-8", "replace")).hexdigest()


def spacy_version() -> str:
    """Return spaCy's version as its own file states it: to start, `importlib.metadata` loads a parser of e-mails.

    Example: `spacy_version() == importlib.metadata.version("spacy")`
    """
    spec = find_spec("spacy")
    about = Path(spec.origin).with_name("about.py") if spec and spec.origin else Path()
    stated = _STATED.search(about.read_text("utf-8")) if about.is_file() else None
    if stated:
        return stated[1]
    from importlib.metadata import version

    return version("spacy")
