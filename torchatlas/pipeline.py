"""The build of a graph, from texts to the store. Start here to read the program.

1. read_inputs       the shipped files, the user's files, the last good copies of feeds and pages; done by the caller,
                     since the fingerprint of the inputs tells whether a build is needed
2. correct_curated   vocabulary and catalogue, parsed, as the user corrects them; edges of episodes wait for stage 6
3. read_documents    feeds and saved pages to entries
4. place             each entry of a page to the episode that it is about
5. extract_texts     each entry, and each summary of the catalogue, to mentions, links and statements; and each
                     definition to mentions, where the user has topics of their own
6. with_own_episodes the edges of episodes that the user corrects, now that all episodes are known
7. join_graph        curated and extracted facts to one graph; every edge has its evidence or is set aside
8. without           the edges that the user drops
9. complete_graph    the nearest episodes of each, and the place of every node on the map
10. store.replace    the whole graph, all or nothing, with the fingerprint of its inputs
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from torchatlas.graph.findings import Extraction, Mention
from torchatlas.graph.model import Progress, Snapshot, columns_of
from torchatlas.graph.stores.contract import Store
from torchatlas.inputs.bundled import SHOW
from torchatlas.inputs.feeds import read_feeds
from torchatlas.inputs.inputs import Inputs
from torchatlas.inputs.saved_pages import read_pages

if TYPE_CHECKING:  # spaCy and its like are imported when a build runs
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.feeds import Entry
    from torchatlas.extract.pages import Page
    from torchatlas.extract.pipeline import Extractor, Readers
    from torchatlas.extract.placing import Placed, Placement
    from torchatlas.graph.corrections import Corrected, Correction
    from torchatlas.graph.layout import Places
    from torchatlas.graph.related import Ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """A graph, and what the person should be told about it.

    `problems`: place -> why the correction that stands there does not apply; `set_aside`: a line for each thing that
    texts say against what counts; `unread`: a line for each copy that cannot be read.
    """

    graph: Snapshot
    problems: Mapping[str, str]
    set_aside: tuple[str, ...]
    unread: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines that the person should be told."""
        wrong = (f"{place}: this correction does not apply: {why}" for place, why in self.problems.items())
        return (*self.unread, *wrong, *(f"set aside: {line}" for line in self.set_aside))


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All that a build reads: the outcome of stages 2 to 4, and the extractor for stage 5.

    `unread`: a line for each copy of a feed or page that cannot be read.
    """

    curated: "Corrected"
    placement: "Placement"
    extractor: "Extractor"
    unread: tuple[str, ...]


def build(
    inputs: Inputs,
    store: Store | None = None,
    progress: Progress | None = None,
    *,
    readers: "Readers | None" = None,
) -> BuildResult:
    """Build the graph of these inputs and store it. Raises AtlasError; if it fails, the stored graph is unchanged.

    Without a store the build ends after stage 8. `readers`: what reads the texts in stage 5, by default as many
    processes as pay.

    Example: build(read_inputs(settings), store).graph.episodes
    """
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.graph.build import complete_graph, join_graph
    from torchatlas.graph.corrections import without

    if store:
        store.check()
    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache, readers)
        extractions = tuple(extract_texts(texts, inputs.named, progress))
        definitions = extract_definitions(texts)
        facts = with_own_episodes(texts.curated, extractions)
        joined = join_graph(facts.vocabulary, facts.catalogue, extractions, facts.own, definitions, moved=facts.moved)
        graph, unused = without(joined.graph, facts.dropped)
        if store:
            if progress:
                progress("Drawing the map", 0, 1)
            graph = complete_graph(
                graph, kept_places(graph, inputs.code, cache), kept_ranked(graph, inputs.code, cache)
            )
        cache.keep_used()
    if store:
        store.replace(graph, inputs.fingerprint, progress)
    problems = dict(sorted({**facts.problems, **unused}.items()))
    return BuildResult(graph=graph, problems=problems, set_aside=joined.set_aside, unread=texts.unread)


def with_own_episodes(curated: "Corrected", extractions: tuple[Extraction, ...]) -> "Corrected":
    """Return curated facts with the edges of episodes that the user corrects: all episodes are known now.

    Example: with_own_episodes(texts.curated, tuple(extract_texts(texts))).waiting == ()
    """
    from torchatlas.graph.corrections import with_episodes
    from torchatlas.graph.identity import merge_sources

    if not curated.waiting:
        return curated
    return with_episodes(curated, merge_sources(curated.catalogue, extractions).episodes)


def find_candidates(inputs: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """Return the terms in all that a build reads that the vocabulary does not know, the best first.

    Example: find_candidates(read_inputs(settings))[0].text
    """
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache)
        return CandidateFinder(texts.curated.vocabulary, refused).rank(extract_texts(texts))


def placed_entries(inputs: Inputs) -> tuple["Placed", ...]:
    """Return what a build makes of each entry of the pages. Nothing is kept in the cache.

    Example: [row.outcome for row in placed_entries(read_inputs(settings))]
    """
    from torchatlas.extract.extraction_cache import ExtractionCache

    return read_texts(inputs, ExtractionCache(None)).placement.placed


def read_texts(inputs: Inputs, cache: "ExtractionCache", readers: "Readers | None" = None) -> Corpus:
    """Return all that a build reads: stages 2 to 4.

    The extractor knows all concepts, and the title of every episode, since a text may name any of them.

    Example: read_texts(read_inputs(settings), ExtractionCache(None)).placement.entries
    """
    from torchatlas.extract.feeds import under_one_name
    from torchatlas.extract.pipeline import Extractor
    from torchatlas.extract.placing import place

    curated = correct_curated(inputs, cache)
    entries, pages, unread = read_documents(inputs)
    entries = under_one_name(entries, curated.catalogue.shows)
    titles = [episode.title for episode in curated.catalogue.episodes]
    titles += [entry.episode.title for entry in entries]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    extractor = Extractor(curated.vocabulary.concepts, titles, code=inputs.code, cache=cache, readers=readers)
    placement = place(curated.catalogue, curated.vocabulary, entries, pages, extractor.mentions)
    return Corpus(curated=curated, placement=placement, extractor=extractor, unread=unread)


def correct_curated(inputs: Inputs, cache: "ExtractionCache | None" = None) -> "Corrected":
    """Return vocabulary and catalogue as the user corrects them: stage 2. Raises DataError with the file and line.

    `cache`: keeps the files as they were read.

    Example: correct_curated(read_inputs(settings)).vocabulary
    """
    from torchatlas.extract.curated.curated_json import catalogue_of, to_json, vocabulary_of
    from torchatlas.extract.extraction_cache import ExtractionCache, key
    from torchatlas.graph.corrections import correct

    def read() -> list[dict[str, Any]]:
        from torchatlas.extract.curated.catalogue import load_catalogue
        from torchatlas.extract.curated.vocabulary import load_vocabulary

        vocabulary = load_vocabulary(inputs.concepts, inputs.unplaced)
        return [to_json(vocabulary), to_json(load_catalogue(inputs.episodes, vocabulary, SHOW))]

    files = chain(inputs.concepts, [inputs.unplaced], [("", "")], inputs.episodes)
    where = key("curated", inputs.code, *chain.from_iterable(files))
    vocabulary, catalogue = (cache or ExtractionCache(None)).kept(where, read)
    return correct(vocabulary_of(vocabulary), catalogue_of(catalogue), _corrections(inputs))


def _corrections(inputs: Inputs) -> "tuple[Correction, ...]":
    if not inputs.corrections:
        return ()
    from torchatlas.extract.curated.corrections import parse_corrections

    return parse_corrections(inputs.corrections_file, inputs.corrections)


def kept_places(graph: Snapshot, code: str, cache: "ExtractionCache") -> "Places":
    """Return the places of nodes on the map, as the last build kept them where these depend on nothing new.

    `code`: a hash of the program.

    Example: complete_graph(graph, kept_places(graph, inputs.code, cache))
    """
    from torchatlas.extract.extraction_cache import key
    from torchatlas.graph.layout import ground, overview

    where = key("places", code, json.dumps(columns_of(ground(graph))))
    places: Places = cache.kept(where, lambda: overview(graph))
    return places


def kept_ranked(graph: Snapshot, code: str, cache: "ExtractionCache", n: int = 5) -> "Mapping[str, Ranked]":
    """Return the `n` nearest episodes of each, as the last build kept them where no tie between episodes has changed.

    Example: complete_graph(graph, ranked=kept_ranked(graph, inputs.code, cache))
    """
    from torchatlas.extract.extraction_cache import key_of
    from torchatlas.graph.related import ranked, walked

    where = key_of(chain(("ranked", code, str(n)), walked(graph)))
    best: Mapping[str, Ranked] = cache.kept(where, lambda: ranked(graph, n))
    return best


def read_documents(inputs: Inputs) -> "tuple[tuple[Entry, ...], tuple[Page, ...], tuple[str, ...]]":
    """Return the entries of the feeds, the pages, and a line for each copy that cannot be read: stage 3."""
    entries, unread_feeds = read_feeds(inputs.feeds, inputs.feed_entries)
    pages, unread_pages = read_pages(inputs.pages)
    return entries, pages, (*unread_feeds, *unread_pages)


def extract_texts(
    texts: Corpus, named: Iterable[tuple[str, bytes]] = (), progress: Progress | None = None
) -> Iterator[Extraction]:
    """Yield the findings of the catalogue's summaries, then of the entries with what is explained when: stage 5.

    `named`: the transcripts and chapters that entries name.
    """
    from torchatlas.extract.transcripts import TimedDocuments

    extractor, entries = texts.extractor, texts.placement.entries
    episodes, urls = texts.curated.catalogue.episodes, texts.curated.catalogue.urls
    timed = TimedDocuments(extractor, texts.curated.vocabulary.concepts, dict(named))
    summaries = (extractor.summarised(episode, urls.get(episode.id, ())) for episode in episodes)
    read = zip(entries, extractor.extract(entries), strict=True)
    notes = (replace(extraction, explained=timed.explained(entry)) for entry, extraction in read)
    for done, extraction in enumerate(chain(summaries, notes), 1):
        if progress:
            progress("Reading episodes", done, len(episodes) + len(entries))
        yield extraction


def extract_definitions(texts: Corpus) -> dict[str, tuple[Mention, ...]]:
    """Return what each definition mentions, by concept id: stage 5. {} where the user has no topics of their own.

    Prerequisites are inferred for such topics only, but from the definitions of all concepts.
    """
    described = texts.curated.vocabulary.concepts if texts.curated.own else ()
    return {
        c.id: tuple(replace(m, concept_id=m.listed) for m in texts.extractor.mentions(c.definition, "definition"))
        for c in described
    }
