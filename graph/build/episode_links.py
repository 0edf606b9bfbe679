"""Links of the notes that lead to other episodes of the map: to an episode's page, or under its whole title."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from torchatlas.graph.build.linkage.similarity import bare_title, may_be_one
from torchatlas.graph.build.text_edges import Findings
from torchatlas.graph.values.addresses import bare_address
from torchatlas.graph.values.findings import Extraction, FoundLink
from torchatlas.graph.values.model import Episode, RefersTo
from torchatlas.graph.values.names import words

_FEWEST = 3  # words of a title that no other page has by chance


def episode_links(found: Findings, episodes: Iterable[Episode]) -> Iterator[RefersTo]:
    """Yield an edge for each link to another episode: to a page that one episode alone has, or with the whole title of
    one episode of the same show as its words.

    >>> from torchatlas.graph.values.model import Episode
    >>> one, two = (Episode(f"s/{n}", f"How {n} owls hoot", show="S") for n in ("one", "two"))
    >>> text = "Before: How one owls hoot"
    >>> link = FoundLink("https://example.org/a", "other", label="How one owls hoot")
    >>> [edge.quote for edge in episode_links([("s/two", Extraction(two, text, links=(link,)))], [one, two])]
    ['How one owls hoot']
    """
    pages: defaultdict[str, list[str]] = defaultdict(list)
    titles: defaultdict[tuple[str, str], list[Episode]] = defaultdict(list)
    for e in episodes:
        if e.url:
            pages[bare_address(e.url)].append(e.id)
        titles[e.show, bare_title(e.title, e.show)].append(e)
    for id_, extraction in found:
        if extraction.text == extraction.episode.summary:
            continue  # the catalogue, which states what its speakers point to
        show = extraction.episode.show
        for link in extraction.links:
            meant = pages.get(bare_address(link.url), [])
            if not meant and link.type != "profile" and len(words(link.label)) >= _FEWEST:
                alike = titles.get((show, bare_title(link.label, show)), [])
                meant = [e.id for e in alike if may_be_one(link.label, e.title, show)]
            if len(meant) == 1 and meant[0] != id_:
                yield _edge(id_, meant[0], extraction, link)


def _edge(source: str, target: str, extraction: Extraction, link: FoundLink) -> RefersTo:
    """Return the edge with the words of the link, and where they stand; the address where the notes show no words."""
    start = extraction.text.find(link.label) if link.label else -1
    if start < 0:
        return RefersTo(source, target, relation="mentions", quote=link.url)
    return RefersTo(source, target, relation="mentions", quote=link.label, field="description", start=start)
