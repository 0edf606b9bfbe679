"""Names are found by the first token of each, with any tokenizer."""

from functools import partial

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.mentions.name_matcher import NameMatcher, token_index
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, Split
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


def matcher(*, own: bool = True) -> tuple[Split, NameMatcher]:
    splits = RememberingTokenizer(SpacyPipeline()).split if own else partial(split, spacy.blank("en"))
    return splits, NameMatcher(token_index(splits, SPELLINGS))


@pytest.mark.parametrize("own", [True, False])
def test_names_are_found_in_any_case_whatever_splits_them(own: bool) -> None:
    splits, names = matcher(own=own)
    words = splits("A Fake Tensor, fake-tensor, the nn.Module, nn.module and fork call of a wide gap of 10km")
    assert {(key, " ".join(words[first:after])) for key, first, after in names(words)} == {
        ("fake tensor", "fake tensor"),
        ("fake-tensor", "fake - tensor"),
        ("nn.module", "nn . module"),
        ("nn.module", "nn.module"),
        ("'fork' call", "fork call"),
        ("wide  gap", "wide gap"),
        ("10km", "10 km"),
    }


def test_a_name_is_looked_for_from_the_first_text_on_that_has_its_first_token() -> None:
    _, names = matcher()
    assert names(["a", "tensor"]) == []
    assert "fake" in names.waiting
    assert names(["a", "fake", "one"]) == []
    assert "fake" not in names.waiting
    assert names(["fake", "tensor"]) == [("fake tensor", 0, 2)]


@given(st.lists(st.sampled_from(["a", "fake", "tensor", "-", "nn", ".", "module", "10", "km"]), max_size=12))
def test_names_whose_beginnings_are_known_are_the_same(words: list[str]) -> None:
    _, names = matcher()
    _, others = matcher()
    assert names(words, names.branches(words)) == others(words)
