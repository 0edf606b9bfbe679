"""Runs of words that may be the name of something: no function word, everyday word or mark interrupts them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from spacy.lang.en.stop_words import STOP_WORDS

from torchatlas.extract.english import words

MOST_WORDS = 4
_TOKEN = re.compile(r"[^\W\d_][\w+#'’]*(?:-\w[\w+#'’]*)*")
_GAP = re.compile(r"[^\S\n]?")
_WRAP = re.compile(r"[^\S\n]*\n[^\S\n]*(?=[a-z])")
_NARROWEST = 40  # characters; nobody wraps lines to fewer, so a shorter line is a heading, an item or a paragraph
_SENTENCE = re.compile(r"(?:\A|[.!?:;…•*\"“(]|\n)[\s\d.)\"“(-]*\Z")
_DONE = re.compile(r"[^e]ed\Z")
_INFLECTED = re.compile(r"[a-z][^aius\W]s\Z")
_ADVERB = re.compile(r"(?!assembly|family|anomaly|reply|supply|poly)[a-z]{2,}ly")
_COMMON = words(
    """able abstract actual added adding adds advanced advantage ago aka ala allow allowed allowing allows answer
    answers apart applied approach approaches article ask asked asks aspect aspects author available avoid away bad
    banter based basic basics begin begins behave behaves believe beneath benefit best better big bit blog book books
    breaks bring brings broken build builds built buy called calling calls came care case cases cause causes certain
    challenge challenges change changed changes chapter chat cheap check choice choose clear close closing come comes
    coming common community company compare compared complex complicated conclusion conclusions conference consider
    contact contain contains continue conversation cool correct cost costs couple course cover covered covering covers
    create created creates creating current day days deal decide decided dedicated deep depend depends design detail
    details develop developed developer developers difference different difficult discord discuss discussed discusses
    discussing discussion dive download easier easiest easy effort end ends engineer engineers enjoy ensure entire
    episode episodes etc event everyday exact example examples excited exist exists expect expensive experience
    explain explained explaining explains explanation explore explores extra facebook fact fail fails famous farewell
    fast faster favorite feature features feed feel feels figure final find finds fine finish fit fix fixed focus
    follow followed following follows forget form found free fresh friday fun future gave general gets getting given
    gives giving goal goes going good goodbye got great guest guests guide half hand happen happened happening happens
    hard harder hear heard hello help helped helps hi high history hit hold holds home hope host hosts hour hours
    housekeeping huge idea ideas imagine implement implemented implementing implements important improve improved
    improvement improvements include included includes including information inside instagram instead intended
    interest interested interesting interview intro introduce introduced introduces introducing introduction
    introductions intros invented involve involving issue issues january join joined joins june keeps kept kind kinds
    knew know known knows large larger late later latest lead leads learn learned learning learns leave left let lets
    life like limit limited lines link linkedin links listen listener listeners little live lives long longer look
    looked looking looks lose lot lots love low main major makes making manage mastodon matter matters maybe mean
    means meant meet meeting mention mentioned mentions middle mind minus minute minutes miss modern moment monday
    money month months morning motivation moved moves named names natural near need needed needs new newer news nice
    night note notes number numbers obvious october old older online open opened order original output outro outros
    pages paper papers particular parting parts past patreon people person pick place plan plans play plus podcast
    point points popular possible post posts powerful practical practice prefer present pretty prevent previous
    problem problems produce produces product program project projects proper provide provided provides publish
    published pull purpose puts question questions quick rating reach read reader readers reading reads ready real
    reason reasons recap recent record recorded recording reduce reference references related release released remain
    remember remove removed report request require required requires rest result results return returns review rewrite
    rid right role room rule run running runs said save saw saying says season second seen sense sent sentence series
    set sets share shares short shown shows similar simple simpler single site size slides slow slower small smaller
    software solution solutions solve solved solves sort sound sounds speak speaker special specific spend spent
    sponsor start started starting starts stay step steps stop stories story stuff subject subscribe suggest summary
    sunday support supported supporting supports sure surprising taken takes taking talk talked talking talks teach
    team teams tell tells term terms test thank thanks theory thing things think thinking thought thursday time
    timeline times tiny today told tomorrow took tool tools topic topics total touch tour track transcript trick
    tricks tried tries trouble true try trying tuesday turn turned turns tutorial twitter types typical underneath
    understand understanding understands unlike use useful user users uses usual values version versions versus video
    view visit voice vs wait walk want wanted wants watch way ways website wednesday week weeks welcome went wide wish
    word words work worked working works world worry worse worth write writes writing written wrong wrote year years
    yesterday york"""
)
"""Words that make no term: of talking and of podcasts, verbs and adjectives of any text."""
_BREAKERS = (STOP_WORDS | _COMMON) - words("call bottom empty front")  # call stack, front end


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
