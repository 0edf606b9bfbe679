"""The build of a graph, from texts to the store. Start here to read the program.

1. read_inputs        the shipped files, the user's files, the last good copies of feeds and pages
2. correct            vocabulary and catalogue, parsed, as the user corrects them
3. read_documents     feeds and saved pages to entries
4. place              each entry of a page to the episode that it is about
5. extract            each entry, and each summary of the catalogue, to mentions, links and statements
6. join               curated and extracted facts to one graph; every edge has its evidence or is set aside
7. without            the edges that the user drops
8. finish             the nearest episodes of each, and the place of every node on the map
9. store.replace      the whole graph, all or nothing, with the fingerprint of its inputs
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchatlas.bundled import SHOW
from torchatlas.feeds import read_feeds
from torchatlas.graph.stores.contract import Store
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress
from torchatlas.inputs import Inputs
from torchatlas.saved_pages import read_pages

if TYPE_CHECKING:  # spaCy and its like are imported when a build runs
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.pages.placing import Placed, Placement
    from torchatlas.graph.build.corrections.corrected import Corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A graph without a layout yet, and what the person should be told about it.

    `problems`: place -> why the correction that stands there does not apply; `set_aside`: a line for each thing that
    texts say against what counts; `unread`: a line for each copy that cannot be read.
    """

    graph: Snapshot
    problems: Mapping[str, str]
    set_aside: tuple[str, ...]
    unread: tuple[str, ...]


def build(inputs: Inputs, store: Store, progress: Progress | None = None) -> Assembled:
    """Build the graph of these inputs and store it. Raises AtlasError; the stored graph stays as it was then.

    Example: build(read_inputs(settings), store).graph.episodes
    """
    from torchatlas.graph.build.join import complete_graph

    store.check()
    assembled = assemble(inputs, progress)
    if progress:
        progress("Drawing the map", 0, 1)
    graph = complete_graph(assembled.graph)
    store.replace(graph, inputs.fingerprint, progress)
    return replace(assembled, graph=graph)


def assemble(inputs: Inputs, progress: Progress | None = None) -> Assembled:
    """Return the graph of these inputs without a layout: stages 2 to 7."""
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.graph.build.corrections.apply import without
    from torchatlas.graph.build.join import join_graph

    with ExtractionCache(inputs.cache) as cache:
        read = _read(inputs, cache)
        corrected = read.corrected
        extractions = tuple(_extractions(inputs, read, progress))
        named = corrected.vocabulary.concepts if corrected.own else ()
        definitions = {c.id: read.extractor.mentions(c.definition, "definition") for c in named}
        cache.keep_used()
    joint = join_graph(corrected.vocabulary, corrected.catalogue, extractions, corrected.own, definitions)
    graph, unused = without(joint.graph, corrected.dropped)
    problems = dict(sorted({**corrected.problems, **unused}.items()))
    return Assembled(graph=graph, problems=problems, set_aside=joint.set_aside, unread=read.unread)


def place_entries(inputs: Inputs) -> tuple["Placed", ...]:
    """Return what a build makes of each entry of the pages: stages 2 to 4."""
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(inputs.cache) as cache:
        return _read(inputs, cache).placement.placed


def find_candidates(inputs: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """Return the terms in all that a build reads that the vocabulary does not know, the best first."""
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(inputs.cache) as cache:
        read = _read(inputs, cache)
        return CandidateFinder(read.corrected.vocabulary, refused).rank(_found(read))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The outcome of stages 2 to 4, and the extractor that stage 5 goes on with."""

    corrected: "Corrected"
    placement: "Placement"
    extractor: "CachedExtractor"
    unread: tuple[str, ...]


def _read(inputs: Inputs, cache: "ExtractionCache") -> _Read:
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.curated.catalogue import load_catalogue
    from torchatlas.extract.curated.corrections import parse_corrections
    from torchatlas.extract.curated.vocabulary import load_vocabulary
    from torchatlas.extract.extractor_config import ExtractorConfig
    from torchatlas.extract.pages.placing import place
    from torchatlas.graph.build.corrections.apply import correct

    vocabulary = load_vocabulary(inputs.concepts, inputs.unplaced)
    catalogue = load_catalogue(inputs.episodes, vocabulary, SHOW)
    corrected = correct(vocabulary, catalogue, parse_corrections(*inputs.corrections))
    feeds, unread_feeds = read_feeds(inputs.feeds)
    pages, unread_pages = read_pages(inputs.pages)
    titles = [e.title for e in (*corrected.catalogue.episodes, *(entry.episode for entry in feeds))]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    config = ExtractorConfig(corrected.vocabulary.concepts, tuple(titles), model=inputs.model, code=inputs.code)
    extractor = CachedExtractor(config, cache)
    placement = place(corrected.catalogue, corrected.vocabulary, feeds, pages, extractor.mentions)
    return _Read(corrected=corrected, placement=placement, extractor=extractor, unread=(*unread_feeds, *unread_pages))


def _extractions(inputs: Inputs, read: _Read, progress: Progress | None) -> Iterator[Extraction]:
    """Stage 5: the findings of the catalogue's summaries, then of the entries with what their transcripts explain."""
    from torchatlas.extract.transcripts.timed_documents import TimedDocuments

    documents = TimedDocuments(read.extractor, read.corrected.vocabulary.concepts, dict(inputs.named))
    summaries = len(read.corrected.catalogue.episodes)
    entries = read.placement.entries
    for done, found in enumerate(_found(read), 1):
        spoken = documents.explained(entries[done - summaries - 1]) if done > summaries else ()
        if progress:
            progress("Reading episodes", done, summaries + len(entries))
        yield replace(found, explained=spoken) if spoken else found


def _found(read: _Read) -> Iterator[Extraction]:
    """The findings of the catalogue's summaries, then of the entries."""
    catalogue = read.corrected.catalogue
    for episode in catalogue.episodes:
        yield read.extractor.summarised(episode, catalogue.urls.get(episode.id, ()))
    yield from read.extractor.extract(read.placement.entries)
