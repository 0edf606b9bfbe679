"""English: common words, words that programmers cut short, and inflection."""

import re
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

_NO_PLURALS = ("ss", "us", "is", "ics", "ops", "bias", "alias", "canvas")


def words(text: str) -> frozenset[str]:
    """Return the words of a string: `"map" in words("pin map")`."""
    return frozenset(text.split())


def plural(noun: str) -> str:
    """Return the regular plural.

    >>> [plural(noun) for noun in ("view", "batch", "dependency", "GPU")]
    ['views', 'batches', 'dependencies', 'GPUs']
    """
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(50_000)
def singular(noun: str) -> str | None:
    """Return the singular of a regular plural; None for other words.

    >>> [singular(noun) for noun in ("graphs", "strides", "batches", "class")]
    ['graph', 'stride', 'batch', None]
    """
    if noun.endswith(_NO_PLURALS) or not re.search(r"[a-zA-Z]{2}s$", noun):
        return None
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[: -2 if re.search(r"(?:ss|x|zz|[^a]ch|tch|sh)es$", noun) else -1]


def conjugated(verb: str) -> tuple[str, str, str, str]:
    """Return a regular verb, its third person, its past form and its present participle.

    >>> conjugated("fuse"), conjugated("pin")
    (('fuse', 'fuses', 'fused', 'fusing'), ('pin', 'pins', 'pinned', 'pinning'))
    """
    doubles = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)  # pin, map; not box, show
    stem = verb + verb[-1] if doubles else re.sub(r"(?<!e)e$", "", verb)
    past = verb + "d" if verb.endswith("e") else re.sub(r"(?<=[^aeiou])y$", "i", stem) + "ed"
    return verb, plural(verb), past, stem + "ing"


_SPACY = find_spec("spacy")
_FILE = Path((_SPACY and _SPACY.origin) or "").parent / "lang" / "en" / "stop_words.py"
STOP_WORDS = frozenset[str](run_path(str(_FILE))["STOP_WORDS"])  # to import them would load all of spaCy
_TEXT = (files("torchatlas.data") / "words.txt").read_text("utf-8")
_PARTS = (part.partition(":") for part in re.split(r"\n(?=[a-z ]+: )", _TEXT))
LISTS = {name: words(listed) for name, _, listed in _PARTS}
UBIQUITOUS = LISTS["ubiquitous"] | {"pull request", "pull requests"}
"""Words of the whole domain. They count only inside a longer term."""
NO_VERB = LISTS["no verb"]
"""Verbs that are everyday even where the noun made from them is a term."""
EVERYDAY = NO_VERB | LISTS["everyday"]
"""Words that mean something else unless they are written as the name is; they make no verb."""
QUALIFIERS = words("pytorch python c++ tensor nvidia intel github")
"""Words before a term that add nothing if the term alone means the same."""
EMPTY_HEADS = LISTS["empty heads"]
"""Words behind a term that add nothing if the term alone means the same."""
VAGUE_HEADS = LISTS["vague heads"]
"""Words behind a term that make no other term of it, though they end some names."""
COMMON = frozenset(form for verb in LISTS["verbs"] for form in conjugated(verb))
COMMON |= {form for word in LISTS["others"] for form in (word, plural(word))}
"""Words that make no term: of talking and of podcasts, verbs and adjectives."""
NO_NAMES = STOP_WORDS | COMMON | UBIQUITOUS
KINDS = LISTS["kinds"]  # "Numba is a compiler"
NO_ABBREVIATIONS = LISTS["no abbreviations"]  # and words in capitals
CLIPPED = {word: tuple(clips.split("|")) for word, _, clips in (pair.partition(":") for pair in LISTS["cut"])}
_PLAIN = words("argument decomposition dequantization operator parameter performance quantization")
_FULL = {clip: word for word in sorted(_PLAIN) for clip in CLIPPED[word]} | {"ops": "operator"}
"""Only what means nothing else: "bw" is bandwidth too, "const" and "grad" are words of programs."""


def spelled_out(phrase: str) -> str:
    """Return a phrase of several words with those in full that programmers cut short.

    >>> spelled_out("arg parsing"), spelled_out("op")
    ('argument parsing', 'op')
    """
    *before, head = phrase.split()
    return " ".join((*(_FULL.get(word, word) for word in before), _FULL.get(head, head) if before else head))
