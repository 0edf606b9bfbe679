"""The component of spaCy's pipelines that finds concepts. It stands alone, since the finder needs no spaCy."""

from functools import partial
from typing import Any

from spacy.language import Language

from torchatlas.extract.mentions.concept_finder import ConceptFinder
from torchatlas.extract.tokens import split

FACTORY = "torchatlas_former_concepts"


@Language.factory(FACTORY, default_config={"concepts": []}, retokenizes=False)
def _make(nlp: Language, name: str, concepts: Any) -> ConceptFinder:  # spaCy would check each part of a type
    return ConceptFinder(partial(split, nlp), concepts)
