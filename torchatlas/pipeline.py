"""The build of a graph, from texts to the store. Start here to read the program.

1. read_inputs       the shipped files, the user's files, the last good copies of feeds and pages
2. correct_curated   vocabulary and catalogue, parsed, as the user corrects them
3. read_documents    feeds and saved pages to entries
4. place_entries     each entry of a page to the episode that it is about
5. extract_texts     each entry, and each summary of the catalogue, to mentions, links and statements
6. join_graph        curated and extracted facts to one graph; every edge has its evidence or is set aside
7. without           the edges that the user drops
8. complete_graph    the nearest episodes of each, and the place of every node on the map
9. store.replace     the whole graph, all or nothing, with the fingerprint of its inputs
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress
from torchatlas.inputs.bundled import SHOW
from torchatlas.inputs.feeds import read_feeds
from torchatlas.inputs.inputs import Inputs
from torchatlas.inputs.saved_pages import read_pages

if TYPE_CHECKING:  # spaCy and its like are imported when a build runs
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.feeds.entries import Entry
    from torchatlas.extract.pages.page import Page
    from torchatlas.extract.pages.placing import Placed, Placement
    from torchatlas.graph.build.corrections.corrected import Corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A graph, and what the person should be told about it.

    `problems`: place -> why the correction that stands there does not apply; `set_aside`: a line for each thing that
    texts say against what counts; `unread`: a line for each copy that cannot be read.
    """

    graph: Snapshot
    problems: Mapping[str, str]
    set_aside: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """The entries of feeds, the saved pages, and a line for each copy that cannot be read."""

    entries: "tuple[Entry, ...]"
    pages: "tuple[Page, ...]"
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
    """Return the graph of these inputs without a layout and the nearest episodes: stages 2 to 7.

    Example: assemble(read_inputs(settings)).problems
    """
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.graph.build.corrections.apply import without
    from torchatlas.graph.build.join import join_graph

    with ExtractionCache(inputs.cache) as cache:
        curated = correct_curated(inputs)
        documents = read_documents(inputs)
        extractor = _extractor(inputs, curated, documents, cache)
        placement = place_entries(curated, documents, extractor)
        extractions = tuple(extract_texts(curated, placement.entries, extractor, inputs.named, progress))
        own = [concept for concept in curated.vocabulary.concepts if curated.own]
        definitions = {concept.id: extractor.mentions(concept.definition, "definition") for concept in own}
        cache.keep_used()
    joint = join_graph(curated.vocabulary, curated.catalogue, extractions, curated.own, definitions)
    graph, unused = without(joint.graph, curated.dropped)
    problems = dict(sorted({**curated.problems, **unused}.items()))
    return Assembled(graph=graph, problems=problems, set_aside=joint.set_aside, unread=documents.unread)


def placed_entries(inputs: Inputs) -> tuple["Placed", ...]:
    """Return what a build makes of each entry of the pages: stages 2 to 4. Keeps nothing in the cache.

    Example: [row.outcome for row in placed_entries(read_inputs(settings))]
    """
    from torchatlas.extract.extraction_cache import ExtractionCache

    curated, documents = correct_curated(inputs), read_documents(inputs)
    extractor = _extractor(inputs, curated, documents, ExtractionCache(None))
    return place_entries(curated, documents, extractor).placed


def find_candidates(inputs: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """Return the terms in all that a build reads that the vocabulary does not know, the best first: stages 2 to 5.

    Example: find_candidates(read_inputs(settings))[0].text
    """
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(inputs.cache) as cache:
        curated, documents = correct_curated(inputs), read_documents(inputs)
        extractor = _extractor(inputs, curated, documents, cache)
        placement = place_entries(curated, documents, extractor)
        extractions = extract_texts(curated, placement.entries, extractor)
        return CandidateFinder(curated.vocabulary, refused).rank(extractions)


def correct_curated(inputs: Inputs) -> "Corrected":
    """Return vocabulary and catalogue as the user corrects them: stage 2. Raises DataError with the file and line.

    Example: correct_curated(read_inputs(settings)).vocabulary
    """
    from torchatlas.extract.curated.catalogue import load_catalogue
    from torchatlas.extract.curated.corrections import parse_corrections
    from torchatlas.extract.curated.vocabulary import load_vocabulary
    from torchatlas.graph.build.corrections.apply import correct

    vocabulary = load_vocabulary(inputs.concepts, inputs.unplaced)
    catalogue = load_catalogue(inputs.episodes, vocabulary, SHOW)
    return correct(vocabulary, catalogue, parse_corrections(inputs.corrections_file, inputs.corrections))


def read_documents(inputs: Inputs) -> Documents:
    """Return the entries of the feeds and the pages, as far as they can be read: stage 3.

    Example: read_documents(read_inputs(settings)).unread
    """
    entries, unread_feeds = read_feeds(inputs.feeds)
    pages, unread_pages = read_pages(inputs.pages)
    return Documents(entries=entries, pages=pages, unread=(*unread_feeds, *unread_pages))


def place_entries(curated: "Corrected", documents: Documents, extractor: "CachedExtractor") -> "Placement":
    """Return each entry once, those of pages at the episodes that they are about: stage 4.

    Example: place_entries(curated, read_documents(inputs), extractor).placed
    """
    from torchatlas.extract.pages.placing import place

    return place(curated.catalogue, curated.vocabulary, documents.entries, documents.pages, extractor.mentions)


def extract_texts(
    curated: "Corrected",
    entries: tuple["Entry", ...],
    extractor: "CachedExtractor",
    named: Iterable[tuple[str, bytes]] = (),
    progress: Progress | None = None,
) -> Iterator[Extraction]:
    """Yield the findings of the catalogue's summaries, then of the entries with what is explained when: stage 5.

    `named`: the transcripts and chapters that entries name.

    Example: next(extract_texts(curated, (), extractor)).mentions
    """
    from torchatlas.extract.transcripts.timed_documents import TimedDocuments

    timed = TimedDocuments(extractor, curated.vocabulary.concepts, dict(named))
    episodes, urls = curated.catalogue.episodes, curated.catalogue.urls
    summaries = (extractor.summarised(episode, urls.get(episode.id, ())) for episode in episodes)
    read = zip(entries, extractor.extract(entries), strict=True)
    texts = (replace(extraction, explained=timed.explained(entry)) for entry, extraction in read)
    for done, extraction in enumerate(chain(summaries, texts), 1):
        if progress:
            progress("Reading episodes", done, len(episodes) + len(entries))
        yield extraction


def _extractor(
    inputs: Inputs, curated: "Corrected", documents: Documents, cache: "ExtractionCache"
) -> "CachedExtractor":
    """Return an extractor that knows all concepts and the title of every episode: a text may name any of them."""
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.extractor_config import ExtractorConfig

    titles = [episode.title for episode in curated.catalogue.episodes]
    titles += [entry.episode.title for entry in documents.entries]
    titles += [entry.title for page in documents.pages for entry in page.entries if entry.title]
    config = ExtractorConfig(curated.vocabulary.concepts, tuple(titles), model=inputs.model, code=inputs.code)
    return CachedExtractor(config, cache)
