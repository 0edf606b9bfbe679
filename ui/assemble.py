"""From the texts that a build reads to the nodes and edges of its graph."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from graph.model import Snapshot
from graph.stores import Progress
from ui.bundled import SHOW
from ui.gather import Inputs
from ui.pages import read_pages

if TYPE_CHECKING:
    from extract.pipeline import Extractor
    from extract.placing import Placed, Placement
    from graph.correcting import Corrected


@dataclass(frozen=True, slots=True)
class Assembled:
    """`graph` has no layout yet; `problems`: place -> why the user's correction that stands there does not apply;
    `set_aside`: what texts say against what counts, a line each."""

    graph: Snapshot
    problems: Mapping[str, str]
    set_aside: tuple[str, ...]


def assemble(given: Inputs, progress: Progress | None = None) -> Assembled:
    """Read vocabulary, catalogue, corrections, feeds and pages, and join what is found in them."""
    from extract.heard import Listener
    from graph.build import joined
    from graph.correcting import without

    corrected, extractor, placement = _read(given)
    vocabulary, catalogue, entries = corrected.vocabulary, corrected.catalogue, placement.entries
    found = []
    total = len(catalogue.episodes) + len(entries)
    known = (extractor.summarised(e, catalogue.urls.get(e.id, ())) for e in catalogue.episodes)
    listener = Listener(extractor, vocabulary.concepts, dict(given.named))
    new = (
        replace(x, explained=listener.explained(e)) for e, x in zip(entries, extractor.extract(entries), strict=True)
    )
    for extraction in chain(known, new):
        found.append(extraction)
        if progress:
            progress("Reading episodes", len(found), total)
    named = vocabulary.concepts if corrected.own else ()
    defined = {c.id: extractor.mentions(c.definition, "definition") for c in named}
    joint = joined(vocabulary, catalogue, found, corrected.own, defined)
    graph, gone = without(joint.graph, corrected.dropped)
    return Assembled(graph, dict(sorted({**corrected.problems, **gone}.items())), joint.set_aside)


def placed(given: Inputs) -> tuple["Placed", ...]:
    """What a build makes of each entry of the pages."""
    return _read(given)[2].placed


def _read(given: Inputs) -> tuple["Corrected", "Extractor", "Placement"]:
    from extract.catalogue import load_catalogue
    from extract.corrections import parse_corrections
    from extract.feed import parse
    from extract.pipeline import Extractor
    from extract.placing import place
    from extract.vocabulary import load_vocabulary
    from graph.correcting import correct

    shipped = load_vocabulary(given.concepts, given.unplaced)
    corrected = correct(shipped, load_catalogue(given.episodes, shipped, SHOW), parse_corrections(*given.corrections))
    feeds = [entry for address, document in given.feeds for entry in parse(document, address).entries]
    pages = read_pages(given.pages)
    titles = [e.title for e in (*corrected.catalogue.episodes, *(entry.episode for entry in feeds))]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    extractor = Extractor(corrected.vocabulary.concepts, titles)
    return corrected, extractor, place(corrected.catalogue, corrected.vocabulary, feeds, pages, extractor.mentions)
