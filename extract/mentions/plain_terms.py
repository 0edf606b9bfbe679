"""Plain terms: single words that are terms in this text alone, told by how often it says them: "span", "exemplar".

What a text is on it says again and again: a noun that comes three times, and that is neither everyday English nor a
word of software at large, is a term of it. So is one that comes twice and that no lexicon has: "watchcache".
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from torchatlas.extract.english import COMMON, UBIQUITOUS, VAGUE, VAGUE_HEADS, VERBS
from torchatlas.extract.mentions.boundaries import stands_alone
from torchatlas.extract.mentions.noun_phrases import Place, term_id
from torchatlas.extract.mentions.word_shapes import BREAK, DETERMINER, GERUND, LEADER, NOUN, Shape
from torchatlas.extract.ordinary_nouns import ORDINARY_NOUNS
from torchatlas.extract.statements.lexicon import bases

_TIMES = 3
_SHARE = 100
"""How often a text says a word that is a term of it: three times, and in a long one once in so many words."""
_NO_TERMS = ORDINARY_NOUNS | UBIQUITOUS | VAGUE_HEADS
_NOUN = NOUN | {"N"}
_NO_NOUN = {BREAK, DETERMINER, LEADER}
_EVERYDAY = COMMON | VERBS | VAGUE
_ONE = itemgetter(2)
_WORD = re.compile(r"[A-Za-z][a-z0-9]+(?:-[a-z0-9]+)*")
_JOINS = frozenset("-@#$")


def plain_terms(text: str, shapes: Sequence[Shape], known: Iterable[Place], names: Container[str]) -> list[Place]:
    """Return the places of the text's plain terms outside of the known places, in order.

    `shapes`: of the words of the text. `names`: words that a vocabulary judges.

    >>> from torchatlas.extract.mentions.word_shapes import shape
    >>> text = "A span ends. The spans of a span"
    >>> [place[:2] for place in plain_terms(text, [shape(word) for word in text.split()], [], ())]
    [(2, 6), (17, 22), (28, 32)]
    """
    enough = max(_TIMES, len(shapes) // _SHARE)
    times = Counter(map(_ONE, shapes))
    said = [one for one, n in times.items() if n > 1 and len(one) > 2 and one not in _NO_TERMS and one not in names]
    terms = {one for one in said if times[one] >= enough or _is_coined(one)}
    words = sorted({(s.one, s.word) for s in shapes if s.one in terms and _is_noun(s.letter, s.one)}) if terms else ()
    lower = text.lower()
    if not words or len(lower) != len(text):
        return []
    found = defaultdict[str, list[Place]](list)
    for one, word in words:
        found[one] += [Place(start, end, term_id(one)) for start, end in _places(text, lower, word)]
    taken = bytearray(len(text))
    for place in known:
        taken[place.start : place.end] = b"\1" * (place.end - place.start)
    written = [places for places in found.values() if any(text[p.start].islower() for p in places)]  # else it is a name
    return sorted(p for places in written for p in places if 1 not in taken[p.start : p.end])


def again(title: str, known: Sequence[Place], terms: Container[str]) -> list[Place]:
    """Return the known places of a title, and where else it has the terms of its text, in order.

    >>> again("Set attributes on spans", [], {"span"})
    [Place(start=18, end=23, concept='span', part='')]
    """
    words = (Place(*m.span(), term_id(m[0])) for m in _WORD.finditer(title))
    free = (p for p in words if not any(k.start < p.end and p.start < k.end for k in known))
    return sorted([*known, *(p for p in free if p.concept in terms and stands_alone(title, p.start, p.end))])


@lru_cache(10_000)
def _is_noun(letter: str, one: str) -> bool:
    """Return whether a word is a noun by its shape, or by the lexicon where it ends as adjectives do: "exemplar".

    >>> _is_noun("n", "span"), _is_noun("a", "exemplar"), _is_noun("n", "brought"), _is_noun("g", "exploring")
    (True, True, False, False)
    """
    if letter in _NO_NOUN:
        return False
    classes = bases(one)
    if letter in GERUND:
        return "NOUN" in classes or _EVERYDAY.isdisjoint(chain(*classes.values()))
    if "NOUN" in classes:
        return letter in _NOUN or "ADJ" not in classes
    return letter in _NOUN and "ADJ" not in classes and classes.get("VERB", (one,)) == (one,)  # "commit"; not "brought"


def _places(text: str, lower: str, word: str) -> Iterator[tuple[int, int]]:
    """Yield where a word stands alone in a text."""
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        marked = text[start - 1 : start] == text[end : end + 1] == "_"  # emphasis of Markdown
        beside = {text[start - 1 : start], text[end : end + 1]}
        if stands_alone(text, start - marked, end + marked) and _JOINS.isdisjoint(beside):
            yield start, end
        start = lower.find(word, end)


@lru_cache(10_000)
def _is_coined(word: str) -> bool:
    """Return whether the last part of a word is in no lexicon of English: "kube-apiserver".

    >>> _is_coined("watchcache"), _is_coined("multi-node")
    (True, False)
    """
    return not bases(word.rpartition("-")[2])
