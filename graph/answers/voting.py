"""The matches of a question, ranked with the votes of all: an episode about much of what words met is likely meant.

A match votes for the episodes that explain it, and an episode gives its share of all votes back to them (Macdonald and
Ounis, "Voting for candidates: adapting data fusion techniques for an expert search task", CIKM 2006).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.answers.text_index import ScoredDocument
from torchatlas.graph.values.model import Snapshot

_PART = 0.5  # the vote of a concept for an episode that explains it beside its main subjects
_SHARE = 0.4  # of its own score, which a match gains whose episode has the most votes
VOTERS = 25
"""How many matches vote."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match with its score after the vote, and the episodes that it stands for: itself, or those that explain it."""

    match: ScoredDocument
    _: KW_ONLY
    score: float
    episodes: frozenset[str]


def ranked(snapshot: Snapshot, matches: Sequence[ScoredDocument]) -> list[Candidate]:
    """Return matches as candidates, best first; of equal ones the order stays.

    >>> ranked(Snapshot(), [])
    []
    """
    voted = [(match, _episodes(snapshot, match)) for match in matches]
    votes: defaultdict[str, float] = defaultdict(float)
    for match, episodes in voted:
        for episode, weight in episodes.items():
            votes[episode] += weight * match.score**2
    most = max(votes.values(), default=1.0)
    found = [
        Candidate(match, score=match.score * (1 + _SHARE * _best(episodes, votes) / most), episodes=frozenset(episodes))
        for match, episodes in voted
    ]
    return sorted(found, key=lambda candidate: -round(candidate.score, 9))


def _best(episodes: Mapping[str, float], votes: Mapping[str, float]) -> float:
    return max((weight * votes[episode] for episode, weight in episodes.items()), default=0.0)


def _episodes(snapshot: Snapshot, match: ScoredDocument) -> dict[str, float]:
    """Return the episodes of a match, each with the weight of its vote."""
    if match.document.kind == "episode":
        return {match.document.id: 1.0}
    taught = snapshot.teachers.get(match.document.id, ())
    return {t.source: 1.0 if t.depth == "main" else _PART for t in taught}
