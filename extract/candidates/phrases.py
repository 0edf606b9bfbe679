"""Runs of words that may be the name of something: no function word, everyday word or mark interrupts them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.english import COMMON, words
from torchatlas.extract.stop_words import STOP_WORDS

MOST_WORDS = 4
_TOKEN = re.compile(r"[^\W\d_][\w+#'’]*(?:-\w[\w+#'’]*)*")
_GAP = re.compile(r"[^\S\n]?")
_WRAP = re.compile(r"[^\S\n]*\n[^\S\n]*(?=[a-z])")
_NARROWEST = 40  # characters; nobody wraps lines to fewer, so a shorter line is a heading, an item or a paragraph
_LONG = 10  # words that tell the language of a line
_ENGLISH = 0.15  # the share of stop words that nearly every long line of English has
_SENTENCE = re.compile(r"(?:\A|[.!?:;…•*\"“(]|\n)[\s\d.)\"“(-]*\Z")
_DONE = re.compile(r"[^e]ed\Z")
_INFLECTED = re.compile(r"[a-z][^aius\W]s\Z")
_ADVERB = re.compile(r"(?!assembly|family|anomaly|reply|supply|poly)[a-z]{2,}ly")
_SAID = words(
    "ah aha alright cetera etc gonna gotta guys hey hmm huh kinda oh ok okay sorta um wanna whoa wow yeah yep yup"
)
_BREAKERS = (STOP_WORDS | COMMON | _SAID) - words("call bottom empty front")  # call stack, front end


@dataclass(frozen=True, slots=True)
class Word:
    """A word at `[start:end]` of a text. `named`: a name of the vocabulary or of code; `opens`: begins a sentence."""

    text: str
    start: int
    _: KW_ONLY
    end: int
    named: bool = False
    opens: bool = False

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def is_english(text: str) -> bool:
    """Return whether the first long line of a text has the stop words of English; a text without one counts as English.

    Below notes in another language may stand a long list of English pages.

    >>> is_english("We talk about the loading of data."), is_english("In dieser Folge geht es um Tests " * 2)
    (True, False)
    """
    lines = ([m[0].lower() for m in _TOKEN.finditer(line)] for line in text.split("\n"))
    said = next((words for words in lines if len(words) >= _LONG), [])
    return sum(word in STOP_WORDS for word in said) >= _ENGLISH * len(said)


def runs(text: str, names: Sequence[tuple[int, int]]) -> Iterator[list[Word]]:
    """Yield the longest runs of words. `names`: sorted (start, end) of names that count as one word, without overlap.

    >>> [[w.text for w in run] for run in runs("We discuss the flux capacitor, and kettles", ())]
    [['flux', 'capacitor'], ['kettles']]
    """
    run: list[Word] = []
    for word in _words(text, names):
        plain = not word.named and (_is_everyday(word.text) or len(word.text) < 2)
        apart = run and not _goes_on(text, run[-1].end, word.start)
        if (plain or apart) and run:
            yield run
            run = []
        if not plain:
            run.append(word)
    if run:
        yield run


def is_compound(part: Sequence[Word]) -> bool:
    """Return whether these words can be one noun: none before its head is a plural or a verb in the third person, and
    the head is no participle.

    >>> is_compound(next(runs("flux capacitor", ()))), is_compound(next(runs("fluxes capacitor", ())))
    (True, False)
    """
    *before, head = part
    return (head.named or not _DONE.search(head.text)) and not any(
        _INFLECTED.search(w.text) for w in before if not w.named
    )


def _words(text: str, names: Sequence[tuple[int, int]]) -> Iterator[Word]:
    place = 0
    for start, end in [*names, (len(text), len(text))]:
        for m in _TOKEN.finditer(text, place, start):
            yield Word(
                m[0], m.start(), end=m.end(), opens=bool(_SENTENCE.search(text, max(0, m.start() - 12), m.start()))
            )
        if start < end:
            yield Word(text[start:end], start, end=end, named=True)
        place = end


def _goes_on(text: str, end: int, start: int) -> bool:
    """Return whether no mark and no end of a block lies between two words; a line that is wrapped goes on below."""
    if _GAP.fullmatch(text, end, start):
        return True
    wrap = _WRAP.match(text, end)
    return wrap is not None and wrap.end() == start and end - text.rfind("\n", 0, end) > _NARROWEST


def _is_everyday(word: str) -> bool:
    lower = word.lower()
    return lower in _BREAKERS or _ADVERB.fullmatch(lower) is not None or "'" in word or "’" in word
