"""Names are found by the first token of each, with any tokenizer."""

from functools import partial

import pytest
import spacy

from torchatlas.extract.mentions.name_matcher import NameMatcher, first_tokens
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, Tokenize
from torchatlas.extract.tokens import tokenized

SPELLINGS = {
    "fake tensor": ["fake tensor"],
    "fake-tensor": ["fake-tensor"],
    "nn.module": ["nn.Module", "nn.module", "NN.Module"],
    "'fork' call": ["'fork' call"],
    "10km": ["10km"],
    " ": [" "],
}


def matcher(*, own: bool = True) -> tuple[Tokenize, NameMatcher]:
    nlp = spacy.blank("en")
    tokenize = RememberingTokenizer(nlp.tokenizer) if own else partial(tokenized, nlp)
    return tokenize, NameMatcher(tokenize, first_tokens(tokenize, SPELLINGS))


@pytest.mark.parametrize("own", [True, False])
def test_names_are_found_in_any_case_whatever_splits_them(own: bool) -> None:
    tokenize, names = matcher(own=own)
    tokens = tokenize("A Fake Tensor, fake-tensor, the nn.Module, nn.module and fork call of 10km")
    assert {(key, tokens.written(first, after)) for key, first, after in names(tokens.words)} == {
        ("fake tensor", "Fake Tensor"),
        ("fake-tensor", "fake-tensor"),
        ("nn.module", "nn.Module"),
        ("nn.module", "nn.module"),
        ("'fork' call", "fork call"),
        ("10km", "10km"),
    }


def test_a_name_is_tokenized_with_the_first_text_that_has_its_first_token() -> None:
    _, names = matcher()
    assert names(["a", "tensor"]) == []
    assert "fake" in names.waiting
    assert names(["a", "fake", "one"]) == []
    assert "fake" not in names.waiting
    assert names(["fake", "tensor"]) == [("fake tensor", 0, 2)]
