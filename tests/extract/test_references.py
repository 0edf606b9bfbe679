"""What texts say of other episodes and between concepts, found by a component of spaCy's."""

import tomllib
from functools import cache
from pathlib import Path

import pytest
import spacy

from tests.extract.cases import TEXTS, cases, entry, pairs
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.references import FACTORY, statements
from torchatlas.graph.model import Concept

LABELLED = tomllib.loads((Path(__file__).parent / "stated.toml").read_text("utf-8"))
PAGE = "https://a-show.simplecast.com/episodes/"


@cache
def reader(concepts: str) -> Extractor:
    known = [Concept(name.lower(), name, area="x", aliases=tuple(aliases)) for name, *aliases in LABELLED[concepts]]
    return Extractor(known, LABELLED["titles"])


def found(notes: str, title: str = "Widgets", concepts: str = "concepts") -> set[str]:
    (extraction,) = reader(concepts).extract([entry(notes, title)])
    for s in extraction.statements:
        assert extraction.text[s.start : s.start + len(s.quote)] == s.quote and s.quote and s.field == "description"
        assert s.subject != s.object
    return {f"{s.relation}: {s.subject} > {s.object}" for s in extraction.statements}


CASES = [
    *((text, "Widgets", "concepts", labels) for text, *labels in LABELLED["sentences"]),
    *((text, "Widgets", "other_concepts", labels) for text, *labels in LABELLED["others"]),
    *((notes["text"], notes["title"], "concepts", notes["states"]) for notes in LABELLED["notes"]),
]


@pytest.mark.parametrize(("text", "title", "concepts", "labels"), CASES)
def test_a_labelled_text_is_read_as_labelled(text: str, title: str, concepts: str, labels: list[str]) -> None:
    assert found(text, title, concepts) == set(labels)


LATER = "You might want to listen to this one before the episode on vmap. => vmap"
ADVICE = [("LISTEN_AFTER", TEXTS["listen first"]), ("LISTEN_BEFORE", LATER)]
ADVICE += [("RELATED_EPISODE", TEXTS["related episodes"])]
NUMBERS = """episode 12 | Episode #12 | Ep. 12 | #12 | S2 E1 | S1E5 | S1:E4 | Season 1, ep. 4 | season 1 episode 4
    episode 5 of season 2 | episode 5 of s2"""
STATED = [(kind, *pair) for kind, table in ADVICE for pair in pairs(table)]
STATED += [("LISTEN_AFTER", f"Please listen to {number} first.", number) for number in cases(NUMBERS)]
FOLLOWED = [number for number in cases(NUMBERS) if number != "#12"]
STATED += [("LISTEN_AFTER", f"This is a follow-up to {number} of our podcast.", number) for number in FOLLOWED]
STATED += [("", notes, "") for notes in cases(TEXTS["nothing of other episodes"] + TEXTS["of another show or season"])]


@pytest.mark.parametrize(("relation", "notes", "expected"), STATED)
def test_what_is_stated_of_other_episodes(relation: str, notes: str, expected: str) -> None:
    for name in ("dispatcher-basics", "vmap", "zero-one-specialization", "tensoriterator"):
        notes = notes.replace(f"{{{name}}}", PAGE + name)
    (extraction,) = reader("concepts").extract([entry(notes.replace(r"\n", "\n"))])
    stated = {(s.relation, s.subject, s.object) for s in extraction.statements}
    titles = [expected] if expected in cases(NUMBERS) else expected.split(", ")
    assert stated == {(relation, "Widgets", title) for title in titles if title}


@pytest.mark.parametrize("before", ["Links.\n", "First of all. ", "", "Links\n"])
def test_a_link_to_an_episode_is_quoted_from_the_start_of_its_sentence_or_line(before: str) -> None:
    (extraction,) = reader("concepts").extract([entry(f"{before}See {PAGE}vmap")])
    assert [s.quote for s in extraction.statements] == [f"See {PAGE}vmap"]


@pytest.mark.parametrize(("notes", "expected"), pairs(TEXTS["stated of concepts"]))
def test_what_is_stated_of_concepts(notes: str, expected: str) -> None:
    (extraction,) = reader("concepts").extract([entry(notes)])
    assert {f"{s.subject} > {s.object}" for s in extraction.statements} == {s for s in expected.split(", ") if s}


def test_the_component_reads_any_doc_with_a_tokenizer_alone() -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe(FACTORY, config={"titles": ["Views"], "names": {"vmap": "vmap", "jax": "JAX"}})
    assert nlp.get_pipe_meta(FACTORY).assigns == ["doc.spans"]
    doc = nlp.make_doc("Listen to Views first. vmap is an extension of JAX.")
    doc.spans["concepts"] = [doc.char_span(23, 27, "vmap"), doc.char_span(47, 50, "jax")]
    component(doc)
    assert [(s.relation, s.subject, s.object, s.quote) for s in statements(doc, "Strides")] == [
        ("LISTEN_AFTER", "Strides", "Views", "Listen to Views first"),
        ("EXTENDS", "vmap", "JAX", "vmap is an extension of JAX"),
    ]
    assert statements(nlp("See the Views episode."), "Views") == ()
