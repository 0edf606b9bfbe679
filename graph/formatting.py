"""Values as people read them: moments, lengths, dates, links, and text made harmless for Streamlit's Markdown."""

import re
from collections.abc import Sequence
from string import punctuation
from typing import TypeGuard
from urllib.parse import quote, urlsplit

from torchatlas.graph.names import one_line

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=@\"'])")
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock(seconds: int) -> str:
    """Return seconds as a player shows them.

    >>> clock(266), clock(3661)
    ('4:26', '1:01:01')
    """
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def length(minutes: int, *, estimated: bool = False) -> str:
    """Return minutes in words; an estimate begins with "~".

    >>> length(75), length(9, estimated=True)
    ('1 h 15 min', '~9 min')
    """
    hours, rest = divmod(minutes, 60)
    words = f"{hours} h {rest:02} min" if hours else f"{rest} min"
    return f"~{words}" if estimated else words


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the `plural` is the noun with an s where none is given.

    >>> counted(1, "episode"), counted(1730, "concept"), counted(0, "entry", "entries")
    ('1 episode', '1,730 concepts', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str]) -> str:
    """Return names as in a sentence.

    >>> listed(["vmap", "GIL", "JAX"]), listed(["vmap"])
    ('vmap, GIL and JAX', 'vmap')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def esc(text: str) -> str:
    """Return the text on one line, with every mark of Streamlit's Markdown escaped, for example `esc("a*b")`."""
    return _MARKS.sub(r"\\\1", one_line(text))


def link(label: str, url: str | None) -> str:
    """Return a link in Markdown, or the bare label where the address is not one of the web.

    >>> link("vmap", "https://example.org/vmap"), link("vmap", None)
    ('[vmap](https://example.org/vmap)', 'vmap')
    """
    return f"[{esc(label)}]({markdown_address(url)})" if is_web(url) else esc(label)


def markdown_address(url: str) -> str:
    """Return an address that Markdown takes between parentheses or angle brackets.

    >>> markdown_address("https://example.org/a b")
    'https://example.org/a%20b'
    """
    return quote(url, safe="/?#@!$&',;=%~+:")


def web_address(url: str | None) -> str | None:
    """Return an address as it was given, with what no address may hold (spaces, line breaks) in its escaped form.

    >>> web_address("https://example.org/1.mp3?a=(b)"), web_address("https://example.org/a b"), web_address("x")
    ('https://example.org/1.mp3?a=(b)', 'https://example.org/a%20b', None)
    """
    return quote(url, safe=punctuation, errors="replace") if is_web(url) else None


def is_web(url: str | None) -> TypeGuard[str]:
    """Return whether an address is one that a browser may open: http or https, with a host.

    >>> is_web("https://example.org"), is_web("javascript:alert(1)")
    (True, False)
    """
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def day(iso: str | None) -> str:
    """Return an ISO date in words, and any other text as it is.

    >>> day("2022-05-09"), day("soon")
    ('9 May 2022', 'soon')
    """
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", iso or "")
    if not found or not 1 <= int(found[2]) <= 12:
        return iso or ""
    return f"{int(found[3])} {_MONTHS[int(found[2])]} {found[1]}"


def first_clause(sentence: str, longest: int) -> str:
    """Return the beginning of a sentence up to its first sign or, where that is long, to a whole word.

    >>> first_clause("Order of elements in memory, such as channels last.", 70), first_clause("One by one by one", 10)
    ('Order of elements in memory', 'One by one ...')
    """
    clause = re.split(r"[,;:.](?:\s|$)|\s\(", sentence, maxsplit=1)[0]
    if len(clause) <= longest:
        return clause
    return f"{clause[: longest + 1].rsplit(' ', 1)[0]} ..."
