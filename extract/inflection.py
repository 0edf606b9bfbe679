"""Inflection: regular plurals, singulars and forms of verbs."""

import re
from functools import lru_cache

_VOWELS = "aeiou"
_NO_PLURALS = ("ss", "us", "is", "ics", "ops", "bias", "alias", "canvas")


def plural(noun: str) -> str:
    """Return the regular plural.

    >>> [plural(noun) for noun in ("view", "batch", "dependency", "GPU")]
    ['views', 'batches', 'dependencies', 'GPUs']
    """
    if noun.endswith("y") and noun[-2:-1] not in (*_VOWELS, ""):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(50_000)
def singular(noun: str) -> str | None:
    """Return the singular of a regular plural; None for other words.

    >>> [singular(noun) for noun in ("graphs", "strides", "batches", "class")]
    ['graph', 'stride', 'batch', None]
    """
    if not noun.endswith("s") or not re.search(r"[a-zA-Z]{2}s$", noun) or noun.endswith(_NO_PLURALS):
        return None
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if re.search(r"(?:ss|x|zz|[^a]ch|tch|sh)es$", noun):
        return noun[:-2]
    return noun[:-1]


def conjugated(verb: str) -> tuple[str, str, str, str]:
    """Return a regular verb, its third person, its past form and its present participle.

    >>> conjugated("fuse"), conjugated("pin")
    (('fuse', 'fuses', 'fused', 'fusing'), ('pin', 'pins', 'pinned', 'pinning'))
    """
    stem = verb + verb[-1] if _doubles(verb) else verb
    participle = stem[:-1] if verb.endswith("e") and not verb.endswith("ee") else stem
    return verb, plural(verb), past(verb), participle + "ing"


def past(verb: str) -> str:
    """Return the past form of a regular verb.

    >>> past("fuse"), past("export"), past("pin")
    ('fused', 'exported', 'pinned')
    """
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def _doubles(verb: str) -> bool:
    """Return whether a verb has one syllable that ends in one vowel and one consonant: pin, map; not box, show."""
    return bool(re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb))
