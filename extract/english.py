"""English: regular inflection, and the words that are too common to be names."""

import re


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one string.

    >>> sorted(words("pin map tag"))
    ['map', 'pin', 'tag']
    """
    return frozenset(text.split())


UBIQUITOUS = words(
    """pytorch python c++ c haskell linux github nvidia yaml grep cpu cpus gpu gpus tensor tensors operator
    operators op ops operation operations function functions graph graphs kernel kernels pass passes node nodes
    model models module modules parameter parameters batch batches inference compile compiles compiled compiling
    compiler compilers compilation thread threads device devices memory dtype dtypes namespace namespaces
    constraint constraints api apis framework frameworks library libraries build builds test tests testing debug
    debugging optimization optimizations metadata runtime runtimes convolution convolutions matmul matmuls git docs
    documentation issue issues pr prs rfc rfcs nep neps"""
) | {"pull request", "pull requests"}
"""Words of the whole domain, and operators that serve as examples. They count only inside a longer term."""

NO_VERB = words(
    """compile generate split save normalize normalise break optimize optimise organize organise train test build
    debug program process work stage name order load cast land index log stream time learn mean bind read write
    meet pool layer share bucket str spring hook thread checkpoint inline tile seed forward backward vendor
    cache lock version subclass rebase slice hash compress"""
)
"""Verbs that are everyday even where the noun made from them is a term."""

NOUN_AND_VERB = words("leak launch reuse")
"""Heads that are verbs too, with the word before them as their object: a memory leak, it leaks memory."""

EVERYDAY = NO_VERB | words(
    """batch batches script scripts schedule schedules viewed viewing variable variables type types storage
    storages buffer buffers node nodes loop loops scheduling scheduled generator generators sampler samplers event
    events stream streams scalar scalars list lists symbol symbols block blocks item items data rank ranks gil was
    mast rest main boxed boxes box trees hub heads target object objects value values reader writer store stores
    future futures works worker context contexts reduce guard scope zero fold folds thrust linen reducer public
    private interface"""
)
"""Words that mean something else unless they are written as the name is. No verb form is derived from them."""

QUALIFIERS = words("pytorch python c++ tensor nvidia intel github")
"""Words before a term that add nothing if the term alone means the same."""

EMPTY_HEADS = words(
    """api design architecture mechanism process problem mismatch idea proposal documentation mechanics semantics
    overview behavior behaviour code support call regime class classes computation formulas macro"""
)
"""Words behind a term that add nothing if the term alone means the same."""

SHORT_NAMES = words(
    """allocator buffer bucket collective decomposition engine event exception executor fallback frontend guard
    handler hook interpreter intrinsic layout partitioner pool sampler schema scheduler stream stub subclass
    synchronization tag target template tolerance worker"""
)
"""Nouns that are the usual short name of a longer term whose last word they are."""


def plural(noun: str) -> str:
    """Return the regular plural.

    >>> [plural(noun) for noun in ("view", "batch", "dependency", "GPU")]
    ['views', 'batches', 'dependencies', 'GPUs']
    """
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")


def singular(noun: str) -> str | None:
    """Return the singular of a regular plural; None for other words.

    >>> [singular(noun) for noun in ("graphs", "strides", "batches", "class")]
    ['graph', 'stride', 'batch', None]
    """
    if not re.search(r"[a-zA-Z]{2}s$", noun) or re.search(r"(?:ss|us|is|ics|ops|bias|alias|canvas)$", noun):
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
