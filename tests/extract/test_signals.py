import pickle
from functools import cache

import pytest
import spacy
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.mentions import noun_phrases
from torchatlas.extract.mentions.identifiers import identifiers
from torchatlas.extract.mentions.own_names import own_names
from torchatlas.extract.mentions.signals import Signals
from torchatlas.extract.tokens import pieces_of
from torchatlas.graph.values.model import Concept

PIECES = (
    "graph", "Graph", "functional", "FUNCTIONAL", "memory", "format", "compiler", "compiler.", "Mojo", "Quill", "is",
    "a", "an", "the", ",", "called", "named", "(CLR)", "DTensor", "torch.vmap()", "set_output", "--flag", "don't",
    "'eager'", "“mode”", "`x`", "common", "language", "runtime", "and", "NumPy", "JAX", "AOT/JIT", "a/b/c", "x-y_z",
    "İ", "ſ", " ", "  ", "\n", "\x1c", "\u2028", "Quill is a", "Mojo, a fast",
    "the Quill compiler", "a common language runtime (CLR)", "a language called Mojo",
)  # fmt: skip
WORDS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=20)
TEXTS = st.builds(lambda words, joint: joint.join(words), WORDS, st.sampled_from([" ", "", "\n"]))
NAMES = ("graph", "module", "tensor", "API", "pass", "kernel")


def small(nlp: spacy.language.Language | None = None) -> Extractor:
    """Return an extractor to which "functional" is a usual modifier, and "graph" a usual head."""
    names = [*(f"functional {name}" for name in NAMES), *(f"{name} graph" for name in NAMES), "DTensor", "NumPy", "JAX"]
    return Extractor([Concept(name.lower().replace(" ", "-"), name, area="x") for name in names], nlp=nlp)


@cache
def extractors() -> tuple[Extractor, Extractor]:
    return small(), small(spacy.blank("en"))


@given(TEXTS)
@example("the Quill compiler runs")
@example("Quill, a compiler")
@example("on ZQX, 'eager' mode")
def test_a_pass_that_the_signals_spare_would_have_found_nothing(text: str) -> None:
    finder = extractors()[0].finder
    found = finder.signals.of(finder.signals.shapes(pieces_of(text)))
    assert own_names(text, [], found) == own_names(text, [])
    assert "code" in found or not list(identifiers(text))
    assert found.get("modifier", set()) == {word for word in text.split() if finder.phrases.is_modifier(word)}
    tokens = extractors()[0].nlp.make_doc(text)
    assert "quote" in found or not any(token.text in set("\"'“”‘’`") for token in tokens)


@given(TEXTS)
def test_the_pipeline_of_a_caller_finds_the_same(text: str) -> None:
    own, given_ = extractors()
    assert given_.mentions(text) == own.mentions(text)


def test_pairs_of_many_words_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    phrases = extractors()[0].finder.phrases
    text, usual = "The functional graph,\n  functional\ngraph and (functional graph", {"functional", "Functional"}
    few = phrases.compounds(text, [], usual)
    assert [text[start:end] for start, end, _ in few] == ["functional graph", "functional\ngraph"]
    monkeypatch.setattr(noun_phrases, "_FEW", 1)
    assert phrases.compounds(text, [], usual) == few


def test_a_letter_that_is_two_in_lower_case_moves_no_pair() -> None:
    assert [m.text for m in extractors()[0].mentions("İİ has a functional graph")] == ["functional graph"]


def test_what_is_remembered_is_not_pickled() -> None:
    reader = Signals({"name": str.istitle})
    assert reader.of(reader.shapes(["Mojo", "runs"]))
    assert not pickle.loads(pickle.dumps(reader)).words
