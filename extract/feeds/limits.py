"""The sizes up to which a feed is read. More than that is no feed that a person could listen to."""

ENTRIES = 20_000
"""Entries of a feed, unless the caller allows another number; the longest-lived shows have half as many."""

DEPTH = 100
"""Elements inside one another."""

PREFIXES = 60
"""Prefixes of namespaces, besides the known ones."""

TOKENS = 2_000_000
"""Tags and signs; ten thousand entries of marked-up notes have half as many."""

ATTRIBUTES = 50
"""Attributes of an element: media:content has fourteen. feedparser takes time for the square of their number."""

PEOPLE = 100
"""People whom a feed or an entry credits: each is looked for in the texts."""


def most_tokens(entries: int) -> int:
    """Return how many tags and signs are read where so many entries are: more only for more than the usual ones.

    >>> most_tokens(10), most_tokens(10 * ENTRIES)
    (2000000, 20000000)
    """
    return max(TOKENS, entries * TOKENS // ENTRIES)
