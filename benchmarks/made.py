"""Feeds of any size, whose notes are made of the shipped vocabulary: the same bytes for the same size, every time."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from torchatlas.graph.model import Concept

SHOW = 830
"""Episodes of a show; the longest-lived ones have some thousands."""
_SENTENCES = (
    "Why {} and {} are not the same thing, although most people who hear of them on a first day think so.",
    "We follow a single call from {} all the way down to {}, and look at every stop for a minute or two.",
    "A bug report from last winter shows how {} may go wrong, and what it taught those who look after {}.",
    "Nobody likes to look into {} late in the evening, least of all with {} somewhere in the picture.",
)


def feeds(episodes: int, concepts: Sequence[Concept], seed: int = 0) -> tuple[tuple[str, bytes], ...]:
    """Return feeds with so many episodes in all, as (address, document) pairs; the same ones for the same seed.

    Example: feeds(8_300, vocabulary.concepts)
    """
    areas: defaultdict[str, list[str]] = defaultdict(list)
    for concept in concepts:
        areas[concept.area].append(concept.name)
    return tuple(
        (f"https://show{number}.example.org/feed.xml", _feed(number, min(SHOW, episodes - start), areas, seed))
        for number, start in enumerate(range(0, episodes, SHOW))
    )


def _feed(show: int, episodes: int, areas: Mapping[str, Sequence[str]], seed: int) -> bytes:
    rng, titles, items = random.Random(f"{seed}/{show}"), list[str](), ""
    for number in range(1, episodes + 1):
        home = rng.choice(sorted(areas))
        names = [rng.choice(areas[home if rng.random() > 0.2 else rng.choice(sorted(areas))]) for _ in range(9)]
        notes = " ".join(s.format(*names[2 * i : 2 * i + 2]) for i, s in enumerate(_SENTENCES))
        if titles and rng.random() < 0.15:
            notes += f' Please listen to "{rng.choice(titles)}" first.'
        if rng.random() < 0.4:
            notes += f" https://github.com/example/show{show}/issues/{number}"
        titles.append(f"Part {number} on {names[8]}")
        items += f"<item><guid>made-{show}-{number}</guid><title>{escape(titles[-1])}</title>"
        items += f"<description>{escape(notes)}</description></item>"
    return f'<rss version="2.0"><channel><title>Made show {show}</title>{items}</channel></rss>'.encode()
