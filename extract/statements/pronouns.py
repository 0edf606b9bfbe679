"""The antecedents of pronouns: which entity "it", "they" or "this mechanism" stands for."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.english import words
from torchatlas.extract.statements.coordination import heads_phrase
from torchatlas.extract.statements.entities import Entity
from torchatlas.extract.statements.patterns import ANAPHOR, PRONOUNS
from torchatlas.extract.statements.sentences import Sentence

_OPENING = words(", ; : and but so because then that how where – —")


@dataclass(frozen=True, slots=True)
class Focus:
    """The entities that a pronoun in the next sentence may stand for: the subject, the only one named, the last one."""

    subject: Entity | None = None
    only: Entity | None = None
    _: KW_ONLY
    last: Entity | None = None

    def antecedent(self, pronoun: str) -> Entity | None:
        """Return the plain antecedent of a pronoun, None where there is no plain one.

        >>> vmap = Entity(0, 4, name="vmap", spelled="vmap")
        >>> Focus(vmap, vmap, last=vmap).antecedent("it").name, Focus(vmap, vmap, last=vmap).antecedent("they")
        ('vmap', None)
        """
        if pronoun == ANAPHOR:
            return next((entity for entity in (self.last, self.subject) if entity and not entity.plural), None)
        entity = self.only if pronoun in {"this", "these"} else self.subject or self.only
        return entity if entity and entity.plural == (pronoun in {"they", "these"}) else None

    def after(self, sentence: Sentence) -> "Focus":
        """Return the focus that a sentence leaves behind.

        Example: `focus.after(sentence).antecedent("it")`
        """
        named = [entity for _, entity in sorted(sentence.at.items()) if not entity.title]
        if sentence.words[:1] and sentence.words[0] in PRONOUNS and (same := self.antecedent(sentence.words[0])):
            return Focus(same, last=named[-1] if named else same)
        first = min(sentence.at, default=9)
        subject = named[0] if named and first <= 2 and not sentence.at[first].title else None
        only = named[0] if len({entity.name for entity in named}) == 1 else None
        return Focus(subject, only, last=named[-1] if named else None)


def antecedent(sentence: Sentence, place: int, focus: Focus) -> Entity | None:
    """Return what the pronoun at `place` stands for: the subject of its own sentence, else what `focus` offers.

    Example: `antecedent(sentence, 0, focus)`
    """
    pronoun = sentence.words[place]
    if place and sentence.words[place - 1] not in _OPENING:
        return None
    earlier = sorted(i for i in sentence.at if i < place)
    if not earlier:
        return focus.antecedent(pronoun)
    subject = sentence.at[earlier[0]] if earlier[0] <= 2 and heads_phrase(sentence.words, earlier[0]) else None
    own = Focus(subject, subject if len(earlier) == 1 else None, last=sentence.at[earlier[-1]])
    return own.antecedent(pronoun)
