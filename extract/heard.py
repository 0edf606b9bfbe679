"""What an episode explains and at which second, by its transcript and its chapters."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from extract.captions import read_cues
from extract.entries import Entry
from extract.explained import Explainer
from extract.pipeline import Extractor
from extract.podcast import Chapter, best_transcript, document_name, read_chapters
from graph.errors import SourceError
from graph.evidence import Explained
from graph.model import Concept

_CHAPTER = 0.5  # the weight of a concept that a chapter is named after, as that of one that notes name often


class Listener:
    """Reads the documents that feeds name. `documents`: by `extract.podcast.document_name` of their addresses."""

    def __init__(self, extractor: Extractor, concepts: Iterable[Concept], documents: Mapping[str, bytes]) -> None:
        self.extractor = extractor
        self.concepts = tuple(concepts)
        self.documents = documents

    @cached_property
    def explainer(self) -> Explainer:
        """Built for the first transcript: most feeds have none."""
        return Explainer(self.concepts)

    def explained(self, entry: Entry) -> tuple[Explained, ...]:
        """Of each concept what the transcript says, else the first chapter that names it; broken ones say nothing."""
        found: dict[str, Explained] = {}
        transcript = best_transcript(entry.transcripts)
        if transcript and (document := self.documents.get(document_name(transcript.url))):
            try:
                found = {e.concept_id: e for e in self.explainer.explained(read_cues(document), entry.episode.title)}
            except SourceError:
                found = {}
        for chapter in self._chapters(entry):
            for mention in self.extractor.mentions(chapter.title, "title"):
                by_name = Explained(mention.concept_id, "part", chapter.at, _CHAPTER, chapter.title)
                found.setdefault(mention.concept_id, by_name)
        return tuple(found.values())

    def _chapters(self, entry: Entry) -> tuple[Chapter, ...]:
        """The document's, which players show, else those that the feed itself holds."""
        document = self.documents.get(document_name(entry.chapters_url)) if entry.chapters_url else None
        try:
            return (read_chapters(document) if document else ()) or entry.chapters
        except SourceError:
            return entry.chapters
