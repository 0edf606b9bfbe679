"""Help in neutral words: examples of commands name what ships with the program, and a map may be of something else."""

import re
from copy import copy

import click

from torchatlas.graph.values.errors import AtlasError
from torchatlas.settings import load_settings
from torchatlas.user_files.sources import Sources, load_sources

_NEUTRAL = {
    "area Autograd": "area AREA",
    "dispatcher autograd": "CONCEPT CONCEPT",
    "strides AOTAutograd": "EARLIER LATER",
    "aotautograd.html": "goal.html",
    "AOTAutograd": "GOAL",
    "how does backward work": "how does it work",
    "why is my memory not freed": "why is it so",
    "functionalization": "CONCEPT",
    "dispatcher": "CONCEPT",
    "'autograd'": "'ID'",
    "Compilation": "AREA",
    "lantern pass": "TERM",
    "Strides": "EPISODE",
    "https://feeds.simplecast.com/OB5FkIl8": "https://example.org/feed.xml",
}
_WORDS = re.compile("|".join(map(re.escape, _NEUTRAL)))


def in_own_words(command: click.Command) -> click.Command:
    """Return a command whose help fits the map: as it is, or in neutral words where the shipped files are left out.

    Example: `in_own_words(plan).help`
    """
    try:
        sources = load_sources(load_settings())
    except AtlasError:  # the command says what is wrong with the list; its help needs no list
        return command
    if sources.shipped or not command.help:
        return command
    own = copy(command)
    own.help = neutral(command.help, sources)
    return own


def neutral(text: str, sources: Sources) -> str:
    """Return a help text without names that ship with the program.

    >>> neutral("A map of PyTorch internals: plan AOTAutograd", Sources(shipped=False, title="Bread"))
    'A map of Bread: plan GOAL'
    """
    return _WORDS.sub(lambda word: _NEUTRAL[word[0]], text.replace(Sources().subject, sources.subject))
