"""From the texts that a build reads to the nodes and edges of its graph."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from torchatlas.bundled import SHOW
from torchatlas.feeds import read_feeds
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress
from torchatlas.inputs import Inputs
from torchatlas.saved_pages import read_pages

if TYPE_CHECKING:
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.pages.placing import Placed, Placement
    from torchatlas.graph.build.corrections.corrected import Corrected


@dataclass(frozen=True, slots=True)
class Assembled:
    """`graph` has no layout yet; `problems`: place -> why the user's correction that stands there does not apply;
    `set_aside`: what texts say against what counts, a line each; `unread`: a line for each copy that cannot be read."""

    graph: Snapshot
    problems: Mapping[str, str]
    _: KW_ONLY
    set_aside: tuple[str, ...]
    unread: tuple[str, ...]


def assemble(given: Inputs, progress: Progress | None = None) -> Assembled:
    """Read vocabulary, catalogue, corrections, feeds and pages, and join what is found in them."""
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.transcripts.timed_documents import TimedDocuments
    from torchatlas.graph.build.corrections.apply import without
    from torchatlas.graph.build.join import join_graph

    found = []
    with ExtractionCache(given.cache) as cache:
        corrected, extractor, placement, unread = _read(given, cache)
        vocabulary, catalogue, entries = corrected.vocabulary, corrected.catalogue, placement.entries
        total = len(catalogue.episodes) + len(entries)
        known = (extractor.summarised(e, catalogue.urls.get(e.id, ())) for e in catalogue.episodes)
        timed = TimedDocuments(extractor, vocabulary.concepts, dict(given.named))
        new = (
            replace(x, explained=timed.explained(e)) for e, x in zip(entries, extractor.extract(entries), strict=True)
        )
        for extraction in chain(known, new):
            found.append(extraction)
            if progress:
                progress("Reading episodes", len(found), total)
        named = vocabulary.concepts if corrected.own else ()
        defined = {c.id: extractor.mentions(c.definition, "definition") for c in named}
        cache.keep_used()
    joint = join_graph(vocabulary, catalogue, found, corrected.own, defined)
    graph, gone = without(joint.graph, corrected.dropped)
    return Assembled(
        graph, dict(sorted({**corrected.problems, **gone}.items())), set_aside=joint.set_aside, unread=tuple(unread)
    )


def placed(given: Inputs) -> tuple["Placed", ...]:
    """What a build makes of each entry of the pages."""
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(given.cache) as cache:
        return _read(given, cache)[2].placed


def candidates(given: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """The terms in all that a build reads that the vocabulary does not know, the best first."""
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(given.cache) as cache:
        corrected, extractor, placement, _ = _read(given, cache)
        finder = CandidateFinder(corrected.vocabulary, refused)
        known = (extractor.summarised(e) for e in corrected.catalogue.episodes)
        return finder.rank(chain(known, extractor.extract(placement.entries)))


def _read(given: Inputs, cache: "ExtractionCache") -> tuple["Corrected", "CachedExtractor", "Placement", list[str]]:
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.curated.catalogue import load_catalogue
    from torchatlas.extract.curated.corrections import parse_corrections
    from torchatlas.extract.curated.vocabulary import load_vocabulary
    from torchatlas.extract.extractor_config import ExtractorConfig
    from torchatlas.extract.pages.placing import place
    from torchatlas.graph.build.corrections.apply import correct

    shipped = load_vocabulary(given.concepts, given.unplaced)
    corrected = correct(shipped, load_catalogue(given.episodes, shipped, SHOW), parse_corrections(*given.corrections))
    feeds, lost = read_feeds(given.feeds)
    pages, unread = read_pages(given.pages)
    titles = [e.title for e in (*corrected.catalogue.episodes, *(entry.episode for entry in feeds))]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    extractor = CachedExtractor(
        ExtractorConfig(corrected.vocabulary.concepts, tuple(titles), model=given.model, code=given.code), cache
    )
    placement = place(corrected.catalogue, corrected.vocabulary, feeds, pages, extractor.mentions)
    return corrected, extractor, placement, [*lost, *unread]
