"""How a vocabulary name may stand in a text: its inflections, its damaged spellings, and in which case it counts.

A convention decides case. A form written in lower case counts in any case. A form with capitals is a name: short
acronyms ("TLS", "GIL") count only as written; names with an inner capital, a digit or a dot, and longer acronyms, in
any case; a plain capitalised word ("Variable") in lower case only where that is no everyday word.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from extract.english import EVERYDAY, NO_VERB, UBIQUITOUS, past, plural, present_participle, singular, third_person

SHORT_ACRONYM = 3
_QUALIFIER = re.compile(r"\s*\([^()]*[^()\s][^()]*\)$")
_ADDED = re.compile(r"^(?:(?:an?|the|pytorch|python)\s+)+")
_DUNDER = re.compile(r"__(\w+?)__$")
_NOUN = re.compile(r"(?:ion|ing|er|or|ity|ness|ment|age|ism|ory|ics|al|y|s)$")
_CODE = re.compile(r"[_.:/()&<>=]|\d")


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling of one concept. `rank` 0: its name, 1: an alias, 2: derived by rule; the lower wins a tie."""

    text: str
    concept_id: str
    rank: int


def forms(concept_id: str, name: str, aliases: Iterable[str] = ()) -> Iterator[Form]:
    """Every spelling that names the concept; a name without its qualifier: "rank (distributed)" stands as "rank"."""
    written = [_QUALIFIER.sub("", name) or name, *aliases]
    seen: set[str] = set()
    for rank, text in [(0, written[0]), *((1, alias) for alias in written[1:])]:
        clean = " ".join(text.split())
        if clean and not _bare(clean) and clean not in seen:
            seen.add(clean)
            yield Form(clean, concept_id, rank)
    for text in written:
        if _bare(text):
            continue
        # What needs a qualifier is a word with other meanings: its plural is safe, "ranked" and "ranking" are not.
        derived_forms = derivations(" ".join(text.split())) if text == name or text != written[0] else [plural(text)]
        for derived in derived_forms:
            if derived not in seen and not _bare(derived):
                seen.add(derived)
                yield Form(derived, concept_id, 2)


def _bare(text: str) -> bool:
    """Whether nothing but words of the whole domain remains, without what adds nothing: "a PyTorch operator"."""
    return _ADDED.sub("", text.lower()) in UBIQUITOUS


def derivations(text: str) -> Iterator[str]:
    """Spellings by rule: plural and singular, the verb behind a noun in -ing, -ization or -usion, hyphens, dunders."""
    if dunder := _DUNDER.match(text):
        inner = dunder[1]
        for before in ("__", "_", ""):
            for after in ("__", "_", ""):
                if before or after or "_" in inner:
                    yield before + inner + after
        return
    *rest, head = text.split(" ")
    lead = "".join(word + " " for word in rest)
    if 1 <= len(rest) <= 3 and text.islower():
        yield text.replace(" ", "-")
    elif "-" in text and text.islower():
        yield text.replace("-", " ")
    yield from (lead + word for word in _inflected(head, not rest))
    if head == "safety" and rest:
        yield lead + "safe"
        yield lead.strip().replace(" ", "-") + "-safe"


def _inflected(head: str, alone: bool) -> Iterator[str]:
    if _CODE.search(head):
        if re.fullmatch(r"[A-Za-z]+\d+[A-Za-z]*", head):  # Vec256s, but no plural of torch.fx
            yield head + "s"
        return
    one = singular(head)
    if one:
        yield one
    else:
        yield plural(head)
    for verb in _verbs(head, alone):
        if verb not in NO_VERB:
            yield from (
                w for w in (verb, third_person(verb), past(verb), present_participle(verb)) if w not in EVERYDAY
            )


def _verbs(head: str, alone: bool) -> Iterator[str]:
    """The verb that a noun of action is made from: vectorization -> vectorize, fusion -> fuse, tracing -> trace."""
    if not head.islower():
        return
    if alone and not _NOUN.search(head):
        yield head  # a word that may be a verb as it stands: export, fork
    if m := re.fullmatch(r"(\w{3,})i[sz]ation", head):
        yield m[1] + "ize"
        yield m[1] + "ise"
    elif m := re.fullmatch(r"(\w+)usion", head):
        yield m[1] + "use"
    elif m := re.fullmatch(r"(\w{2,}[^aeiou\W])ing", head):
        stem = m[1]
        if stem[-1] == stem[-2] and stem[-1] not in "lsz":
            yield stem[:-1]
        elif len(stem) > 3 or stem[-1] in "wxy":
            yield stem
        if stem[-1] not in "hwxy":  # "til" of tiling can be no verb, its consonant would double; longer ones try both
            yield stem + "e"


def admits(spelling: str, seen: str) -> bool:
    """Whether `seen`, equal to `spelling` but for case, names the same thing."""
    if seen == spelling or spelling == spelling.lower() or " " in spelling:
        return True
    core = spelling[:-1] if spelling.endswith("s") and spelling[:-1].isupper() else spelling
    if core.isupper() and core.isalpha():
        return len(core) > SHORT_ACRONYM and core.lower() not in EVERYDAY
    return seen.lower() not in EVERYDAY
