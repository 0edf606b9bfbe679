"""The statements of a text: the relations that it asserts in words. Precision counts more than recall."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from torchatlas.extract.remembering_tokenizer import Split
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.statements.coordination import conjuncts_after, conjuncts_before, heads_phrase, opens_clause
from torchatlas.extract.statements.entities import Entity, EntityFinder
from torchatlas.extract.statements.frames import Frames
from torchatlas.extract.statements.patterns import PRONOUNS
from torchatlas.extract.statements.pronouns import Focus, antecedent
from torchatlas.extract.statements.rules import Rule, Rules
from torchatlas.extract.statements.sentences import Sentence, Unit, units
from torchatlas.extract.tokens import Tokens
from torchatlas.graph.values.findings import Mention, Statement
from torchatlas.graph.values.names import folded_title

LONGEST_SENTENCE = 120


@dataclass(slots=True)
class _Entry:
    """An entry while it is read, sentence by sentence.

    `topic`: the only concept in its title. `focus`: the entities that a pronoun may stand for. `above`: the headings,
    each with its indentation and the innermost last, that the next item of a list may stand under.
    """

    title: str
    text: str
    _: KW_ONLY
    topic: Entity | None
    focus: Focus
    above: list[tuple[int, Sentence]] = field(default_factory=list)

    def heading(self, unit: Unit, sentence: Sentence) -> Sentence | None:
        """Return the heading that a unit stands under, and note the unit as a heading of the next ones."""
        if unit.depth is not None:
            above = [(depth, heading) for depth, heading in self.above if depth < unit.depth]
            self.above = [*above, (unit.depth, sentence)]
            return above[-1][1] if above else None
        heading = self.above[-1][1] if self.above and 0 in sentence.at and sentence.at[0].page else None
        if unit.opens or not self.above or self.above[-1][0] < 0:
            self.above = [(-1, sentence)]
        return heading


class StatementFinder:
    """A finder of statements. `names`: concept id -> name. `titles`: episodes that may be named.

    Example: `StatementFinder(pipeline, split, {"vmap": "vmap"}, []).find(tokens, text, mentions, "Batching")`
    """

    def __init__(self, pipeline: SpacyPipeline, split: Split, names: Mapping[str, str], titles: Iterable[str]) -> None:
        self.names = names
        self.entities = EntityFinder(split, names, titles)
        self.rules = Rules(pipeline)
        self.frames = Frames()

    def find(self, tokens: Tokens, text: str, mentions: Sequence[Mention], title: str) -> tuple[Statement, ...]:
        """Return the statements of one entry, each once, in the order of the text.

        `tokens`: those of the text, blanked or not. `mentions`: the concepts named in the title and in the text.
        `title`: the entry's.
        Example: `finder.find(tokenize(text), text, mentions, "On views")`
        """
        about_episodes = self.entities.about_episodes(text)
        if len(mentions) < 2 and not about_episodes:
            return ()
        entities = self.entities.find(tokens, text, mentions, with_titles=about_episodes)
        if not entities:
            return ()
        starts = [entity.start for entity in entities]
        topic = self._topic(mentions)
        entry = _Entry(title, text, topic=topic, focus=Focus(topic, topic, last=topic))
        found: dict[tuple[str, str, str], Statement] = {}
        for unit in units(tokens, text):
            inside = entities[bisect_left(starts, unit.start) : bisect_left(starts, unit.stop)]
            for s in self._read(tokens, unit, inside, entry):
                key = _family(s), folded_title(s.subject), folded_title(s.object)
                before = found.get(key)
                if key[1] != key[2] and (before is None or _firmer(s, before)):
                    found[key] = s
        known = {folded_title(s.object) for s in found.values()} | {folded_title(title)}
        statements = [*found.values(), *_linked(entities, entry, known)]
        return tuple(sorted(statements, key=lambda s: (s.start, s.relation, s.subject, s.object)))

    def _topic(self, mentions: Iterable[Mention]) -> Entity | None:
        """Return the only concept that the title names, None where it names several or none."""
        named = {m.concept_id: m for m in mentions if m.field == "title" and m.concept_id in self.names}
        if len(named) != 1:
            return None
        (m,) = named.values()
        return Entity(0, 0, name=self.names[m.concept_id], spelled=m.text)

    def _read(self, tokens: Tokens, unit: Unit, inside: Sequence[Entity], entry: _Entry) -> Iterator[Statement]:
        """Yield the statements of a unit, alone and with its heading."""
        if unit.last - unit.first > LONGEST_SENTENCE:
            entry.above, entry.focus = [], Focus()
            return
        if not inside and not unit.opens and unit.first < unit.last:  # nothing named, no heading
            first = entry.text[tokens.starts[unit.first] : tokens.ends[unit.first]].lower()
            entry.focus = entry.focus if first in PRONOUNS else Focus()
            return
        sentence = Sentence.of(tokens, unit, inside)
        if not sentence.words:
            return
        heading = entry.heading(unit, sentence)
        if inside:
            yield from self._stated(sentence, entry)
            if heading and min(sentence.at) <= 2:
                joined, joint = sentence.under(heading)
                yield from self._stated(joined, entry, joint=joint)
        entry.focus = entry.focus.after(sentence)

    def _stated(self, sentence: Sentence, entry: _Entry, joint: int | None = None) -> Iterator[Statement]:
        """Yield the statements of a sentence. `joint`: only those that span this word.

        Of several matches of a rule between the same two entities the first counts.
        """
        found: dict[tuple[int, int, str, str], list[Statement]] = {}
        for rule, variant, start, end in self.rules.matches(sentence):
            if joint is not None and not start <= joint < end - 1:
                continue
            places = [i for i in range(start, end) if i in variant.at]
            slot = variant.at[places[0]].start, variant.at[places[-1]].start, rule.pattern, rule.relation
            if slot not in found:
                found[slot] = list(self._matched(rule, variant, start, end, entry))
        for _, statements in sorted(found.items()):
            yield from statements
        yield from self._predicated(sentence, entry, joint)

    def _matched(self, rule: Rule, sentence: Sentence, start: int, end: int, entry: _Entry) -> Iterator[Statement]:
        """Yield the statements of one match: one for each pair of its subjects and objects."""
        filled = _filled(rule, sentence, start, end, entry)
        if not filled:
            return
        for subject in filled[rule.order[0]]:
            for other in filled[rule.order[1]]:
                if not rule.declared and (subject.title or other.title):
                    continue
                if rule.untold and not self.entities.is_episode(other):
                    continue
                quote, first = _quoted(sentence, (start, end), (subject, other), entry.text)
                name = self.entities.episode(other) if rule.declared else other.name
                # "Prerequisites:" may list episodes to hear.
                listed = rule.declared and other.page and rule.relation == "REQUIRES_KNOWING"
                relation = "LISTEN_AFTER" if listed else rule.relation
                yield Statement(
                    relation, subject.name, object=name, quote=quote, start=first, confidence=rule.confidence
                )

    def _predicated(self, sentence: Sentence, entry: _Entry, joint: int | None) -> Iterator[Statement]:
        """Yield the statements that the clauses of a sentence make by the table of predicates.

        To tag a sentence takes most of the time, so it is done where two entities can be meant.
        """
        if not _names_two(sentence, entry.focus):
            return
        for frame, clause, subject, other in self.frames.statements(sentence):
            if joint is not None and not clause.first <= joint < clause.stop - 1:
                continue
            a, b = (_meant(sentence, place, entry.focus) for place in (subject, other))
            if a and b:
                quote, first = _quoted(sentence, (clause.first, clause.stop), (a, b), entry.text)
                yield Statement(
                    frame.relation, a.name, object=b.name, quote=quote, start=first, confidence=frame.confidence
                )


def _names_two(sentence: Sentence, focus: Focus) -> bool:
    """Return whether the words of a sentence, its pronouns included, can stand for two different entities."""
    names = {entity.name for entity in sentence.at.values()}
    if len(names) < 2 and any(word in PRONOUNS for word in sentence.words):
        names |= {entity.name for entity in (focus.subject, focus.only, focus.last) if entity}
    return len(names) > 1


def _quoted(sentence: Sentence, span: tuple[int, int], ends: tuple[Entity, Entity], text: str) -> tuple[str, int]:
    """Return the words of a span and the two entities where they are in the sentence, and where the quote starts."""
    named = [entity for entity in ends if entity.end and entity.start >= sentence.parts[0].begin]
    first = min([sentence.parts[span[0]].begin, *(entity.start for entity in named)])
    return text[first : max([sentence.parts[span[1] - 1].end, *(entity.end for entity in named)])], first


def _meant(sentence: Sentence, place: int, focus: Focus) -> Entity | None:
    """Return the concept that a word stands for."""
    entity = sentence.at.get(place)
    if entity:
        return None if entity.title else entity
    return antecedent(sentence, place, focus) if sentence.words[place] in PRONOUNS else None


def _filled(rule: Rule, sentence: Sentence, start: int, end: int, entry: _Entry) -> dict[str, list[Entity]]:
    """Return the entities that a match puts in the place of each letter of a rule, with their conjuncts.

    Nothing is returned where the subject heads no clause, or where the object is only the owner of something.
    """
    at, places = sentence.at, [i for i in range(start, end) if i in sentence.at]
    last, letters = places[-1], rule.slots
    filled = {"e": [Entity(0, 0, name=entry.title, spelled=entry.title)], "t": [entry.topic] if entry.topic else []}
    if rule.of_subject and sentence.words[start] in PRONOUNS:
        meant = antecedent(sentence, start, entry.focus)
        filled["A"], letters = [meant] if meant else [], letters[1:]
    elif rule.of_subject and not heads_phrase(sentence.words, places[0]):
        return {}
    if last == end - 1 and sentence.words[end : end + 1] in (["'s"], ["’s"]):
        return {}
    filled |= {letter: [at[place]] for letter, place in zip(letters[:-1], places, strict=False)}
    filled[letters[-1]] = [at[last]]
    if last == end - 1 and not rule.alone and not opens_clause(sentence.words, last + 1):
        filled[letters[-1]] += [at[i] for i in conjuncts_after(sentence.words, at, last)]
    if letters[0] == "A" and places[0] == start and not sentence.words[start + 1].endswith("s"):
        filled["A"] += [at[i] for i in conjuncts_before(sentence.words, at, start)]
    return filled


def _family(s: Statement) -> str:
    """Return what is stated once: an episode that is to be heard first is not also listed as related."""
    return "episode" if s.relation in {"LISTEN_AFTER", "LISTEN_BEFORE", "RELATED_EPISODE"} else s.relation


def _firmer(s: Statement, before: Statement) -> bool:
    """Return whether a statement says more than one of the same things, or is surer."""
    return before.relation == "RELATED_EPISODE" != s.relation or before.confidence < s.confidence


def _linked(entities: Sequence[Entity], entry: _Entry, known: set[str]) -> Iterator[Statement]:
    """Yield a statement for each episode that only its address names."""
    for page in entities:
        if page.page and folded_title(page.name) not in known:
            known.add(folded_title(page.name))
            before = entry.text[: page.start]
            start = max(before.rfind(mark) + len(mark) if mark in before else 0 for mark in ("\n", ". "))
            quote = entry.text[start : page.end]
            yield Statement("RELATED_EPISODE", entry.title, object=page.name, quote=quote, start=start)
