"""Gaps of the map: concepts that no episode teaches, and edges with weak evidence."""

from collections import defaultdict
from collections.abc import Iterator

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.values.gaps import Gap, Gaps
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.wording import BASES

_THIN = 0.8
"""An inferred edge below this confidence is thin: even of the surest of those, one in five is wrong."""


def find_gaps(snapshot: Snapshot) -> Gaps:
    """Find concepts that episodes assume and none teaches, thin evidence, orphans, and subjects that are superseded.

    Each kind is sorted by how much depends on the gap, then by name.

    >>> find_gaps(Snapshot()).untaught
    ()
    """
    reading_links = ReadingLinks(snapshot)
    return Gaps(
        _ordered(_untaught(snapshot, reading_links)),
        _ordered(_thin(snapshot)),
        orphans=_ordered(_orphans(snapshot, reading_links)),
        superseded=_ordered(_superseded(snapshot)),
    )


def _ordered(gaps: Iterator[Gap]) -> tuple[Gap, ...]:
    return tuple(sorted(gaps, key=lambda gap: (-gap.count, gap.name.casefold(), gap.id)))


def _untaught(snapshot: Snapshot, reading_links: ReadingLinks) -> Iterator[Gap]:
    assumers = defaultdict(list)
    for edge in snapshot.assumes:
        if edge.target not in snapshot.teachers:
            assumers[edge.target].append(snapshot.episode[edge.source].title)
    for id_, titles in assumers.items():
        words, link = f"assumed by {_few(titles)}", reading_links.of(id_)
        yield Gap(id_, snapshot.concept[id_].name, count=len(titles), words=words, link=link)


def _thin(snapshot: Snapshot) -> Iterator[Gap]:
    for episode in snapshot.episodes:
        if episode.basis == "title":
            taught = len(snapshot.taught_by.get(episode.id, ()))
            yield Gap(episode.id, episode.title, count=taught, words=BASES[episode.basis].fact, link=episode.url)
    for edge in snapshot.requires:
        if edge.origin == "inferred" and edge.confidence < _THIN:
            ends = f"{snapshot.concept[edge.source].name} requires {snapshot.concept[edge.target].name}"
            yield Gap(edge.source, ends, count=1, words=f"inferred with a confidence of {edge.confidence:.2f}")


def _orphans(snapshot: Snapshot, reading_links: ReadingLinks) -> Iterator[Gap]:
    edges = (snapshot.teaches, snapshot.assumes, snapshot.mentions, snapshot.requires, snapshot.concept_relations)
    joined = {end for group in edges for edge in group for end in (edge.source, edge.target)}
    for concept in (c for c in snapshot.concepts if c.id not in joined):
        words, link = f"in {concept.area}, joined to nothing", reading_links.of(concept.id)
        yield Gap(concept.id, concept.name, count=0, words=words, link=link)


def _superseded(snapshot: Snapshot) -> Iterator[Gap]:
    better = defaultdict(list)
    for edge in snapshot.concept_relations:
        if edge.kind == "SUPERSEDED_BY":
            better[edge.source].append(snapshot.concept[edge.target].name)
    for id_, names in better.items():
        mains = [t for t in snapshot.teachers.get(id_, ()) if t.depth == "main"]
        if titles := [snapshot.episode[t.source].title for t in mains]:
            words = f"superseded by {_few(names)}, and still the subject of {_few(titles)}"
            yield Gap(id_, snapshot.concept[id_].name, count=len(titles), words=words)


def _few(names: list[str]) -> str:
    shown, more = sorted(names)[:3], len(names) - 3
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
