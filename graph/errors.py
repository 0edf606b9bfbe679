"""Expected errors, each one line: the mistake, its place, the remedy."""

from collections.abc import Sequence


class AtlasError(Exception):
    """The root of all expected errors: a handler for it hides no bug."""


class DataError(AtlasError):
    """A shipped or user-written file (vocabulary, catalogue, profile) holds a mistake."""


class CycleError(DataError):
    """Prerequisites run in a circle."""


class SourceError(AtlasError):
    """A feed, page or address cannot be read."""


class StoreError(AtlasError):
    """The graph database cannot be opened, read or written."""


class QueryError(AtlasError):
    """A Cypher query was refused, is wrong, or took too long."""


class MissingValue(QueryError):
    """A Cypher text names a parameter, its only argument, that has no value."""

    def __str__(self) -> str:
        return f"the query wants a value for ${shortened(self.args[0])}"


class UnknownName(AtlasError):
    """No concept, episode, area or question (the `kind`) has this name.

    `meanings`: what a wide word may mean, told with the suggestions; `foreign`: it is
    hardly English, which is the one language that is understood.

    >>> print(UnknownName("concept", "vmapp", ["vmap"]))
    no concept is called 'vmapp'; did you mean vmap?
    """

    def __init__(
        self,
        kind: str,
        name: str,
        suggestions: Sequence[str] = (),
        *,
        meanings: Sequence[str] = (),
        foreign: bool = False,
    ) -> None:
        shown = repr(shortened(name))
        said = f"no {kind} is called {shown}; try: torchatlas plan --journey, or torchatlas search WORD"
        if meanings:
            said = f"{shown} may mean several things: {'; '.join(meanings)}; name one of them"
        elif suggestions:
            said = f"no {kind} is called {shown}; did you mean {' or '.join(suggestions)}?"
        super().__init__(f"{said}; questions are understood in English only" if foreign else said)
        self.suggestions = tuple(suggestions)


def without_extra(what: str, extra: str) -> str:
    """Say how to install an extra: `without_extra("a server", "server")`.

    No index has the package, so only a clone and a wheel's file can be named.
    """
    remedy = f'.ci/install {extra} in a clone, or with the file of a wheel: pip install "FILE.whl[{extra}]"'
    return f"{what} needs an extra; remedy: {remedy}"


def shortened(text: str) -> str:
    """Cut a text to 80 letters for a message: `shortened("vmap")`."""
    return text if len(text) <= 80 else f"{text[:76]} ..."


def check_least(what: str, number: float, least: float, most: float = 1_000_000_000) -> None:
    """Raise AtlasError if out of bounds: `check_least("the limit", 10, 1)`."""
    if not least <= number <= most:  # NaN is neither
        shown = f", not {number}" if isinstance(number, float) or abs(number) <= 10**18 else ""  # may be too long
        raise AtlasError(f"{what} must be at {f'most {most}' if number > most else f'least {least}'}{shown}")
