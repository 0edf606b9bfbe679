"""How far the matches of a question may be trusted: which of them may be answered, and which comes first."""

from collections.abc import Sequence

from torchatlas.graph.answers.text_index import ScoredDocument
from torchatlas.graph.answers.voting import Candidate

_SURE = 0.58  # score, and
_COVERED = 0.6  # share of what the words tell, from which a match may be the answer
_FEW = 2  # words that are too few to be met by a definition or a summary, and
_ALL = 0.75  # the share of them that a match holds, and
_CALLED = 0.5  # the share that stands in its name, title, keywords or questions
_LIKELY = 0.38  # score,
_HINTED = 0.25  # share that stands in what it is called, and
_AHEAD = 1.2  # times the score of the next subject, from which a match is the best guess
_TOGETHER = 0.6  # of the share that the longer name has, from which the words are about both
_EQUAL, _NEARLY = 0.85, 0.7  # of a score, from which another is about as good, or nearly


def is_sure(match: ScoredDocument, told: int) -> bool:
    """Return whether a question of so many telling words, two or more, may be answered by a match.

    Example: `is_sure(index.matches("operating system", ["concept"], 1)[0], 2)` is False.
    """
    if told <= _FEW and match.named < _ALL and (match.coverage < _ALL or match.called < _CALLED):
        return False
    return match.score >= _SURE and match.coverage >= _COVERED


def is_best_guess(candidates: Sequence[Candidate], told: int) -> bool:
    """Return whether the first candidate may be answered as a guess: it is far ahead of the next subject.

    Two candidates that share an episode are one subject. A nearest neighbour is trusted by the distance to the next one
    that is another thing (Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 2004).

    >>> is_best_guess([], 3)
    False
    """
    if not candidates or told <= _FEW:
        return False
    best = candidates[0]
    hinted = max(best.match.called, best.match.named) >= _HINTED
    if not best.episodes or best.match.score < _LIKELY or not hinted:
        return False
    rivals = (c.score for c in candidates[1:] if c.episodes and not c.episodes & best.episodes)
    return best.score >= _AHEAD * max(rivals, default=0.0)


def named_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with those first whose names are most of the words; of about equal ones, those with episodes.

    A candidate that holds all of the words and is far ahead of them stays the first.

    >>> named_first([])
    []
    """
    most = max((c.match.named for c in candidates), default=0.0)
    met = max((c.score for c in candidates if c.match.named), default=0.0)
    return sorted(
        candidates,
        key=lambda c: (
            c.match.coverage < 1 or c.score < _AHEAD * met,
            not c.match.named,
            0 < c.match.named < _EQUAL * most,
            c.match.named > 0 and not c.episodes,
        ),
    )


def named_together(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the two candidates that the words name about equally and that are explained apart, or [].

    >>> named_together([])
    []
    """
    named = sorted((c for c in candidates if c.match.named), key=lambda c: -c.match.named)[:2]
    if len(named) < 2 or candidates[0] not in named or named[0].episodes & named[1].episodes:
        return []
    return named if named[1].match.named >= _TOGETHER * named[0].match.named else []


def answerable_first(candidates: Sequence[Candidate], told: int) -> list[Candidate]:
    """Return candidates with the one first that makes the best answer.

    A concept that the words do not name and no episode explains gives way to a candidate nearly as good with an
    episode, and a candidate that is not sure to one about as good that is. The others follow as they were before the
    vote, which brings like ones together: a person who was misunderstood wants something else.

    >>> answerable_first([], 3)
    []
    """
    if not candidates or candidates[0].match.named >= _ALL:
        return list(candidates)
    best = candidates[0]
    heard = (c for c in candidates if c.episodes and c.score >= _NEARLY * best.score)
    chosen = best if best.episodes or best.match.named else next(heard, best)
    if not is_sure(chosen.match, told):
        equal = (c for c in candidates if c.episodes and c.score >= _EQUAL * chosen.score)
        chosen = next((c for c in equal if is_sure(c.match, told)), chosen)
    return [chosen, *sorted((c for c in candidates if c is not chosen), key=lambda c: -round(c.match.score, 9))]
