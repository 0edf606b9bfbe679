"""Names are found by the first token of each, with any tokenizer, also where the words of a text are forgotten."""

import pytest
import spacy
from spacy.language import Language

from torchatlas.extract.mentions.name_matcher import NameMatcher, first_tokens
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer

SPELLINGS = {
    "fake tensor": ["fake tensor"],
    "fake-tensor": ["fake-tensor"],
    "nn.module": ["nn.Module", "nn.module", "NN.Module"],
    "'fork' call": ["'fork' call"],
    "10km": ["10km"],
    " ": [" "],
}


def matcher(*, own: bool = True) -> tuple[Language, NameMatcher]:
    nlp = spacy.blank("en")
    if own:
        nlp.tokenizer = RememberingTokenizer(nlp.tokenizer)
    return nlp, NameMatcher(nlp, first_tokens(nlp, SPELLINGS))


@pytest.mark.parametrize("own", [True, False])
def test_names_are_found_in_any_case_whatever_splits_them(own: bool) -> None:
    nlp, names = matcher(own=own)
    text = "A Fake Tensor, fake-tensor, the nn.Module, nn.module and fork call of 10km"
    found = [(key, first, after) for key, first, after in names(nlp.make_doc(text))]
    doc = nlp.make_doc(text)
    assert {(key, doc[first:after].text) for key, first, after in found} == {
        ("fake tensor", "Fake Tensor"),
        ("fake-tensor", "fake-tensor"),
        ("nn.module", "nn.Module"),
        ("nn.module", "nn.module"),
        ("'fork' call", "fork call"),
        ("10km", "10km"),
    }


def test_a_name_becomes_a_pattern_with_the_first_text_that_has_its_first_token() -> None:
    nlp, names = matcher()
    assert names(nlp.make_doc("A tensor")) == [] and len(names.matcher) == 0
    assert names(nlp.make_doc("A fake one")) == [] and len(names.matcher) == 2


def test_a_name_that_is_met_first_in_a_memory_zone_is_found_behind_it() -> None:
    nlp, names = matcher()
    for _ in range(2):
        with nlp.memory_zone():
            assert names(nlp.make_doc("Fake tensor")) == [("fake tensor", 0, 2)]
    assert names(nlp.make_doc("A fake tensor")) == [("fake tensor", 1, 3)]
