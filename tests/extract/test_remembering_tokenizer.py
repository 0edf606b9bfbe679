import pickle
import re
from functools import cache
from itertools import accumulate
from pathlib import Path

import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language

from tests.strategies import times
from torchatlas.extract.mentions.word_shapes import Shape
from torchatlas.extract.pieces import Piece, TextPieces, pieces_of
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer
from torchatlas.extract.spacy_pipeline import Answers, SpacyPipeline
from torchatlas.extract.tokens import Tokens, lowered

DESCRIPTIONS = Path(__file__).with_name("descriptions.txt")
PIECES = ("don't", "Don't,", "graphs", "Graph.", "etc.", "e.g.", "U.S.", "a.m.", "id", "Id,", "cant", "(x-y)", "İ", "ſ")
GAPS = (" ", " ", " ", "  ", "\n", " \n", "\n  ", "\t", "\x1c", "\u2028", "\xa0")
TEXTS = st.lists(st.sampled_from(PIECES + GAPS) | st.text(max_size=5)).map("".join)


@cache
def tokenizers() -> tuple[Language, RememberingTokenizer]:
    nlp = spacy.blank("en")
    return nlp, RememberingTokenizer(SpacyPipeline())


def spacys(text: str) -> Tokens:
    return Tokens.of(tokenizers()[0].make_doc(text))


def test_the_tokens_of_notes_are_spacys_the_first_time_and_the_second() -> None:
    _, remembering = tokenizers()
    notes = DESCRIPTIONS.read_text("utf-8")
    for _ in range(2):
        for text in [notes, *notes.splitlines()]:
            assert remembering(text).tokens == spacys(text)


def test_words_of_letters_and_every_exception_of_english_are_split_as_spacy_splits_them() -> None:
    nlp, remembering = tokenizers()
    for rule in nlp.tokenizer.rules:
        joined = (f"{rule}-a", f"a-{rule}", f"a-{rule}-b,", f"{rule}-{rule}")
        for word in (rule, f"{rule}.", f"{rule},", f"{rule}?", f"a{rule}", f"{rule}a", *joined):
            assert remembering(word).tokens == spacys(word)


@settings(max_examples=times(40))
@given(st.from_regex(r"([A-Za-z]{1,9}(-[A-Za-z]{1,9}){0,3}|[0-9]{1,9})[.,?!]?", fullmatch=True))
def test_a_number_and_a_word_of_letters_with_hyphens_each_with_a_mark_are_split_as_spacy_splits_it(word: str) -> None:
    assert tokenizers()[1](word).tokens == spacys(word)


@given(TEXTS)
def test_the_tokens_make_up_the_text(text: str) -> None:
    tokens = tokenizers()[1](text).tokens
    assert [lowered(text[start:end]) for start, end in zip(tokens.starts, tokens.ends, strict=True)] == tokens.words
    assert tokenizers()[1].split(text) == tokens.words
    gaps = [text[end:start] for end, start in zip([0, *tokens.ends], [*tokens.starts, len(text)], strict=True)]
    assert set(gaps) <= {"", " "}


@settings(max_examples=times(50))
@given(st.lists(st.sampled_from(PIECES)), st.lists(st.sampled_from(GAPS), min_size=20, max_size=20))
def test_white_space_is_read_as_spacy_reads_it(words: list[str], gaps: list[str]) -> None:
    _, remembering = tokenizers()
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=False))
    for written in (text, text.strip(), f"\n{text}", f" {text}"):
        assert remembering(written).tokens == spacys(written)


def test_what_was_read_in_a_memory_zone_is_known_behind_it() -> None:
    pipeline = SpacyPipeline()
    remembering = RememberingTokenizer(pipeline)
    with pipeline.nlp.memory_zone():
        inside = remembering("Zork quux, (plugh)").tokens
    assert remembering("Zork quux, (plugh)").tokens.words == inside.words == ["zork", "quux", ",", "(", "plugh", ")"]


def test_what_is_remembered_is_not_pickled() -> None:
    _, remembering = tokenizers()
    remembering("a graph")
    again = pickle.loads(pickle.dumps(remembering))
    assert not again.words
    assert again("a graph, don't").tokens == remembering("a graph, don't").tokens


@given(TEXTS)
def test_what_is_told_of_a_word_stands_with_the_pieces_of_a_text(text: str) -> None:
    pipeline = tokenizers()[1].pipeline
    telling = RememberingTokenizer(pipeline, lambda word, tokens, starts: Piece(tokens, starts, Shape(word)))
    for _ in range(2):
        read = telling(text)
        assert read.tokens == spacys(text)
        assert [piece.shape.letter for piece in read.known] == list(read.written) == pieces_of(text)
        assert read.starts == list(accumulate((len(f"{word} ") for word in pieces_of(text)), initial=0))


@given(TEXTS, st.integers(0, 20), st.integers(1, 9))
def test_characters_are_whole_tokens_of_pieces_where_they_are_whole_tokens_of_the_text(
    text: str, start: int, length: int
) -> None:
    nlp, remembering = tokenizers()
    written = text[start : start + length]
    if written and written[0].isprintable() and not {written[0], written[-1]} & set(" \n\t\x1c\u2028\xa0"):
        end, doc = start + len(written), nlp.make_doc(text)
        whole = remembering(text).tokens.within(start, end) is not None
        assert remembering(text).is_whole(start, end) == whole
        assert TextPieces.of(doc, lambda _, tokens, starts: Piece(tokens, starts)).is_whole(start, end) == whole


@given(TEXTS)
def test_the_tokens_before_a_place_and_in_a_word_are_those_of_the_text(text: str) -> None:
    read = tokenizers()[1](text)
    tokens = read.tokens
    for i, start in enumerate(tokens.starts):
        before = tokens.span(i - 1, i) if i else (0, 0)
        if text[start : tokens.ends[i]].strip() and not text[slice(*before)].isspace():
            assert read.before(start) == (before if i else (start, start))
    for word in re.finditer(r"\S+", text):
        first, after = tokens.covering(*word.span())
        assert read.count(*word.span()) == after - first


PLAIN = "JVP. VJPs. FP32, 12. tensor's, A100's? that's, eager-mode,"


def test_spacy_is_not_asked_for_plain_words() -> None:
    pipeline = SpacyPipeline(answers=Answers(["that's"], {"that's": ["that", "'s"]}))
    assert RememberingTokenizer(pipeline)(PLAIN).tokens == spacys(PLAIN)
    assert "nlp" not in vars(pipeline)


@settings(max_examples=times(100))
@given(st.from_regex(r"[A-Za-z]{0,3}[0-9]{0,3}[A-Za-z]{0,2}('s)?[.,?!]?", fullmatch=True))
def test_short_words_with_figures_and_capitals_are_split_as_spacy_splits_them(word: str) -> None:
    assert tokenizers()[1](word).tokens == spacys(word)


def test_the_s_of_an_owner_is_split_off_as_spacy_splits_it() -> None:
    nlp, remembering = tokenizers()
    for word in [*nlp.tokenizer.rules, "tensor", "Epsilon", "JVP", "x", "A", "GPUs"]:
        for owner in (f"{word}'s", f"{word.capitalize()}'s,", f"{word}'s.", f"{word.upper()}'s?"):
            assert remembering(owner).tokens == spacys(owner)


def test_a_word_is_told_of_once() -> None:
    told: list[str] = []
    telling = RememberingTokenizer(tokenizers()[1].pipeline, lambda word, *_: (told.append(word), Piece((), ()))[1])
    telling("a graph, a graph")
    telling("a  graph")
    assert told == ["a", "graph,", "graph", ""]
