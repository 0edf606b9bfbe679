"""Each row of the table of predicates, said in plain sentences with each verb and noun of its classes."""

from collections.abc import Iterator
from functools import cache

import pytest
from lemminflect import getInflection

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.feeds import Entry
from torchatlas.extract.findings_json import to_json
from torchatlas.extract.inflection import plural
from torchatlas.extract.statements.frames import Frame, Frames
from torchatlas.extract.statements.predicates import NOUNS, TABLE, VERBS
from torchatlas.graph.values.findings import LEAST_CONFIDENCE, Extraction, Statement
from torchatlas.graph.values.model import Concept, Episode

A, B = "vmap", "Triton"


@cache
def reader() -> Extractor:
    return Extractor([Concept(name.lower(), name, area="x") for name in (A, B)])


def stated(text: str) -> tuple[Statement, ...]:
    (extraction,) = reader().extract([Entry(Episode("s/w", "Widgets", show="s"), text)])
    return extraction.statements


def forms(word: str, before: str) -> list[str]:
    """Return the words that say a class: its verbs in the form that the row wants, or its nouns."""
    said = []
    for name in word.split("|"):
        group = name.removesuffix("-ed")
        if group in NOUNS:
            article = {"be": "a ", "'s": ""}.get(before, "the ")
            said += [article + noun for noun in NOUNS[group].split()]
        elif before == "to":
            said += VERBS[group].split()
        elif name != group:
            said += ["is " + getInflection(verb, tag="VBN")[0] for verb in VERBS[group].split()]
        else:
            said += [plural(verb) if verb != "have" else "has" for verb in VERBS[group].split()]
    return said


def said(row: str) -> Iterator[str]:
    """Yield a sentence for each word of the classes of a row, and one for each of its prepositions."""
    given = row.split()
    texts = [""]
    for before, word in zip(["", *given], given, strict=False):
        if word in {"A", "B", "_"}:
            choices = [{"A": A, "B": B, "_": "the program"}[word]]
        elif word.isupper() or "-ed" in word:
            choices = forms(word, before)
        else:
            choices = ["is"] if word == "be" else word.replace("_", " ").split("|")
        longest = max(texts, key=len)
        texts = [f"{text} {choices[0]}" for text in texts] + [f"{longest} {choice}" for choice in choices[1:]]
    for text in texts:
        yield f"We know {text.strip()}." if not row.startswith(("A", "B", "_")) else f"{text.strip()}."


@pytest.mark.parametrize(("relation", "row", "confidence"), TABLE)
def test_a_row_is_read_in_each_of_its_words(relation: str, row: str, confidence: float) -> None:
    for text in said(row):
        found = {(s.relation, s.subject, s.object) for s in stated(text)}
        assert (relation, A, B) in found, text


@pytest.mark.parametrize(("relation", "row", "confidence"), TABLE)
def test_without_its_row_a_sentence_states_something_else(relation: str, row: str, confidence: float) -> None:
    finder = reader().statements
    known = finder.frames
    finder.frames = Frames([other for other in TABLE if other[1] != row])
    try:
        assert any((relation, A, B) not in {(s.relation, s.subject, s.object) for s in stated(t)} for t in said(row))
    finally:
        finder.frames = known


@pytest.mark.parametrize(
    "text",
    [
        "vmap never uses Triton.",
        "vmap may use Triton.",
        "If vmap used Triton, we would know.",
        "Does vmap use Triton?",
        "A bug in vmap uses Triton.",
        "vmap's author uses Triton.",
        "vmap uses Triton's cache.",
        "vmap uses a Triton habit.",
        "We use vmap and you use Triton.",
        "vmap and Triton use it.",
        "Without vmap, it uses Triton.",
    ],
)
def test_what_is_denied_doubted_or_said_of_something_else_is_not_stated(text: str) -> None:
    assert not stated(text)


def test_a_statement_carries_how_sure_its_row_is() -> None:
    (sure,), (suggested,) = stated("vmap uses Triton."), stated("We saw vmap in Triton.")
    confidence = {row: confidence for _, row, confidence in TABLE}
    assert (sure.confidence, suggested.confidence) == (confidence["A USE B"], confidence["A in B"])
    assert sure.sure and not suggested.sure and suggested.confidence < LEAST_CONFIDENCE


def test_suggestions_are_in_the_json_only_where_asked_for() -> None:
    found = Extraction(
        Episode("s/w", "Widgets", show="s"), "", statements=stated("vmap uses Triton. See vmap in Triton.")
    )
    plain, every = (to_json(found, {}, suggestions=asked)["statements"] for asked in (False, True))
    assert isinstance(plain, list) and isinstance(every, list)
    assert [(s["relation"], set(s)) for s in plain] == [("USES", {"relation", "subject", "object", "quote"})]
    assert [(s["relation"], s["confidence"] >= LEAST_CONFIDENCE) for s in every] == [("USES", True), ("PART_OF", False)]


def test_a_class_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        Frame.of(("USES", "A NOTHING B", 0.5))
