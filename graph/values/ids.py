"""Stable, readable ids for episodes and concepts."""

import hashlib
import re
import unicodedata

LONGEST = 100
"""Characters that a part of an episode's id may have."""


def episode_id(show: str, title: str) -> str:
    """Return `show/title` in lower case with hyphens.

    Letters of every script are kept. A title without any letter or digit, or one that is too long, gets a hash of
    itself.

    >>> episode_id("PyTorch Developer Podcast", "C++ frontend")
    'pytorch-developer-podcast/cpp-frontend'
    """
    return f"{_part(show)}/{_part(title)}"


def show_id(title: str) -> str:
    """Return the id of a show by its title; a second show of one title gets a mark behind it.

    >>> show_id("PyTorch Developer Podcast")
    'pytorch-developer-podcast'
    """
    return _part(title)


def concept_id(written: str) -> str:
    """Return the id of a concept that no file gives one: its Latin letters and digits, with hyphens between them.

    >>> concept_id("torch::empty()")
    'torch-empty'
    """
    return re.sub(r"[^a-z0-9]+", "-", written.lower()).strip("-")


def stable_hash(*parts: str) -> str:
    """Return eight hexadecimal digits that depend on the parts alone: the same on every machine and in every run.

    >>> stable_hash("a", "b")
    'f04cdced'
    """
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _part(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).replace("++", "pp")
    words = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in folded).split()
    whole = "-".join(words)
    if whole and len(whole) <= LONGEST:
        return whole
    mark = stable_hash(text)
    return f"{whole[: LONGEST - len(mark) - 1].rstrip('-') or 'untitled'}-{mark}"
