"""The numbers of episodes, as podcast apps show them and as people type them: #61, S2 E1."""

import re
from typing import NamedTuple

_NUMBER = re.compile(r"(?:episode|ep\.?|no\.?|number|#)?\s*#?\s*(\d{1,9})", re.I)
_SEASONED = re.compile(r"s(?:eason)?\s*(\d{1,6})\s*[,:.·-]?\s*(?:e|ep\.?|episode)\s*(\d{1,9})", re.I)


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


def asked_number(text: str) -> EpisodeNumber | None:
    """Return the number that a text is, None for any other text.

    >>> asked_number("#61"), asked_number("s02e01"), asked_number("Season 2, episode 1") == asked_number("S2 E1")
    (EpisodeNumber(number=61, season=None), EpisodeNumber(number=1, season=2), True)
    """
    if found := _SEASONED.fullmatch(text):
        return EpisodeNumber(int(found[2]), int(found[1]))
    return EpisodeNumber(int(found[1])) if (found := _NUMBER.fullmatch(text)) else None
