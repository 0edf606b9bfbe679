"""Forms: how a name of a vocabulary may stand in a text, inflected, damaged, and in which case it counts.

A convention decides case. A form written in lower case counts in any case. A form with capitals is a name: short
acronyms ("TLS", "GIL") count only as written; names with an inner capital, a digit or a dot, and longer acronyms, in
any case; a plain capitalised word ("Variable") in lower case only where that is no everyday word.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product

from torchatlas.extract.english import (
    CLIPPED,
    EVERYDAY,
    NO_VERB,
    UBIQUITOUS,
    conjugated,
    plural,
    singular,
)

NAME, ALIAS, IN_TEXTS, DERIVED = range(4)
"""Where a spelling comes from; of two concepts with one spelling, that with the lower rank has it."""
SHORT_ACRONYM = 3
_CLEAR = 5
_QUALIFIER = re.compile(r"\s*\([^()]*[^()\s][^()]*\)$")
_ADDED = re.compile(r"^(?:(?:an?|the|pytorch|python)\s+)+")
_DUNDER = re.compile(r"__(\w+?)__$")
_NOUN = re.compile(r"(?:ion|ing|er|or|ity|ness|ment|age|ism|ory|ics|al|y|s)$")
_CAMEL = re.compile(r"(?:[A-Z][a-z]+){2,}")
_CODE = re.compile(r"[_.:/()&<>=]|\d")


@dataclass(frozen=True, slots=True)
class Form:
    """A spelling of a concept. `rank`: where it comes from."""

    text: str
    concept_id: str
    _: KW_ONLY
    rank: int


def forms(concept_id: str, name: str, aliases: Iterable[str] = (), in_texts: Iterable[str] = ()) -> Iterator[Form]:
    """Yield every spelling that means the concept in a text; a name loses its qualifier in parentheses.

    >>> [form.text for form in forms("rank", "rank (distributed)")]
    ['rank', 'ranks']
    """
    written = [(NAME, _QUALIFIER.sub("", name) or name), *((ALIAS, alias) for alias in aliases)]
    written += ((IN_TEXTS, word) for word in in_texts)
    if _CAMEL.fullmatch(written[0][1]):
        written.append((DERIVED, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", written[0][1]).lower()))  # FakeTensor: fake tensor
    spelled = [(rank, clean) for rank, text in written if (clean := " ".join(text.split())) and not _bare(clean)]
    derived = ((DERIVED, other) for _, text in spelled for other in _derived(text, name))
    seen: set[str] = set()
    for rank, text in [*spelled, *derived]:
        if text not in seen and not _bare(text):
            seen.add(text)
            yield Form(text, concept_id, rank=rank)


def _derived(text: str, name: str) -> Iterator[str]:
    """Yield what follows by rule from a spelling of the concept with this name."""
    if text == _QUALIFIER.sub("", name) != name:
        # What needs a qualifier is a word with other meanings: its plural is safe, "ranked" and "ranking" are not.
        yield plural(text)
        return
    yield from derivations(text)


def _bare(text: str) -> bool:
    """Return whether a spelling has nothing but words of the whole domain: "a PyTorch operator"."""
    return _ADDED.sub("", text.lower()) in UBIQUITOUS


def derivations(text: str) -> Iterator[str]:
    """Yield spellings by rule: plural and singular, the verb of a noun in -ing, -ization or -usion, hyphens, dunders.

    >>> sorted({"fuse", "fused", "fusions"} & set(derivations("fusion")))
    ['fuse', 'fused', 'fusions']
    """
    if dunder := _DUNDER.match(text):
        inner = dunder[1]
        around = product(("__", "_", ""), repeat=2)
        yield from (before + inner + after for before, after in around if before or after or "_" in inner)
        return
    yield from _clipped(text.split(" "))
    *rest, head = text.split(" ")
    lead = "".join(word + " " for word in rest)
    yield from (lead + word for word in _inflected(head, alone=not rest))
    if head == "safety" and rest:
        yield lead + "safe"
        yield lead.strip().replace(" ", "-") + "-safe"
    if head == "dependence" and rest:
        yield lead.strip().replace(" ", "-") + "-dependent"
    if head == "macro" and len(rest) == 1:
        yield rest[0]


def _clipped(spelled: Sequence[str]) -> Iterator[str]:
    """Yield a name as programmers cut its words short: "arg parsing", "decomp"; a short one needs another beside it."""
    for i, word in enumerate(spelled):
        for clip in CLIPPED.get(word, ()):
            if len(spelled) > 1 or len(clip) > _CLEAR:
                short = " ".join((*spelled[:i], clip, *spelled[i + 1 :]))
                yield from (short, singular(short) or plural(short))


def _inflected(head: str, *, alone: bool) -> Iterator[str]:
    """Yield the other number of a noun, and the forms of its verb. `alone`: no word stands before the noun."""
    if _CODE.search(head):
        if re.fullmatch(r"[A-Za-z]+\d+[A-Za-z]*", head):  # Vec256s, but no plural of torch.fx
            yield head + "s"
        return
    yield singular(head) or plural(head)
    for verb in _verbs(head, alone=alone):
        if verb not in NO_VERB:
            yield from (said for said in conjugated(verb) if said not in EVERYDAY)


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
        return len(core) > SHORT_ACRONYM and core.lower() not in EVERYDAY
    lower = seen.lower()
    return lower not in EVERYDAY and singular(lower) not in EVERYDAY
