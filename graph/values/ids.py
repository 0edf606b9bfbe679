"""Stable, readable ids for episodes."""

import hashlib
import unicodedata

LONGEST = 100
"""Characters that a part of a slug may have."""


def slug(show: str, title: str) -> str:
    """`show/title` in lower case with hyphens, e.g. "pytorch-developer-podcast/aotautograd".

    Letters of every script are kept. A title without any letter or digit, or too long a one, gets a hash of itself.
    """
    return f"{_part(show)}/{_part(title)}"


def _part(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).replace("++", "pp")
    words = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in folded).split()
    whole = "-".join(words)
    if whole and len(whole) <= LONGEST:
        return whole
    mark = stable_hash(text)
    return f"{whole[: LONGEST - len(mark) - 1].rstrip('-') or 'untitled'}-{mark}"


def stable_hash(*parts: str) -> str:
    """Eight hexadecimal digits that depend on the parts alone: the same on every machine and in every run."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
