import spacy
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.tokens import Tokens

NLP = spacy.blank("en")


@given(st.text("ab. ,\n(", max_size=12), st.integers(0, 12), st.integers(1, 5))
def test_characters_are_whole_tokens_where_spacy_says_so(text: str, start: int, length: int) -> None:
    end = start + length
    span = NLP.make_doc(text).char_span(start, end) if end <= len(text) else None
    assert Tokens.of(NLP.make_doc(text)).within(start, end) == (span and (span.start, span.end))
