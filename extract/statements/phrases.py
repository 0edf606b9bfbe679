"""Phrases: the runs of words that clauses are made of. A noun phrase stands for the concept or pronoun at its head."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.extract.english import words
from torchatlas.extract.statements.closed_classes import Tag
from torchatlas.extract.statements.tagging import Token

Kind = Literal["noun", "verb", "preposition", "conjunction", "relative", "adverb", "comma", "open", "close", "break"]
Form = Literal["", "modal", "finite", "passive", "participle", "gerund", "infinitive", "be"]

_JOINED = {
    "on top of": "on top of", "atop": "on top of", "in terms of": "in terms of", "by means of": "with",
    "with the help of": "with", "instead of": "instead of", "rather than": "instead of",
    "as opposed to": "instead of", "unlike": "unlike",
    "in place of": "instead of", "in lieu of": "instead of", "in contrast to": "unlike", "in favor of": "in favor of",
    "in favour of": "in favor of", "ahead of": "before", "prior to": "before", "in front of": "before",
    "out of": "from", "down to": "to", "down into": "into", "out to": "to", "back to": "to", "over to": "to",
    "over from": "over from", "in for": "for", "off to": "to", "as part of": "as part of", "as a part of": "as part of",
    "up of": "of", "vs": "versus", "vs.": "versus", "upon": "on", "as well as": "and", "such as": "such as",
    "at the heart of": "at the heart of", "at the core of": "at the heart of",
    "along with": "along with", "together with": "along with", "because of": "because of", "due to": "because of",
}  # fmt: skip
"""Words that are one preposition -> its name in the table of predicates."""
_OPENING = frozenset(words.split()[0] for words in _JOINED)
_LONGEST = max(len(words.split()) for words in _JOINED)
_VERBAL = frozenset({Tag.VERB, Tag.PAST, Tag.PARTICIPLE, Tag.GERUND, Tag.BE, Tag.HAVE, Tag.MODAL, Tag.TO})
_LEXICAL = frozenset({Tag.VERB, Tag.PAST, Tag.PARTICIPLE, Tag.GERUND})
_NOMINAL = frozenset({Tag.NAME, Tag.NOUN, Tag.ADJECTIVE, Tag.DETERMINER, Tag.OWNER, Tag.HYPHEN})
_KINDS: dict[Tag, Kind] = {
    Tag.PREPOSITION: "preposition", Tag.CONJUNCTION: "conjunction", Tag.RELATIVE: "relative", Tag.ADVERB: "adverb",
}  # fmt: skip
_MARKS: dict[str, Kind] = {
    ",": "comma",
    "(": "open",
    ")": "close",
    "-": "comma",
    "--": "comma",
    "–": "comma",
    "—": "comma",
}
_INDEFINITE = words("a an its both several multiple various many two three four")
AMOUNTS = words(
    """one most all much many some rest majority both kinds kind number variety lot set list series
    sort form bunch group pair concept notion idea"""
)
"""Nouns before "of" that only measure what comes after."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words `first` to `stop` of a sentence.

    `word`: the last noun, the base form of the verb, or the preposition. `form`: how the verb stands. `head`: the place
    of the concept or pronoun that a noun phrase names. `owner`: that of the concept before "'s", or before the
    participle of the verb `made`, as in "X-generated Y". `determined`: it begins with an article or the like;
    `indefinite`: with "a" or a number. `modifier`: the concept before the plural noun at the end, as in "X passes".
    `base`: the verb is one word in its base form.
    """

    kind: Kind
    first: int
    stop: int
    _: KW_ONLY
    word: str
    form: Form = ""
    head: int | None = None
    owner: int | None = None
    made: str = ""
    pronoun: bool = False
    determined: bool = False
    indefinite: bool = False
    modifier: int | None = None
    base: bool = False


def phrases(tokens: Sequence[Token]) -> list[Phrase]:
    """Return the phrases of a sentence.

    >>> [(p.kind, p.word) for p in phrases([Token("it", Tag.PRONOUN, "it"), Token("ran", Tag.PAST, "run")])]
    [('noun', 'it'), ('verb', 'run')]
    """
    found: list[Phrase] = []
    while (place := found[-1].stop if found else 0) < len(tokens):
        found.append(_joined(tokens, place) or _phrase(tokens, place))
    return found


def _joined(tokens: Sequence[Token], place: int) -> Phrase | None:
    """Return the preposition or conjunction that several words make here."""
    if tokens[place].word.partition(" ")[0] not in _OPENING:
        return None
    for length in range(_LONGEST, 0, -1):
        some = tokens[place : place + length]
        name = _JOINED.get(" ".join(token.word for token in some)) if len(some) == length else None
        if name:
            return Phrase("conjunction" if name == "and" else "preposition", place, place + length, word=name)
    return None


def _phrase(tokens: Sequence[Token], place: int) -> Phrase:
    token = tokens[place]
    if token.tag in _VERBAL:
        return _verb(tokens, place)
    if token.tag is Tag.PRONOUN:
        return Phrase("noun", place, place + 1, word=token.word, head=place, pronoun=True)
    if token.tag in _NOMINAL:
        return _noun(tokens, place)
    kind = _KINDS.get(token.tag) or _MARKS.get(token.word, "break")
    return Phrase(kind, place, place + 1, word=token.word)


def _noun(tokens: Sequence[Token], first: int) -> Phrase:
    stop = first
    while stop < len(tokens):
        tag, before = tokens[stop].tag, tokens[stop - 1].tag
        degree = tag is Tag.ADVERB and before is Tag.DETERMINER and tokens[stop + 1 : stop + 2]
        if tag not in _NOMINAL and not (degree and tokens[stop + 1].tag is Tag.ADJECTIVE):
            break
        joined = before is Tag.NAME and _is_made(tokens[stop])
        if stop > first and before in {Tag.NAME, Tag.NOUN} and tag in {Tag.DETERMINER, Tag.ADJECTIVE} and not joined:
            break
        stop += 1
    stop -= _opens_contact_clause(tokens, first, stop)
    head = stop - 1
    named = head if tokens[head].tag is Tag.NAME else None
    owner, made = _owner(tokens, first, stop)
    return Phrase(
        "noun", first, stop, word=tokens[head].word, head=named, owner=owner, made=made,
        determined=tokens[first].tag is Tag.DETERMINER, indefinite=tokens[first].word in _INDEFINITE,
        modifier=first if tokens[first].tag is Tag.NAME and named is None and tokens[head].word.endswith("s") else None,
    )  # fmt: skip


def _opens_contact_clause(tokens: Sequence[Token], first: int, stop: int) -> bool:
    """Return whether the last name is the subject of a clause that describes the noun: "for the code V8 emits"."""
    if stop - first < 3 or stop == len(tokens) or tokens[stop].tag not in _VERBAL - {Tag.TO, Tag.GERUND}:
        return False
    governed = first > 0 and tokens[first - 1].tag in {Tag.PREPOSITION, Tag.VERB, Tag.PAST, Tag.GERUND}
    return governed and (tokens[stop - 2].tag, tokens[stop - 1].tag) == (Tag.NOUN, Tag.NAME)


def _owner(tokens: Sequence[Token], first: int, stop: int) -> tuple[int | None, str]:
    """Return the place of X in "X's Y", "X-made Y" and "a X made Y", and the verb of the latter."""
    for place in range(first + 1, stop - 1):
        if tokens[place - 1].tag is Tag.NAME and tokens[place].tag is Tag.OWNER:
            return place - 1, ""
        if tokens[place - 1].tag is Tag.NAME and tokens[place].tag is Tag.HYPHEN:
            made = tokens[place + 1]
            return (place - 1, made.lemma) if _is_made(made) else (None, "")
        if tokens[place - 1].tag is Tag.NAME and _is_made(tokens[place]):
            return place - 1, tokens[place].lemma
    return None, ""


def _is_made(token: Token) -> bool:
    """Return whether a word is a participle that stands as an adjective."""
    return token.tag is Tag.ADJECTIVE and token.word != token.lemma


def _verb(tokens: Sequence[Token], first: int) -> Phrase:
    """Return the verb that begins here, with its auxiliaries and the adverbs between."""
    main = first
    for place in range(first + 1, len(tokens)):
        tag = tokens[place].tag
        if tag is Tag.ADVERB:
            continue
        if tag not in _VERBAL or tag is Tag.TO or tokens[main].tag in _LEXICAL:
            break
        main = place
    form = _form(tokens[main].tag, {token.tag for token in tokens[first:main]})
    word = {Tag.BE: "be", Tag.HAVE: "have"}.get(tokens[main].tag, tokens[main].lemma)
    base = first == main and tokens[main].tag is Tag.VERB and tokens[main].word == word
    return Phrase("verb", first, main + 1, word=word, form=form, base=base)


def _form(tag: Tag, auxiliaries: set[Tag]) -> Form:
    """Return how a verb stands, "" where it has no subject or object of its own: "to be used"."""
    passive = Tag.BE in auxiliaries and tag in {Tag.PARTICIPLE, Tag.PAST}
    if tag is Tag.MODAL:
        return "modal"
    if tag is Tag.TO or (Tag.TO in auxiliaries and (passive or tag in {Tag.BE, Tag.HAVE})):
        return ""
    if Tag.TO in auxiliaries:
        return "infinitive"
    if tag is Tag.BE:
        return "be"
    if passive:
        return "passive"
    if auxiliaries & {Tag.HAVE, Tag.BE} or tag not in {Tag.PARTICIPLE, Tag.GERUND}:
        return "finite"
    return "participle" if tag is Tag.PARTICIPLE else "gerund"
