"""What an episode explains and at which second, by its transcript and its chapters."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.feeds.document import copy_name
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.feeds.podcast import Chapter, best_transcript, read_chapters
from torchatlas.extract.transcripts.captions import read_cues
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.values.findings import Explained
from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from torchatlas.extract.transcripts.explanations import Explainer

_CHAPTER = 0.5  # the weight of a concept that a chapter is named after, as that of one that notes name often


class Listener:
    """Reads the documents that feeds name. `documents`: by `extract.feeds.document.copy_name` of their addresses."""

    def __init__(self, extractor: CachedExtractor, concepts: Iterable[Concept], documents: Mapping[str, bytes]) -> None:
        self.extractor = extractor
        self.concepts = tuple(concepts)
        self.documents = documents

    @cached_property
    def explainer(self) -> "Explainer":
        """Made for the first transcript that nothing is remembered of: most feeds have none."""
        from torchatlas.extract.transcripts.explanations import Explainer

        return Explainer(self.concepts)

    def explained(self, entry: Entry) -> tuple[Explained, ...]:
        """Of each concept what the transcript says, else the first chapter that names it; broken ones say nothing."""
        found: dict[str, Explained] = {}
        transcript = best_transcript(entry.transcripts)
        if transcript and (document := self.documents.get(copy_name(transcript.url))):
            try:
                found = {e.concept_id: e for e in self._heard(document, entry.episode.title)}
            except SourceError:
                found = {}
        for chapter in self._chapters(entry):
            for mention in self.extractor.mentions(chapter.title, "title"):
                by_name = Explained(mention.concept_id, "part", at=chapter.at, weight=_CHAPTER, quote=chapter.title)
                found.setdefault(mention.concept_id, by_name)
        return tuple(found.values())

    def _heard(self, document: bytes, title: str) -> tuple[Explained, ...]:
        content = title, sha256(document).hexdigest()
        return self.extractor.cached(Explained, content, lambda: self.explainer.explained(read_cues(document), title))

    def _chapters(self, entry: Entry) -> tuple[Chapter, ...]:
        """The document's, which players show, else those that the feed itself holds."""
        document = self.documents.get(copy_name(entry.chapters_url)) if entry.chapters_url else None
        try:
            return (read_chapters(document) if document else ()) or entry.chapters
        except SourceError:
            return entry.chapters
