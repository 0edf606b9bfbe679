"""How values read on a page: moments, dates, and text of unknown origin made harmless for Markdown."""

import re
from urllib.parse import quote, urlsplit

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=@\"'])")
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock(seconds: int) -> str:
    """Seconds as a player shows them: 266 -> "4:26", 3661 -> "1:01:01"."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def length(minutes: int, estimated: bool = False) -> str:
    """Minutes in words: 75 -> "1 h 15 min"; an estimate begins with "~"."""
    hours, rest = divmod(minutes, 60)
    words = f"{hours} h {rest:02} min" if hours else f"{rest} min"
    return f"~{words}" if estimated else words


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the `plural` is the noun with an s where none is given.

    >>> counted(1, "episode"), counted(84, "episode"), counted(0, "entry", "entries")
    ('1 episode', '84 episodes', '0 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def esc(text: str) -> str:
    """The text on one line, with everything that Streamlit's Markdown would read as a mark escaped."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def link(label: str, url: str | None) -> str:
    """A Markdown link; the bare label where the address is not an ordinary one of the web."""
    if not is_web(url):
        return esc(label)
    return f"[{esc(label)}]({address(str(url))})"


def address(url: str) -> str:
    """The address as Markdown takes it between parentheses."""
    return quote(url, safe="/?#@!$&',;=%~+:")


def is_web(url: str | None) -> bool:
    """Whether a browser may be sent there: http or https, with a host."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def day(iso: str | None) -> str:
    """ "2022-05-09" -> "9 May 2022"; anything else as it stands."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", iso or "")
    if not found or not 1 <= int(found[2]) <= 12:
        return iso or ""
    return f"{int(found[3])} {_MONTHS[int(found[2])]} {found[1]}"
