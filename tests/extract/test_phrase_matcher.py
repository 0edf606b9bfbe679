"""Phrases are matched as spaCy's matcher of phrases and its filter of overlaps do it, on words instead of documents."""

import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.matcher import PhraseMatcher as Spacys
from spacy.tokens import Doc
from spacy.util import filter_spans

from torchatlas.extract.phrase_matcher import PhraseMatcher, longest

VOCAB = spacy.blank("en").vocab
WORDS = st.lists(st.sampled_from("abc"), max_size=12)
PHRASES = st.sets(st.tuples(st.sampled_from("abc")) | st.lists(st.sampled_from("abc"), max_size=4).map(tuple))


@given(PHRASES, WORDS)
def test_the_matches_are_spacys(phrases: set[tuple[str, ...]], words: list[str]) -> None:
    ours, theirs = PhraseMatcher(), Spacys(VOCAB)
    for phrase in sorted(phrases):
        ours.add(" ".join(phrase), phrase)
        theirs.add(" ".join(phrase), [Doc(VOCAB, words=phrase)])
    doc = Doc(VOCAB, words=words)
    spans = theirs(doc, as_spans=True)
    assert ours(words) == [(span.label_, span.start, span.end) for span in spans]
    assert longest(ours(words)) == [(span.label_, span.start, span.end) for span in filter_spans(spans)]


def test_a_phrase_may_have_several_keys_and_a_key_several_phrases() -> None:
    phrases = PhraseMatcher()
    for key, words in (("b", "x y"), ("a", "x y"), ("b", "x y"), ("b", "y")):
        phrases.add(key, words.split())
    assert phrases(["x", "y"]) == [("b", 0, 2), ("a", 0, 2), ("b", 1, 2)]
