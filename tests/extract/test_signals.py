from functools import cache

import spacy
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.mentions.identifiers import identifiers
from torchatlas.extract.mentions.own_names import own_names
from torchatlas.extract.mentions.signals import signals_of
from torchatlas.extract.pieces import TextPieces
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


def read(text: str) -> TextPieces:
    tokenizer = extractors()[0].tokenizer
    assert tokenizer
    return tokenizer(text)


@given(TEXTS)
@example("the Quill compiler runs")
@example("Quill, a compiler")
@example("on ZQX, 'eager' mode")
def test_a_pass_that_the_signals_spare_would_have_found_nothing(text: str) -> None:
    finder = extractors()[0].finder
    found = signals_of(read(text))
    assert own_names(text, [], found) == own_names(text, [])
    assert "code" in found or not list(identifiers(text))
    told = {word for _, piece in found.get("modifier", ()) for word in piece.split()}
    assert told >= {word for word in text.split() if finder.phrases.is_modifier(word)}
    tokens = extractors()[0].nlp.make_doc(text)
    assert "quote" in found or not any(token.text in set("\"'“”‘’`") for token in tokens)


@given(TEXTS)
def test_the_pipeline_of_a_caller_finds_the_same(text: str) -> None:
    own, given_ = extractors()
    assert given_.mentions(text) == own.mentions(text)


def test_pairs_stand_over_the_end_of_a_line_and_in_brackets_too() -> None:
    text = "The functional graph,\n  functional\ngraph and (functional graph, an\x1cfunctional\x1d functional graph"
    pairs = extractors()[0].finder.phrases.compounds(text, [], signals_of(read(text))["modifier"])
    assert [text[start:end] for start, end, _ in pairs] == ["functional graph", "functional\ngraph", "functional graph"]


def test_a_letter_that_is_two_in_lower_case_moves_no_pair() -> None:
    assert [m.text for m in extractors()[0].mentions("İİ has a functional graph")] == ["functional graph"]


def test_a_piece_gives_the_signals_of_each_of_its_words() -> None:
    signals = extractors()[0].finder.signals
    assert signals.read("Mojo\tcompiler") == ("name", "kind")
    assert signals.read("compiler.") == ("kind",)
    assert signals.read("whatever,") == ()


def test_the_tokens_of_a_text_are_listed_only_where_they_are_needed() -> None:
    for text, listed in (
        ("A functional graph of JAX", False),
        ("the JAX and module graph", True),
        ("f_x() calls", False),
    ):
        pieces = read(text)
        assert extractors()[0].finder.find(pieces)
        assert ("tokens" in vars(pieces)) == listed
