"""Own names: what a text names and no vocabulary lists, told by how the text introduces or writes it.

- an abbreviation: "BOLT", or "CLR" in "a common language runtime (CLR)", with its words
- a name with a capital that the text calls a thing of a kind, "Mojo is a compiler", "the Mojo language"
- a name with a capital among known names: "NumPy, Dask and JAX"
- a name with a capital that the text names again, and that is no part of a longer one
- what the text puts in quotes and calls so: a concept called "flux table", the "quill" library
- the tag that begins a title, and tells the part that a change is about: "[quill_reader] Add a cache"
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from torchatlas.extract.english import (
    COMMON,
    KINDS,
    NO_ABBREVIATIONS,
    SYSTEMS,
    UBIQUITOUS,
    VAGUE,
    VAGUE_HEADS,
    words,
)
from torchatlas.extract.mentions.boundaries import goes_on
from torchatlas.extract.mentions.noun_phrases import Named, term_id
from torchatlas.extract.mentions.signals import SignalWords
from torchatlas.extract.mentions.word_shapes import Signal, small_letters
from torchatlas.extract.stop_words import STOP_WORDS
from torchatlas.graph.values.numbering import asked_number

_ACRONYM = re.compile(r"[A-Z](?<![\w.:/@#$&'’+-][A-Z])[0-9]*[A-Z][A-Z0-9]*(?=s?(?![\w@&'’+(]|[-/:.]\w)|['’]s\b)")
_LOUD = re.compile(r"[A-Z][A-Z0-9]")
_LOWER = re.compile(r"[a-z]+")
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:[ ,!:-]+[A-Z]{2,})+\b")
_SHORTEST = 3
_TOLD: tuple[Signal, ...] = ("acronym", "name", "kind", "quote")
_NEXT = re.compile(r"s?[ \n]([A-Za-z]\w*)")
_BRACKETED = re.compile(r"[ \n]\(([A-Z][A-Z0-9]{1,7})s?\)")
_LONGEST_WORDS = 80
_KIND = rf"(?:{'|'.join(sorted(KINDS))})"
# Patterns begin with a set of letters, not with what stands before it: that is searched many times as fast.
_NAME = r"[A-Z](?<![\w./@#-][A-Z])[a-z][a-z0-9]+(?![\w./@-]|['’](?!s\b))"
_SAID_TO_BE = re.compile(
    rf"({_NAME})(?:, | is | are )an? (?:[\w-]+ ){{0,4}}?{_KIND}\b(?! [a-z]*(?:er|or|ist|lead|team)\b)"
)
_KIND_OF = re.compile(rf"\b(?:the|an?) (?:[a-z]\S* ){{0,2}}?({_NAME}) {_KIND}\b|{_KIND} (?:called|named) ({_NAME})")
_BEFORE_KIND = re.compile(rf"[A-Z][a-z][a-z0-9]+ {_KIND}\b")
_AGAIN = re.compile(r"[A-Z](?<![\w./@#-][A-Z])[a-z][a-z0-9]+(?![\w@]|[./-]\w)")
_LIST = re.compile(r"(?:(?<![\w./+-])[A-Za-z][\w+-]*(?:/[A-Z]\w*)?(?:, (?:and |or )?| and | or )){2,}[A-Za-z][\w+-]*")
_BETWEEN = re.compile(r"[\w+/, -]*")
_JOINTS = (", ", " and ", " or ")
_CAPITALISED = re.compile(r"(?<![\w/-])[A-Z][a-z]+(?![\w/-])")
_NO_NAMES = STOP_WORDS | COMMON | UBIQUITOUS
_WORDS = _NO_NAMES | VAGUE | VAGUE_HEADS
"""What a text may write in capitals and is no abbreviation: "BETWEEN"."""
_NO_NEW_NAMES = (
    _NO_NAMES
    | SYSTEMS
    | words(
        """arabic chinese danish dutch english finnish french german greek hindi italian japanese korean latin norwegian
    polish portuguese russian spanish swedish thai turkish ukrainian"""
    )
)
_BESIDE = re.compile(r"(?<!\w)([A-Z][\w-]*) \Z")
_NEAR = 20
_BEHIND = re.compile(r" [A-Z][a-z]")
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|known as|so-called) (?:an? |the )?[\"“‘`]+(\w[\w -]{1,40}\w)[\"”’`]"
)
_QUOTED_KIND = re.compile(rf"[\"“‘`]{{1,2}}(\w[\w-]{{2,30}})[\"”’`]{{1,2}} {_KIND}\b")
_PLAIN = re.compile(r"\w(?<![\w./-]\w)[\w-]{2,30}(?![\w/-])")
_TAG = re.compile(r"\[([A-Za-z][\w-]+(?: [A-Z][\w-]+)?)\](?= )")
_NO_TAGS = _NO_NEW_NAMES | words(
    """bc bc-breaking be bug bugfix chore draft fix fixup hotfix minor nit refactor revert rfc wip audio bonus repeat
    replay rerun teaser trailer"""
)
_SPELLED = re.compile(r"\b([A-Z][A-Z0-9]{1,7})[ \n]\(([A-Za-z]\w*(?:[ -]\w+){1,6})\)")


def holds_acronym(word: str) -> bool:
    """Return whether a word with its marks holds an abbreviation that may be a name.

    >>> holds_acronym("(CLR)"), holds_acronym("(Clr)")
    (True, False)
    """
    return _LOUD.search(word) is not None and any(_is_name(m[0]) for m in _ACRONYM.finditer(word))


def holds_name(word: str) -> bool:
    """Return whether a word with its marks may hold a name with a capital.

    >>> holds_name("Mojo,"), holds_name("However,")
    (True, False)
    """
    return any(m[0].lower() not in _NO_NAMES for m in _AGAIN.finditer(word))


def holds_kind(word: str) -> bool:
    """Return whether a word with its marks holds the name of a kind of thing.

    >>> holds_kind("compiler."), holds_kind("compiled.")
    (True, False)
    """
    letters = small_letters(word)
    return letters in KINDS if letters else not KINDS.isdisjoint(_LOWER.findall(word))


def own_names(text: str, known: Sequence[Named], signals: SignalWords | None = None) -> list[Named]:
    """Return the names of the text's own outside of the places of `known` names, in order.

    `known`: in order and without overlap. `signals`: those of the words of the text, if that has been looked up. The
    time grows with the length of the text, whatever stands there.

    >>> own_names("We use a common language runtime (CLR)", [])
    [(9, 32, 'common-language-runtime'), (34, 37, 'common-language-runtime')]
    """
    if signals is None:
        signals = {signal: [(0, text)] for signal in _TOLD}
    meanings, spelled_out = _abbreviations(text, known)
    loud = [(0, text)] if meanings else signals.get("acronym", ())
    acronyms = _acronyms(text, loud, meanings) if loud else ()
    introduced = _introduced(text) if "name" in signals and "kind" in signals else ()
    called = _called(text) if "quote" in signals else ()
    again = _repeated(text, signals["name"]) if "name" in signals else ()
    tag = _tagged(text) if text.startswith("[") else ()
    places = [*tag, *spelled_out, *acronyms, *introduced, *called, *_listed(text, known), *again]
    taken = bytearray(len(text) if places else 0)
    for start, end, _ in known if places else ():
        taken[start:end] = b"\1" * (end - start)
    found = []
    for start, end in places:
        if 1 not in taken[start:end]:
            taken[start:end] = b"\1" * (end - start)
            written = text[start:end]
            found.append((start, end, meanings.get(written) or term_id(written)))
    return sorted(found)


def _acronyms(text: str, pieces: Iterable[tuple[int, str]], meanings: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the places of abbreviations, but not of one that only stands before another noun: "the AQT layout"."""
    found = [(begin + m.start(), m[0]) for begin, piece in pieces for m in _ACRONYM.finditer(piece)]
    places = [(start, name) for start, name in found if name in meanings or _is_name(name)]
    if not places:
        return
    shouted = {start for m in _SHOUTED.finditer(text) for start in range(*m.span())}
    times = Counter([name for _, name in places])
    free = {
        name for start, name in places if name in meanings or times[name] > 1 or _stands_free(text, start + len(name))
    }
    yield from ((start, start + len(name)) for start, name in places if name in free and start not in shouted)


def _is_name(acronym: str) -> bool:
    known = acronym in NO_ABBREVIATIONS or acronym.lower() in _WORDS or asked_number(acronym)  # S1E5
    return len(acronym) >= _SHORTEST and not known


def _stands_free(text: str, end: int) -> bool:
    following = _NEXT.match(text, end)
    return not following or following[1] in STOP_WORDS or following[1] in KINDS


def _abbreviations(text: str, known: Iterable[Named]) -> tuple[dict[str, str], list[tuple[int, int]]]:
    """Return each abbreviation in parentheses with the concept of the words before it, and the places of new words."""
    if "(" not in text:
        return {}, []
    meanings: dict[str, str] = {}
    places = []
    ending = {end: concept for _, end, concept in known}
    for m in _BRACKETED.finditer(text):
        if concept := ending.get(m.start()):
            meanings[m[1]] = concept
        elif start := _words_of(m[1].lower(), text[max(0, m.start() - _LONGEST_WORDS) : m.start()]):
            places.append((m.start() - start, m.start()))
            meanings[m[1]] = term_id(text[m.start() - start : m.start()])
    for m in _SPELLED.finditer(text):
        if m[1] not in meanings and _initials(m[2]) == m[1].lower():
            places.append(m.span(2))
            meanings[m[1]] = term_id(m[2])
    return meanings, places


def _initials(phrase: str) -> str:
    """Return the letters that the words of a phrase stand for in its abbreviation: "eXpress Data Path" is "xdp"."""
    initials = (word[1] if word[1:2].isupper() and word[0].islower() else word[0] for word in re.split("[ -]", phrase))
    return "".join(initials).lower()


def _words_of(initials: str, before: str) -> int:
    """Return the length of the words at the end of a text that begin with these letters, 0 where they do not."""
    starts = [m.start() for m in re.finditer(r"(?<![^\W_])[^\W\d_]\w*", before)][-len(initials) :]
    spelled = "".join(before[start] for start in starts).lower()
    return len(before) - starts[0] if spelled == initials and "." not in before[starts[0] :] else 0


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the names that the text says to be things of a kind, wherever they stand."""
    names = {m[1] for m in _SAID_TO_BE.finditer(text)}
    if "called " in text or "named " in text or _BEFORE_KIND.search(text):
        names |= {m[1] or m[2] for m in _KIND_OF.finditer(text)}
    names = {name for name in names if name.lower() not in _NO_NAMES}
    yield from (m.span() for m in _AGAIN.finditer(text) if m[0] in names) if names else ()


def _called(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of what the text puts in quotes and calls so, and of a name that it quotes before a kind."""
    yield from (m.span(1) for m in _CALLED.finditer(text))
    names = {m[1] for m in _QUOTED_KIND.finditer(text)} - _NO_NAMES - VAGUE
    yield from (m.span() for m in _PLAIN.finditer(text) if m[0] in names) if names else ()


def _repeated(text: str, pieces: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the places of the capitalised words that the text has twice within sentences, and where else it has them.

    `pieces`: those that hold names. A word beside another one with a capital is a part of a longer name, mostly of a
    person.
    """
    said = [name for _, piece in pieces for name in _AGAIN.findall(piece)]
    if len(set(said)) == len(said):  # as mostly
        return
    names = {name for name, count in Counter(said).items() if count > 1 and name.lower() not in _NO_NEW_NAMES}
    if not names:
        return
    places: dict[str, list[tuple[int, int]]] = {}
    for m in _AGAIN.finditer(text):
        if m[0] in names:
            places.setdefault(m[0], []).append(m.span())
    for spans in places.values():
        if sum(goes_on(text, start) for start, _ in spans) > 1:
            yield from () if any(_is_part(text, start, end) for start, end in spans) else spans


def _is_part(text: str, start: int, end: int) -> bool:
    """Return whether another word with a capital stands beside text[start:end]."""
    before, behind = _BESIDE.search(text, max(0, start - _NEAR), start), _BEHIND.match(text, end)
    return bool(behind) or (before is not None and before[1].lower() not in _NO_NAMES)


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """Yield the place of the tag in brackets that begins a title, unless it tells only what sort of change it is."""
    if (m := _TAG.match(text)) and m[1] not in NO_ABBREVIATIONS and not _NO_TAGS.issuperset(m[1].lower().split()):
        yield m.span(1)


def _listed(text: str, known: Sequence[Named]) -> Iterator[tuple[int, int]]:
    """Yield the places of the names in lists that hold two known names with capitals."""
    if len(known) < 2 or ", " not in text:
        return
    capitals = [(start, end) for start, end, _ in known if not text[start:end].islower()]
    if not any(_may_be_listed(text[a[1] : b[0]]) for a, b in pairwise(capitals)):
        return
    starts, ends = zip(*capitals, strict=True)
    for m in _LIST.finditer(text):
        if bisect_right(ends, m.end()) - bisect_left(starts, m.start()) >= 2:
            items = _CAPITALISED.finditer(text, *m.span())
            yield from (item.span() for item in items if item[0].lower() not in _NO_NAMES)


def _may_be_listed(between: str) -> bool:
    """Return whether two names with this text between them may stand in one list."""
    joined = " " not in between or any(joint in between for joint in _JOINTS)
    return joined and _BETWEEN.fullmatch(between) is not None
