"""A little English: regular inflection, and the words that are too common to be names."""

import re


def words(text: str) -> frozenset[str]:
    """The words of a list written as one string."""
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
"""Words of the whole domain, and operators that serve as examples. Bare, they say nothing about an episode; they count
inside a longer term only."""

NO_VERB = words(
    """compile generate split save normalize normalise break optimize optimise organize organise train test build
    debug program process work stage name order load cast land index log stream time learn mean bind read write
    meet pool layer share bucket str spring hook thread checkpoint inline tile seed forward backward vendor
    cache lock version subclass rebase slice hash compress"""
)
"""Verbs that are everyday even where the noun made from them is a term."""

NOUN_AND_VERB = words("leak launch reuse")
"""Heads that are as good a verb, with what stands before them for its object: a memory leak, it leaks memory."""

EVERYDAY = NO_VERB | words(
    """batch batches script scripts schedule schedules viewed viewing variable variables type types storage
    storages buffer buffers node nodes loop loops scheduling scheduled generator generators sampler samplers event
    events stream streams scalar scalars list lists symbol symbols block blocks item items data rank ranks gil was
    mast rest main boxed boxes box trees hub heads target object objects value values reader writer store stores
    future futures works worker context contexts reduce guard scope zero fold folds thrust linen reducer public
    private interface"""
)
"""Words that mean something else when they are not written as the name is, and no verb form to be derived."""

QUALIFIERS = words("pytorch python c++ tensor nvidia intel github")
"""Words before a term that add nothing where the term alone says the same."""

EMPTY_HEADS = words(
    """api design architecture mechanism process problem mismatch idea proposal documentation mechanics semantics
    overview behavior behaviour code support call regime class classes computation formulas macro"""
)
"""Words behind a term that add nothing where the term alone says the same."""

SHORT_NAMES = words(
    """allocator buffer bucket collective decomposition engine event exception executor fallback frontend guard
    handler hook interpreter intrinsic layout partitioner pool sampler schema scheduler stream stub subclass
    synchronization tag target template tolerance worker"""
)
"""Nouns that are the usual short name of a longer term whose last word they are."""


def plural(noun: str) -> str:
    """The regular plural: view -> views, batch -> batches, dependency -> dependencies, GPU -> GPUs."""
    if noun.isupper():
        return noun + "s"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")


def singular(noun: str) -> str | None:
    """The singular of a regular plural, None where there is none: graphs -> graph, strides -> stride, class -> None."""
    if not re.search(r"[a-zA-Z]{2}s$", noun) or re.search(r"(?:ss|us|is|ics|ops|bias|alias|canvas)$", noun):
        return None
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if re.search(r"(?:ss|x|zz|[^a]ch|tch|sh)es$", noun):
        return noun[:-2]
    return noun[:-1]


def third_person(verb: str) -> str:
    """fuse -> fuses, batch -> batches."""
    return plural(verb)


def past(verb: str) -> str:
    """fuse -> fused, export -> exported, pin -> pinned."""
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def present_participle(verb: str) -> str:
    """fuse -> fusing, pin -> pinning."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ing"


def _doubles(verb: str) -> bool:
    """One syllable, one vowel, one consonant: pin, tag, map; not box, show, export."""
    return bool(re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb))
