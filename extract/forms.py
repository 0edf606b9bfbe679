"""Forms: how a name of a vocabulary may stand in a text, inflected, damaged, and in which case it counts.

A form in lower case counts in any case, a short acronym ("TLS") only as written, other names with capitals in lower
case only where that is no everyday word.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from torchatlas.extract.english import CLIPPED, EVERYDAY, NO_VERB, UBIQUITOUS, conjugated, plural, singular

NAME, ALIAS, IN_TEXTS, DERIVED = range(4)
"""Where a spelling comes from; of two concepts with one spelling, that with the lower rank has it."""
_SHORT_ACRONYM = 3
_QUALIFIER = re.compile(r"\s*\([^()]*[^()\s][^()]*\)$")
_ADDED = re.compile(r"^(?:(?:an?|the|pytorch|python)\s+)+")
_DUNDER = re.compile(r"__(\w+?)__$")
_NOUN = re.compile(r"(?:ion|ing|er|or|ity|ness|ment|age|ism|ory|ics|al|y|s)$")
_CAMEL = re.compile(r"(?:[A-Z][a-z]+){2,}")
_CODE = re.compile(r"[_.:/()&<>=]|\d")


class Form(NamedTuple):
    """A spelling of a concept. `rank`: where it comes from."""

    text: str
    concept_id: str
    rank: int


def forms(concept_id: str, name: str, aliases: Iterable[str] = (), in_texts: Iterable[str] = ()) -> Iterator[Form]:
    """Yield every spelling that means the concept in a text; a name loses its qualifier in parentheses.

    >>> [form.text for form in forms("rank", "rank (distributed)")]
    ['rank', 'ranks']
    """
    bare = _QUALIFIER.sub("", name) or name
    written = [(NAME, bare), *((ALIAS, alias) for alias in aliases), *((IN_TEXTS, word) for word in in_texts)]
    if _CAMEL.fullmatch(bare):
        written.append((DERIVED, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare).lower()))  # FakeTensor: fake tensor
    spelled = [(rank, " ".join(text.split())) for rank, text in written]
    spelled = [(rank, text) for rank, text in spelled if text and _ADDED.sub("", text.lower()) not in UBIQUITOUS]
    seen: set[str] = set()
    # A word that needs a qualifier has other meanings: its plural is safe, "ranked" and "ranking" are not.
    derived = ([plural(text)] if text == bare != name else derivations(text) for _, text in spelled)
    for rank, text in [*spelled, *((DERIVED, other) for others in derived for other in others)]:
        if text not in seen and _ADDED.sub("", text.lower()) not in UBIQUITOUS:
            seen.add(text)
            yield Form(text, concept_id, rank)


def derivations(text: str) -> Iterator[str]:
    """Yield spellings by rule: plural and singular, the verb of a noun in -ing, -ization or -usion, dunders, clips.

    >>> sorted({"fuse", "fused", "fusions"} & set(derivations("fusion")))
    ['fuse', 'fused', 'fusions']
    """
    if dunder := _DUNDER.match(text):
        inner = dunder[1]
        around = product(("__", "_", ""), repeat=2)
        yield from (before + inner + after for before, after in around if before or after or "_" in inner)
        return
    *rest, head = spelled = text.split(" ")
    for i, word in enumerate(spelled):
        for clip in CLIPPED.get(word, ()):  # "arg parsing", "decomp"; a short one needs another word beside it
            if rest or len(clip) > len("const"):
                short = " ".join((*spelled[:i], clip, *spelled[i + 1 :]))
                yield from (short, singular(short) or plural(short))
    lead = "".join(word + " " for word in rest)
    if not _CODE.search(head):  # no plural of torch.fx
        yield lead + (singular(head) or plural(head))
        for verb in _verbs(head, alone=not rest):
            if verb not in NO_VERB:
                yield from (lead + said for said in conjugated(verb) if said not in EVERYDAY)
    if head == "safety" and rest:
        yield lead + "safe"
        yield lead.strip().replace(" ", "-") + "-safe"


def _verbs(head: str, *, alone: bool) -> Iterator[str]:
    """Yield the verb that a noun of action comes from: vectorization -> vectorize, fusion -> fuse, tracing -> trace."""
    if not head.islower():
        return
    if alone and not _NOUN.search(head):
        yield head  # a word that may be a verb as it stands: export, fork
    if m := re.fullmatch(r"(\w{3,})i[sz]ation", head):
        yield m[1] + "ize"
        yield m[1] + "ise"
    elif m := re.fullmatch(r"(\w+)usion", head):
        yield m[1] + "use"
    elif m := re.fullmatch(r"(\w*p)osition", head):
        yield m[1] + "ose"  # decomposition: decompose
    elif m := re.fullmatch(r"(\w{2,}[^aeiou\W])ing", head):
        stem = m[1]
        if stem[-1] == stem[-2] and stem[-1] not in "lsz":
            yield stem[:-1]
        elif stem in EVERYDAY:
            yield stem
        else:
            if len(stem) > 3 or stem[-1] in "wxy":
                yield stem
            if stem[-1] not in "hwxy":  # "til" of tiling can be no verb, its consonant would double; longer: both
                yield stem + "e"


def admits(spelling: str, seen: str) -> bool:
    """Return whether `seen`, equal to `spelling` but for case, names the same concept.

    >>> admits("vmap", "Vmap"), admits("GIL", "gil"), admits("FSDP", "fsdp"), admits("Variables", "variables")
    (True, False, True, False)
    """
    if seen == spelling or spelling == spelling.lower() or " " in spelling:
        return True
    core = spelling[:-1] if spelling.endswith("s") and spelling[:-1].isupper() else spelling
    if core.isupper() and core.isalpha():
        return len(core) > _SHORT_ACRONYM and core.lower() not in EVERYDAY
    lower = seen.lower()
    return lower not in EVERYDAY and singular(lower) not in EVERYDAY
