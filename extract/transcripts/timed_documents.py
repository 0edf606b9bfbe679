"""Transcripts and chapters of an episode: their addresses, their readers, and the concepts that they explain."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from torchatlas.extract.feeds.document import copy_name
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.feeds.podcast import Chapter, best_transcript, read_chapters
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.transcripts.captions import read_cues
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.values.findings import Explained
from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from torchatlas.extract.transcripts.explanations import ExplanationFinder

_CHAPTER = 0.5  # the weight of a concept that a chapter is named after, as that of one that notes name often


def readers(entry: Entry) -> dict[str, Callable[[bytes, str], object]]:
    """Return the addresses of an entry's best transcript and of its chapters, each with the function that reads it.

    Such a function takes the bytes and a name, and raises SourceError where the bytes are no such document.

    Example: `for address, read in readers(entry).items(): read(fetch(address).data, address)`
    """
    transcript = best_transcript(entry.transcripts)
    found: dict[str, Callable[[bytes, str], object]] = {transcript.url: read_cues} if transcript else {}
    return found | ({entry.chapters_url: read_chapters} if entry.chapters_url else {})


class TimedDocuments:
    """A reader of kept transcripts and chapters. `documents`: by `copy_name` of their addresses."""

    def __init__(self, extractor: Extractor, concepts: Iterable[Concept], documents: Mapping[str, bytes]) -> None:
        self.extractor = extractor
        self.concepts = tuple(concepts)
        self.documents = documents

    @cached_property
    def finder(self) -> "ExplanationFinder":
        """Return the finder, made for the first transcript that is not in the cache: most feeds have none."""
        from torchatlas.extract.transcripts.explanations import ExplanationFinder

        return ExplanationFinder(self.concepts)

    def explained(self, entry: Entry) -> tuple[Explained, ...]:
        """Return the concepts of the transcript, then those that only chapters name; a broken document has none.

        Example: `TimedDocuments(extractor, concepts, documents).explained(entry)`
        """
        found: dict[str, Explained] = {}
        transcript = best_transcript(entry.transcripts)
        if transcript and (document := self.documents.get(copy_name(transcript.url))):
            with suppress(SourceError):
                found = {e.concept_id: e for e in self._spoken(document, entry.episode.title)}
        for chapter in self._chapters(entry):
            for mention in self.extractor.mentions(chapter.title, "title"):
                by_name = Explained(mention.listed, "part", at=chapter.at, weight=_CHAPTER, quote=chapter.title)
                found.setdefault(mention.listed, by_name)
        return tuple(found.values())

    def _spoken(self, document: bytes, title: str) -> tuple[Explained, ...]:
        content = title, sha256(document).hexdigest()
        return self.extractor.cached(Explained, content, lambda: self.finder.explained(read_cues(document), title))

    def _chapters(self, entry: Entry) -> tuple[Chapter, ...]:
        """Return the chapters of the document, which players show, else those that the feed itself holds."""
        document = self.documents.get(copy_name(entry.chapters_url)) if entry.chapters_url else None
        try:
            return (read_chapters(document) if document else ()) or entry.chapters
        except SourceError:
            return entry.chapters
