import pytest
import spacy

from torchatlas.extract.extractor import blanked
from torchatlas.extract.statements.coordination import heads_phrase
from torchatlas.extract.statements.entities import Entity
from torchatlas.extract.statements.pronouns import Focus
from torchatlas.extract.statements.sentences import Sentence, Unit, units
from torchatlas.extract.tokens import Tokens

NLP = spacy.blank("en")
PAGE = "https://a-show.simplecast.com/episodes/"


def cut(text: str) -> list[str]:
    plain = blanked(text)
    return [text[unit.start : unit.stop].strip() for unit in units(Tokens.of(NLP.make_doc(plain)), text)]


def sentence(text: str, *names: str) -> Sentence:
    """The text as one sentence in which each name, at its first place, is a thing."""
    entities = [Entity(text.index(name), text.index(name) + len(name), name=name, spelled=name) for name in names]
    tokens = Tokens.of(NLP.make_doc(text))
    unit = Unit(0, len(tokens.words), start=0, stop=len(text), cited=False, depth=None, opens=True)
    return Sentence.of(tokens, unit, entities)


def shown(read: Sentence) -> str:
    return " ".join(read.at[i].name if i in read.at else word for i, word in enumerate(read.words))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two, e.g. Three! Four", ["One.", "Two, e.g. Three!", "Four"]),
        ("Heading\n  • one\n    • two\nThree", ["Heading", "• one", "• two", "Three"]),
        ("Docs https://x.invalid/a Code https://x.invalid/b", ["Docs https://x.invalid/a", "Code https://x.invalid/b"]),
        (f"First: {PAGE}a and {PAGE}b\n\nThen", [f"First: {PAGE}a and {PAGE}b", "Then"]),
        (f"First:\n\n{PAGE}a\n{PAGE}b", ["First:", f"{PAGE}a\n{PAGE}b"]),
    ],
)
def test_a_text_is_cut_where_a_sentence_an_item_or_an_address_ends(text: str, expected: list[str]) -> None:
    assert [piece for piece in cut(text) if piece] == expected


def test_a_full_line_goes_on_but_for_the_first_one_and_one_above_a_wider_one() -> None:
    first = "And all that follows, which is not little and wants some of your time,"
    full = "or all that one can do to read long tables in a notebook of Jupyter"
    below = "Dask reads them by parts."
    assert cut(f"{first}\n{full}\n{below}") == [f"{first}\n{full}\n{below}"]
    assert cut(f"{full}\n{below}") == [full, below]
    wide = f"Dask reads them by parts, {'and again, ' * 10}and that is all."
    assert cut(f"{first}\n{full}\n{wide}") == [f"{first}\n{full}", wide]


def test_parentheses_are_left_out() -> None:
    read = sentence("Dynamo (one) (two) uses guards (", "Dynamo", "guards")
    assert shown(read.without_parentheses()) == "Dynamo uses guards ("
    plain = read.without_parentheses()
    assert plain.without_parentheses() is plain


def test_a_sentence_keeps_where_its_words_stand() -> None:
    text = "The Triton compiler uses this mechanism."
    read = sentence(text, "Triton")
    assert [text[a:b] for _, a, b, _ in read.parts] == [
        "The",
        "Triton",
        "uses",
        "this mechanism",
        ".",
    ]


def test_an_item_reads_on_from_its_heading() -> None:
    item, heading = sentence("• guards", "guards"), sentence("Parts of Dynamo:", "Dynamo")
    joined, joint = item.under(heading)
    assert (shown(joined), joint) == ("parts of Dynamo : guards", 3)


def test_a_pronoun_stands_for_the_subject_or_the_only_thing_named() -> None:
    focus = Focus().after(sentence("Dynamo checks guards.", "Dynamo", "guards"))
    assert [e and e.name for e in map(focus.antecedent, ("it", "they", "this"))] == ["Dynamo", None, None]
    focus = Focus().after(sentence("We talk at length about guards.", "guards"))
    assert [e and e.name for e in map(focus.antecedent, ("it", "they", "these"))] == [
        None,
        "guards",
        "guards",
    ]


def test_what_follows_a_preposition_heads_no_clause() -> None:
    assert not heads_phrase(["a", "bug", "in", "the", "new", "\ue000"], 5)
    for word in ("and", "or", "that", "how", "where", "when", ",", "\ue000"):
        assert heads_phrase(["in", word, "\ue000"], 2)
    assert heads_phrase(["most", "of", "\ue000"], 2) and heads_phrase(["in", "short", ",", "\ue000"], 3)
