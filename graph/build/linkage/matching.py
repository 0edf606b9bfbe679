"""Matches of descriptions without a title and known episodes, by rare terms, links and lengths.

Terms are weighed as in tf-idf retrieval (Sparck Jones 1972), and long documents count less, as in pivoted length
normalisation (Singhal, Buckley and Mitra 1996). A match needs enough evidence, and a clear margin over all other
assignments of descriptions to episodes.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from torchatlas.graph.values.names import telling_words

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)\w+)+|\w*_\w+|[A-Z]+[a-z]+[A-Z]\w*")
_STEM = 6  # letters in which forms of a word agree: serialize, serialization
_STEMMED = 0.6  # beside 1 for the whole word
_LENGTH = 0.4  # exponent by which a long document is held back
_TITLE, _SUBJECTS = 0.1, 0.1  # added to the rank of an episode for naming them
_TITLE_PROVES, _SUBJECTS_PROVE = 0.2, 0.3  # added to the proof
_LINK = 0.3  # for a link that no other known episode has, added to rank and proof
_OTHER_LINKS = 0.7  # factor of the rank where both have links and share none
_MINUTES_AGREE, _MINUTES_DIFFER = 1.15, 0.5
_NOBODY = 0.15  # the rank of a description that is none of the known episodes
_COMMON = 0.25  # the share of the known episodes that a term of the show's subject exceeds
_FORBIDDEN = -1000.0
_ENOUGH, _MARGIN = 0.42, 0.25  # tuned for no wrong match
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Clues:
    """Signs of one episode. `terms`: term -> weight; `title`, `subjects`: the terms of its title and its subjects."""

    terms: Mapping[str, float]
    title: frozenset[str] = frozenset()
    _: KW_ONLY
    subjects: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A known episode, by its place in the list, for a description.

    `margin`: the share of its rank that the best assignment without it loses.
    """

    known: int
    margin: float
    _: KW_ONLY
    evidence: tuple[str, ...]


class _Score(NamedTuple):
    rank: float
    proof: float
    evidence: tuple[str, ...]


def terms_of(text: str, weight: float = 1.0) -> dict[str, float]:
    """Return the telling words of a text, their stems and the code identifiers, each with its weight.

    >>> terms_of("a tensor, torch.view")
    {'word tensor': 1.0, 'word torch': 1.0, 'word view': 1.0, 'code torch.view': 1.0}
    """
    found: dict[str, float] = {}
    for word in telling_words(text):
        if len(word) > 1:
            found[f"word {word}"] = weight
            if len(word) > _STEM:
                found[f"stem {word[:_STEM]}"] = weight * _STEMMED
    return found | {f"code {name.casefold()}": weight for name in _IDENTIFIER.findall(text)}


def strongest(groups: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the terms of several texts together, each with its greatest weight.

    >>> strongest([{"word view": 0.5}, {"word view": 1.0}])
    {'word view': 1.0}
    """
    merged: dict[str, float] = {}
    for group in groups:
        for term, weight in group.items():
            merged[term] = max(weight, merged.get(term, 0.0))
    return merged


def matches(found: Sequence[Clues], known: Sequence[Clues]) -> list[Assignment | None]:
    """Return for each description the known episode that it is, None where that is not clear; no episode twice.

    All are decided at once, by the assignment with the highest total rank.
    Example: `matches([Clues(terms_of(text))], [Clues(terms_of(known_text))])[0].margin`.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    if not found or not known:
        return [None] * len(found)
    rare = _rarity(found, known)
    known_links = Counter(link for k in known for link in k.links)
    sizes = [sum(rare[t] * w for t, w in k.terms.items()) or 1.0 for k in known]
    factors = [(sum(sizes) / len(sizes) / size) ** _LENGTH for size in sizes]
    scores = [[_score(f, k, rare, known_links, c) for k, c in zip(known, factors, strict=True)] for f in found]
    ranks = np.full((len(found), len(known) + len(found)), _NOBODY)  # the columns behind: no episode at all
    ranks[:, : len(known)] = [[score.rank for score in row] for row in scores]
    rows, columns = linear_sum_assignment(ranks, maximize=True)
    total = ranks[rows, columns].sum()
    result: list[Assignment | None] = [None] * len(found)
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        if k >= len(known) or scores[i][k].proof < _ENOUGH:
            continue
        rank, ranks[i, k] = ranks[i, k], _FORBIDDEN
        without = ranks[linear_sum_assignment(ranks, maximize=True)].sum()
        ranks[i, k] = rank
        margin = float((total - without) / rank)
        if margin >= _MARGIN:
            result[i] = Assignment(k, round(margin, 2), evidence=scores[i][k].evidence)
    return result


def _rarity(found: Sequence[Clues], known: Sequence[Clues]) -> dict[str, float]:
    """Return term -> log of how rare it is on the side where it is more common: words of show notes tell nothing.

    Nor does the subject of the show, which stands in more than a quarter of the known episodes.
    """
    there, here = (Counter(t for c in side for t in {*c.terms, *c.title, *c.subjects}) for side in (known, found))
    number = len(known) + 1
    common = {t for t, times in there.items() if times > max(_COMMON * number, 1)}
    return {
        t: 0.0 if t in common else math.log(1 + number / (max(there[t], here[t] - 1) + 0.5)) for t in {*there, *here}
    }


def _score(
    found: Clues, known: Clues, rare: Mapping[str, float], known_links: Mapping[str, int], factor: float
) -> _Score:
    shared = {t: rare[t] * w * known.terms[t] for t, w in found.terms.items() if t in known.terms}
    share = sum(shared.values()) / (sum(rare[t] * w for t, w in found.terms.items()) or 1.0)
    title, subjects = (_named(names, found, rare) for names in (known.title, known.subjects))
    links = sorted(found.links & known.links)
    linked = sum(_LINK / known_links[link] for link in links)
    rank = share * factor + _TITLE * title + _SUBJECTS * subjects + linked
    if found.links and known.links and not links:
        rank *= _OTHER_LINKS
    near = None
    if found.minutes is not None and known.minutes is not None:
        apart = abs(found.minutes - known.minutes)  # one place counts whole minutes, another rounds them
        near = True if apart <= 1 else False if apart > 2 else None
        rank *= {True: _MINUTES_AGREE, False: _MINUTES_DIFFER, None: 1.0}[near]
    proof = share + _TITLE_PROVES * title + _SUBJECTS_PROVE * subjects + linked
    if near is False:
        proof *= _MINUTES_DIFFER
    return _Score(rank, proof, _evidence(shared, links, known.minutes if near else None))


def _named(names: frozenset[str], found: Clues, rare: Mapping[str, float]) -> float:
    """Return the share of these terms, by rarity, that a description names."""
    whole = sum(rare[t] for t in names)
    return sum(rare[t] for t in names if t in found.terms) / whole if whole else 0.0


def _evidence(shared: Mapping[str, float], links: Sequence[str], minutes: int | None) -> tuple[str, ...]:
    """Return the signs that agree, in words, the rarest terms first."""
    telling = sorted((t for t in shared if shared[t] and not t.startswith("stem ")), key=lambda t: (-shared[t], t))
    names = dict.fromkeys(t.split(" ", 1)[1] for t in telling)
    terms = [f"rare terms: {', '.join(list(names)[:_SHOWN])}"] if names else []
    return (*terms, *(f"link: {link}" for link in links[:2]), *([f"length: {minutes} min"] if minutes else []))
