"""Links of the notes that lead to other episodes of the map: to an episode's page, or under its whole title."""

import re
from collections import defaultdict
from collections.abc import Iterator

from torchatlas.graph.build.linkage.similarity import bare_title, may_be_one
from torchatlas.graph.build.text_edges import Findings
from torchatlas.graph.values.addresses import bare_address
from torchatlas.graph.values.findings import Extraction, FoundLink
from torchatlas.graph.values.model import Episode, RefersTo, Snapshot
from torchatlas.graph.values.names import words

_FEWEST = 3  # words of a title that no other page has by chance


def episode_links(found: Findings, nodes: Snapshot) -> Iterator[RefersTo]:
    """Yield an edge for each link to another episode: to a page that one episode alone has, or with the whole title of
    one episode of the same show as its words. The address of a show is no page of an episode, even if its trailer
    states that. `nodes`: the episodes, and the shows that they are in.

    >>> from torchatlas.graph.values.model import Episode
    >>> one, two = (Episode(f"s/{n}", f"How {n} owls hoot", show="S", url=f"https://e.org/{n}") for n in ("one", "two"))
    >>> link = FoundLink("https://e.org/one", "other", label="on hooting")
    >>> notes = Extraction(two, "Before: on hooting", links=(link,))
    >>> [edge.quote for edge in episode_links([("s/two", notes)], Snapshot(episodes=(one, two)))]
    ['on hooting']
    """
    pages: defaultdict[str, list[str]] = defaultdict(list)
    titles: defaultdict[tuple[str, str], list[Episode]] = defaultdict(list)
    of_shows = {bare_address(show.url) for show in nodes.shows if show.url}
    for e in nodes.episodes:
        if e.url and bare_address(e.url) not in of_shows:
            pages[bare_address(e.url)].append(e.id)
        title = bare_title(e.title, e.show)
        if title not in ("", bare_title(e.show)):  # which name the show
            for show in nodes.shows_of.get(e.id, ()):
                titles[show.target, title].append(e)
    for id_, extraction in found:
        if extraction.text == extraction.episode.summary:
            continue  # the catalogue, which states what its speakers point to
        name, shows = extraction.episode.show, [show.target for show in nodes.shows_of.get(id_, ())]
        for link in extraction.links:
            meant = set(pages.get(bare_address(link.url), ()))
            if not meant and link.type != "profile" and len(words(link.label)) >= _FEWEST:
                title = bare_title(link.label, name)
                alike = (e for show in shows for e in titles.get((show, title), ()))
                meant = {e.id for e in alike if may_be_one(link.label, e.title, name)}
            if len(meant) == 1 and id_ not in meant:
                yield _edge(id_, meant.pop(), extraction, link)


def _edge(source: str, target: str, extraction: Extraction, link: FoundLink) -> RefersTo:
    """Return the edge with the words of the link, where they stand only once; else with its address."""
    label = re.escape(link.label)
    places = [m.start() for m in re.finditer(rf"(?<!\w){label}(?!\w)", extraction.text)] if label else []
    if len(places) != 1:
        return RefersTo(source, target, relation="mentions", quote=link.url)
    return RefersTo(source, target, relation="mentions", quote=link.label, field="description", start=places[0])
