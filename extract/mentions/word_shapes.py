"""Word shapes: what a word can be in a noun phrase, told by how it is spelled, as one letter for each word.

A lexicon would know more words, but not the ones that a text makes up: endings tell most adjectives, participles and
plurals, and what is left over is taken for a noun.
"""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from torchatlas.extract.english import COMMON, NOUNS_TOO, VAGUE, VERBS, words
from torchatlas.extract.inflection import plural, singular
from torchatlas.extract.stop_words import STOP_WORDS

BREAK: Final = " "
"""The letter of what no noun phrase holds: a function word, an everyday word, a number, a mark."""
DETERMINER: Final = "d"
"""The letter of what begins a noun phrase: "the"."""
LEADER: Final = "t"
"""The letter of what a verb follows: "to", "can", "they"."""
RUN: Final = re.compile(r"[aegnkAEGN][aegnk]*[npgk1234]")
"""Two or more words that can be a noun phrase, in letters: see `Shape`."""
NOUN: Final = frozenset("npgk1234")
"""The letters of words that can end a noun phrase."""
ADJECTIVE: Final = frozenset("aeAE")
GERUND: Final = frozenset("gG")
PLURAL: Final = frozenset("p2")
KNOWN: Final = frozenset("k4")
Signal = Literal["quote", "code", "acronym", "name", "kind", "modifier"]
_OPENING: Final = {"a": "A", "e": "E", "g": "G", "n": "N"}
_CLOSING: Final = {"n": "1", "p": "2", "g": "3", "k": "4"}

_LONGEST = 40
_STOPS = ".,;:!?"
_AFTER = r"(?:['’]s)?[)\]\"'”’`*.,;:!?…]*"
_WORD = re.compile(
    rf"(?P<before>[(\[\"'“‘`*]*)(?P<word>[A-Z]+/[A-Z]+|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)(?P<after>{_AFTER})"
)
_PLAIN = re.compile(r"[a-z]+(?:-[a-z]+)*")
_MARKS = re.compile(_AFTER)
_ADJECTIVE = ("al", "ic", "ive", "ous", "able", "ible", "less", "ful", "ary", "ar", "ish", "-like")
_NO_ADJECTIVES = words(
    """signal interval terminal literal journal proposal removal retrieval approval traversal kernel label arithmetic
    metric logic traffic fabric topic heuristic archive directive primitive drive hive objective variable table cable
    executable binary library dictionary summary boundary grammar scalar calendar bar semantic"""
)
_NO_ADVERBS = words("assembly family anomaly reply supply poly")
_DETERMINERS = words("the a an this that these those its their our your each every")
_LEADERS = words(
    """to can could will would may might must shall should not cannot we you they i it which who and or then only also
    always never don't doesn't"""
)
_SAID = VERBS | {plural(verb) for verb in VERBS}
_NO_NOUNS = (STOP_WORDS | VAGUE | COMMON | _SAID) - NOUNS_TOO


class Shape(NamedTuple):
    """A word and what it can be. `letter`: n noun, p plural, g in -ing, a adjective, e participle, k known name.

    What a mark opens has a capital, what a mark closes a digit; others are `BREAK`, `DETERMINER` and `LEADER`. `word`:
    in lower case; `one`: in the singular; `start`, `end`: where it stands between the marks around it.
    """

    letter: str
    word: str = ""
    one: str = ""
    start: int = 0
    end: int = 0


NO_WORD: Final = Shape(BREAK)
_FUNCTIONS = {word: Shape(DETERMINER) for word in _DETERMINERS} | {word: Shape(LEADER) for word in _LEADERS}


@lru_cache(10_000)
def known_shape(piece: str, start: int, end: int) -> Shape:
    """Return the shape of a piece of which [start, end) is a known name: a known word where it can be part of a phrase.

    >>> known_shape("fusion,", 0, 6).letter, known_shape("pre-fusion", 4, 10).letter
    ('4', ' ')
    """
    if start or not _PLAIN.fullmatch(piece, start, end) or not (after := _MARKS.fullmatch(piece, end)):
        return NO_WORD
    word = piece[:end]
    return Shape(_CLOSING["k"] if after[0] else "k", word, singular(word) or word, 0, end)


def shape(piece: str) -> Shape:
    """Return the shape of a word with the marks around it.

    >>> "".join(shape(piece).letter for piece in "to flush the dirty pages, logical writes (hidden class)".split())
    'tndn2apN1'
    """
    if piece in _NO_NOUNS or len(piece) >= _LONGEST:
        return _FUNCTIONS.get(piece, NO_WORD)
    if letters := small_letters(piece):  # as most are: the pattern takes longer
        letter = _letter(letters, opened=False, closed=len(letters) < len(piece))
        return Shape(letter, letters, _one(letters), 0, len(letters)) if letter != BREAK else NO_WORD
    if not (m := _WORD.fullmatch(piece)):
        return _FUNCTIONS.get(piece, NO_WORD)
    before, written, after = m.groups()
    word = written.lower()
    letter = _letter(word, opened=bool(before), closed=bool(after))
    if letter == BREAK:
        return NO_WORD
    return Shape(letter, word, _one(word), m.start("word"), m.end("word"))


def small_letters(piece: str) -> str:
    """Return a word of small letters without the stops behind it, "" where other signs are in it.

    >>> small_letters("pages,"), small_letters("Pages")
    ('pages', '')
    """
    letters = piece.rstrip(_STOPS)
    return letters if letters.isascii() and letters.islower() and letters.isalpha() else ""


def _one(word: str) -> str:
    return (singular(word) if word.endswith("s") else "") or word


def _letter(word: str, *, opened: bool, closed: bool) -> str:
    if not closed and word in _DETERMINERS:
        return DETERMINER
    if not closed and word in _LEADERS:
        return LEADER
    adverb = word.endswith("ly") and word not in _NO_ADVERBS
    if word in _NO_NOUNS or len(word) < 2 or adverb or (opened and closed):
        return BREAK
    kind = _kind(word)
    if opened:
        return _OPENING.get(kind, BREAK)
    return _CLOSING.get(kind, BREAK) if closed else kind


def _kind(word: str) -> str:
    """Return the letter of a word in lower case without marks."""
    if word.endswith("ed") and not word.endswith("eed"):
        return "e"
    if word.endswith("ing"):
        return "g"
    if word.endswith(_ADJECTIVE) and word not in _NO_ADJECTIVES:
        return "a"
    return "p" if word.endswith("s") and singular(word) else "n"
