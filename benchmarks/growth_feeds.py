"""Feeds of any size, whose notes are made of the shipped vocabulary: the same bytes for the same size, every time.

Every show has up to `SHOW` episodes. Of them, about 15 in 100 name an earlier episode of their show, and 40 in 100 have
a link; a tenth of these links stand in several notes. The notes have about 430 characters and name about nine concepts,
mostly of the area that the episode is about, and the first ones of each area more often than the others.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from xml.sax.saxutils import escape

from torchatlas.graph.values.model import Concept

SHOW = 830
"""Episodes of a show; the longest-lived ones have some thousands."""

Feeds = tuple[tuple[str, bytes], ...]
"""(address, document) of each feed, as a build takes them."""

_OPENINGS = ("Today we talk about {}.", "This week is all about {}.", "A listener asks about {}.", "Back to {}.")
_SENTENCES = (
    "Why {} and {} are not the same thing, although most people who hear of them on a first day think so.",
    "What happens to {} once somebody asks for the slow way round, and why that is rarely what they want.",
    "We follow a single call from {} all the way down to {}, and look at every stop for a minute or two.",
    "A bug report from last winter shows how {} may go wrong, and what we have learned from it since then.",
    "Nobody likes to look into {} late in the evening, least of all with {} somewhere in the picture.",
)
_STATEMENT = "{} uses {}."
_LENGTH = 390  # characters, before the link and the episode that is named
_AWAY = 0.2  # the share of concepts that come from any area
_STATED = 0.9  # statements on concepts in a text
_NAMES, _LINKS, _SHARED = 0.15, 0.4, 0.1


def feeds(episodes: int, concepts: Sequence[Concept], seed: int = 0) -> Feeds:
    """Return feeds with so many episodes in all, for example `feeds(83_000, vocabulary.concepts)`: a hundred shows."""
    areas: defaultdict[str, list[str]] = defaultdict(list)
    for concept in concepts:
        areas[concept.area].append(concept.name)
    starts = range(0, episodes, SHOW)
    return tuple(
        (f"https://show{number}.example.org/feed.xml", _feed(number, min(SHOW, episodes - start), areas, seed).encode())
        for number, start in enumerate(starts)
    )


def _feed(show: int, episodes: int, areas: Mapping[str, Sequence[str]], seed: int) -> str:
    rng, titles = random.Random(f"{seed}/{show}"), list[str]()
    items = "".join(_item(show, number, areas, titles, rng) for number in range(1, episodes + 1))
    return (
        '<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
        f"<title>Made show {show}</title><link>https://show{show}.example.org</link>{items}</channel></rss>"
    )


def _item(show: int, number: int, areas: Mapping[str, Sequence[str]], titles: list[str], rng: random.Random) -> str:
    names = _names(areas, rng)
    title = f"Part {number} on {next(names)}"
    notes = " ".join(_notes(names, show, titles, rng))
    titles.append(title)
    day = date(2005, 1, 1) + timedelta(days=7 * number)
    return (
        f"<item><guid>made-{show}-{number}</guid><title>{escape(title)}</title>"
        f"<pubDate>{day:%a, %d %b %Y} 08:00:00 +0000</pubDate><itunes:episode>{number}</itunes:episode>"
        f"<itunes:duration>{rng.randint(600, 3600)}</itunes:duration>"
        f"<link>https://show{show}.example.org/{number}</link><description>{escape(notes)}</description></item>"
    )


def _names(areas: Mapping[str, Sequence[str]], rng: random.Random) -> Iterator[str]:
    """Yield names of concepts, mostly of one area, without an end."""
    home = rng.choice(sorted(areas))
    while True:
        names = areas[rng.choice(sorted(areas)) if rng.random() < _AWAY else home]
        yield names[int(len(names) * rng.random() ** 2)]


def _notes(names: Iterator[str], show: int, titles: Sequence[str], rng: random.Random) -> Iterator[str]:
    text = rng.choice(_OPENINGS).format(next(names))
    if rng.random() < _STATED:
        text += " " + _STATEMENT.format(next(names), next(names))
    while len(text) < _LENGTH:
        text += " " + rng.choice(_SENTENCES).format(next(names), next(names))
    yield text
    if titles and rng.random() < _NAMES:
        yield f'Please listen to "{rng.choice(titles)}" first.'
    if rng.random() < _LINKS:
        page = rng.randrange(len(titles) // 20 + 1) if rng.random() < _SHARED else 10_000 + len(titles)
        yield f"https://github.com/example/show{show}/issues/{page}"
