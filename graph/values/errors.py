"""Everything that is raised on purpose. Each message is one line: what is wrong, where, and the remedy."""

from collections.abc import Sequence

from torchatlas.graph.values.names import hint


class AtlasError(Exception):
    """The root: whoever catches this catches every expected failure, and no bug."""


class DataError(AtlasError):
    """A shipped or user-written file (vocabulary, catalogue, profile) holds a mistake."""


class SourceError(AtlasError):
    """A feed, page or address cannot be read."""


class StoreError(AtlasError):
    """The graph database cannot be opened, read or written."""


class QueryError(AtlasError):
    """A Cypher query was refused, is wrong, or took too long."""


class CycleError(DataError):
    """Prerequisites run in a circle."""


class UnknownName(AtlasError):
    """No concept or episode bears this name."""

    def __init__(self, kind: str, name: str, suggestions: Sequence[str] = ()) -> None:
        remedy = hint(suggestions) or f"; try: torchatlas search {name!r}"
        super().__init__(f"no {kind} is called {name!r}{remedy}")
        self.suggestions = tuple(suggestions)
