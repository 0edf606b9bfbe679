"""Tagging: closed classes by list, the others from lemminflect's lexicon, ambiguous words by their neighbours.

lemminflect ships the word classes of the SPECIALIST lexicon; it is small and needs no model. A mention
is a name, unless the text inflects it: in "Inductor lowers it to Triton" lowering is a verb.
"""

from functools import lru_cache
from typing import NamedTuple

from torchatlas.extract.english import words
from torchatlas.extract.inflection import conjugated, singular
from torchatlas.extract.statements.closed_classes import CLOSED, DETERMINERS, PERSONAL, POINTING, PREPOSITIONS, Tag
from torchatlas.extract.statements.lexicon import bases
from torchatlas.extract.statements.patterns import TITLE
from torchatlas.extract.statements.predicates import VERBS
from torchatlas.extract.statements.sentences import Sentence


class Token(NamedTuple):
    """A word, its part of speech and, of a verb, its base form."""

    word: str
    tag: Tag
    lemma: str


_FORMS = {form: verb for group in VERBS.values() for verb in group.split() for form in conjugated(verb)}
"""Forms of the verbs of the table of predicates, for those that the lexicon lacks: "desugars"."""
_UNCHANGED = words("run split set put cut read come output input")
"""Verbs whose participle is their base form."""
_OPENERS = frozenset({Tag.MODAL, Tag.BE, Tag.HAVE, Tag.RELATIVE, Tag.CONJUNCTION, Tag.SUBORDINATOR})
_NOMINAL = frozenset({Tag.NAME, Tag.NOUN})
_MODIFIED = frozenset({Tag.DETERMINER, Tag.ADJECTIVE, Tag.OWNER})
_LEADING = frozenset({Tag.TO, Tag.MODAL, Tag.PRONOUN, Tag.RELATIVE})
"""What only a verb follows."""
_NAMING = words("called named dubbed termed")
"""Participles before a name that only say what something is called: "a pass called DCE"."""
_SEVERAL = words("these those all many several multiple various both two three four most some few")
"""Determiners of plurals."""
_START = frozenset({Tag.MARK, Tag.CONJUNCTION, Tag.SUBORDINATOR})


@lru_cache(100_000)
def classes(word: str) -> dict[str, str]:
    """Return the classes that the lexicon has for a word -> the base form; {} for a word that it lacks.

    >>> classes("built"), classes("traces")
    ({'VERB': 'build'}, {'NOUN': 'trace', 'VERB': 'trace'})
    """
    if not word.isalpha():
        return {}
    found = {kind: forms[0] for kind, forms in bases(word).items()}
    return found or ({"VERB": _FORMS[word]} if word in _FORMS else {})


def tagged(sentence: Sentence) -> list[Token]:
    """Return the words of a sentence with their parts of speech.

    Example: `[token.tag for token in tagged(sentence)]`
    """
    tagger = _Tagger(sentence)
    for place in range(len(sentence.words)):
        tagger.tokens.append(tagger.token(place))
    return tagger.tokens


class _Tagger:
    """The tagging of one sentence, from left to right. `tokens`: those before the word that is looked at."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.tokens: list[Token] = []

    def token(self, place: int) -> Token:
        word = self.words[place]
        if place in self.sentence.at:
            return self._mention(place)
        if word == TITLE:
            return Token(word, Tag.NOUN, word)
        if tag := self._closed(place):
            return Token(word, tag, "use" if word == "using" else word)
        known = classes(word)
        if "VERB" in known:
            return Token(word, self._verb(place, word, known), known["VERB"])
        return Token(word, _other(word, known, self._tag_before(place)), word)

    def _tag_before(self, place: int, *, adverbs: bool = True) -> Tag:
        """Return the part of speech of the word before, where `adverbs` are not to count of the one before those."""
        for token in reversed(self.tokens[:place]):
            if adverbs or token.tag is not Tag.ADVERB:
                return token.tag
        return Tag.MARK

    def _closed(self, place: int) -> Tag | None:
        """Return the tag of a word of a closed class, or of a mark."""
        word, before = self.words[place], self._tag_before(place)
        if word == "/" or (not any(map(str.isalnum, word)) and word not in CLOSED):
            return self._mark(place)
        if word == "to":
            return Tag.TO if self._base_follows(place) else Tag.PREPOSITION
        if word in {"'s", "’s"}:
            return Tag.OWNER if before in _NOMINAL else Tag.BE
        if word in POINTING:
            return self._pointing(place)
        if word in {"gets", "get", "got", "getting"} and self._participle_follows(place):
            return Tag.BE
        if word == "using" and self._tag_before(place, adverbs=False) in {Tag.MARK, Tag.CONJUNCTION}:
            return Tag.GERUND
        if word in {"both", "all", "each"} and before in _NOMINAL | {Tag.BE, Tag.PRONOUN}:
            return Tag.ADVERB
        if word.endswith("ly") and "VERB" not in classes(word):
            return Tag.ADVERB
        return CLOSED.get(word)

    def _mark(self, place: int) -> Tag:
        """Return whether a mark is within a word, "eager-mode", or joins two names, "DDP/FSDP"."""
        parts, word = self.sentence.parts, self.words[place]
        within = 0 < place < len(parts) - 1 and parts[place - 1].end == parts[place].begin
        glued = within and parts[place].end == parts[place + 1].begin
        if word == "/" and not (glued and {place - 1, place + 1} - self.sentence.at.keys()):
            return Tag.CONJUNCTION
        return Tag.HYPHEN if word in {"-", "–", "/"} and glued else Tag.MARK

    def _base_follows(self, place: int) -> bool:
        follows = self.words[place + 1] if place + 1 < len(self.words) else ""
        if place + 1 in self.sentence.at:  # "to decompose it"
            spelled = self.sentence.at[place + 1].spelled
            return spelled.islower() and classes(spelled).get("VERB") == spelled and self._opens_phrase(place + 2)
        named = self.words[place + 2 : place + 3] == ["-"]  # "to low-level code"
        return follows == "be" or (not named and follows not in CLOSED and classes(follows).get("VERB") == follows)

    def _participle_follows(self, place: int) -> bool:
        follows = self.words[place + 1] if place + 1 < len(self.words) else ""
        return classes(follows).get("VERB", follows) != follows and not follows.endswith(("s", "ing"))

    def _pointing(self, place: int) -> Tag:
        """Return what "that" and "this" are: before a noun, in the place of one, or after what a clause describes."""
        word, before = self.words[place], self._tag_before(place)
        if word == "that" and (before in _NOMINAL or (place and self.words[place - 1] in {",", ")"})):
            return Tag.RELATIVE
        after = self.words[place + 1] if place + 1 < len(self.words) else ""
        verb = word in {"this", "that"} and after.endswith("s") and classes(after).get("VERB", after) != after
        return Tag.DETERMINER if self._opens_phrase(place + 1, bare=True) and not verb else Tag.PRONOUN

    def _opens_phrase(self, place: int, *, bare: bool = False) -> bool:
        """Return whether a noun phrase begins at a word; `bare`: also one without a determiner."""
        if place >= len(self.words):
            return False
        word = self.words[place]
        if place in self.sentence.at or word in DETERMINERS or word in PERSONAL or word in POINTING - {"that"}:
            return True
        known = classes(word) if bare and word not in CLOSED else {}
        return "NOUN" in known or "ADJ" in known or (bare and not known and word.isalpha() and word not in CLOSED)

    def _opens_object(self, place: int) -> bool:
        return self._opens_phrase(place) or self.words[place : place + 1] == ["what"]

    def _verb(self, place: int, word: str, known: dict[str, str]) -> Tag:
        """Return the tag of a word that can be a verb."""
        lemma, before = known["VERB"], self._tag_before(place)
        if word.endswith("ing") and lemma != word:
            return Tag.NOUN if before in _MODIFIED else Tag.GERUND
        if word != lemma and not word.endswith("s"):
            return self._participle(place)
        return self._finite(place, word, known)

    def _participle(self, place: int) -> Tag:
        """Return what a past form is: "the generated code", "it is generated", "it generated the code"."""
        before = self._tag_before(place, adverbs=False)
        follows = self._opens_phrase(place + 1)
        if before in _MODIFIED | {Tag.PREPOSITION, Tag.HYPHEN}:
            return Tag.ADJECTIVE
        if (
            before in _START | {Tag.VERB, Tag.GERUND}
            and self._opens_phrase(place + 1, bare=True)
            and not self._after_participle(place)
        ):
            return Tag.ADJECTIVE
        naming = self.words[place] in _NAMING and before in _NOMINAL
        if before is Tag.NAME and place + 1 in self.sentence.at and not naming and self._modifies(place):
            return Tag.ADJECTIVE
        if before in {Tag.PRONOUN, Tag.RELATIVE} or (before in _NOMINAL and follows and not naming):
            return Tag.PAST
        return Tag.PARTICIPLE

    def _modifies(self, place: int) -> bool:
        """Return whether a past form between names says what the first does to the second: "a V8 compiled regex"."""
        first = place - 1
        while first > 0 and self.tokens[first - 1].tag in _NOMINAL | {Tag.ADJECTIVE}:
            first -= 1
        return self.words[place] == "based" or (first > 0 and self.words[first - 1] in {"a", "an", "the"})

    def _after_participle(self, place: int) -> bool:
        """Return whether a conjunction joins a past form to the one before: "was lowered and compiled"."""
        return place > 1 and self.tokens[place - 2].tag in {Tag.PARTICIPLE, Tag.PAST}

    def _finite(self, place: int, word: str, known: dict[str, str]) -> Tag:
        """Return whether a base form or a third person is a verb here, or else a noun or an adjective."""
        before = self._tag_before(place, adverbs=False)
        other = Tag.NOUN if "NOUN" in known or "ADJ" not in known else Tag.ADJECTIVE
        if before in _LEADING:
            return Tag.VERB
        if word != known["VERB"] and self._ends_object(place):
            return other
        if before is Tag.BE and word in _UNCHANGED:
            return Tag.PARTICIPLE
        if before in _MODIFIED | {Tag.PREPOSITION, Tag.HYPHEN} or self._after_compound(place):
            return other
        if before in _NOMINAL and self._agrees(place, word != known["VERB"]) and self._has_object(place, word, known):
            return Tag.VERB
        if len(known) == 1:
            return Tag.NOUN if self._listed(place) else Tag.VERB
        if before not in _NOMINAL:
            led = self._opens_phrase(place + 1, bare=place > 0 and word != known["VERB"])
            return Tag.VERB if led else other
        return other

    def _after_compound(self, place: int) -> bool:
        """Return whether an adjective of two words stands before: "high-speed"."""
        hyphen = place > 2 and self.tokens[place - 2].tag is Tag.HYPHEN
        return hyphen and "ADJ" in classes(self.words[place - 3])

    def _ends_object(self, place: int) -> bool:
        """Return whether only common nouns part a word from the verb before: "has tools", "calls user functions"."""
        first = place - 1
        while first > 0 and self.tokens[first].tag in {Tag.NOUN, Tag.ADJECTIVE}:
            first -= 1
        return first >= 0 and self.tokens[first].tag in {Tag.VERB, Tag.PAST, Tag.GERUND}

    def _listed(self, place: int) -> bool:
        """Return whether a bare verb is an item of a list, and so a name: "gather, reduce, and scatter"."""
        after = self.words[place + 1 : place + 2]
        return place > 1 and self.words[place - 1] == "," and after in ([","], ["and"], ["or"])

    def _agrees(self, place: int, third_person: bool) -> bool:
        """Return whether a verb form agrees in number with the noun before it."""
        at = place - 1
        while at >= 0 and self.tokens[at].tag is Tag.ADVERB:
            at -= 1
        entity = self.sentence.at.get(at)
        plural = entity.plural if entity else singular(self.words[at]) is not None
        first = at
        while first > 0 and self.tokens[first - 1].tag in _NOMINAL | _MODIFIED:
            first -= 1
        if third_person and first >= 0 and self.words[first] in _SEVERAL:
            return False
        joined = any(token.tag is Tag.CONJUNCTION for token in self.tokens[max(0, at - 3) : at])
        return third_person != plural or (joined and not third_person)

    def _has_object(self, place: int, word: str, known: dict[str, str]) -> bool:
        """Return whether what follows can be the object or the complement of a verb."""
        after = self.words[place + 1] if place + 1 < len(self.words) else "."
        if "NOUN" not in known or self._opens_phrase(place + 1):
            return True
        if word == known["VERB"]:  # a noun like any other, unless several names are before it
            led = after in PREPOSITIONS - {"of"} or self._opens_phrase(place + 1, bare=True)
            return led and self.tokens[place - 1].tag is not Tag.NOUN
        if CLOSED.get(after) in _OPENERS or after == "of":
            return False
        begins = after == "to" or after in PREPOSITIONS or CLOSED.get(after) is Tag.ADVERB
        named = self.tokens[place - 1].tag is Tag.NAME
        return begins or (named and self._opens_phrase(place + 1, bare=True))

    def _mention(self, place: int) -> Token:
        """Return a mention as a name, or as the verb or adjective that it is where the text inflects it.

        A mention that holds a verb with its subject, "Inductor lowers it", parts two clauses.
        """
        spelled = self.sentence.at[place].spelled
        word, known = self.words[place], classes(spelled) if spelled.islower() else {}
        lemma = known.get("VERB") or (spelled if spelled.endswith("ed") and spelled.islower() else "")
        before = self._tag_before(place, adverbs=False)
        tag = Tag.NAME
        last = spelled.rpartition(" ")[2]
        if last != spelled and last.endswith("s") and "VERB" in classes(last) and self._opens_object(place + 1):
            tag = Tag.MARK
        elif lemma and spelled.endswith("ing"):
            opens = {Tag.MARK, Tag.CONJUNCTION, Tag.SUBORDINATOR, Tag.PREPOSITION, Tag.BE}
            tag = Tag.GERUND if before in opens and self._opens_phrase(place + 1) else Tag.NAME
        elif lemma and (lemma != spelled or spelled.endswith("ed")) and not spelled.endswith("s"):
            tag = self._participle(place)
        elif lemma:
            inflected = lemma != spelled and before in _NOMINAL and self._has_object(place, spelled, known)
            tag = Tag.VERB if inflected or before in _LEADING else Tag.NAME
        return Token(word if tag is Tag.NAME else spelled, tag, lemma or word)


def _other(word: str, known: dict[str, str], before: Tag) -> Tag:
    """Return the tag of a word that the lexicon knows as no verb."""
    if "NOUN" in known:
        return Tag.NOUN
    if known:
        return Tag.ADJECTIVE if "ADJ" in known else Tag.ADVERB
    if word.endswith("ing") and before not in _MODIFIED:
        return Tag.GERUND
    if word.endswith("ed"):
        return Tag.ADJECTIVE if before in _MODIFIED else Tag.PARTICIPLE
    return Tag.NOUN
