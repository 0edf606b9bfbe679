"""From the texts that a build reads to the nodes and edges of its graph."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.model import Snapshot
from graph.stores import Progress
from ui.bundled import SHOW
from ui.gather import Inputs


@dataclass(frozen=True, slots=True)
class Assembled:
    """`graph` has no layout yet; `problems`: place -> why the user's correction that stands there does not apply."""

    graph: Snapshot
    problems: Mapping[str, str]


def assemble(given: Inputs, progress: Progress | None = None) -> Assembled:
    """Read vocabulary, catalogue, corrections and feeds, and join what is found in them."""
    from extract.catalogue import load_catalogue
    from extract.corrections import parse_corrections
    from extract.feed import parse
    from extract.pipeline import Extractor
    from extract.vocabulary import load_vocabulary
    from graph.build import joined
    from graph.correcting import correct, without

    shipped = load_vocabulary(given.concepts, given.unplaced)
    corrected = correct(shipped, load_catalogue(given.episodes, shipped, SHOW), parse_corrections(*given.corrections))
    vocabulary, catalogue = corrected.vocabulary, corrected.catalogue
    entries = [entry for address, document in given.feeds for entry in parse(document, address).entries]
    titles = [e.title for e in (*catalogue.episodes, *(entry.episode for entry in entries))]
    extractor = Extractor(vocabulary.concepts, titles)
    found = []
    total = len(catalogue.episodes) + len(entries)
    known = (extractor.summarised(e, catalogue.urls.get(e.id, ())) for e in catalogue.episodes)
    for extraction in (*known, *extractor.extract(entries)):
        found.append(extraction)
        if progress:
            progress("Reading episodes", len(found), total)
    graph, gone = without(joined(vocabulary, catalogue, found), corrected.dropped)
    return Assembled(graph, dict(sorted({**corrected.problems, **gone}.items())))
