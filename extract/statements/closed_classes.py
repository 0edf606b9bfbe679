"""Parts of speech, and the words of the closed classes: those that no text adds to."""

from enum import StrEnum

from torchatlas.extract.english import words
from torchatlas.extract.statements.patterns import PRONOUNS


class Tag(StrEnum):
    """A part of speech, as far as the reading of clauses needs it."""

    NAME = "name"
    NOUN = "noun"
    ADJECTIVE = "adjective"
    DETERMINER = "determiner"
    PRONOUN = "pronoun"
    OWNER = "'s"
    VERB = "verb"
    PAST = "past"
    PARTICIPLE = "participle"
    GERUND = "gerund"
    BE = "be"
    HAVE = "have"
    MODAL = "modal"
    TO = "to"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    RELATIVE = "relative"
    SUBORDINATOR = "subordinator"
    ADVERB = "adverb"
    HYPHEN = "hyphen"
    MARK = "mark"


PREPOSITIONS = words(
    """of in on with by via using from into onto through for as at inside within between over under against without
    before after about than across during like unlike per versus vs vs. upon atop around following including beyond
    behind throughout towards toward off"""
)
DETERMINERS = words(
    """a an the its their our your my his her each every all both any some no several many most such another other
    various one two three four multiple"""
)
POINTING = words("this that these those")
PERSONAL = words("it they we you i he she them us") | (set(PRONOUNS) - POINTING)
CLOSED = {
    **dict.fromkeys(words("can will shall 'll might may could would should must cannot do does did"), Tag.MODAL),
    **dict.fromkeys(words("is are was were be been being 're am"), Tag.BE),
    **dict.fromkeys(words("has have had having 've"), Tag.HAVE),
    **dict.fromkeys(words("which who whose what"), Tag.RELATIVE),
    **dict.fromkeys(words("and or & / nor plus"), Tag.CONJUNCTION),
    **dict.fromkeys(
        words("because while when if whether although though since unless so but whereas once until how why where"),
        Tag.SUBORDINATOR,
    ),
    **dict.fromkeys(
        words(
            """also then just now always often still first itself themselves today already even again hence thus only
            currently typically usually simply either too instead together here there finally later further internally
            well not n't never ahead therefore however rather more less much very up out down back away no-longer
            longer perhaps maybe probably"""
        ),
        Tag.ADVERB,
    ),
    **dict.fromkeys(PERSONAL, Tag.PRONOUN),
    **dict.fromkeys(PREPOSITIONS, Tag.PREPOSITION),
    **dict.fromkeys(DETERMINERS, Tag.DETERMINER),
}
