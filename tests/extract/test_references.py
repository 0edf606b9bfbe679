"""What texts say of other episodes and between concepts, found by a component of spaCy's."""

import sys
import tomllib
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import spacy

from tests.extract.cases import TEXTS, cases, entry, pairs
from torchatlas.extract import references
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.references import CONCEPTS, EPISODES, FACTORY, References, statements
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


def test_without_any_one_row_a_labelled_text_is_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    asserted, left_out, used = references._asserted, set[int](), set[int]()

    def noted(texts: Any, start: int, end: int, place: int) -> bool:
        used.add(place)
        return place not in left_out and asserted(texts, start, end, place)

    monkeypatch.setattr(references, "_asserted", noted)
    needed = set()
    for text, title, concepts, labels in CASES:
        used.clear()
        if labels and found(text, title, concepts) == set(labels):
            for row in used - needed:
                left_out = {row}
                needed |= left_out if found(text, title, concepts) != set(labels) else set()
                left_out = set()
    assert needed == set(range(len(EPISODES) + len(CONCEPTS)))


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


def steps(text: str) -> int:
    """Return how many instructions of the module run while a text is read."""
    count = 0

    def step(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return step

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        frame.f_trace_opcodes = frame.f_code.co_filename == references.__file__
        return step if frame.f_trace_opcodes else None

    nlp = spacy.blank("en")
    component, doc = References(nlp, titles=["Widgets"]), nlp.make_doc(text)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        component(doc)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", ["episode 12, ", "Widgets, ", "Widgets, episode 12, ", f"See {PAGE}vmap "])
def test_to_read_a_text_takes_steps_in_proportion_to_its_length(piece: str) -> None:
    steps("Widgets")
    assert steps(piece * 400) < 3 * steps(piece * 200)
