"""Help about what the map is of: its texts have fields, such as {goal}, for what the examples name."""

import re
from copy import copy

import click

from torchatlas.graph.errors import AtlasError
from torchatlas.settings import load_settings
from torchatlas.sources import Sources, load_sources

EXAMPLES = {
    "goal": ("AOTAutograd", "GOAL"),
    "known": ("dispatcher", "CONCEPT"),
    "concept": ("functionalization", "CONCEPT"),
    "id": ("autograd", "ID"),
    "earlier": ("strides", "EARLIER"),
    "later": ("AOTAutograd", "LATER"),
    "episode": ("Strides", "EPISODE"),
    "area": ("Compilation", "AREA"),
    "question": ("how does backward work", "how does it work"),
    "words": ("why is my memory not freed", "why is it so"),
    "term": ("lantern pass", "TERM"),
    "feed": ("https://feeds.simplecast.com/OB5FkIl8", "https://example.org/feed.xml"),
}
"""Field -> its example on the map that ships with the program, and the word for it on any other."""
_FIELD = re.compile(r"\{(\w+)\}")


def in_own_words(command: click.Command) -> click.Command:
    """Return a command whose help fits the map of the person.

    Example: `in_own_words(plan).help`
    """
    try:
        sources = load_sources(load_settings())
    except AtlasError:  # the command says what is wrong with the list; its help needs no list
        sources = Sources()
    own = copy(command)
    own.help = filled(command.help or "", sources)
    return own


def filled(text: str, sources: Sources) -> str:
    """Return a help text with its fields filled: with examples where the shipped files are on the map.

    >>> filled("A map of {subject}: plan {goal}", Sources(shipped=False, title="Bread"))
    'A map of Bread: plan GOAL'
    """
    words = {field: shipped if sources.shipped else other for field, (shipped, other) in EXAMPLES.items()}
    return _FIELD.sub(lambda field: (words | {"subject": sources.subject})[field[1]], text)
