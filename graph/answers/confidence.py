"""How far the matches of a question may be trusted: which of them may be answered, and which comes first."""

from collections.abc import Sequence

from torchatlas.graph.answers.text_index import Match

_SURE = 0.58  # score, and
_COVERED = 0.6  # share of what the words tell, from which a match may be the answer
_FEW = 2  # words that are too few to be met by a definition or a summary, and
_ALL = 0.75  # the share of them that a match holds, and
_CALLED = 0.5  # the share that stands in its name, title, keywords or questions
_CLOSE = 0.85  # of the best score, from which a match with an episode is as good


def is_sure(match: Match, told: int) -> bool:
    """Return whether a question of so many telling words, two or more, may be answered by a match.

    Example: `is_sure(index.matches("operating system", ["concept"], 1)[0], 2)` is False.
    """
    if told <= _FEW and match.named < _ALL and (match.coverage < _ALL or match.called < _CALLED):
        return False
    return match.score >= _SURE and match.coverage >= _COVERED


def named_first(matches: Sequence[Match]) -> list[Match]:
    """Return matches with those first whose whole names stand in the words; of them, those that episodes explain.

    >>> named_first([])
    []
    """
    return sorted(matches, key=lambda match: (not match.named, match.named > 0 and not match.document.heard))


def with_episodes_first(matches: Sequence[Match]) -> list[Match]:
    """Return matches with those that episodes explain first, of the ones about as good as the best.

    A match whose whole name the words are stays where it is.

    >>> with_episodes_first([])
    []
    """
    if not matches or matches[0].named >= _ALL:
        return list(matches)
    close = _CLOSE * matches[0].score
    return sorted(matches, key=lambda match: match.score < close or not match.document.heard)
