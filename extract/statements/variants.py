"""Variants: a sentence made shorter, so that its subject stands next to each of its verbs."""

from collections.abc import Iterator, Mapping, Sequence

from torchatlas.extract.english import words
from torchatlas.extract.statements.entities import Entity
from torchatlas.extract.statements.patterns import ENTITY, PRONOUNS, TITLE
from torchatlas.extract.statements.sentences import Sentence

_ENABLING = words("lets let allows allow allowing letting permits permit enables enable helps help")
_BREAKS = words(". ; : ( ) which who that because while when if unless although but where whose")
_OF = words("of on in for with by from to about at into inside between than like without via using through against")
_ARTICLES = words("a an the one our")
_SOME = words("most all much many some part parts lot rest bits majority half each one both kinds number variety")
_PREPOSITIONS = words("on with by via using as in from atop through out around upon")

_Spans = list[tuple[int, int]]


def variants(sentence: Sentence, verbs: Mapping[str, bool]) -> Iterator[Sentence]:
    """Yield the sentence and its shorter variants.

    Parentheses go. "A, which uses B" and "A is a tool that uses B" become "A uses B", "A lets you export B"
    becomes "A export B", "A is new and uses B" becomes "A uses B".

    `verbs`: the verbs that the rules know -> whether a finite form.
    Example: `[v.words for v in variants(sentence, {"uses": True})]`
    """
    yield sentence
    for cut, marks in _CUTS:
        if not marks.isdisjoint(sentence.words):
            shorter = sentence.without(cut(sentence.words, sentence.at))
            if shorter is not sentence:
                yield shorter
            sentence = shorter
    for spans in _predicates(sentence.words, sentence.at, verbs):
        yield sentence.without(spans)


def heads_phrase(words: Sequence[str], place: int) -> bool:
    """Return whether the entity at `place` heads its phrase and is not within another one: "a bug in the new Dynamo".

    >>> heads_phrase(["a", "bug", "in", "the", "new", ENTITY], 5), heads_phrase(["most", "of", ENTITY], 2)
    (False, True)
    """
    for i in range(place - 1, max(-1, place - 4), -1):
        word = words[i]
        if word in _OF:
            return word == "of" and i > 0 and words[i - 1] in _SOME
        if not word.isalpha() or word in {ENTITY, TITLE, "and", "or", "that", "how", "where", "when"}:
            break
    return True


def _parentheses(words: list[str], at: Mapping[int, Entity]) -> _Spans:
    spans, opened = [], None
    for i, word in enumerate(words):
        if word == "(" and opened is None:
            opened = i
        elif word == ")" and opened is not None:
            spans.append((opened, i + 1))
            opened = None
    return spans


def _possessors(words: list[str], at: Mapping[int, Entity]) -> _Spans:
    """Return the owners of entities: "uses Inductor's scheduler"."""
    return [(i, i + 2) for i in at if i and words[i + 1 : i + 2] in (["'s"], ["’s"]) and {i + 2, i + 3} & at.keys()]


def _relatives(words: list[str], at: Mapping[int, Entity]) -> _Spans:
    """Return the words between an entity and the verb of its relative clause, and "lets you" after those."""
    spans = []
    for i in at:
        start = end = i + 1
        window = words[start : start + 14]
        relative = next((n for n, word in enumerate(window) if word in {"that", "which"}), None)
        copula = bool(window) and window[0] in {"is", "are", ":"} and window[1:2] and window[1] in _ARTICLES
        if relative is not None and not {".", ";", ":", "and", "but"} & set(window[:relative]):
            if copula or window[:relative] in ([], [","]):
                end = start + relative + 1
        elif copula:
            end += next((n for n in range(3, min(8, len(window) - 1)) if _participle(window, n)), 0)
        if words[end : end + 1] and words[end] in _ENABLING:
            stop = end + 1 + (words[end + 1 : end + 2] in (["you"], ["us"]))
            end = stop + (words[stop : stop + 1] == ["to"])
        if end > start:
            spans.append((start, end))
    return spans


def _participle(window: Sequence[str], place: int) -> bool:
    """Return whether a reduced relative clause begins: "a bot built on ..."."""
    return window[place].endswith(("ed", "built", "written")) and window[place + 1] in _PREPOSITIONS


_CUTS = (
    (_parentheses, frozenset("(")),
    (_possessors, words("'s ’s")),
    (_relatives, _ENABLING | words("that which is are :")),
)


def _predicates(words: list[str], at: Mapping[int, Entity], verbs: Mapping[str, bool]) -> Iterator[_Spans]:
    """Yield the words between a subject and each further verb that it has: "and uses", ", producing", "by tracing"."""
    opening = {i for i, word in enumerate(words) if word in PRONOUNS and (not i or words[i - 1] in {":", ";", ","})}
    first = min(at, default=None)
    for subject in sorted(opening | ({first} if first is not None and heads_phrase(words, first) else set())):
        for place in range(subject + 2, len(words)):
            word = words[place]
            if word in _BREAKS or place in opening:
                break
            if (finite := verbs.get(word)) is None:
                continue
            mark = place - 1
            while mark > subject + 1 and (words[mark].endswith("ly") or words[mark] in {"then", "also", "finally"}):
                mark -= 1
            if words[mark] in ({"and", "then", ","} if finite else {"and", ",", "by"}) and mark > subject:
                yield [(subject + 1, place)]
