"""Names of a vocabulary as a speech recogniser writes them: split, joined, spelled out, or as words that sound so.

Each name is read aloud (letters, digits, the parts of CamelCase and of paths), and stretches of a transcript are
compared with it as runs of sounds: word boundaries do not count.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from string import ascii_lowercase

import jellyfish
from rapidfuzz.distance import Levenshtein

from torchatlas.extract.english import EVERYDAY, STOP_WORDS, UBIQUITOUS
from torchatlas.extract.forms import DERIVED, Form, admits, forms
from torchatlas.graph.model import Concept
from torchatlas.graph.names import without_s

_ALPHABET = "a bee see dee e eff gee aitch eye jay kay ell em en o pee cue ar ess tee you vee doubleyou ex why zee"
_LETTERS = dict(zip(ascii_lowercase, _ALPHABET.split(), strict=True))
_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_UNITS = _COUNTED.split()
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = _DECADES.split()

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|\+")
"""A word of a transcript."""

_PART = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|\+")
# How an English syllable may begin; what does not is read letter by letter: v map, g h stack.
_ONSET = re.compile(
    r"(?:[bcdfghjklmnpqrstvwxyz]|[bcfgp][lr]|[dt]r|[cgpstw]h|s[cklmnpqtw]|s[cpt]r|spl|[cst]hr|s?qu|[dst]w|kn|wr)?[aeiouy]"
)
_SPELLED = 3  # so many capitals are read letter by letter: TLS
_WORDS, _LETTERS_AT_MOST = 8, 60  # of a name
_EXTRA = 2  # words that a recogniser makes out of a name beyond the name's own
_CONSONANTS = 4  # that a name needs to be found misheard; shorter ones sound like too many other words
_ALIKE = 0.76  # share of the letters that must agree
_ARTICLES = frozenset({"a", "an", "the"})
_EVERYWHERE = UBIQUITOUS | EVERYDAY


@dataclass(frozen=True, slots=True)
class SpokenMention:
    """A concept at `words[first:last]` of a list. `likeness`: 1 where the words are spelled as the name, else less."""

    concept_id: str
    first: int
    _: KW_ONLY
    last: int
    likeness: float


@dataclass(frozen=True, slots=True)
class _Name:
    form: Form
    key: str
    _: KW_ONLY
    words: tuple[str, ...]
    size: int  # words, and letters that are read one by one


class SpokenNames:
    """A finder of the concepts' names in the words of a transcript."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.exact: dict[str, list[_Name]] = defaultdict(list)
        self.sounds: dict[str, list[_Name]] = defaultdict(list)
        self.known: set[str] = set()
        self.longest = 1
        for concept in sorted(concepts, key=lambda c: c.id):
            for form in forms(concept.id, concept.name, concept.aliases, concept.in_texts):
                self._add(form)
        for group in self.exact.values():
            group.sort(key=lambda n: (n.form.rank, n.form.concept_id))

    def _add(self, form: Form) -> None:
        parts = name_parts(form.text)
        size = sum(len(p) if _is_spelled(p) else 1 for p in parts)
        if not 1 <= size <= _WORDS or (len(parts) == 1 and form.text.strip("_") != form.text):
            return
        words = tuple(map(aloud, parts))
        keys = {_run(p.lower() for p in parts)}
        if not all(map(_is_spelled, parts)):
            keys.add(_run(words))
        self.known.update(without_s(w) for w in words if len(w) > 3)
        for key in sorted(key for key in keys - UBIQUITOUS - {*_UNITS} if len(key) > 1):
            name = _Name(form, key, words=words, size=size)
            self.exact[key].append(name)
            self.longest = max(self.longest, size + _EXTRA)
            # Misheard, inflected forms sound like everyday words: "forking", "working".
            if form.rank < DERIVED and len(code := sound(key)) >= _CONSONANTS:
                for near in _neighbours(code):
                    self.sounds[near].append(name)

    def find(self, words: Sequence[str]) -> list[SpokenMention]:
        """Return the mentions in the order of the words. Of two that overlap the surer one counts, then the longer one.

        Example: `SpokenNames(concepts).find(["influence", "mode"])`
        """
        written = [_plain(w).replace("+", "plus") for w in words]
        spoken = [aloud(w) for w in words]
        found = [
            (-match[1], first - last, first, last, match[0])
            for first in range(len(words))
            for last in range(first + 1, min(first + self.longest, len(words)) + 1)
            if (match := self._match(words[first:last], written[first:last], spoken[first:last]))
        ]
        taken = bytearray(len(words))
        kept = []
        for likeness, _, first, last, concept in sorted(found):
            if 1 not in taken[first:last]:
                taken[first:last] = b"\1" * (last - first)
                kept.append(SpokenMention(concept, first, last=last, likeness=-likeness))
        return sorted(kept, key=lambda h: h.first)

    def _match(self, words: Sequence[str], written: Sequence[str], spoken: Sequence[str]) -> tuple[str, float] | None:
        if len(words) == 2 and written[0] in _ARTICLES and written[1] in _EVERYWHERE:
            return None
        run = _run(spoken)
        if len(run) > _LETTERS_AT_MOST:
            return None
        exact = self.exact.get(_run(written)) or self.exact.get(run) or ()
        if same := next((n for n in exact if len(words) > 1 or admits(n.form.text, words[0])), None):
            return same.form.concept_id, 1.0
        if written[0] in STOP_WORDS or written[-1] in STOP_WORDS:
            return None
        code = sound(run)
        best, choice = _ALIKE, None
        for near in _neighbours(code):
            for name in self.sounds.get(near, ()):
                if len(words) <= name.size + _EXTRA and (len(name.words) > 1 or code[:1] == sound(name.key)[:1]):
                    likeness = Levenshtein.normalized_similarity(run, name.key, score_cutoff=best)
                    if likeness > best and self._plausible(written, spoken, name.words):
                        best, choice = likeness, name
        return (choice.form.concept_id, round(best, 3)) if choice else None

    def _plausible(self, written: Sequence[str], spoken: Sequence[str], name: Sequence[str]) -> bool:
        """Return whether the words that differ sound alike too. A word of the vocabulary counts as heard rightly."""
        there, here = set(map(without_s, name)), set(map(without_s, spoken))
        rest = [(w, s) for w, s in zip(written, spoken, strict=True) if without_s(s) not in there]
        if any(w in UBIQUITOUS or without_s(s) in self.known for w, s in rest):
            return False
        missing = [w for w in name if without_s(w) not in here]
        return Levenshtein.normalized_similarity(_run(s for _, s in rest), _run(missing)) >= _ALIKE


def _run(words: Iterable[str]) -> str:
    """Return the words without spaces between them; a letter that ends one and begins the next is said once."""
    run = ""
    for word in words:
        run += word[1:] if len(word) > 1 and run[-1:] == word[0] else word
    return run


def _plain(word: str) -> str:
    return re.sub("['’]", "", word.lower())


def name_parts(name: str) -> list[str]:
    """Return the parts in which a name is read.

    >>> name_parts("at::TensorImpl"), name_parts("c10")
    (['at', 'Tensor', 'Impl'], ['c', '10'])
    """
    return _PART.findall(name)


def aloud(part: str) -> str:
    """Return a word or a part of a name as it is said: letters and digits by their names.

    >>> aloud("TLS"), aloud("10"), aloud("vmap")
    ('teeelless', 'ten', 'veemap')
    """
    if part.isdecimal():
        return _number(part)
    if part == "+":
        return "plus"
    low = _plain(part)
    if _is_spelled(part):
        return "".join(_LETTERS.get(letter, letter) for letter in low)
    spelled = ""
    while len(low) > 1 and not _ONSET.match(low) and low[0] in _LETTERS:
        spelled, low = spelled + _LETTERS[low[0]], low[1:]
    return spelled + (_LETTERS.get(low, low))


def sound(key: str) -> str:
    """Return the consonants that are heard in a run of words, by the rules of Lawrence Philips' Metaphone (1990).

    >>> sound("tracing"), sound("trasing")
    ('TRSNK', 'TRSNK')
    """
    return jellyfish.metaphone(key)


def _is_spelled(part: str) -> bool:
    return len(part) == 1 or (part.isupper() and len(part) <= _SPELLED)


def _number(digits: str) -> str:
    """Return digits as engineers say them, in pairs from the end: 256 -> two fifty six, 10 -> ten."""
    pairs = [int(digits[max(0, end - 2) : end]) for end in range(len(digits), 0, -2)]
    said = [_UNITS[n] if n < 20 else _TENS[n // 10 - 2] + (_UNITS[n % 10] if n % 10 else "") for n in pairs]
    return "".join(reversed(said))


def _neighbours(code: str) -> list[str]:
    """Return the code and, from five consonants on, the code without each of them: similar codes share one."""
    if len(code) < 5:
        return [code]
    return list(dict.fromkeys([code, *(code[:i] + code[i + 1 :] for i in range(len(code)))]))
