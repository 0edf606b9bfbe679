"""The sizes up to which a feed is read. More than that is no feed that a person could listen to."""

ENTRIES = 20_000
"""Entries of a feed; the longest-lived shows have half as many."""

DEPTH = 100
"""Elements inside one another."""

PREFIXES = 60
"""Prefixes of namespaces, besides the known ones."""

TOKENS = 2_000_000
"""Tags and signs; ten thousand entries of marked-up notes have half as many."""

ATTRIBUTES = 50
"""Attributes of an element: media:content has fourteen. feedparser takes time for the square of their number."""
