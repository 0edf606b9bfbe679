"""Names are found by the first token of each, with any tokenizer."""

from collections.abc import Callable
from functools import partial

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.mentions.name_matcher import NameMatcher, heard, token_index
from torchatlas.extract.pieces import Piece, TextPieces
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.tokens import split

SPELLINGS = {
    "fake tensor": ["fake tensor"],
    "fake-tensor": ["fake-tensor"],
    "nn.module": ["nn.Module", "nn.module", "NN.Module"],
    "'fork' call": ["'fork' call"],
    "wide  gap": ["wide  gap"],
    "10km": ["10km"],
    " ": [" "],
}


def matcher(*, own: bool = True) -> tuple[Callable[[str], TextPieces], NameMatcher]:
    """Return what reads texts, by spaCy's tokenizer where not by our own, and a matcher of the spellings."""
    nlp = spacy.blank("en")
    names = NameMatcher(
        token_index(RememberingTokenizer(SpacyPipeline()).split if own else partial(split, nlp), SPELLINGS)
    )

    def tell(piece: str, tokens: tuple[str, ...], starts: tuple[int, ...]) -> Piece:
        return Piece(tokens, starts, names=names.names(tokens), first=heard(tokens[0]) if tokens else "")

    if own:
        return RememberingTokenizer(SpacyPipeline(), tell), names
    return lambda text: TextPieces.of(nlp.make_doc(text), tell), names


@pytest.mark.parametrize("own", [True, False])
def test_names_are_found_in_any_case_whatever_splits_them(own: bool) -> None:
    read, names = matcher(own=own)
    text = "A Fake Tensor, fake-tensor, the nn.Module, (nn.module and fork call of a wide gap of 10km"
    assert [(key, text[start:end], count) for key, start, end, count in names(read(text))] == [
        ("fake tensor", "Fake Tensor", 2),
        ("fake-tensor", "fake-tensor", 3),
        ("nn.module", "nn.Module", 3),
        ("nn.module", "nn.module", 1),
        ("'fork' call", "fork call", 2),
        ("wide  gap", "wide gap", 2),
        ("10km", "10km", 2),
    ]


@pytest.mark.parametrize("own", [True, False])
def test_a_name_goes_over_quotes_and_one_end_of_a_line(own: bool) -> None:
    read, names = matcher(own=own)
    text = (
        'a "fake" tensor, fake\n  tensor, fake\ttensor; fake \' tensor, \'fake\' "call", fake\n\ntensor, fake "\'tensor'
    )
    assert [text[start:end] for _, start, end, _ in names(read(text))] == [
        'fake" tensor', "fake\n  tensor", "fake\ttensor", "fake ' tensor",
    ]  # fmt: skip


def test_a_name_is_looked_for_from_the_first_text_on_that_has_its_first_token() -> None:
    read, names = matcher()
    assert names(read("a tensor")) == []
    assert "fake" in names.waiting
    assert names(read("a fake one")) == []
    assert "fake" not in names.waiting
    assert names(read("fake tensor")) == [("fake tensor", 0, 11, 2)]


WORDS = st.lists(st.sampled_from(["a", "fake", "tensor", "-", "nn.Module", ".", "module", "10", "km", "fake-tensor,"]))


@given(WORDS, st.sampled_from([" ", ""]))
def test_all_names_are_found_that_the_tokens_of_a_text_hold(words: list[str], joint: str) -> None:
    read, names = matcher()
    pieces = read(joint.join(words))
    tokens, found = pieces.tokens, set()
    for key, row in [
        (key, row.split(" ")) for keys in names.index.values() for key, rows in keys.items() for row in rows
    ]:
        for first in range(len(tokens.words)):
            if tokens.words[first : first + len(row)] == row:
                found.add((key, *tokens.span(first, first + len(row)), len(row)))
    assert set(names(pieces)) == found
