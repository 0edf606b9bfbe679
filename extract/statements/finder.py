"""Relations that a text asserts in words. Precision before recall: no questions, no negations, no guesses."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from spacy.language import Language
from spacy.tokens import Doc

from torchatlas.extract.english import words
from torchatlas.extract.mentions.concepts import TEXT
from torchatlas.extract.statements.enumerations import finite, left, right
from torchatlas.extract.statements.named_things import ThingFinder
from torchatlas.extract.statements.patterns import PRONOUNS
from torchatlas.extract.statements.relations import ACTIONS
from torchatlas.extract.statements.rules import Rule, Rules
from torchatlas.extract.statements.sentences import Focus, Sentence, Thing, Tokens, Unit, units
from torchatlas.extract.statements.variants import headed
from torchatlas.graph.values.findings import Mention, Statement
from torchatlas.graph.values.names import folded_title

_BARE = frozenset(verb for group in ACTIONS.values() for verb in group.split())
_OPENING = words(", ; : and but so because then that how where – —")
LONGEST_SENTENCE = 120


@dataclass(slots=True)
class _Entry:
    """One entry while it is read. `topic`: the one concept that its title names; `above`: the headings, innermost
    last, that the next item of a list may stand under; `focus`: what a pronoun may stand for."""

    title: str
    text: str
    _: KW_ONLY
    topic: Thing | None
    focus: Focus
    above: list[tuple[int, Sentence]] = field(default_factory=list)

    def heading(self, unit: Unit, sentence: Sentence) -> Sentence | None:
        """What a unit stands under, and the unit noted as what the next ones may stand under."""
        if unit.depth is not None:
            while self.above and self.above[-1][0] >= unit.depth:
                self.above.pop()
            heading = self.above[-1][1] if self.above else None
            self.above.append((unit.depth, sentence))
            return heading
        heading = self.above[-1][1] if self.above and 0 in sentence.at and sentence.at[0].page else None
        if unit.opens or not self.above or self.above[-1][0] < 0:
            self.above = [(-1, sentence)]
        return heading


class StatementFinder:
    """`names`: concept id -> name. `titles`: episodes that may be named."""

    def __init__(self, nlp: Language, names: Mapping[str, str], titles: Iterable[str]) -> None:
        self.names = names
        self.things = ThingFinder(nlp, names, titles)
        self.rules = Rules(nlp.vocab)

    def find(self, doc: Doc, text: str, mentions: Sequence[Mention], title: str) -> tuple[Statement, ...]:
        """The statements of one entry, each once, in the order of the text.

        `doc`: the text, tokenized; `mentions`: the concepts named in the title and in the text.
        """
        about_episodes = self.things.about_episodes(text)
        if len(mentions) < 2 and not about_episodes:
            return ()
        things = self.things.find(doc, text, mentions, about_episodes)
        if not things:
            return ()
        starts = [thing.start for thing in things]
        topic = self._topic(mentions)
        entry = _Entry(title, text, topic=topic, focus=Focus(topic, topic, last=topic))
        found: dict[tuple[str, str, str], Statement] = {}
        tokens = Tokens(doc, doc.user_data.get(TEXT, text))
        for unit in units(tokens, text):
            inside = things[bisect_left(starts, unit.start) : bisect_left(starts, unit.stop)]
            for s in self._read(tokens, unit, inside, entry):
                key = _family(s), folded_title(s.subject), folded_title(s.object)
                weaker = key in found and found[key].relation == "RELATED_EPISODE" != s.relation
                if key[1] != key[2] and (key not in found or weaker):
                    found[key] = s
        known = {folded_title(s.object) for s in found.values()} | {folded_title(title)}
        statements = [*found.values(), *_linked(things, entry, known)]
        return tuple(sorted(statements, key=lambda s: (s.start, s.relation, s.subject, s.object)))

    def _topic(self, mentions: Iterable[Mention]) -> Thing | None:
        """The one concept that the title names."""
        named = {m.concept_id: m for m in mentions if m.field == "title" and m.concept_id in self.names}
        if len(named) != 1:
            return None
        (m,) = named.values()
        return Thing(0, 0, name=self.names[m.concept_id], spelled=m.text)

    def _read(self, tokens: Tokens, unit: Unit, inside: Sequence[Thing], entry: _Entry) -> Iterator[Statement]:
        """The statements of a unit, alone and with its heading."""
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
            yield from self._stated(sentence, entry, unit.cited)
            if heading and min(sentence.at) <= 2:
                joined, joint = sentence.under(heading)
                yield from self._stated(joined, entry, joint=joint)
        entry.focus = entry.focus.after(sentence)

    def _stated(
        self, sentence: Sentence, entry: _Entry, cited: bool = False, joint: int | None = None
    ) -> Iterator[Statement]:
        """The statements of a sentence; of one that goes on after a heading only those that span the `joint`. Of
        several matches between the same two things the shortest counts."""
        best: dict[tuple[str, int, int], tuple[int, list[Statement]]] = {}
        for rule, reading, start, end in self.rules.matches(sentence):
            if joint is not None and not start <= joint < end - 1:
                continue
            if cited and " in|inside|within B" in rule.pattern:  # the name of a page, "Notes on strides in TH"
                continue
            places = [i for i in range(start, end) if i in reading.at]
            slot = (rule.pattern, reading.at[places[0]].start, reading.at[places[-1]].start)
            if slot not in best or end - start < best[slot][0]:
                best[slot] = end - start, list(self._matched(rule, reading, start, end, entry))
        for _, (_, statements) in sorted(best.items(), key=lambda item: item[0][1:] + item[0][:1]):
            yield from statements

    def _matched(self, rule: Rule, sentence: Sentence, start: int, end: int, entry: _Entry) -> Iterator[Statement]:
        """The statements of one match: of its subject and object and of what is coordinated with them."""
        at, places = sentence.at, [i for i in range(start, end) if i in sentence.at]
        last, letters = places[-1], rule.slots
        filled: dict[str, list[Thing]] = {"e": [Thing(0, 0, name=entry.title, spelled=entry.title)]}
        filled["t"] = [entry.topic] if entry.topic else []
        if rule.of_subject and sentence.words[start] in PRONOUNS:
            meant = _meant(sentence, start, entry.focus)
            filled["A"], letters = [meant] if meant else [], letters[1:]
        elif rule.of_subject and (not headed(sentence.words, places[0]) or _is_noun(sentence, places[0])):
            return
        if last == end - 1 and sentence.words[end : end + 1] in (["'s"], ["’s"]):
            return  # the object is what it owns
        filled |= {letter: [at[place]] for letter, place in zip(letters[:-1], places, strict=False)}
        filled[letters[-1]] = [at[last]]
        if last == end - 1 and not rule.alone and not finite(sentence.words, last + 1):
            filled[letters[-1]] += [at[i] for i in right(sentence.words, at, last)]
        if letters[0] == "A" and places[0] == start and not sentence.words[start + 1].endswith("s"):
            filled["A"] += [at[i] for i in left(sentence.words, at, start)]
        begin, stop = sentence.begins[start], sentence.ends[end - 1]
        for subject in filled[rule.order[0]]:
            for other in filled[rule.order[1]]:
                named = [thing for thing in (subject, other) if thing.start >= sentence.begins[0] and thing.end]
                first = min([begin, *(thing.start for thing in named)])
                quote = entry.text[first : max([stop, *(thing.end for thing in named)])]
                if rule.declared:
                    # "Prerequisites:" may list things to know and episodes to hear.
                    relation = "LISTEN_AFTER" if other.page and rule.relation == "REQUIRES_KNOWING" else rule.relation
                    yield Statement(
                        relation,
                        entry.title,
                        object=self.things.episode(other),
                        quote=quote,
                        field="description",
                        start=first,
                    )
                elif not subject.title and not other.title:
                    yield Statement(
                        rule.relation, subject.name, object=other.name, quote=quote, field="description", start=first
                    )


def _family(s: Statement) -> str:
    """An episode that is to be heard first is not also listed as related."""
    return "episode" if s.relation in {"LISTEN_AFTER", "LISTEN_BEFORE", "RELATED_EPISODE"} else s.relation


def _meant(sentence: Sentence, place: int, focus: Focus) -> Thing | None:
    """What a pronoun stands for: the subject of its own sentence, or what the sentence before is about."""
    pronoun = sentence.words[place]
    if place and sentence.words[place - 1] not in _OPENING:
        return None
    earlier = sorted(i for i in sentence.at if i < place)
    if not earlier:
        return focus.meant(pronoun)
    subject = sentence.at[earlier[0]] if earlier[0] <= 2 and headed(sentence.words, earlier[0]) else None
    return Focus(subject, subject if len(earlier) == 1 else None, last=sentence.at[earlier[-1]]).meant(pronoun)


def _is_noun(sentence: Sentence, subject: int) -> bool:
    """Whether what looks like a verb is a noun after a singular: "a backward call", but "lets you call"."""
    verb = subject + 1
    while verb < len(sentence.words) - 1 and sentence.words[verb].endswith("ly"):
        verb += 1
    dropped = sentence.begins[verb] - sentence.ends[verb - 1] > 2
    several = sentence.at[subject].plural or left(sentence.words, sentence.at, subject)
    return sentence.words[verb] in _BARE and not several and not dropped


def _linked(things: Sequence[Thing], entry: _Entry, known: set[str]) -> Iterator[Statement]:
    """A link to a sibling episode that nothing else was said of relates it."""
    for page in things:
        if page.page and folded_title(page.name) not in known:
            known.add(folded_title(page.name))
            start = max(entry.text.rfind("\n", 0, page.start) + 1, entry.text.rfind(". ", 0, page.start) + 2)
            yield Statement(
                "RELATED_EPISODE",
                entry.title,
                object=page.name,
                quote=entry.text[start : page.end],
                field="description",
                start=start,
            )
