"""The numbers of episodes, as podcast apps show them and as people write them: #61, S2 E1, episode 1 of season 2."""

import re
from typing import NamedTuple

_EPISODE = r"(?:episode|ep\.?|e|\#)\s*+\#?\s*+(\d{1,9})"  # possessive, for time that grows with the length
_SEASONED = rf"s(?:eason)?\s*+(\d{{1,6}})\s*+[,:.·-]?\s*+{_EPISODE}"
_OF_SEASON = rf"{_EPISODE}[\s,]++(?:of\s++s(?:eason)?|(?:(?:from|in)\s++)?season)\s*+(\d{{1,6}})"
_FORMS = (  # the season comes first in most
    (re.compile(_SEASONED, re.I), (1, 2)),
    (re.compile(_OF_SEASON, re.I), (2, 1)),
    (re.compile(r"(\d{1,3})x(\d{1,4})", re.I), (1, 2)),
)
_NUMBER = re.compile(r"(?:episode|ep\.?|no\.?|number|#)?\s*+#?\s*+(\d{1,9})", re.I)
NUMBER_IN_TEXT = re.compile(
    rf"(?<![\w'’&#/-])(?:{_SEASONED}|{_OF_SEASON}|(?:(?:episode|ep\.?)\s*+\#?|\#)\s*+\d{{1,9}})(?!\w|[.,:/–-]\d)", re.I
)
"""A number in a running text. "2x01" and "no. 5" count episodes only where a person types nothing else."""


class EpisodeNumber(NamedTuple):
    """The number of an episode; the `season` is None where a text does not say it."""

    number: int
    season: int | None = None

    def means(self, number: int | None, season: int | None) -> bool:
        """Return whether an episode of this number and season is meant; without seasons, a show is in its first.

        >>> EpisodeNumber(1).means(1, 2), EpisodeNumber(1, 2).means(1, None), EpisodeNumber(1, 1).means(1, None)
        (True, False, True)
        """
        return self.number == number and self.season in (None, 1 if season is None else season)


def numbered(number: int | None, season: int | None = None) -> str:
    """Return the number of an episode as podcast apps show it, "" where there is none.

    >>> numbered(61), numbered(1, 2), numbered(None, 2)
    ('#61', 'S2 E1', '')
    """
    if number is None:
        return ""
    return f"#{number}" if season is None else f"S{season} E{number}"


def labelled(title: str, number: int | None, season: int | None = None) -> str:
    """Return a title behind its number.

    >>> labelled("AOTAutograd", 61), labelled("Introduction", 1, 2), labelled("A trailer", None)
    ('#61 AOTAutograd', 'S2 E1 Introduction', 'A trailer')
    """
    return f"{numbered(number, season)} {title}".lstrip()


def asked_number(text: str) -> EpisodeNumber | None:
    """Return the number that a text is, None for any other text.

    >>> asked_number("#61"), asked_number("s02e01"), asked_number("2x01") == asked_number("episode 1 of season 2")
    (EpisodeNumber(number=61, season=None), EpisodeNumber(number=1, season=2), True)
    """
    for form, (season, number) in _FORMS:
        if found := form.fullmatch(text):
            return EpisodeNumber(int(found[number]), int(found[season]))
    return EpisodeNumber(int(found[1])) if (found := _NUMBER.fullmatch(text)) else None
