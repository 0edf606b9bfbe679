"""Days and clock times as feeds and pages write them."""

import re
import unicodedata
from datetime import date

_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,]\d+)?", re.A)
_YEARS = range(1970, 2101)
_MONTHS = (
    "jan ene gen", "feb fev", "mar maa mrt", "apr avr abr", "may mai mei mag", "jun jui giu", "jul juil lug",
    "aug aou ago", "sep set", "oct okt out ott", "nov", "dec dez dic",
)  # fmt: skip
"""How the names of the months begin in English, French, German, Spanish, Italian, Portuguese and Dutch."""

_NUMBER = {beginning: number for number, names in enumerate(_MONTHS, 1) for beginning in names.split()}
_WORD = r"[^\W\d_]{3,12}"
_NAMED = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?[\s-]+(?:de\s+)?(?P<month>{_WORD})\.?,?[\s-]+(?:de\s+)?"
    rf"|(?P<first>{_WORD})\.?\s+(?P<second>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)(?P<year>\d{{4}})\b",
    re.I,
)


def clock_seconds(text: str) -> int | None:
    """Return the whole seconds of a clock time; None for other texts.

    >>> [clock_seconds(text) for text in ("1080", "18:00", "0:18:00.5", "soon")]
    [1080, 1080, 1080, None]
    """
    found = _CLOCK.fullmatch(text.strip())
    if not found:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def day(year: int, month: int, number: int) -> str | None:
    """Return an ISO date; None if there is no such day, or no feed could have been written on that day.

    >>> day(2022, 5, 9), day(2022, 13, 9), day(1822, 5, 9)
    ('2022-05-09', None, None)
    """
    try:
        return date(year, month, number).isoformat() if year in _YEARS else None
    except (ValueError, OverflowError):
        return None


def named_day(text: str) -> str | None:
    """Return the day of the first date whose month is a word; None without such a date.

    >>> named_day("May 9, 2022"), named_day("lun., 09 mai 2022")
    ('2022-05-09', '2022-05-09')
    """
    for found in _NAMED.finditer(text[:200]):
        word = (
            unicodedata.normalize("NFKD", found["month"] or found["first"]).encode("ascii", "ignore").decode().lower()
        )
        month = _NUMBER.get(word[:4]) or _NUMBER.get(word[:3])
        if month and (named := day(int(found["year"]), month, int(found["day"] or found["second"]))):
            return named
    return None
