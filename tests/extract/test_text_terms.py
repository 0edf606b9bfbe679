"""The terms that a text makes by itself: phrases that it repeats, and kinds of the parts of systems."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.extract.headwords import headwords
from torchatlas.extract.mentions.noun_phrases import Span
from torchatlas.extract.mentions.text_terms import TermWords, text_terms
from torchatlas.extract.mentions.word_runs import MOST_WORDS, Words
from torchatlas.graph.values.findings import Mention

NOTHING = TermWords(frozenset(), ids=frozenset(), systems=frozenset())
FUSION = TermWords(frozenset({"pattern"}), ids=frozenset({"fusion"}), systems=frozenset())
PIECES = (
    "log", "logs", "cache", "caches", "log-cache", "logical", "hidden", "class", "queue", "the", "to", "of", ",",
    "fusion", "fusions", "LogCache", "flushing", "dirty", "Page", "(page)", "page.", "pattern", " ", "a log cache",
)  # fmt: skip
OFTEN = "fusion, " * 20
"""A text on what the vocabulary knows."""


def terms(text: str, vocabulary: TermWords = NOTHING) -> list[str]:
    known = [Span(i, i + 6, "fusion") for i in range(len(text)) if text.startswith("fusion", i)]
    return [text[p.start : p.end] for p in text_terms(text, known, vocabulary) if p.concept != "fusion"]


def test_a_phrase_that_is_said_again_is_a_term_in_singular_and_plural() -> None:
    text = f"{OFTEN} the gizmo lattice is old. Two gizmo lattices are newer than a bolt lattice."
    assert terms(text, FUSION) == ["gizmo lattice", "gizmo lattices"]
    assert {p.concept for p in text_terms(text, [], NOTHING) if "gizmo" in p.concept} == {"gizmo-lattice"}


def test_a_phrase_that_is_said_once_is_a_term_only_where_the_vocabulary_knows_little() -> None:
    assert terms("It fills the log buffer at night.") == ["log buffer"]
    assert terms(f"{OFTEN} it fills the log window at night.", FUSION) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it fills the log cache at night", ["log cache"]),
        ("utilizing sample-based profiling", ["sample-based profiling"]),
        ("an efficient page traversal", ["page traversal"]),
        ("a gizmo scheduler collects them", ["gizmo scheduler"]),
        ("for CPU-specific page dispatch", ["page dispatch"]),
        ("in-house caches and high-speed pipelines", []),
        ("an efficient traversal", []),
        ("the gizmo dispatches to it", []),
        ("Flush caches", []),
    ],
)
def test_what_systems_do_and_what_does_it_ends_terms_in_any_text(text: str, found: list[str]) -> None:
    assert terms(f"{OFTEN} so. {text}.", FUSION) == found


def test_adjectives_count_where_they_tell_kinds() -> None:
    assert terms("We like a magical cache.") == []
    assert terms("The logical log and the logical cache are apart.") == ["logical log", "logical cache"]
    assert terms("We choose the optimal layout. The optimal layout of a page matters.") == []


def test_phrases_that_share_a_word_are_kinds_whatever_their_heads_are() -> None:
    assert terms("The gizmo lattice and a gizmo roller are apart.") == ["gizmo lattice", "gizmo roller"]
    assert terms("The gizmo lattice and a brass roller are apart.") == []


def test_verbs_are_no_part_of_a_term() -> None:
    assert terms("You can flush table caches.") == ["table caches"]
    assert terms("It is good at sending packets.") == []
    assert terms("Drain cluster queues. The buffer caches wait.") == ["buffer caches"]


def test_no_term_crosses_a_mark_a_paragraph_or_a_heading() -> None:
    assert terms("A gizmo, lattice. A gizmo, lattice.") == []
    assert terms("On gizmo\n\nlattice on gizmo\n\nlattice") == []
    assert terms("A gizmo\nlattice, a gizmo\nlattice") == ["gizmo\nlattice"] * 2


def test_headings_and_people_give_no_terms() -> None:
    assert terms("00:10 Audit Queue\n00:20 Audit Queue") == []
    assert terms("We met Ada Quillet. So Ada Quillet stays.") == []
    assert terms("Audit Queue\nIt drains the audit queue.") == ["Audit Queue", "audit queue"]
    assert terms("It asks the Audit Queue.") == ["Audit Queue"]


def test_what_belongs_to_a_system_is_no_kind_of_its_own() -> None:
    assert terms("The Linux kernel, the Linux kernel.") == []


def test_a_term_that_holds_a_known_name_takes_its_place_and_remembers_it() -> None:
    text = "a fusion recipe, and the fusion recipe"
    places = text_terms(text, [Span(2, 8, "fusion"), Span(25, 31, "fusion")], FUSION)
    assert [(text[p.start : p.end], p.concept, p.part) for p in places] == [
        ("fusion recipe", "fusion-recipe", "fusion")
    ] * 2


def test_a_class_that_the_text_names_in_words_is_the_same_thing() -> None:
    text = "The RunQueue is full; so is each run queue."
    places = text_terms(text, [Span(4, 12, "runqueue")], NOTHING)
    assert [(text[p.start : p.end], p.concept) for p in places] == [
        ("RunQueue", "run-queue"),
        ("run queue", "run-queue"),
    ]


@given(st.text(), st.text(alphabet="ab \n-(),.'’"))
def test_terms_lie_within_the_text_without_overlap(one: str, other: str) -> None:
    text = f"{one} log cache {other} log cache {one}"
    places = text_terms(text, [], NOTHING)
    assert all(0 <= p.start < p.end <= len(text) and p.concept for p in places)
    assert all(a.end <= b.start for a, b in pairwise(places))


@example(["log", "caches", "fusion"], " ")
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25), st.sampled_from([" ", "\n", ""]))
def test_the_phrases_that_are_not_made_would_have_been_no_terms(pieces: list[str], joint: str) -> None:
    text = joint.join(pieces)
    known = [Span(i, i + 6, "fusion") for i in range(len(text)) if text.startswith("fusion", i)]
    known += [Span(i, i + 8, "logcache") for i in range(len(text)) if text.startswith("LogCache", i)]
    found = text_terms(text, sorted(known), FUSION)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "repeated", lambda self: set(self.pairs.values()))
        patch.setattr(Words, "whole", lambda self, *_: {(a, b) for a, b in self.spans if b - a <= MOST_WORDS})
        assert text_terms(text, sorted(known), FUSION) == found


def test_a_phrase_is_said_again_with_a_hyphen_or_without() -> None:
    assert Words("a dirty page-log and a page log", [], set()).repeated() == {"page log"}
    assert Words("a page log and a log page", [], set()).repeated() == set()


def test_a_thing_goes_by_its_fullest_spelling() -> None:
    mentions = [Mention("wal", "description", start=0, end=3, text=text) for text in ("WAL", "write-ahead logs", "WAL")]
    assert headwords(mentions, ()) == {"wal": "write-ahead logs"}
    assert headwords(mentions, {"wal"}) == {}


class Watched(str):
    """A text that counts how often it is looked through from its beginning."""

    searches = 0

    def __contains__(self, part: object) -> bool:
        self.searches += 1
        return super().__contains__(part)  # type: ignore[operator]


def test_a_text_of_many_phrases_is_looked_through_no_more_often() -> None:
    few, many = Watched("cache " * 10), Watched("cache " * 100)
    for text in (few, many):
        assert text_terms(text, [], NOTHING)
    assert few.searches == many.searches


def test_a_word_that_compares_begins_no_term() -> None:
    assert terms("the highest gizmo first, then a higher gizmo, the highest gizmo") == []
